"""Commands that are printed for a POSIX shell: whatever an object, a file or a message names is quoted here.

And where the few programs are that are run, never through a shell.
"""

import os
from collections.abc import Mapping, Sequence

__all__ = ["command", "filled", "new_file", "program", "word"]


def word(text: str) -> str:
    """A text as one word, quoted where it has to be."""
    from shlex import quote  # noqa: PLC0415 (most reports print no command)

    return quote(text)


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


def program(name: str) -> str | None:
    """The file of a program on the PATH; None if it is on none of its absolute entries.

    The working directory may be anybody's: unlike the systems' own searches, and like Go's, this one never looks there.
    """
    endings = os.environ.get("PATHEXT", ".EXE").split(os.pathsep) if os.name == "nt" else [""]
    for directory in filter(os.path.isabs, os.get_exec_path()):
        for ending in endings:
            found = os.path.join(directory, name + ending)  # noqa: PTH118 - a name is taken as it is
            if os.path.isfile(found) and os.access(found, os.X_OK):  # noqa: PTH113
                return found
    return None
