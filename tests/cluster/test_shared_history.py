from __future__ import annotations

import pytest

from kexplain.cluster import shared_history
from kexplain.cluster.pod_info import PodInfo, PodInfoFactory
from kexplain.cluster.shared_history import Lineage, PodChange, Version
from kexplain.objects.core import Node
from kexplain.objects.requests import RequestRules
from kexplain.objects.selectors import EVERYTHING, NOTHING, selector_from_labels
from tests.factories import cluster, node, pod

NODE = node("n1")
INFOS = PodInfoFactory(RequestRules())
A, B, C = (INFOS.pod_info(pod(name)) for name in "abc")


class Names:
    """The names of the pods that are there, in the order of the changes that it heard of."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        if sign > 0:
            self.names.append(pod_info.pod.name)
        else:
            self.names.remove(pod_info.pod.name)


def came(pod_info: PodInfo) -> PodChange:
    return PodChange(pod_info, NODE, 1)


def test_tallies_follow_changes_to_and_fro() -> None:
    made = Lineage([NODE.name], {NODE.name: NODE}, INFOS)
    root = Version()
    one = Version(root, [came(A), came(B)])
    two = Version(one, [PodChange(A, NODE, -1)])
    other = Version(Version(root), [came(C)])
    tally = made.tally(root, "names", Names)
    for version, expected in ((two, ["b"]), (other, ["c"]), (one, ["a", "b"]), (root, []), (other, ["c"])):
        assert made.tally(version, "names", Names) is tally
        assert sorted(tally.names) == expected


def test_where_much_has_changed_it_is_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_history, "_MANY", 2)
    made, root = Lineage([NODE.name], {NODE.name: NODE}, INFOS), Version()
    two, three = Version(root, [came(A), came(B)]), Version(root, [came(A), came(B), came(C)])
    tally = made.tally(root, "names", Names)
    assert made.tally(two, "names", Names) is tally
    assert made.tally(three, "names", Names) is not tally


def test_what_has_not_been_asked_for_longest_is_forgotten() -> None:
    made, root = Lineage([NODE.name], {NODE.name: NODE}, INFOS), Version()
    first, second = made.tally(root, 0, Names), made.tally(root, 1, Names)
    assert made.fact("f", lambda: first) is made.fact("f", lambda: second)
    for key in range(2, shared_history.TALLIES_KEPT):
        made.tally(root, key, Names)
    assert made.tally(root, 0, Names) is first
    made.tally(root, shared_history.TALLIES_KEPT, Names)
    assert made.tally(root, 0, Names) is first
    assert made.tally(root, 1, Names) is not second
    for key in range(shared_history.FACTS_KEPT):
        made.fact(key, lambda: first)
    assert made.fact("f", lambda: second) is second


def test_placed_pods_are_found_by_label_and_namespace() -> None:
    pods = [
        pod("a", node="n1", labels={"app": "x"}),
        pod("b", node="n2", labels={"app": "y"}),
        pod("c", node="n2", namespace="other", labels={"app": "x"}),
    ]
    made = cluster([node("n1"), node("n2")], pods)
    labelled = selector_from_labels({"app": "x"})

    def found(label: bool, *namespaces: str) -> list[tuple[str, str]]:
        selector = labelled if label else EVERYTHING
        matching = made.placed_pods.matching(selector, namespaces or None)
        return sorted((pod_info.pod.key, node.name) for pod_info, node in matching)

    for _ in range(2):
        assert found(True, "default") == [("default/a", "n1")]
        assert found(True) == [("default/a", "n1"), ("other/c", "n2")]
        assert found(False, "default", "nowhere") == [("default/a", "n1"), ("default/b", "n2")]
        assert list(made.placed_pods.matching(NOTHING, None)) == []
        made = made.assume(pod("d", labels={"app": "z"}), "n1").without(pods[1:])
        assert found(True) == [("default/a", "n1")]
        assert found(False, "default") == [("default/a", "n1"), ("default/d", "n1")]
        made = cluster([node("n1"), node("n2")], pods)
