"""What an agent needs to answer twenty questions over the Model Context Protocol: calls, and characters to read.

The questions are asked of clusters of the fixtures; each answer has to hold what the question is about.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.requests.mcp import Request
from tests.cli.command import ROOT

FIXTURES = ROOT / "fixtures"
#: Calls and characters of all questions together, with which the server is content.
MOST_CALLS, MOST_CHARACTERS = 21, 25_000
#: Characters of the longest answer.
LONGEST = 3_000


class Question(NamedTuple):
    """What is asked of a cluster, the calls that answer it, and what each answer has to hold."""

    words: str
    cluster: str
    calls: tuple[tuple[str, dict[str, Any], str], ...]


def one(words: str, cluster: str, tool: str, holds: str, /, **arguments: Any) -> Question:
    """A question that one call answers."""
    return Question(words, cluster, ((tool, arguments, holds),))


def manifest(fixture: str, name: str = "pod.yaml") -> str:
    """A manifest of the fixtures."""
    return (FIXTURES / fixture / name).read_text("utf-8")


QUESTIONS = (
    one("What is pending, and why?", "everything-pending", "pending", "pending, for"),
    one("Why is deployment api in shop pending?", "everything-pending", "explain", "no room on nodes worker-1",
        pod="deploy/api", namespace="shop"),
    one("What exactly would fix it?", "everything-pending", "explain", "add 2 more nodes like worker-1",
        pod="deploy/api", namespace="shop"),
    one("Two nodes like worker-1: is that enough?", "everything-pending", "what_if", "3 pods fit now",
        add_nodes=["2=like:worker-1"], namespace="shop"),
    one("Which pods have a node and do not run?", "bound-not-running", "pending", "image-not-pulled"),
    one("Why does shop/db-0 not start?", "bound-not-running", "explain", "is not attached",
        pod="db-0", namespace="shop"),
    one("Why has api fewer pods than it wants?", "workload-pods-not-created", "explain", "requests.cpu=4 is the most",
        pod="deploy/api", namespace="shop"),
    one("Where does db run, and why there?", "running-pod-the-cluster-has-moved-on", "explain", "runs on worker-1",
        pod="db", namespace="shop"),
    one("Would this pod fit?", "help-a-misspelt-resource", "explain", "did you mean nvidia.com/gpu?",
        manifest=manifest("help-a-misspelt-resource")),
    one("What do I change in it?", "help-a-misspelt-resource", "remedy", "nvidia.com~1gpu",
        manifest=manifest("help-a-misspelt-resource")),
    one("Would an API server take it?", "help-a-misspelt-resource", "lint", "there is no such field",
        manifest=manifest("manifest-refused-fix")),
    one("Can general-1 be drained?", "drain-left-pending", "drain", "leaves 1 pod without a place",
        nodes=["general-1"]),
    one("Why can shop/db-0 go nowhere then?", "drain-left-pending", "drain", "runs a replica already",
        nodes=["general-1"]),
    one("How many more replicas has every workload room for?", "capacity-of-every-workload", "capacity",
        "1 of 3 workloads cannot grow"),
    one("How many more of this pod fit?", "capacity-of-every-workload", "capacity", "fit",
        manifest=manifest("help-a-misspelt-resource").replace("nvidia.com/gpus", "cpu")),
    one("Can web-6d4f be scaled to 12?", "what-if-scale", "what_if", "stops at 9 of 12",
        scale=["replicaset/web-6d4f=12"], namespace="shop"),
    one("May we lose general-3?", "what-if-remove-node", "what_if", "general-3", remove_nodes=["general-3"],
        namespace="shop"),
    one("What does this event mean?", "everything-pending", "event", "untolerated taint",
        message="0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s)."),
    one("Why does Karpenter add no node?", "karpenter-limit-reached", "explain", "raise the limit of NodePool general",
        manifest=manifest("karpenter-limit-reached")),
    Question("Who holds this pod back, and where would it go once it is let in?", "kueue-gate", (
        ("explain", {"manifest": manifest("kueue-gate")}, "Kueue removes"),
        ("explain", {"manifest": manifest("kueue-gate"), "detail": True, "part": "pods.0.gates"}, "admission"),
    )),
)  # fmt: skip


def answers(question: Question) -> list[str]:
    """What the tools say, one call after the other."""
    from kexplain.cli.agents import server  # noqa: PLC0415 (the SDK takes a second to import)
    from tests.cli.commands.test_mcp import call  # noqa: PLC0415

    directory = ClusterFlags(cluster=[str(FIXTURES / question.cluster)])
    with patch("kexplain.cli.agent_runs.can_share", lambda: False):
        here = server(Request(cluster=directory, scheduler=CycleFlags(), connection=ConnectionFlags()))
    said = []
    for tool, arguments, holds in question.calls:
        failed, text = call(tool, arguments, here)
        assert not failed, text
        assert holds in " ".join(text.split()), text
        said.append(text)
    return said


@pytest.mark.slow
def test_twenty_questions_take_few_calls_and_few_characters() -> None:
    assert len(QUESTIONS) == 20
    read = {question.words: [len(text) for text in answers(question)] for question in QUESTIONS}
    assert sum(map(len, read.values())) <= MOST_CALLS
    assert max(sum(lengths) for lengths in read.values()) <= LONGEST
    assert sum(map(sum, read.values())) <= MOST_CHARACTERS, read
