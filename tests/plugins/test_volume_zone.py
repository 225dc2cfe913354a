from __future__ import annotations

import pytest

from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim, VolumeInOtherZone
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Status
from kexplain.objects.core import Node
from kexplain.objects.meta import KubernetesObject, Labels
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE
from kexplain.plugins.volume_zone import VolumeZone
from tests.factories import cluster, node, pod
from tests.storage_factories import claim, persistent_volume, scratch, storage_class, uses

from .asking import UNRESOLVABLE, filter_verdict, rejection

NO_ZONE = "node(s) had no available volume zone"


def elsewhere(key: str, values: str, actual: str | None) -> Status:
    evidence = [VolumeInOtherZone("default/data", "pv", key, frozenset(values.split()), actual)]
    return rejection(UNRESOLVABLE, NO_ZONE, evidence=evidence)


@pytest.mark.parametrize(
    ("volume", "on", "verdict"),
    [
        pytest.param({ZONE: "a"}, {ZONE: "a"}, None, id="same-zone"),
        pytest.param({ZONE: "a"}, {ZONE: "b"}, elsewhere(ZONE, "a", "b"), id="another-zone"),
        pytest.param({ZONE: "a__b"}, {ZONE: "b"}, None, id="one-of-several"),
        pytest.param({ZONE: "a__b"}, {ZONE: "c"}, elsewhere(ZONE, "a b", "c"), id="none-of-several"),
        pytest.param({ZONE: "a__"}, {ZONE: "c"}, None, id="label-that-cannot-be-read-does-not-count"),
        pytest.param({ZONE: "a"}, {}, None, id="node-without-any-such-label"),
        pytest.param({ZONE: "a"}, {REGION: "r"}, elsewhere(ZONE, "a", None), id="node-with-a-region-only"),
        pytest.param({OLD_ZONE: "a"}, {ZONE: "a"}, None, id="legacy-volume-current-node"),
        pytest.param({OLD_ZONE: "a"}, {ZONE: "b"}, elsewhere(OLD_ZONE, "a", "b"), id="legacy-volume-another-zone"),
        pytest.param({OLD_ZONE: "a"}, {OLD_ZONE: "b", ZONE: "a"}, elsewhere(OLD_ZONE, "a", "b"), id="legacy-first"),
        pytest.param({ZONE: "a"}, {OLD_ZONE: "a"}, elsewhere(ZONE, "a", None), id="current-volume-legacy-node"),
        pytest.param({OLD_REGION: "r"}, {REGION: "r"}, None, id="legacy-region"),
        pytest.param({REGION: "r"}, {REGION: "s", ZONE: "a"}, elsewhere(REGION, "r", "s"), id="another-region"),
    ],
)
def test_filter(volume: Labels, on: Labels, verdict: Status | None) -> None:
    made = cluster([node("n1", labels=on)], [], claim(volume="pv"), persistent_volume(labels=volume))
    assert filter_verdict(VolumeZone(), pod(volumes=uses("data")), made) == verdict


def bare() -> Node:
    return node("n1", zone="a")


@pytest.mark.parametrize(
    ("objects", "reason", "evidence"),
    [
        pytest.param(
            [], 'persistentvolumeclaim "data" not found', UnusableClaim("default/data", ClaimProblem.MISSING),
            id="no-claim",
        ),
        pytest.param(
            [claim(volume="gone")], 'persistentvolume "gone" not found',
            UnusableClaim("default/data", ClaimProblem.VOLUME_MISSING, volume="gone"), id="no-volume",
        ),
        pytest.param(
            [claim(storage_class=None)], "PersistentVolumeClaim had no pv name and storageClass name",
            UnusableClaim("default/data", ClaimProblem.NO_CLASS), id="no-class",
        ),
        pytest.param(
            [claim(storage_class="ghost")], 'storageclass.storage.k8s.io "ghost" not found',
            UnusableClaim("default/data", ClaimProblem.CLASS_MISSING, class_name="ghost"), id="class-missing",
        ),
        pytest.param(
            [claim(), storage_class(mode="Immediate")], "PersistentVolume had no name",
            UnusableClaim("default/data", ClaimProblem.UNBOUND, class_name="wait"), id="immediate",
        ),
        pytest.param(
            [claim(), storage_class(mode=None)], 'VolumeBindingMode not set for StorageClass "wait"', None,
            id="no-mode",
        ),
    ],
)  # fmt: skip
def test_rejected_as_a_whole(objects: list[KubernetesObject], reason: str, evidence: UnusableClaim | None) -> None:
    made = cluster([bare()], [], *objects)
    expected = rejection(UNRESOLVABLE, reason, evidence=[evidence] if evidence else [])
    assert VolumeZone().pre_filter(pod(volumes=uses("data")), made) == expected


def test_skips() -> None:
    made = cluster([bare()], [], claim(), storage_class(), claim("bound", volume="pv"), persistent_volume())
    assert VolumeZone().pre_filter(pod(), made) is SKIP
    assert VolumeZone().pre_filter(pod(volumes=[scratch()]), made) is SKIP
    assert VolumeZone().pre_filter(pod(volumes=uses("data")), made) is SKIP
    assert VolumeZone().pre_filter(pod(volumes=uses("bound")), made) is SKIP
    assert VolumeZone().pre_filter(pod(volumes=uses("")), made) == rejection(
        UNRESOLVABLE, "PersistentVolumeClaim had no name"
    )
