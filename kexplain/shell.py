"""Commands that are printed for a POSIX shell: whatever an object, a file or a message names is quoted here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from shlex import quote as word

__all__ = ["command", "filled", "new_file", "word"]


def command(program: str, *values: str, namespace: str = "", flags: Sequence[str] = ()) -> str:
    """A command of which each of `values` and `flags` is one word, whatever it has in it.

    `program` is text of our own, with its subcommands. A value that begins as an option does stands behind `--`.
    """
    flags = ["-n", namespace, *flags] if namespace else flags
    if any(value.startswith("-") for value in values):
        return " ".join([program, *map(word, flags), "--", *map(word, values)])
    return " ".join([program, *map(word, values), *map(word, flags)])


def filled(template: str, names: Mapping[str, str]) -> str:
    """A text of our own with one word for each `{name}` in it, which must not stand where an option could."""
    return template.format(**{name: word(value) for name, value in names.items()})


def new_file(name: str, ending: str) -> str:
    """The name of a file for an object: in the working directory, and no option, whatever the object is called."""
    kept = "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in name)
    return f"{kept.lstrip('-.') or 'object'}{ending}"
