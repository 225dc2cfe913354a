"""The tools that agents are given: each is one question, whose words are checked before they are asked."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError

from kexplain import __version__
from kexplain.cli.agent_runs import OPTIONS, Asking, Detail, asking
from kexplain.cli.flags.declaring import with_absolute_paths, words_for
from kexplain.cli.flags.scheduler import CycleFlags, SchedulerFlags
from kexplain.cli.requests.mcp import Request
from kexplain.load.custom_workloads import kind_of_word as custom_kind
from kexplain.objects.workload_kinds import kind_of_word
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.words import clauses, did_you_mean, joined

#: The most characters of a message to explain, which take half a minute.
LONGEST_MESSAGE = 4_000_000
#: A form that an argument has to have, and what that is.
_Form: TypeAlias = tuple[re.Pattern[str], str]
_NAME = regex(r"[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])?"), "a name"
_REFERENCE = regex(r"(?:[A-Za-z.]+/)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"), "a name, or KIND/NAME such as deploy/web"
_NEW_NODES = regex(r"(?:\d{1,4}=)?(?:like|pool):[\w./-]+"), "N=like:NODE or N=pool:NAME, such as 2=like:worker-1"
_NODE_CHANGE = regex(r"[a-z0-9](?:[a-z0-9.:-]*[a-z0-9])? [\w./-]+(?:=[\w./-]*)?(?::\w+)?-?"), "NODE KEY=VALUE or KEY-"
_FIELD_CHANGE = regex(r"[A-Za-z.]+/[a-z0-9.-]+ [^\x00-\x1f]{1,2000}"), "KIND/NAME PATH=VALUE"
_LABELS = regex(r"[\w./=!,() -]{1,500}"), "labels, such as app=web"
_SCALE = regex(r"[A-Za-z.]+/[a-z0-9.-]+=\d{1,5}"), "KIND/NAME=NUMBER, such as deploy/web=40"
_RESIZE = regex(r"[a-z0-9./:-]+=[a-z0-9.:,A-Z]{1,100}"), "POD[:CONTAINER]=cpu:4,memory:8Gi"
_KEEP = regex(r"N\+1|zone|\d{1,2}%"), "N+1, zone or a share such as 20%"

#: By what pydantic finds wrong, what is wanted instead.
_WANTED = {"missing": "is missing", "list_type": "is to be a list", "string_type": "is to be text"}
#: The form that a change has to have, by the argument of what_if.
_CHANGES: Mapping[str, _Form] = {
    "scale": _SCALE,
    "resize": _RESIZE,
    "add_nodes": _NEW_NODES,
    "remove_nodes": _NAME,
    "cordon": _NAME,
    "uncordon": _NAME,
    "taint": _NODE_CHANGE,
    "label": _NODE_CHANGE,
    "set_field": _FIELD_CHANGE,
    "delete_pods": _LABELS,
}

_TEXTS = table("agents", dict[str, str])
INSTRUCTIONS = _TEXTS["instructions"]

Reference = Annotated[str, Field(description="kind and name, such as pod/web-0 or deploy/web; a name alone is a pod")]
Namespace = Annotated[str, Field(description="the namespace; empty for the default one")]
Everywhere = Annotated[str, Field(description="the namespace; empty for the whole cluster")]
Manifest = Annotated[str, Field(description="manifests in YAML or JSON, instead of a name")]
Keep = Annotated[str, Field(description="room to leave: N+1, zone or 20%")]
Detailed = Annotated[
    bool,
    Field(description="the report as JSON, not the summary: groups, diagnosis and remedies first, what is alike once"),
]
PartOf = Annotated[
    str, Field(description="with detail, only this part, by a path such as leftOut names: pods.0.remedies")
]
LastResorts = Annotated[bool, Field(description="list last resorts as well, by their numbers")]
First = Annotated[int, Field(description="with part, the number of the first item, from 0", ge=0)]


def server(request: Request) -> MCPServer:
    """The server with its tools."""
    asked = _Questions(request)
    tools = (
        asked.explain,
        asked.pending,
        asked.remedy,
        asked.capacity,
        asked.drain,
        asked.pack,
        asked.what_if,
        asked.event,
        asked.lint,
    )
    found = MCPServer(
        "kexplain", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", tools=[*map(_tool, tools)]
    )
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
                near, all_of_them = did_you_mean(name, known), f"there are {joined([*known])}"
                raise ToolError(clauses(f'there is no argument "{name}"', near, all_of_them))
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
    where = f" in namespace {namespace}" if namespace else ""
    return _TEXTS["why_is_it_pending"].format(pod=pod, where=where)


def _can_this_be_drained(node: str) -> str:
    """Find out whether a node can go, and what stands in the way."""
    return _TEXTS["can_this_be_drained"].format(node=node)


def _will_this_fit(manifest: str) -> str:
    """Find out whether a manifest would fit before it is applied."""
    return _TEXTS["will_this_fit"].format(manifest=manifest)


class _Questions:
    """A method a tool; agents read its docstring."""

    def __init__(self, request: Request) -> None:
        self._asked = asking(request)
        # lint reads no live cluster, unless it is told to, and runs no cycle.
        files = words_for(with_absolute_paths(request.cluster), are_joined=True) if request.cluster.files else []
        cycle = {*CycleFlags.__struct_fields__} - {*SchedulerFlags.__struct_fields__}
        scheduler = words_for(with_absolute_paths(request.scheduler), cycle, are_joined=True)
        self._of_files = Asking((*files, *scheduler), kept=self._asked.kept)

    def explain(
        self,
        pod: Reference = "",
        namespace: Namespace = "",
        manifest: Manifest = "",
        node: Annotated[str, Field(description="how it fares on this node: every plugin's verdict and score")] = "",
        last_resorts: LastResorts = False,
        detail: Detailed = False,
        part: PartOf = "",
        first: First = 0,
    ) -> str:
        """Why does this pod not schedule, or where would it run? Use it whenever one pod or workload is asked about.

        The line below the mark is the verdict; then follow causes with numbers, and what would help, the best first.
        """
        options = [*_options(namespace), *_flags(("--all-remedies", last_resorts))]
        options += [f"--node={_checked(_NAME, node, 'node')}"] if node else []
        shown = Detail(detail, part, first)
        return self._asked.answer("explain", options, _words(pod, manifest), manifest, shown)

    def pending(self, namespace: Everywhere = "", detail: Detailed = False, part: PartOf = "", first: First = 0) -> str:
        """What is pending in the whole cluster or in one namespace, and why? Use it first, when no pod is named."""
        return self._asked.answer("explain", _options(namespace) or ["-A"], detail=Detail(detail, part, first))

    def remedy(
        self,
        pod: Reference = "",
        namespace: Namespace = "",
        manifest: Manifest = "",
        number: Annotated[int, Field(description="which remedy, as explain numbers them", ge=1, le=999)] = 1,
    ) -> str:
        """Which commands carry out a remedy that explain proposes, or how does the manifest read with it? Nothing is
        applied.
        """
        words = _words(pod, manifest)
        return self._asked.answer("explain", [*_options(namespace), f"--fix={number}"], words, manifest)

    def capacity(
        self,
        pod: Reference = "",
        namespace: Everywhere = "",
        manifest: Manifest = "",
        preempts: Annotated[bool, Field(description="let it evict pods of lower priority")] = False,
        detail: Detailed = False,
        part: PartOf = "",
        first: First = 0,
    ) -> str:
        """How many more of these pods fit, where, and what stops the next one? Without a pod: of every workload."""
        words = _words(pod, manifest) if pod or manifest else []
        options = [*_options(namespace), *_flags(("--preempt", preempts))]
        return self._asked.answer("capacity", options, words, manifest, Detail(detail, part, first))

    def drain(
        self,
        nodes: Annotated[list[str], Field(description='names of nodes: ["worker-1"]', min_length=1)],
        force: Annotated[bool, Field(description="also pods that nobody makes anew, as kubectl does")] = False,
        delete_emptydir_data: Annotated[bool, Field(description="also pods with local data")] = False,
        detail: Detailed = False,
        part: PartOf = "",
        first: First = 0,
    ) -> str:
        """Can these nodes be drained: where would every pod go, and what stands in the way? Nothing is drained."""
        options = _flags(("--force", force), ("--delete-emptydir-data", delete_emptydir_data))
        names = [_checked(_NAME, each, "nodes") for each in nodes]
        return self._asked.answer("drain", options, names, detail=Detail(detail, part, first))

    def pack(
        self,
        pod: Reference = "",
        manifest: Manifest = "",
        namespace: Namespace = "",
        keep: Keep = "",
        detail: Detailed = False,
        part: PartOf = "",
        first: First = 0,
    ) -> str:
        """Which nodes can go together? With a pod: which pods have to move to make room for it? Nothing is moved."""
        options = [f"--for={each}" for each in (_words(pod, manifest) if pod or manifest else ())]
        options += [f"--keep={_checked(_KEEP, keep, 'keep')}"] if keep else []
        shown = Detail(detail, part, first)
        return self._asked.answer("pack", [*_options(namespace), *options], [], manifest, shown)

    def what_if(
        self,
        *,
        scale: Annotated[list[str], Field(description="workloads with a number of pods: deploy/web=40")] = [],  # noqa: B006
        resize: Annotated[list[str], Field(description="POD[:CONTAINER]=cpu:4,memory:8Gi, in place")] = [],  # noqa: B006
        add_nodes: Annotated[list[str], Field(description="N=like:NODE or N=pool:NAME")] = [],  # noqa: B006
        remove_nodes: Annotated[list[str], Field(description="names of nodes")] = [],  # noqa: B006
        cordon: Annotated[list[str], Field(description="names of nodes")] = [],  # noqa: B006
        uncordon: Annotated[list[str], Field(description="names of nodes")] = [],  # noqa: B006
        taint: Annotated[list[str], Field(description="NODE KEY=VALUE:EFFECT, or NODE KEY- to take it off")] = [],  # noqa: B006
        label: Annotated[list[str], Field(description="NODE KEY=VALUE, or NODE KEY- to take it off")] = [],  # noqa: B006
        set_field: Annotated[
            list[str], Field(description="KIND/NAME PATH=VALUE: deploy/web spec.template.spec.priority=100")
        ] = [],  # noqa: B006
        delete_pods: Annotated[list[str], Field(description="labels of pods to delete: app=web")] = [],  # noqa: B006
        changes: Annotated[
            list[dict[str, Any]],
            Field(description="the changes of a remedy, as explain has them in detail; without apply"),
        ] = [],  # noqa: B006
        apply: Annotated[str, Field(description="manifests in YAML or JSON to apply")] = "",
        namespace: Namespace = "",
        detail: Detailed = False,
        part: PartOf = "",
        first: First = 0,
    ) -> str:
        """What would become pending, and what would fit, if these things changed? Use it to try a remedy: nothing is
        changed in the cluster.
        """
        lists = (scale, resize, add_nodes, remove_nodes, cordon, uncordon, taint, label, set_field, delete_pods)
        options = [
            f"{OPTIONS[argument]}={_checked(form, each, argument)}"
            for (argument, form), listed in zip(_CHANGES.items(), lists, strict=True)
            for each in listed
        ]
        options += _flags(("--apply=-", bool(apply)), ("--changes=-", bool(changes)))
        if apply and changes:
            raise ToolError("apply and changes exclude each other: ask one after the other")
        if not options:
            raise ToolError('no change is given; for instance: scale=["deploy/web=40"]')
        given = apply or (msgspec.json.encode(changes).decode() if changes else "")
        options = [*_options(namespace), *options]
        return self._asked.answer("what-if", options, [], given, Detail(detail, part, first))

    def event(
        self,
        message: Annotated[
            str, Field(description="the message or whatever was pasted", min_length=1, max_length=LONGEST_MESSAGE)
        ],
    ) -> str:
        """What does this message of a scheduler, an autoscaler or a queue mean, part by part? Use it where a text is
        all there is; needs no cluster.
        """
        return Asking(()).answer("event", [], ["-"], message)

    def lint(self, manifest: Annotated[str, Field(description="manifests in YAML or JSON", min_length=1)]) -> str:
        """Are these manifests right, and do their pods fit? Use it before manifests are applied."""
        return self._of_files.answer("lint", [], ["-"], manifest)


def _flags(*given: tuple[str, bool]) -> list[str]:
    """The options that are asked for."""
    return [option for option, is_wanted in given if is_wanted]


def _options(namespace: str) -> list[str]:
    return [f"--namespace={_checked(_NAME, namespace, 'namespace')}"] if namespace else []


def _words(pod: str, manifest: str) -> list[str]:
    """What is asked about: a manifest through standard input, or a name. Raises ToolError unless it is one of them."""
    if pod and manifest:
        raise ToolError("pod and manifest exclude each other: ask one after the other")
    if not pod and not manifest:
        raise ToolError("name a pod or a workload (pod), or give a manifest")
    if manifest:
        if not {":", "\n"} & {*manifest}:
            raise ToolError(f'manifest: "{manifest[:80]}" is no manifest: hand over its text, not the name of a file')
        return ["-"]
    kind, slash, name = _checked(_REFERENCE, pod, "pod").rpartition("/")
    if slash and kind in ("node", "nodes", "no"):
        raise ToolError(
            f'pod: a node is not scheduled; drain with nodes=["{name}"], or explain a pod with node="{name}"'
        )
    if slash and not (kind_of_word(kind) or custom_kind(kind)):
        raise ToolError(f'pod: there is no kind "{kind}"; if it is a namespace: pod="{name}", namespace="{kind}"')
    return [pod]


def _checked(form: _Form, value: str, what: str) -> str:
    """The value if it has the form. Raises ToolError otherwise: it would become a word of a command line."""
    pattern, meant = form
    if not pattern.fullmatch(value):
        raise ToolError(f'{what}: "{value}" is not {meant}')
    return value
