"""The commands by name. Each has a `Request` in `requests`, which is all that help and completion need of it, and a
`run` in `commands`, which is imported only when it runs: it brings the engine.
"""

from __future__ import annotations

import inspect
from functools import cache
from importlib import import_module
from typing import Any

import typer

from kexplain import tables
from kexplain.cli.conflicts import check_flags
from kexplain.cli.flags.declaring import EXAMPLES, function_of
from kexplain.cli.help import HELP_OPTIONS, CommandWithPanels

DEFAULT_COMMAND = "explain"
#: In the order in which they are listed.
COMMANDS = tables.sections("commands")[""]
SUMMARY = "Why didn't my pod schedule? Runs the whole scheduling cycle of kube-scheduler offline, and explains it."

_CLOSING = (
    f"Other commands: {', '.join(COMMANDS[1 : COMMANDS.index('schema')])}; kexplain help lists everything.",
    "Exit codes: 0 everything fits, 1 something does not, 2 wrong usage or input, 3 cluster not readable, 70 a bug.",
)


def examples(request: Any) -> list[tuple[str, str]]:
    """The examples in the docstring of a request: each a command, and what it is for."""
    _, _, listed = inspect.cleandoc(request.__doc__).partition(EXAMPLES)
    rows = (line.strip().rpartition("  # ") for line in listed.splitlines())
    return [(words, purpose) for words, _, purpose in rows]


@cache
def command(name: str) -> CommandWithPanels:
    """The command of that name, as typer has it."""
    module = name.replace("-", "_")
    request: Any = import_module(f"kexplain.cli.requests.{module}").Request

    def run(asked: Any) -> int:
        check_flags(name, asked)
        code: int = import_module(f"kexplain.cli.commands.{module}").run(asked)
        return code

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=CommandWithPanels, context_settings=HELP_OPTIONS)(function_of(request, run))
    made: Any = typer.main.get_command(app)
    made.examples = examples(request)
    if name == DEFAULT_COMMAND:
        made.closing = _CLOSING
    found: CommandWithPanels = made
    return found
