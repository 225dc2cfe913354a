from __future__ import annotations

import pytest

from kexplain.objects.core import Node, Pod, Toleration
from tests.factories import node, pod

from .case import FOR_GOOD, Case, check

COMPARED = {"TaintTolerationComparisonOperators": True}
GONE = {"n1": FOR_GOOD}


def _pod(*tolerations: Toleration) -> Pod:
    return pod(tolerations=tolerations)


def _to(
    key: str, value: str | None = None, operator: str | None = None, effect: str | None = "NoSchedule"
) -> Toleration:
    return Toleration(key=key, value=value, operator=operator, effect=effect)


def _tainted(*taints: str) -> list[Node]:
    return [node("n1", taints=taints)]


OF_A, GRADE = _tainted("team=a:NoSchedule"), _tainted("grade=70:NoSchedule")
CASES = [
    Case("nothing is tolerated", _pod(), OF_A, "TaintToleration", GONE),
    Case("without an operator values are compared", _pod(_to("team", "a")), OF_A, "TaintToleration"),
    Case("another value", _pod(_to("team", "b", "Equal")), OF_A, "TaintToleration", GONE),
    Case("any value", _pod(_to("team", None, "Exists")), OF_A, "TaintToleration"),
    Case(
        "each of several taints by another toleration",
        _pod(_to("team", "a", "Equal"), _to("disk", None, "Exists")),
        _tainted("team=a:NoSchedule", "disk=slow:NoSchedule"),
        "TaintToleration",
    ),
    Case(
        "one of several taints is left",
        _pod(_to("team", "a", "Equal")),
        _tainted("team=a:NoSchedule", "disk=slow:NoSchedule"),
        "TaintToleration",
        GONE,
    ),
    Case("another effect", _pod(_to("team", "a", "Equal", "PreferNoSchedule")), OF_A, "TaintToleration", GONE),
    Case("no effect is any effect", _pod(_to("team", "a", "Equal", None)), OF_A, "TaintToleration"),
    Case("a wish of the node stops nobody", _pod(), _tainted("team=a:PreferNoSchedule"), "TaintToleration"),
    Case(
        "a wish of the node stops nobody who tolerates something else",
        _pod(_to("team", "b", "Equal")),
        _tainted("team=a:PreferNoSchedule"),
        "TaintToleration",
    ),
    Case("above a bound", _pod(_to("grade", "60", "Gt")), GRADE, "TaintToleration", gates=COMPARED),
    Case("not above a bound", _pod(_to("grade", "80", "Gt")), GRADE, "TaintToleration", GONE, gates=COMPARED),
    Case("at a bound is not above it", _pod(_to("grade", "70", "Gt")), GRADE, "TaintToleration", GONE, gates=COMPARED),
    Case("below a bound", _pod(_to("grade", "80", "Lt")), GRADE, "TaintToleration", gates=COMPARED),
    Case("not below a bound", _pod(_to("grade", "60", "Lt")), GRADE, "TaintToleration", GONE, gates=COMPARED),
    Case(
        "what is no number is not compared",
        _pod(_to("grade", "60", "Gt")),
        _tainted("grade=good:NoSchedule"),
        "TaintToleration",
        GONE,
        gates=COMPARED,
    ),
    Case(
        "without the gate a bound tolerates nothing",
        _pod(_to("grade", "60", "Gt")),
        GRADE,
        "TaintToleration",
        GONE,
        gates={"TaintTolerationComparisonOperators": False},
    ),
    Case(
        "without the gate other tolerations hold",
        _pod(_to("team", "a", "Equal"), _to("grade", "60", "Gt")),
        OF_A,
        "TaintToleration",
        gates={"TaintTolerationComparisonOperators": False},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_taints(case: Case) -> None:
    check(case)
