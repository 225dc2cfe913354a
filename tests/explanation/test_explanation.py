"""What would help is sought once for pods that the same stops, where a report says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.api import ExplainOptions, one_by_one
from kexplain.case.case import Case
from kexplain.case.records import PodToPlace
from kexplain.explanation.advised import SOUGHT, Advised
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Pod
from kexplain.objects.well_known import ZONE
from kexplain.remedies.records import Action
from kexplain.render.pages.sentences import verdict, verdict_on
from tests.factories import affinity, cluster, container, exists, in_, node, node_affinity, node_term, pod
from tests.storage_factories import claim, persistent_volume, uses

TOO_LARGE = [pod(name, namespace=name, containers=[container(cpu=cpu)]) for name, cpu in (("a", 9), ("b", 9), ("c", 7))]


def _explained(advised: Advised | None, pods: Sequence[Pod] = TOO_LARGE) -> list[PodExplanation]:
    case = Case(cluster([node("n1"), node("n2", cpu=2)]), tuple(map(PodToPlace, pods)))
    return list(one_by_one(case, ExplainOptions(advised=advised)).pods)


def test_pods_that_the_same_stops_get_the_same_advice() -> None:
    first, second, third = _explained(Advised(in_full=False))
    assert first.remedies
    assert second.remedies is first.remedies or second.remedies == first.remedies
    assert third.remedies != first.remedies


def test_advice_is_that_of_each_pod_by_itself() -> None:
    together, alone = _explained(Advised(in_full=True)), _explained(None)
    texts = [[[remedy.text for remedy in each.remedies] for each in pods] for pods in (together, alone)]
    assert texts[0] == texts[1]
    assert [each.causes for each in together] == [each.causes for each in alone]


@pytest.mark.parametrize(
    ("terms", "only"),
    [
        ([("n1",)], "n1"),
        ([("n1",), ("n1",)], "n1"),
        ([("n1",), ("n2",)], ""),
        ([("n1",), ()], ""),
        ([("gone",)], ""),
        ([], ""),
    ],
)
def test_the_node_that_a_pod_is_bound_to_is_named(terms: Sequence[tuple[str, ...]], only: str) -> None:
    required = [
        node_term(fields=[in_("metadata.name", *names)]) if names else node_term(exists("disk")) for names in terms
    ]
    bound = pod(cpu="9", affinity=affinity(node=node_affinity(*required)))
    (found,) = _explained(None, [bound])
    assert found.only_node == only
    place = f"{only}, the only node where it may run" if only else "any of 2 nodes"
    assert verdict(found) == f"default/p does not fit on {place}"
    several = "the one node where each may run" if only else "any of 2 nodes"
    assert verdict_on("2 pods", 2, found) == f"2 pods do not fit on {several}"


def test_replicas_with_volumes_in_different_zones_get_advice_of_their_own() -> None:
    replicas = [pod(f"db-{zone}", cpu="9", volumes=uses(f"data-{zone}")) for zone in "ab"]
    claims = [claim(f"data-{zone}", volume=f"pv-{zone}") for zone in "ab"]
    volumes = [persistent_volume(f"pv-{z}", reach=[node_term(in_(ZONE, z))], reserved=f"data-{z}") for z in "ab"]
    nodes = [node(f"n-{zone}", cpu=10, labels={ZONE: zone}) for zone in "ab"]
    full = [pod(f"full-{zone}", cpu="9", node=f"n-{zone}") for zone in "ab"]
    case = Case(cluster(nodes, full, *claims, *volumes), tuple(map(PodToPlace, replicas)))
    found = one_by_one(case, ExplainOptions(advised=Advised(in_full=False))).pods
    added = [next(each.text for each in one.remedies if each.action is Action.ADD_NODE) for one in found]
    assert [zone for zone, text in zip("ab", added, strict=True) if f"n-{zone}" in text] == ["a", "b"]


def _of_many(*, in_full: bool) -> list[PodExplanation]:
    """Pods that lack room, each of another size, behind one that asks for a node that is not there."""
    sizes = [pod(f"p{count}", cpu=f"{count + 5}") for count in range(2 * SOUGHT)]
    return _explained(Advised(in_full=in_full), [pod("odd", node_selector={"disk": "ssd"}), *sizes, *sizes[:1]])


def test_of_many_pods_with_the_same_wrong_the_first_are_looked_into() -> None:
    found = _of_many(in_full=False)
    assert [bool(each.remedies) for each in found] == [True] * (1 + SOUGHT) + [False] * SOUGHT + [True]
    assert [bool(each.causes) for each in found] == [True] * (1 + SOUGHT) + [False] * (SOUGHT + 1)


def test_what_is_wrong_is_said_of_all() -> None:
    said = [
        [(each.message, each.diagnosis, each.circles, each.nodes, each.requests) for each in _of_many(in_full=in_full)]
        for in_full in (False, True)
    ]
    assert said[0] == said[1]
