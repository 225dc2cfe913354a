"""In what an event differs from the decision: not in words that another release has for the same."""

from __future__ import annotations

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.explanation.records import Agreement
from kexplain.explanation.scheduling_events import FitError, parse_fit_error
from kexplain.objects.events import Event, Subject
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
        involved_object=Subject(kind="Pod", name="web", namespace="default"),
        reason="FailedScheduling",
        message=f"0/3 nodes are available: {reasons}.",
    )
    nodes = [node("n1"), node("n2", taints=["a=b:NoSchedule"]), node("n3", taints=["c=d:NoSchedule"])]
    (found,) = explain(Case(cluster(nodes), (PodToPlace(asking, events=(event,)),))).pods
    assert found.event is not None
    assert found.event.agreement is agreement
    assert [each.reason for each in found.event.differences] == differing


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("0/1 nodes are available: 1 Too many pods.", FitError(1, {"Too many pods": 1})),
        (
            "0/4 nodes are available: 1 Too many pods, 3 Insufficient cpu. preemption: 0/4 nodes are available: 4 No.",
            FitError(4, {"Too many pods": 1, "Insufficient cpu": 3}),
        ),
        (
            "0/3 nodes are available: 3 node(s) had untolerated taint {a: b, c}.",
            FitError(3, {"node(s) had untolerated taint {a: b, c}": 3}),
        ),
        (
            '0/3 nodes are available: persistentvolumeclaim "data" not found.',
            FitError(3, {'persistentvolumeclaim "data" not found': 3}),
        ),
        ("0/0 nodes are available: .", FitError(0, {"": 0})),
        ("no nodes available to schedule pods", None),
        ("0/x nodes are available: 1 Too many pods.", None),
        ("running PreBind plugin: no", None),
    ],
)
def test_what_the_message_of_an_event_counts(message: str, expected: FitError | None) -> None:
    assert parse_fit_error(message) == expected
