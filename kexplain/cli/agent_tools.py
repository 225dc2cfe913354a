"""What agents may ask: `agent-tools.json` among the tables has each tool, and what its arguments become.

The value of an argument is checked before it becomes a word of a command line: of its option, or a word by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from mcp.server.mcpserver.exceptions import ToolError
from msgspec import Struct, field
from msgspec.structs import replace

from kexplain.load.custom_workloads import kind_of_word as custom_kind
from kexplain.objects.workload_kinds import kind_of_word
from kexplain.tables import table

#: So much of a value is repeated that is none.
_SHOWN = 80
#: What an argument is by its type, and without being given.
TYPES: Mapping[str, tuple[Any, Any]] = {
    "text": (str, ""),
    "flag": (bool, False),
    "number": (int, 0),
    "texts": (list[str], []),
    "records": (list[dict[str, Any]], []),
}


class Argument(Struct, frozen=True, forbid_unknown_fields=True):
    """An argument of a tool; a `subject` is what the tool is about.

    What is `given` goes through standard input; a `config`, which is read from a file, stands in one of that name.
    `beside` another subject it is no subject, and has that option.
    """

    help: str
    type: str = "text"
    form: str = ""
    option: str = ""
    beside: str = ""
    is_given: bool = field(default=False, name="given")
    is_subject: bool = field(default=False, name="subject")
    is_required: bool = field(default=False, name="required")
    is_config: bool = field(default=False, name="config")
    default: int | None = None
    bounds: Mapping[str, Any] = {}

    @property
    def without(self) -> Any:
        """Its value where it is not given."""
        return TYPES[self.type][1] if self.default is None else self.default


class AgentTool(Struct, frozen=True, forbid_unknown_fields=True):
    """A tool, the command that answers it, and its arguments, some of which several tools share.

    `nothing` is what is said where it has no subject and needs one; `otherwise` the option where there is no other.
    It is `about` the cluster, only about the files of one, or about nothing but what is given.
    """

    command: str
    help: str
    arguments: Mapping[str, str | Argument]
    nothing: str = ""
    otherwise: str = ""
    about: str = "cluster"

    def in_full(self) -> dict[str, Argument]:
        """Its arguments by name."""
        return {name: ARGUMENTS[each] if isinstance(each, str) else each for name, each in self.arguments.items()}


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    """The tools, arguments that several of them have, and forms that values have to have, each with what others are."""

    forms: Mapping[str, tuple[str, str]]
    arguments: Mapping[str, Argument]
    tools: Mapping[str, AgentTool]


_TABLE = table("agent-tools", _Table)
FORMS, ARGUMENTS, TOOLS = _TABLE.forms, _TABLE.arguments, _TABLE.tools


class CommandLine(NamedTuple):
    """A command with its options and words; what is `given` to it in a text, as which argument, and which `configs`."""

    command: str
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    given: str = ""
    given_as: str = "manifest"
    configs: tuple[tuple[str, str], ...] = ()


def command_line(tool: AgentTool, values: Mapping[str, Any]) -> CommandLine:
    """What the values of a tool's arguments become. Raises ToolError on those that mean nothing."""
    said = [(name, each, values[name]) for name, each in _placed(tool, values).items() if values.get(name)]
    _check_subjects(tool, said)
    made = [(each, word) for name, each, value in said for word in _words(name, each, value)]
    options = [f"{each.option}={word}" if word else each.option for each, word in made if each.option]
    words = tuple(word for each, word in made if each.is_subject and not each.option)
    options += [tool.otherwise] if tool.otherwise and not values.get("namespace") else []
    given_as, text = next(_texts(said, are_configs=False), ("manifest", ""))
    return CommandLine(tool.command, tuple(options), words, text, given_as, tuple(_texts(said, are_configs=True)))


def _placed(tool: AgentTool, values: Mapping[str, Any]) -> dict[str, Argument]:
    """The arguments of a tool, of which some stand beside another one that is given."""
    known = tool.in_full()
    is_named = any(each.is_subject and not each.beside and values.get(name) for name, each in known.items())
    beside = {name: each for name, each in known.items() if each.beside and is_named}
    return known | {name: replace(each, option=each.beside, is_subject=False) for name, each in beside.items()}


def _texts(said: Iterable[tuple[str, Argument, Any]], *, are_configs: bool) -> Iterator[tuple[str, str]]:
    """What is handed over as text, by the argument's name: configurations, or what goes through standard input."""
    return ((name, _text(value)) for name, each, value in said if each.is_given and each.is_config is are_configs)


def _check_subjects(tool: AgentTool, said: Sequence[tuple[str, Argument, Any]]) -> None:
    """Raise ToolError if a tool is asked about two things, each of which stands alone, or about nothing."""
    subjects = {name: each for name, each, _ in said if each.is_subject}
    alone = [name for name, each in subjects.items() if each.type != "texts"]
    if len(alone) > 1:
        raise ToolError(f"{' and '.join(alone)} exclude each other: ask one after the other")
    if tool.nothing and not subjects:
        raise ToolError(tool.nothing)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _words(name: str, argument: Argument, value: Any) -> Iterator[str]:
    """What a value becomes; of a flag, nothing behind its option."""
    for each in value if argument.type == "texts" else [value]:
        if argument.form:
            _check(argument.form, each, name)
        given = name if argument.is_config else "-"
        yield "" if argument.type == "flag" else given if argument.is_given else str(each)


def _check(form: str, value: str, name: str) -> None:
    """Raise ToolError if a value has another form, or refers to what has no pods."""
    pattern, meant = FORMS[form]
    if not re.fullmatch(pattern, value):
        raise ToolError(f'{name}: "{value[:_SHOWN]}" {meant}')
    kind, slash, bare = value.rpartition("/") if name == "pod" else ("", "", "")
    if slash and kind in ("node", "nodes", "no"):
        instead = f'drain with nodes=["{bare}"], or explain a pod with node="{bare}"'
        raise ToolError(f"pod: a node is not scheduled; {instead}")
    if slash and not (kind_of_word(kind) or custom_kind(kind)):
        raise ToolError(f'pod: there is no kind "{kind}"; if it is a namespace: pod="{bare}", namespace="{kind}"')
