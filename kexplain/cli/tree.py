"""The command line described, for manual pages and completion: typer's own records, reduced to what is stable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer

from kexplain.cli.app import app


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """An option or argument. `metavar` is empty for a flag; with bars in it, it lists all values."""

    names: tuple[str, ...]
    metavar: str
    help: str
    default: str
    is_argument: bool

    @property
    def choices(self) -> tuple[str, ...]:
        """The only values there are, if they are so few."""
        listed = self.metavar.split("|")
        return tuple(listed) if len(listed) > 1 and self.metavar.islower() else ()

    @property
    def is_file(self) -> bool:
        """Whether the value names files."""
        return self.metavar in ("FILE", "FILE|DIR", "PATH", "POD")


@dataclass(frozen=True, slots=True)
class CommandInfo:
    """A command with its parameters."""

    name: str
    help: str
    parameters: tuple[ParameterInfo, ...]

    @property
    def summary(self) -> str:
        """The first line of the help."""
        return self.help.partition("\n")[0]

    @property
    def options(self) -> tuple[ParameterInfo, ...]:
        """The parameters that have a name."""
        return tuple(parameter for parameter in self.parameters if not parameter.is_argument)


def commands() -> list[CommandInfo]:
    """All commands, the default one first."""
    group: Any = typer.main.get_command(app)
    return [_command(name, command) for name, command in group.commands.items()]


def _command(name: str, command: Any) -> CommandInfo:
    parameters = tuple(_parameter(parameter) for parameter in command.params)
    return CommandInfo(name, str(command.help or "").strip(), parameters)


def _parameter(parameter: Any) -> ParameterInfo:
    is_argument = parameter.param_type_name == "argument"
    is_flag = bool(getattr(parameter, "is_flag", False))
    default = parameter.default
    told = "" if default in (None, "", False) or callable(default) else str(default)
    return ParameterInfo(
        names=(*parameter.opts, *parameter.secondary_opts),
        metavar="" if is_flag else str(parameter.metavar),
        help=" ".join((getattr(parameter, "help", "") or "").split()),
        default=told,
        is_argument=is_argument,
    )
