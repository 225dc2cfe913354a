from __future__ import annotations

import pytest

from kexplain.objects.core import Container, Node, Pod
from tests.factories import container, node, pod

from .case import FOR_GOOD, FOR_NOW, Case, check

PLUGIN = "NodeResourcesFit"
FPGA = "acme.example/fpga"
NOW, GONE = {"n1": FOR_NOW}, {"n1": FOR_GOOD}


def _node(pods: int = 32) -> list[Node]:
    return [node("n1", cpu="10", memory="20", pods=pods, further={FPGA: "5"})]


def _used(cpu: str = "0", memory: str = "0", fpga: str = "0") -> list[Pod]:
    return [pod("there", node="n1", cpu=cpu, memory=memory, further={FPGA: fpga})]


def _after(*cpu: str) -> list[Container]:
    return [container(each, name=f"i{number}") for number, each in enumerate(cpu)]


CASES = [
    Case("nothing asked for on a full node", pod(), _node(), PLUGIN, running=_used("10", "20")),
    Case("no room at all", pod(cpu="1", memory="1"), _node(), PLUGIN, NOW, running=_used("10", "20")),
    Case("what would not fit on an empty node", pod(cpu="11"), _node(), PLUGIN, GONE),
    Case(
        "an init container asks for too much", pod(cpu="1", init=_after("3")), _node(), PLUGIN, NOW, running=_used("8")
    ),
    Case(
        "the largest init container counts",
        pod(cpu="1", init=_after("1", "3", "2")),
        _node(),
        PLUGIN,
        NOW,
        running=_used("8"),
    ),
    Case("init containers are not added up", pod(cpu="1", init=_after("1", "1")), _node(), PLUGIN, running=_used("9")),
    Case(
        "containers are added up",
        pod(containers=[container("1"), container("1", name="b")]),
        _node(),
        PLUGIN,
        NOW,
        running=_used("9"),
    ),
    Case(
        "sidecars are added to containers",
        pod(cpu="1", init=[container("1", name="s", sidecar=True)]),
        _node(),
        PLUGIN,
        NOW,
        running=_used("9"),
    ),
    Case(
        "a sidecar after an init container",
        pod(init=[*_after("2"), container("1", name="s", sidecar=True)]),
        _node(),
        PLUGIN,
        running=_used("8"),
    ),
    Case(
        "an init container after a sidecar",
        pod(init=[container("1", name="s", sidecar=True), *_after("2")]),
        _node(),
        PLUGIN,
        NOW,
        running=_used("8"),
    ),
    Case("both fit", pod(cpu="1", memory="1"), _node(), PLUGIN, running=_used("5", "5")),
    Case("one of two does not", pod(cpu="2", memory="1"), _node(), PLUGIN, NOW, running=_used("9", "5")),
    Case("the other of two does not", pod(cpu="1", memory="2"), _node(), PLUGIN, NOW, running=_used("5", "19")),
    Case("just as much as is left", pod(cpu="5", memory="1"), _node(), PLUGIN, running=_used("5", "19")),
    Case("an extended resource fits", pod(further={FPGA: "1"}), _node(), PLUGIN, running=_used(fpga="4")),
    Case("an extended resource is used up", pod(further={FPGA: "1"}), _node(), PLUGIN, NOW, running=_used(fpga="5")),
    Case("more of it than the node has", pod(further={FPGA: "6"}), _node(), PLUGIN, GONE),
    Case("a resource that the node has not", pod(further={"acme.example/asic": "1"}), _node(), PLUGIN, GONE),
    Case("none of a resource that the node has not", pod(further={"acme.example/asic": "0"}), _node(), PLUGIN),
    Case("overhead is added", pod(cpu="1", overhead={"cpu": "1"}), _node(), PLUGIN, NOW, running=_used("9")),
    Case(
        "the pod as a whole counts, not its containers",
        pod(cpu="1", whole={"cpu": "2"}),
        _node(),
        PLUGIN,
        NOW,
        running=_used("9"),
    ),
    Case("no further pod", pod(), _node(1), PLUGIN, NOW, running=_used()),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_room(case: Case) -> None:
    check(case)
