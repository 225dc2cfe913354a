"""In what an event differs from the decision: not in words that another release has for the same."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.explanation.records import Agreement
from kexplain.objects.events import Event, EventSubject
from kexplain.objects.meta import ObjectMeta
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(
    ("reasons", "agreement", "differing"),
    [
        pytest.param("2 node(s) had untolerated taint(s), 1 Insufficient cpu", Agreement.SAME_REASONS, [], id="same"),
        pytest.param("1 node(s) had taint {a: b}, that the pod didn't tolerate, 1 node(s) had taint {c: d}, that the "
                     "pod didn't tolerate, 1 Insufficient cpu", Agreement.SAME_REASONS, [], id="in-older-words"),
        pytest.param("3 node(s) had untolerated taint {a: b}", Agreement.DIFFERENT,
                     ["Insufficient cpu", "node(s) had untolerated taint(s)", "node(s) had untolerated taint {a: b}"],
                     id="of-other-nodes"),
        pytest.param("2 node(s) had untolerated taint(s), 1 Insufficient memory", Agreement.DIFFERENT,
                     ["Insufficient cpu", "Insufficient memory"], id="of-one-plugin-and-release"),
        pytest.param("2 node(s) didn't like it, 1 Insufficient cpu", Agreement.DIFFERENT,
                     ["node(s) had untolerated taint(s)", "node(s) didn't like it"], id="in-words-nobody-knows"),
    ],
)  # fmt: skip
def test_what_differs_in_words_alone_does_not_differ(reasons: str, agreement: Agreement, differing: list[str]) -> None:
    asking = pod("web", cpu="8", uid="u")
    event = Event(
        metadata=ObjectMeta(name="web.1", namespace="default"),
        involved_object=EventSubject(kind="Pod", name="web", namespace="default"),
        reason="FailedScheduling",
        message=f"0/3 nodes are available: {reasons}.",
    )
    nodes = [node("n1"), node("n2", taints=["a=b:NoSchedule"]), node("n3", taints=["c=d:NoSchedule"])]
    (found,) = explain(Case(cluster(nodes), (PodToPlace(asking, events=(event,)),))).pods
    assert found.event is not None
    assert found.event.agreement is agreement
    assert [each.reason for each in found.event.differences] == differing
