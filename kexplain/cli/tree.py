"""The command line described, for manual pages and completion: typer's own records, reduced to what is stable."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from kexplain.cli.app import COMMANDS, command
from kexplain.cli.help import panel, value_name


class ParameterInfo(Struct, frozen=True):
    """An option or argument. `metavar` is empty for a flag; `choices` are the values to offer, if they are few."""

    names: tuple[str, ...]
    metavar: str
    help: str
    panel: str
    choices: tuple[str, ...]
    is_argument: bool

    @property
    def is_file(self) -> bool:
        return self.metavar in ("FILE", "FILE|DIR", "FILE|none", "DIR", "PATH", "POD")


class CommandInfo(Struct, frozen=True):
    """A command with its parameters, examples with what each is for, and what follows its name."""

    name: str
    help: str
    examples: Sequence[tuple[str, str]]
    usage: str
    parameters: tuple[ParameterInfo, ...]

    @property
    def options(self) -> tuple[ParameterInfo, ...]:
        """The parameters that have a name."""
        return tuple(parameter for parameter in self.parameters if not parameter.is_argument)


def commands() -> list[CommandInfo]:
    """All commands, the default one first."""
    return [described(name) for name in COMMANDS]


def described(name: str) -> CommandInfo:
    """The command of that name."""
    found = command(name)
    parameters = tuple(_parameter(each) for each in found.params)
    return CommandInfo(name, str(found.help), found.examples, found.usage, parameters)


def _parameter(parameter: Any) -> ParameterInfo:
    is_argument = parameter.param_type_name == "argument"
    return ParameterInfo(
        names=() if is_argument else tuple(parameter.opts),
        metavar=value_name(parameter),
        help=" ".join((parameter.help or "").split()),
        panel=panel(parameter),
        choices=tuple(getattr(parameter.type, "choices", ())),
        is_argument=is_argument,
    )
