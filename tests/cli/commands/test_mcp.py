"""`kexplain mcp` with the client of the SDK: in a process of its own, as agents start it, and in this one.

The SDK takes a second to import, in every process that collects these tests; only the one that runs them does.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.requests.mcp import Request
from tests.cli.command import ROOT, kexplain

if TYPE_CHECKING:
    from mcp import Client, StdioServerParameters
    from mcp.server import MCPServer

FIXTURES = ROOT / "fixtures"
CASE = FIXTURES / "everything-pending"
MESSAGE = "0/2 nodes are available: 2 Insufficient cpu."
#: Characters of an answer.
_LONGEST = 12_000
CONFIG = (
    "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: [{plugins: {score: "
    "{enabled: [{name: NodeAffinity, weight: 7}]}}}]}"
)
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: c:1}]}\n"


def asked(question: Callable[[Client], Awaitable[Any]], server: MCPServer | StdioServerParameters) -> Any:
    """What the client gets of a server."""

    from mcp import Client  # noqa: PLC0415

    async def run() -> Any:
        async with Client(server) as client:
            return await question(client)

    return anyio.run(run)


def call(tool: str, arguments: dict[str, Any], server: MCPServer | StdioServerParameters) -> tuple[bool, str]:
    """Whether the tool failed, and what it says."""
    result = asked(lambda client: client.call_tool(tool, arguments), server)
    return bool(result.is_error), "".join(each.text for each in result.content)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> MCPServer:
    """A server in this process, in which the runs that answer take place as well."""
    from kexplain.cli.agents import server  # noqa: PLC0415

    def run(line: list[str], *, cwd: str, input: bytes, **_: object) -> subprocess.CompletedProcess[bytes]:  # noqa: A002
        assert line[:3] == [sys.executable, "-m", "kexplain"]
        return kexplain(*line[3:], cwd=Path(cwd), stdin=input)

    monkeypatch.setattr("kexplain.cli.agent_runs.subprocess.run", run)
    monkeypatch.setattr("kexplain.cli.agent_runs.can_share", lambda: False)
    return server(
        Request(cluster=ClusterFlags(cluster=[str(CASE)]), scheduler=CycleFlags(), connection=ConnectionFlags())
    )


def test_a_server_of_its_own_answers() -> None:
    arguments = ["-m", "kexplain", "mcp", "--cluster", str(CASE)]
    from mcp import StdioServerParameters  # noqa: PLC0415

    own = {"PYTHONPATH": str(ROOT)}
    alone = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT, env=own)
    failed, text = call("pending", {}, alone)
    assert (failed, "pending" in text) == (False, True)


def test_every_tool_says_when_to_use_it_and_only_reads(here: MCPServer) -> None:
    tools = asked(lambda client: client.list_tools(), here).tools
    assert {tool.name for tool in tools} == {
        "explain", "pending", "remedy", "capacity", "drain", "pack", "what_if", "diff", "event", "lint"
    }  # fmt: skip
    for tool in tools:
        assert "?" in (tool.description or "")
        assert tool.annotations.read_only_hint is True
        assert tool.input_schema["additionalProperties"] is False


def test_prompts_name_only_tools_that_there_are(here: MCPServer) -> None:
    tools = {tool.name for tool in asked(lambda client: client.list_tools(), here).tools}
    prompts = asked(lambda client: client.list_prompts(), here).prompts
    assert {prompt.name for prompt in prompts} == {"why_is_it_pending", "can_this_be_drained", "will_this_fit"}
    for prompt in prompts:
        arguments = {each.name: "x" for each in prompt.arguments or ()}
        said = asked(methodcaller("get_prompt", prompt.name, arguments), here)
        words = {word.strip(".,") for message in said.messages for word in message.content.text.split()}
        assert {"explain"} <= words & tools


def test_detail_is_whole_json_however_long_and_has_the_rest_on_demand(here: MCPServer) -> None:
    failed, text = call("pending", {"detail": True}, here)
    report = json.loads(text)
    assert not failed
    assert len(text) <= _LONGEST
    assert "not instructions" in report["note"]
    assert list(report["pods"][0])[:4] == ["pod", "outcome", "message", "diagnosis"]
    path, count = next(iter(report["leftOut"].items()))
    found: list[object] = []
    while len(found) < count:
        failed, text = call("pending", {"detail": True, "part": path, "first": len(found)}, here)
        page = json.loads(text)
        assert (failed, page["first"], page["of"], len(text) <= _LONGEST) == (False, len(found), count, True)
        found += page["items"]
    assert page.get("next") is None
    assert len(found) == count


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        pytest.param("pending", {}, "pending", id="pending"),
        pytest.param("explain", {"manifest": POD}, "default/web", id="explain-a-manifest"),
        pytest.param("explain", {"manifest": POD, "detail": True}, '"outcome"', id="explain-in-detail"),
        pytest.param("capacity", {"manifest": POD}, "web", id="capacity"),
        pytest.param(
            "event", {"message": "0/2 nodes are available: 2 Insufficient cpu."}, "NodeResourcesFit", id="event"
        ),
        pytest.param("lint", {"manifest": POD}, "nothing found", id="lint"),
        pytest.param("explain", {"pod": "deploy/api", "namespace": "shop"}, "shop/api", id="explain-a-workload"),
        pytest.param("what_if", {"uncordon": ["worker-1"], "taint": ["worker-1 a=b:NoSchedule"]}, "taint", id="taint"),
        pytest.param("what_if", {"label": ["worker-1 a=b"], "delete_pods": ["!none"]}, "label worker-1", id="label"),
        pytest.param("what_if", {"set_field": ["rs/api-7d4 spec.replicas=1"], "namespace": "shop"}, "set", id="set"),
        pytest.param("explain", {"pod": "pod/small", "namespace": "lab"}, "not tried by any scheduler", id="a-pod"),
        pytest.param("drain", {"nodes": ["worker-2"]}, "worker-2 cannot be drained", id="drain"),
        pytest.param("diff", {"to_kubernetes_version": "1.34"}, "NodeDeclaredFeatures  preFilter, filter", id="diff"),
        pytest.param("diff", {"to_config": CONFIG}, "NodeAffinity  score", id="diff-with-a-configuration"),
        pytest.param(
            "diff",
            {"to_feature_gates": ["VolumeLimitScaling=true"], "detail": True},
            '"before":{"kube',
            id="diff-in-detail",
        ),
        pytest.param("pack", {"keep": "zone"}, "can go, keeping zone", id="pack"),
        pytest.param("pack", {"manifest": POD}, "there is room for default/web", id="pack-for-a-manifest"),
        pytest.param("pack", {"pod": "pod/small", "namespace": "lab"}, "lab/small", id="pack-for-a-pod"),
        pytest.param("what_if", {"add_nodes": ["1=like:worker-1"]}, "add-node 1=like:worker-1", id="what-if"),
        pytest.param(
            "what_if", {"scale": ["deploy/api=4"], "namespace": "shop"}, "shop/api (Deployment)", id="what-if-scaled"
        ),
    ],
)
def test_answers(tool: str, arguments: dict[str, Any], said: str, here: MCPServer) -> None:
    failed, text = call(tool, arguments, here)
    assert not failed, text
    assert said in text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("explain", {"pod": "--fix=1"}, id="an-option"),
        pytest.param("explain", {"pod": "../../etc/passwd"}, id="a-file"),
        pytest.param("explain", {"pod": "web", "namespace": "a -o json=x"}, id="an-output"),
        pytest.param("what_if", {"add_nodes": ["/etc/passwd"]}, id="a-file-of-nodes"),
        pytest.param("drain", {"nodes": ["-l", "a=b"]}, id="a-flag"),
        pytest.param("pack", {"keep": "0 --for=/etc/passwd"}, id="headroom-that-is-none"),
        pytest.param("explain", {"pod": "pod/not-there"}, id="a-pod-that-is-not-there"),
        pytest.param("explain", {"pod": "pod/small", "name": "x"}, id="an-argument-that-is-not-known"),
        pytest.param("what_if", {"apply": POD, "changes": [{}]}, id="two-texts"),
        pytest.param("pending", {"detail": True, "part": "pods.0.none"}, id="a-part-that-is-not-there"),
        pytest.param("event", {"message": "x" * 4_000_001}, id="a-message-without-end"),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_tool(tool: str, arguments: dict[str, Any], here: MCPServer) -> None:
    failed, text = call(tool, arguments, here)
    assert failed
    assert text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        pytest.param("what_if", {"add_nodes": ["worker-1"]},
                     'add_nodes: "worker-1" is not N=like:NODE or N=pool:NAME, such as 2=like:worker-1', id="a-form"),
        pytest.param("what_if", {"add_node": ["2=like:worker-1"]},
                     'there is no argument "add_node"; did you mean add_nodes?', id="a-slip"),
        pytest.param("pending", {"nodes": ["a"]}, 'there is no argument "nodes"; drain takes one;', id="another-tool"),
        pytest.param("drain", {"nodes": []}, 'name nodes, or ask about each=true', id="an-empty-list"),
        pytest.param("lint", {"manifest": "a.yaml"}, 'manifest: "a.yaml" is no manifest: hand over', id="a-file"),
        pytest.param("explain", {"pod": "web"}, "kexplain: there is no Pod web in namespace default\nkexplain: hint: "
                     "there is no Pod at all in namespace default; see namespace batch, lab or shop", id="no-pods"),
        pytest.param("remedy", {"pod": "a", "number": 0}, "number: Input should be greater than", id="a-number"),
        pytest.param("explain", {}, "name a pod or a workload (pod), or give a manifest", id="nothing"),
        pytest.param("diff", {"to_kubernetes_version": "new"},
                     'to_kubernetes_version: "new" is not a release, such as 1.37', id="a-release"),
        pytest.param("diff", {"to_config": "kind: x"}, "kexplain: to_config:1:7: kind: expected", id="a-configuration"),
        pytest.param("explain", {"pod": "a", "manifest": POD}, "kexplain: there is no Pod a in name", id="both"),
        pytest.param("capacity", {"pod": "shop/web"},
                     'pod: there is no kind "shop"; if it is a namespace: pod="web", namespace="shop"', id="a-space"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_question_is_said_in_plain_words(
    tool: str, arguments: dict[str, Any], said: str, here: MCPServer
) -> None:
    failed, text = call(tool, arguments, here)
    assert (failed, text.removeprefix(f"Error executing tool {tool}: ")[: len(said)]) == (True, said)
    assert "pydantic" not in text


def test_a_part_is_one_of_the_detail(here: MCPServer) -> None:
    failed, text = call("pending", {"part": "groups"}, here)
    assert (failed, text[:1]) == (False, "{")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({"scale": ["deploy/api=4"] * 150_000}, "this cannot be asked: Argument list too long", id="long"),
        pytest.param({"set_field": ["deploy/api a=\ud800"]}, "this cannot be asked: 'utf-8' codec", id="half-a-letter"),
    ],
)
def test_what_no_run_can_be_started_with_is_told(
    arguments: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kexplain.cli.agent_runs.can_share", lambda: False)
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415

    from kexplain.cli.agents import questions  # noqa: PLC0415

    asked = questions(
        Request(cluster=ClusterFlags(cluster=[str(CASE)]), scheduler=CycleFlags(), connection=ConnectionFlags())
    )
    with pytest.raises(ToolError, match=said):
        asked["what_if"](**arguments)


@pytest.mark.parametrize(
    ("tool", "arguments", "is_error", "says"),
    [
        pytest.param("remedy", {"pod": "deploy/api", "namespace": "shop"}, False, "add 2 more nodes", id="no command"),
        pytest.param("remedy", {"pod": "deploy/api", "namespace": "shop", "number": 9}, True,
                     "there are 1 to 4; explain with last_resorts=true lists every one", id="no such remedy"),
        pytest.param("explain", {"pod": "deploy/api", "namespace": "shop", "last_resorts": True}, False,
                     "4 → move shop/cache away", id="last resorts have numbers"),
        pytest.param("what_if", {}, True, "no change is given; for instance: scale=", id="no change"),
        pytest.param("diff", {}, True, "say what changes: to_config, to_kubernetes_version or to_feature_gates",
                     id="nothing to compare"),
        pytest.param("drain", {"nodes": "worker-1"}, True, "nodes: must be a list (names of nodes", id="no list"),
        pytest.param("explain", {"verbose": True}, True, "there are pod, namespace, manifest", id="no such argument"),
        pytest.param("explain", {"pod": "deploy/api", "namespace": "shop", "part": "pods.0.remedie"}, True,
                     "did you mean remedies?", id="no such part"),
        pytest.param("explain", {"manifest": "kind: ["}, True, "manifest:2:1", id="a place in the manifest"),
    ],
)  # fmt: skip
def test_answers_are_about_tools_and_what_is_wrong_says_how_it_is_right(
    tool: str, arguments: dict[str, Any], is_error: bool, says: str, here: MCPServer
) -> None:
    failed, text = call(tool, arguments, here)
    assert says in text
    assert failed is is_error
    assert "--" not in text
