"""No more replicas than there are places for them."""

from typing import Any

import pytest

from kexplain.api import Case, PodToPlace, explain
from tests.factories import ZONE, affinity, cluster, controlled_by, in_, node, node_term, pod, selector, term
from tests.storage_factories import claim, persistent_volume, storage_class, uses

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


def test_a_volume_in_a_taken_zone_goes_where_no_replica_is() -> None:
    apart = affinity(far=[term(selector({"app": "web"}), ZONE)])
    db: dict[str, Any] = {"labels": {"app": "web"}, "owner": controlled_by("StatefulSet", "web"), "affinity": apart}
    there, waiting = pod("web-0", node="n1", **db), pod("web-1", volumes=uses("data"), **db)
    volume = persistent_volume(reach=[node_term(in_(ZONE, "a"))])
    nodes = [node("n1", zone="a"), node("n2", zone="b")]
    around = cluster(nodes, [there], storage_class(), claim(volume="pv"), volume)
    (found,) = explain(Case(around, (PodToPlace(waiting),))).pods
    first = found.remedies[0]
    assert first.text.startswith("restore the data of claim default/data into a new volume where the pod can go")
    assert (first.action, first.nodes, first.changes) == ("change-storage", ("n2",), ())
    assert "scale" not in {each.action for each in found.remedies}
