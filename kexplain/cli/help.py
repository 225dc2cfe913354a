"""Help in panels: what one needs daily on one screen, and everything where that is asked for."""

import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from textwrap import wrap
from typing import Any

import typer
from typer._click.core import Context, Parameter
from typer._click.formatting import HelpFormatter
from typer.core import TyperCommand, TyperOption

from kexplain.cli.program import program_name, spelled

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}
#: Under this key a context has the options that were given, by the names of their fields, in their order.
ORDER = "kexplain.order"
#: A context that has this key shows every option.
_IN_FULL = "kexplain.in_full"
#: The value of an option that stands for 1 where none is given.
OPTIONAL_NUMBER = "[N]"
#: Where the text of an option begins; a longer name has a line of its own.
_COLUMN = 32


class CommandWithPanels(TyperCommand):
    """A command with examples, whose help has a panel for each group of flags."""

    examples: Sequence[tuple[str, str]] = ()
    #: Lines at the end; only the first of them is in `--help`.
    closing: Sequence[str] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if any(map(is_rare, self.params)):
            self.params.append(
                TyperOption(
                    param_decls=["--help-all"],
                    is_flag=True,
                    is_eager=True,
                    expose_value=False,
                    callback=_print_everything,
                    help="Show every option and exit.",
                )
            )

    @property
    def usage(self) -> str:
        """What follows the command's name: `[OPTIONS] [POD]...`."""
        words = ["[OPTIONS]"]
        for each in self.params:
            if each.param_type_name == "argument":
                word = value_name(each) if each.required else f"[{value_name(each)}]"
                words.append(f"{word}..." if each.nargs == -1 else word)
        return " ".join(words)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Parse, and keep in which order options were given; one whose value is two words takes both."""
        pairs = {name for each in self.params if " " in value_name(each) for name in each.opts}
        counted = {name for each in self.params if value_name(each) == OPTIONAL_NUMBER for name in each.opts}
        names = {name: each.name for each in self.params for name in each.opts if name.startswith("-")}
        words = [*_numbered(_paired(args, pairs), counted)]
        ctx.meta[ORDER] = [names[name] for word in words if (name := word.partition("=")[0]) in names]
        return super().parse_args(ctx, words)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write usage, summary, examples and panels."""
        lines = "\n".join(self._lines(ctx, formatter.width + 2, in_full=_IN_FULL in ctx.meta))
        formatter.write(spelled(lines, program_name(sys.argv[0])) + "\n")

    def _lines(self, ctx: Context, width: int, *, in_full: bool) -> Iterator[str]:
        yield f"Usage: {ctx.command_path} {self.usage}"
        yield from ("", *wrap(str(self.help), width))
        if self.examples:
            yield from ("", "Examples:")
            yield from _examples(self.examples, width)
        shown = [each for each in self.params if panel(each) and (in_full or not is_rare(each))]
        for title, parameters in groupby(shown, panel):
            yield from ("", f"{title}:")
            for each in parameters:
                yield from _entry(each, width, in_full=in_full)
        closing = [*self.closing] if in_full else [*self.closing[:1]]
        if not in_full and any(map(is_rare, self.params)):
            closing.append(f"{ctx.command_path} --help-all shows every option.")
        if closing:
            yield ""
        for line in closing:
            yield from wrap(line, width, break_on_hyphens=False)


def _paired(words: Sequence[str], options: Collection[str]) -> list[str]:
    """The words, those two behind such an option as one; a word with a blank in it is both already."""
    joined: list[str] = []
    rest = iter(words)
    for word in rest:
        joined.append(word)
        if word in options and (first := next(rest, None)) is not None:
            second = next(rest, "") if " " not in first else ""
            # An option behind the first word is none of the two.
            joined += [first, second] if second.startswith("--") else [f"{first} {second}".rstrip()]
    return joined


def _numbered(words: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """The words, with a zero behind such an option that no number follows."""
    for word, after in pairwise([*words, ""]):
        yield word
        if word in options and not after.isdecimal():
            yield "0"


def panel(parameter: Parameter) -> str:
    """The panel that a parameter belongs to; empty for what asks for help."""
    return str(getattr(parameter, "rich_help_panel", None) or "")


def is_rare(parameter: Parameter) -> bool:
    """Whether a parameter is left out of `--help`."""
    return bool(getattr(parameter, "hidden", False))


def value_name(parameter: Parameter) -> str:
    """What stands for the value; empty for a flag."""
    is_flag = getattr(parameter, "is_flag", False) or getattr(parameter, "count", False)
    return "" if is_flag else str(parameter.metavar)


def _examples(examples: Sequence[tuple[str, str]], width: int) -> Iterator[str]:
    """Commands in a column, with what each is for beside them, or below where there is no room."""
    column = max(len(command) for command, _ in examples)
    fits = all(column + len(purpose) + 4 <= width for _, purpose in examples)
    for command, purpose in examples:
        yield from [f"  {command:<{column}}  {purpose}"] if fits else [f"  {command}", f"      {purpose}"]


def _entry(parameter: Parameter, width: int, *, in_full: bool) -> Iterator[str]:
    """An option with its text; without the rest, the first sentence has to do."""
    names = [] if parameter.param_type_name == "argument" else parameter.opts
    head = f"  {' '.join(filter(None, (', '.join(names), value_name(parameter))))}"
    text = " ".join(str(getattr(parameter, "help", "")).split())
    if not in_full:
        text = f"{text.partition('. ')[0].rstrip('.')}."
    lines = wrap(text, width - _COLUMN, break_on_hyphens=False)
    if len(head) + 2 <= _COLUMN:
        yield f"{head:<{_COLUMN}}{lines.pop(0)}"
    else:
        yield head
    yield from (f"{'':<{_COLUMN}}{line}" for line in lines)


def _print_everything(ctx: Context, parameter: Parameter, value: bool) -> None:  # noqa: ARG001 (typer's)
    if value:
        ctx.meta[_IN_FULL] = True
        sys.stdout.write(f"{ctx.get_help()}\n")
        raise typer.Exit
