"""The name that the command line goes by: that of a kubectl plugin where kubectl has started it."""

from os.path import basename

from kexplain.patterns import regex

PLUGIN = "kubectl kexplain"
NAME = "kexplain"
#: A command in a text, rather than the name of the program.
_COMMAND = regex(r"(?<![\w/.-])(?<!kubectl )kexplain(?= [\w/-])")


def program_name(path: str) -> str:
    """What the program is called as that was started by a path; kubectl starts `kubectl-kexplain`."""
    return PLUGIN if basename(path).startswith("kubectl-") else NAME  # noqa: PTH119 (pathlib takes longer to import)


def spelled(text: str, program: str) -> str:
    """A text with its commands under the name of the program."""
    return _COMMAND.sub(program, text)
