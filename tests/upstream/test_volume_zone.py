from __future__ import annotations

import pytest

from kexplain.objects.core import Node
from kexplain.objects.meta import KubernetesObject
from tests.factories import node, pod
from tests.storage_factories import claim, persistent_volume, storage_class, uses

from .case import FOR_GOOD, Case, check

ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
OLD_ZONE, OLD_REGION = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"
PLUGIN, GONE = "VolumeZone", {"n1": FOR_GOOD}
ASKS = pod(volumes=uses("a"))


def _in(**labels: str) -> list[Node]:
    names = {"zone": ZONE, "region": REGION, "old_zone": OLD_ZONE, "old_region": OLD_REGION}
    return [node("n1", labels={names[key]: value for key, value in labels.items()})]


def _volume(key: str, value: str) -> list[KubernetesObject]:
    return [claim("a", volume="v"), persistent_volume("v", labels={key: value})]


CASES = [
    Case("no volumes", pod(), _in(zone="a"), PLUGIN),
    Case("a node without labels", ASKS, _in(), PLUGIN, {}, (), _volume(ZONE, "a")),
    Case("the zone", ASKS, _in(zone="a"), PLUGIN, {}, (), _volume(ZONE, "a")),
    Case("another zone", ASKS, _in(zone="b"), PLUGIN, GONE, (), _volume(ZONE, "a")),
    Case("the region", ASKS, _in(region="x"), PLUGIN, {}, (), _volume(REGION, "x")),
    Case("another region", ASKS, _in(region="y"), PLUGIN, GONE, (), _volume(REGION, "x")),
    Case("the zone by its old name", ASKS, _in(old_zone="a"), PLUGIN, {}, (), _volume(OLD_ZONE, "a")),
    Case("another zone by its old name", ASKS, _in(old_zone="b"), PLUGIN, GONE, (), _volume(OLD_ZONE, "a")),
    Case("another region by its old name", ASKS, _in(old_region="y"), PLUGIN, GONE, (), _volume(OLD_REGION, "x")),
    Case(
        "the volume has the old name, the node the new one", ASKS, _in(zone="a"), PLUGIN, {}, (), _volume(OLD_ZONE, "a")
    ),
    Case("that, and another zone", ASKS, _in(zone="b"), PLUGIN, GONE, (), _volume(OLD_ZONE, "a")),
    Case("one of several zones", ASKS, _in(zone="b"), PLUGIN, {}, (), _volume(ZONE, "a__b")),
    Case("none of several zones", ASKS, _in(zone="c"), PLUGIN, GONE, (), _volume(ZONE, "a__b")),
    Case(
        "a volume of a region, and a node that says its zone only",
        ASKS,
        _in(zone="a"),
        PLUGIN,
        GONE,
        (),
        [claim("a", volume="v"), persistent_volume("v", labels={ZONE: "a", REGION: "x"})],
    ),
    Case("a claim that waits for its volume", ASKS, _in(zone="a"), PLUGIN, {}, (), [claim("a"), storage_class()]),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_volume_zone(case: Case) -> None:
    check(case)
