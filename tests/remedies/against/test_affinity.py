"""No more replicas than there are places for them."""

import pytest

from kexplain.api import Case, PodToPlace, explain
from tests.factories import ZONE, affinity, cluster, controlled_by, node, pod, selector, term

OWNER = controlled_by("ReplicaSet", "web")


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        pytest.param(ZONE, ["run 2 replicas, as no two may be in one zone"], id="zones"),
        pytest.param("kubernetes.io/hostname", ["run 2 replicas, as no two may be on one node"], id="nodes"),
    ],
)
def test_as_many_replicas_as_there_are_places(key: str, texts: list[str]) -> None:
    apart = affinity(far=[term(selector({"app": "web"}), key)])
    replicas = [
        pod(f"web-{on}", node=on, labels={"app": "web"}, owner=OWNER, affinity=apart) for on in ("n1", "n2", None)
    ]
    there = cluster([node("n1", zone="a"), node("n2", zone="b")], replicas[:2])
    (found,) = explain(Case(there, (PodToPlace(replicas[2]),))).pods
    assert [each.text for each in found.remedies if each.action == "scale"] == texts
    assert not found.remedies[0].text.endswith("of its own")
