"""What the report looks like, and where it goes."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Struct
from typer._click.types import ParamType

from kexplain.cli.flags.declaring import Declaration, Words, option, values_for
from kexplain.errors import UsageError
from kexplain.render import Kind, formats

if TYPE_CHECKING:
    from kexplain.render.view import View


class Color(StrEnum):
    """Whether output has colours; AUTO follows the environment and the terminal."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class OutputType(ParamType):
    """`FORMAT` or `FORMAT=FILE`, as text; completion offers the choices."""

    name = "output"

    def __init__(self, choices: tuple[str, ...]) -> None:
        self.choices = choices

    def convert(self, value: Any, param: Any, ctx: Any) -> str:  # noqa: ARG002 (what typer calls)
        """The text as it is: `targets` reads it once the kind of report is known."""
        return str(value)


def _output(request: Any) -> Declaration:
    """The formats of the kind of report that the request asks for."""
    found = formats(request.reports)
    names = tuple(each.name for each in found)
    purposes = "; ".join(f"{each.name}: {each.purpose}" for each in found)
    daily = [each.name for each in found if not each.is_rare]
    listed = f"{', '.join(daily[:-1])} or {daily[-1]}"
    return option(
        "-o",
        metavar="FORMAT[=FILE]",
        daily=True,
        is_output=True,
        click_type=OutputType(names),
        help=f"{listed}. {_rare(names, daily)}Can be repeated; all but one need a file. {purposes}.",
    )


def _rare(names: Sequence[str], daily: Sequence[str]) -> str:
    rare = [name for name in names if name not in daily]
    return f"Also {', '.join(rare)}. " if rare else ""


class Target(Struct, frozen=True):
    """A kind of report in a format, and the file that it goes to; without one, stdout."""

    kind: Kind
    format: str
    path: str = ""


class OutputFlags(Struct, frozen=True, kw_only=True):
    """Formats, and what the terminal can show; a request with them says what it `reports`."""

    panel: ClassVar = "The report"

    output: Annotated[Words, _output] = ()
    color: Annotated[Color, option()] = Color.AUTO
    width: Annotated[int | None, option(min=20)] = None

    def targets(self, kind: Kind) -> list[Target]:
        """Where the report goes. Raises UsageError on an unknown format, or on two for one place."""
        names = [each.name for each in formats(kind)]
        targets = []
        for output in self.output or ["text"]:
            name, _, path = output.partition("=")
            if name not in names:
                raise UsageError(f'"{name}" is not a format', f"formats are {', '.join(names)}")
            targets.append(Target(kind, name, path))
        if sum(1 for target in targets if not target.path) > 1:
            raise UsageError("only one report can go to stdout", "give each of the others a file: -o json=report.json")
        counts = Counter(target.path for target in targets if target.path)
        if twice := [path for path, count in counts.items() if count > 1]:
            raise UsageError(f"two reports cannot go to one file: {twice[0]}", "give each a file of its own")
        return targets

    def view(self) -> "View":
        """What to show: each flag that is called like a field of it."""
        from kexplain.render.view import View

        return View(**values_for(View, self))


class ReportFlags(OutputFlags, frozen=True, kw_only=True):
    """Formats, how much is shown, and whether notes go to stderr."""

    verbose: Annotated[bool, option("-v")] = False
    quiet: Annotated[bool, option("-q")] = False


class TableFlags(ReportFlags, frozen=True, kw_only=True):
    """The same for reports with long tables."""

    top: Annotated[int, option(min=0)] = 10


class FixFlags(TableFlags, frozen=True, kw_only=True):
    """The same for reports that say what would help."""

    #: 0 where no number is said: what mends a manifest that is refused, or else the first remedy.
    fix: Annotated[int | None, option(min=0)] = None

    @property
    def fixes(self) -> bool:
        """Whether something is printed or written that helps, not a report."""
        return self.fix is not None
