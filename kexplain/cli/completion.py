"""Completion scripts, made by typer; the program answers them itself."""

from __future__ import annotations

COMPLETE_VARIABLE = "_KEXPLAIN_COMPLETE"


def script(shell: str) -> str:
    """The script for a shell; empty lines at the end are cut to one."""
    from typer._completion_shared import get_completion_script  # noqa: PLC0415

    return get_completion_script(prog_name="kexplain", complete_var=COMPLETE_VARIABLE, shell=shell).strip() + "\n"
