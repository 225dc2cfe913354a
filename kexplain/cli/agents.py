"""The tools that agents are given: each is one question, whose words are checked before they are asked."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

from kexplain import __version__
from kexplain.cli.agent_runs import Asking, Detail, asking
from kexplain.cli.agent_tools import TOOLS, TYPES, AgentTool, Argument, command_line
from kexplain.cli.flags.declaring import with_absolute_paths, words_for
from kexplain.cli.flags.scheduler import CycleFlags, SchedulerFlags
from kexplain.cli.requests.mcp import Request
from kexplain.tables import table
from kexplain.words import clauses, did_you_mean, joined, verb

#: By what pydantic finds wrong, what is wanted instead.
_WANTED = {
    "missing": "is missing", "list_type": "must be a list", "string_type": "must be text",
    **dict.fromkeys(("too_short", "string_too_short"), "must not be empty"),
}  # fmt: skip
_TEXTS = table("agents", dict[str, str])
INSTRUCTIONS = _TEXTS["instructions"]
#: Arguments that say how the answer is shown.
_DETAIL = ("detail", "part", "first")


def server(request: Request) -> MCPServer:
    """The server with its tools."""
    tools = [_tool(question) for question in questions(request).values()]
    found = MCPServer("kexplain", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", tools=tools)
    for prompt in (_why_is_it_pending, _can_this_be_drained, _will_this_fit):
        found.prompt(name=prompt.__name__.removeprefix("_"))(prompt)
    return found


class _Question(Tool):
    """A question as a tool, which refuses what it is not asked with in plain words."""

    async def run(self, arguments: dict[str, Any], *more: Any, **others: Any) -> Any:
        """The answer. Raises ToolError that says which argument is wrong, and what is near."""
        known = self.parameters["properties"]
        for name in arguments:
            if name not in known:
                near, takers = did_you_mean(name, known), [of for of, tool in TOOLS.items() if name in tool.arguments]
                hint = near or (f"{joined(takers)} {verb(len(takers), 'takes')} one" if takers else "")
                raise ToolError(clauses(f'there is no argument "{name}"', hint, f"there are {joined([*known])}"))
        try:
            return await super().run(arguments, *more, **others)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            said = (
                f"{'.'.join(map(str, each['loc']))}: {_WANTED.get(each['type'], each['msg'])}"
                f" ({known[each['loc'][0]].get('description', '')})"
                for each in error.__cause__.errors()
            )
            raise ToolError("; ".join(said)) from None


def _tool(question: Any) -> Tool:
    """The tool that asks a question."""
    reads = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
    tool = _Question.from_function(question, annotations=reads, structured_output=False)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def _why_is_it_pending(pod: str, namespace: str = "") -> str:
    """Find out why a pod is pending, and what to do."""
    return _TEXTS["why_is_it_pending"].format(pod=pod, where=f" in namespace {namespace}" if namespace else "")


def _can_this_be_drained(node: str) -> str:
    """Find out whether a node can go, and what stands in the way."""
    return _TEXTS["can_this_be_drained"].format(node=node)


def _will_this_fit(manifest: str) -> str:
    """Find out whether a manifest would fit before it is applied."""
    return _TEXTS["will_this_fit"].format(manifest=manifest)


def questions(request: Request) -> dict[str, Callable[..., str]]:
    """A function a tool, which asks its question about the cluster of the request."""
    asked = asking(request)
    # lint reads no live cluster, unless it is told to, and runs no cycle.
    files = words_for(with_absolute_paths(request.cluster), are_joined=True) if request.cluster.files else []
    cycle = {*CycleFlags.__struct_fields__} - {*SchedulerFlags.__struct_fields__}
    scheduler = words_for(with_absolute_paths(request.scheduler), cycle, are_joined=True)
    about = {"cluster": asked, "files": Asking((*files, *scheduler), kept=asked.kept), "nothing": Asking(())}
    return {name: _question(name, tool, about[tool.about]) for name, tool in TOOLS.items()}


def _question(name: str, tool: AgentTool, asked: Asking) -> Callable[..., str]:
    """The function with the arguments of a tool as its parameters, as the SDK looks for them."""

    def ask(**values: Any) -> str:
        shown = Detail(*(values.get(each, default[each]) for each in _DETAIL)) if "detail" in default else None
        return asked.answer(command_line(tool, {**default, **values}), shown)

    arguments = tool.in_full()
    default = {each: argument.without for each, argument in arguments.items()}
    signature = inspect.Signature([_parameter(*each) for each in arguments.items()])
    ask.__name__, ask.__doc__, ask.__signature__ = name, tool.help, signature  # type: ignore[attr-defined]
    return ask


def _parameter(name: str, argument: Argument) -> inspect.Parameter:
    default = inspect.Parameter.empty if argument.is_required else argument.without
    described: Any = Annotated[TYPES[argument.type][0], Field(description=argument.help, **argument.bounds)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=described)
