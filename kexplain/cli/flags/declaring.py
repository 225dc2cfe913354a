"""How flags are declared, once each, and how typer gets to know them."""

import inspect
import os
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, get_args

import typer
from msgspec import Struct
from msgspec.structs import FieldInfo, fields, replace

from kexplain.tables import table


class Wording(Struct, frozen=True):
    """What `flags.json` among the tables says of a flag."""

    help: str
    metavar: str = ""
    daily: bool = False


class Declaration(Struct, frozen=True, kw_only=True):
    """An option or argument; `daily` ones are in `--help`, all others in `--help-all` only.

    Its help and what its value is called stand in `flags.json` among the tables, below its record, or are worked out.
    """

    help: str = ""
    metavar: str = ""
    names: tuple[str, ...] = ()
    daily: bool = False
    is_argument: bool = False
    #: Whether the value names a file to write, perhaps behind what it is to hold: `json=FILE`.
    is_output: bool = False
    #: What else typer takes.
    more: dict[str, Any]

    @property
    def is_input(self) -> bool:
        """Whether the value names files to read."""
        return not self.is_output and self.metavar in INPUTS

    def spelled(self, field: str) -> tuple[str, ...]:
        """The names of the option; without a long one it is called as its field is."""
        long = () if any(name.startswith("--") for name in self.names) else (f"--{field.replace('_', '-')}",)
        return (*self.names, *long)


#: What stands between the help of a command and its examples, in the docstring of a request.
EXAMPLES = "\n\nFor example:\n"
#: The values of an option that can be repeated, or of a list of arguments.
Words = Sequence[str]

#: Inputs that a run may write anew.
_RENEWED = ("baseline",)
#: What values are called that name files.
INPUTS = ("FILE", "FILE|DIR", "FILE|none", "DIR", "PATH", "POD", "TEXT", "[N=]like:NODE|pool:NAME|FILE")


class Flag(Struct, frozen=True):
    """A field of a group of flags in a request, or without a group of the request itself."""

    group: str
    panel: str
    field: FieldInfo
    declaration: Declaration


def option(
    *names: str,
    help: str = "",  # noqa: A002 (typer's own word)
    metavar: str = "",
    daily: bool = False,
    is_output: bool = False,
    **more: Any,
) -> Declaration:
    """An option: its short names, or a long one where it is not called as its field is."""
    return Declaration(help=help, metavar=metavar, names=names, daily=daily, is_output=is_output, more=more)


def argument(*, help: str = "", metavar: str = "", **more: Any) -> Declaration:  # noqa: A002 (typer's own word)
    """A word without a name before it."""
    return Declaration(help=help, metavar=metavar, daily=True, is_argument=True, more=more)


def utf8(value: str) -> str:
    """A name as it is. Raises BadParameter on bytes that are no text: unlike a file's, it goes into reports."""
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise typer.BadParameter(f"{value} is not UTF-8")
    return value


def flags_of(request: Any) -> list[Flag]:
    """Every flag of a request in its order: its own, and those of its groups."""
    found = []
    for each in fields(request):
        record: Any = each.type if _is_group(each) else request
        group = each.name if _is_group(each) else ""
        declared = ((field, declaration_of(field, record, request)) for field in (fields(record) if group else (each,)))
        found += [Flag(group, record.panel, field, declaration) for field, declaration in declared]
    return found


def declaration_of(field: FieldInfo, record: Any, request: Any = None) -> Declaration:
    """How the flag of a record's field is declared, with its words; some depend on the request."""
    _, declared = get_args(field.type)
    declaration: Declaration = declared if isinstance(declared, Declaration) else declared(request)
    worded = table("flags", dict[str, dict[str, Wording]])
    for each in record.__mro__:
        words = worded.get(f"{each.__module__.rpartition('.')[2]}.{each.__name__}", {}).get(field.name)
        if words is not None:
            is_daily = words.daily or declaration.daily
            return replace(declaration, help=words.help, metavar=words.metavar, daily=is_daily)
    return declaration


def _is_group(field: FieldInfo) -> bool:
    return isinstance(field.type, type)


def values_for(record: Any, flags: Any) -> dict[str, Any]:
    """What flags say of a record: the value of each flag that is called like a field of it."""
    known = record.__struct_fields__
    return {name: getattr(flags, name) for name in flags.__struct_fields__ if name in known}


def with_absolute_paths(flags: Any) -> Any:
    """The flags with every file that they name by its absolute path, so that they mean the same in any folder."""
    located = {}
    for field in fields(type(flags)):
        value, declared = getattr(flags, field.name), declaration_of(field, type(flags))
        if value and declared.is_input:
            paths = [each if each == "-" else os.path.abspath(each) for each in as_words(value)]  # noqa: PTH100 (links stay)
            located[field.name] = tuple(paths) if isinstance(value, list | tuple) else paths[0]
    return replace(flags, **located)


def as_words(value: Any) -> list[str]:
    """The values of an option, which may be repeated."""
    return [str(part) for part in value] if isinstance(value, list | tuple) else [str(value)]


def words_for(flags: Any, without: Container[str] = (), *, are_joined: bool = False) -> list[str]:
    """The words of a command line that give a group of flags the values that it has; defaults are left out.

    A value is the next word, or joined to its option by a sign, so that none can be taken for an option.
    """
    words = []
    for field in fields(type(flags)):
        value = getattr(flags, field.name)
        if field.name in without or value == field.default:
            continue
        _, declared = get_args(field.type)
        name = declared.spelled(field.name)[-1]
        each = [] if value is True else as_words(value)
        pairs = [[f"{name}={part}"] if are_joined else [name, part] for part in each]
        words += [word for pair in pairs for word in pair] or [name]
    return words


def function_of(request: Any, run: Callable[[Any], int | None]) -> Callable[..., int | None]:
    """A function with every flag of a request as a parameter, as typer wants it; it makes the request and runs it."""
    flags = flags_of(request)
    groups: dict[str, Any] = {group.name: group.type for group in fields(request) if _is_group(group)}

    def call(**given: Any) -> int | None:
        _check_outputs(flags, given)
        values: dict[str, dict[str, Any]] = {group: {} for group in ("", *groups)}
        for flag in flags:
            value = given[flag.field.name]
            # What was not given is left to the record.
            if value is not None:
                values[flag.group][flag.field.name] = tuple(value) if isinstance(value, list) else value
        return run(request(**values[""], **{name: group(**values[name]) for name, group in groups.items()}))

    call.__signature__ = inspect.Signature([_parameter(flag) for flag in flags])  # type: ignore[attr-defined]
    call.__doc__ = inspect.cleandoc(request.__doc__).partition(EXAMPLES)[0]
    return call


def _check_outputs(flags: Sequence[Flag], given: Mapping[str, Any]) -> None:
    """Raise UsageError if a file to write is one to read."""
    written, read = list[str](), list[str]()
    for flag in flags:
        value = given[flag.field.name]
        words = [value] if isinstance(value, str) else value or ()
        if flag.declaration.is_output:
            written += (word.partition("=")[2] if flag.declaration.metavar != "FILE" else word for word in words)
        elif flag.declaration.is_input and flag.field.name not in _RENEWED:
            read += words
    if any(written):
        # Most runs write no files.
        from kexplain.cli.overwriting import check_outputs

        check_outputs(written, read)


def _parameter(flag: Flag) -> inspect.Parameter:
    name, declaration = flag.field.name, flag.declaration
    common = {"help": declaration.help, "rich_help_panel": flag.panel, **declaration.more}
    if declaration.metavar:
        common["metavar"] = declaration.metavar
    kind, _ = get_args(flag.field.type)
    kind = list[str] if kind == Words else kind
    default = ... if flag.field.required else flag.field.default
    default = None if default == () else default
    # As a default, for typer takes long to look through an Annotated.
    info = (
        typer.Argument(default, show_default=False, **common)
        if declaration.is_argument
        else typer.Option(default, *declaration.spelled(name), hidden=not declaration.daily, **common)
    )
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=info, annotation=kind)
