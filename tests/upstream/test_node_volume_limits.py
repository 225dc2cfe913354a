from __future__ import annotations

import pytest

from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.objects.storage import CSINode
from tests.factories import node, pod
from tests.storage_factories import (
    DRIVER,
    attachment,
    claim,
    csi_driver,
    csi_node,
    persistent_volume,
    scratch,
    storage_class,
    uses,
)

from .case import FOR_GOOD, FOR_NOW, Case, check

LIMITS = "NodeVolumeLimits"
FULL, GONE = {"n1": FOR_NOW}, {"n1": FOR_GOOD}
MISSING = {"VolumeLimitScaling": True}


def _bound(*names: str, driver: str = DRIVER) -> list[KubernetesObject]:
    """Claims, each bound to a volume of the driver."""
    pairs = [(claim(name, volume=f"pv-{name}"), persistent_volume(f"pv-{name}", driver=driver)) for name in names]
    return [each for pair in pairs for each in pair]


def _with(limit: int | None, driver: str = DRIVER) -> CSINode:
    return csi_node(limits={driver: limit})


def _running(*claims: str, name: str = "there") -> Pod:
    return pod(name, node="n1", volumes=uses(*claims))


def _made_for(name: str) -> OwnerReference:
    return OwnerReference(api_version="v1", kind="Pod", name=name, uid=f"uid-{name}", controller=True)


NODES = [node("n1")]
OLD = [_running("a", "b")]
CASES = [
    Case("room for one more", pod(volumes=uses("c")), NODES, LIMITS, {}, OLD, [*_bound("a", "b", "c"), _with(3)]),
    Case("no room", pod(volumes=uses("c")), NODES, LIMITS, FULL, OLD, [*_bound("a", "b", "c"), _with(2)]),
    Case("two at once", pod(volumes=uses("c", "d")), NODES, LIMITS, FULL, OLD, [*_bound(*"abcd"), _with(3)]),
    Case("the same volume counts once", pod(volumes=uses("a")), NODES, LIMITS, {}, OLD, [*_bound("a", "b"), _with(2)]),
    Case("a driver without a limit", pod(volumes=uses("c")), NODES, LIMITS, {}, OLD, [*_bound(*"abc"), _with(None)]),
    Case("a node that says nothing of drivers", pod(volumes=uses("c")), NODES, LIMITS, {}, OLD, _bound(*"abc")),
    Case(
        "volumes of another driver",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        {},
        OLD,
        [*_bound("a", "b", driver="other.example.com"), *_bound("c"), _with(2)],
    ),
    Case(
        "a claim that waits for its volume, and whose class names the driver",
        pod(volumes=uses("new")),
        NODES,
        LIMITS,
        FULL,
        OLD,
        [*_bound("a", "b"), claim("new"), storage_class(), _with(2)],
    ),
    Case(
        "volumes that are attached, whoever uses them",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        FULL,
        (),
        [
            *_bound("c"),
            persistent_volume("x"),
            persistent_volume("y"),
            attachment("1", "x"),
            attachment("2", "y"),
            _with(2),
        ],
    ),
    Case(
        "a volume that is attached for a pod counts once",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        {},
        OLD,
        [*_bound(*"abc"), attachment("1", "pv-a"), attachment("2", "pv-b"), _with(3)],
    ),
    Case(
        "volumes that are attached elsewhere",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        {},
        (),
        [*_bound("c"), persistent_volume("x"), attachment("1", "x", "n2"), _with(1)],
    ),
    Case(
        "an ephemeral volume counts",
        pod("p", uid="uid-p", volumes=[scratch()]),
        NODES,
        LIMITS,
        FULL,
        OLD,
        [*_bound("a", "b"), claim("p-scratch", owner=_made_for("p")), storage_class(), _with(2)],
    ),
    Case(
        "the limit of any of two drivers",
        pod(volumes=uses("c", "d")),
        NODES,
        LIMITS,
        FULL,
        OLD,
        [
            *_bound(*"abc"),
            *_bound("d", driver="other.example.com"),
            csi_node(limits={DRIVER: 5, "other.example.com": 0}),
        ],
    ),
    Case(
        "a driver that is not installed, and minds",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        FULL,
        (),
        [*_bound("c"), csi_driver(must_be_there=True), csi_node()],
        MISSING,
    ),
    Case(
        "a driver that is not installed, and does not mind",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        {},
        (),
        [*_bound("c"), csi_driver(), csi_node()],
        MISSING,
    ),
    Case(
        "without the gate a driver that is not installed stops nobody",
        pod(volumes=uses("c")),
        NODES,
        LIMITS,
        {},
        (),
        [*_bound("c"), csi_driver(must_be_there=True), csi_node()],
        {"VolumeLimitScaling": False},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_node_volume_limits(case: Case) -> None:
    check(case)
