from __future__ import annotations

import pytest

from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.policies import LabelPresenceViolated, NodeConditionUnmet, ServiceAffinityUnmatched
from tests.explain.objections.asking import by_hand, cause, key, proposals, words


@pytest.mark.parametrize(
    ("fact", "one", "many"),
    [
        pytest.param(LabelPresenceViolated(missing=("rack",), unwanted=()), "no label rack",
                     "the scheduler's policy checks labels: no label rack", id="missing"),
        pytest.param(LabelPresenceViolated(missing=("a", "b"), unwanted=("c",)),
                     "no label a; no label b; must not have label c",
                     "the scheduler's policy checks labels: no label a; no label b; must not have label c", id="both"),
        pytest.param(ServiceAffinityUnmatched(key="zone", value="a", actual="b"),
                     "needs zone=a (by nodeSelector); has zone=b", "needs zone=a (by nodeSelector)", id="selector"),
        pytest.param(ServiceAffinityUnmatched(key="zone", value="a", actual=None, pinned_by="ns/x", pinned_on="n1"),
                     "needs zone=a (as on n1, where ns/x of its service runs); has no such label",
                     "needs zone=a (as on n1, where ns/x of its service runs)", id="service"),
        pytest.param(NodeConditionUnmet(condition="Ready", status="Unknown"), "condition Ready is Unknown",
                     "condition Ready is Unknown", id="condition"),
    ],
)  # fmt: skip
def test_words(fact: Evidence, one: str, many: str) -> None:
    assert words(fact) == one
    assert cause(fact, fact) == many
    assert key(fact)
    assert not by_hand(fact)
    assert proposals(fact) == []


def test_what_nodes_have_makes_no_other_cause() -> None:
    assert key(ServiceAffinityUnmatched(key="zone", value="a", actual="b")) == key(
        ServiceAffinityUnmatched(key="zone", value="a", actual=None)
    )
