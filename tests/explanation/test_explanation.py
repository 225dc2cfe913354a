"""What would help is sought once for pods that the same stops, where a report says so."""

from __future__ import annotations

from kexplain.api import ExplainOptions, one_by_one
from kexplain.case.records import Case, PodToPlace
from kexplain.explanation.explanation import Advice
from kexplain.explanation.records import PodExplanation
from tests.factories import cluster, container, node, pod

TOO_LARGE = [pod(name, namespace=name, containers=[container(cpu=cpu)]) for name, cpu in (("a", 9), ("b", 9), ("c", 7))]


def _explained(advised: dict[object, Advice] | None) -> list[PodExplanation]:
    case = Case(cluster([node("n1"), node("n2", cpu=2)]), tuple(map(PodToPlace, TOO_LARGE)))
    return list(one_by_one(case, ExplainOptions(advised=advised)).pods)


def test_pods_that_the_same_stops_get_the_same_advice() -> None:
    advised: dict[object, Advice] = {}
    first, second, third = _explained(advised)
    assert len(advised) == 2
    assert first.remedies
    assert second.remedies is first.remedies or second.remedies == first.remedies
    assert third.remedies != first.remedies


def test_advice_is_that_of_each_pod_by_itself() -> None:
    together, alone = _explained({}), _explained(None)
    texts = [[[remedy.text for remedy in each.remedies] for each in pods] for pods in (together, alone)]
    assert texts[0] == texts[1]
    assert [each.causes for each in together] == [each.causes for each in alone]
