"""Completion scripts: each asks `kexplain __complete` and hands the answer to its shell."""

from kexplain.tables import text


def script(shell: str) -> str:
    """The script for bash, zsh or fish."""
    return text(f"completion.{shell}")
