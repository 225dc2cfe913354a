"""Plugins that keep their place in the profile but do not decide every pod yet say which."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.framework.plugin import SKIP
from kexplain.framework.profile import Profile
from kexplain.framework.runtime import run_pre_filters
from kexplain.objects.core import (
    ISCSI,
    RBD,
    AWSElasticBlockStore,
    CSIVolume,
    EphemeralVolume,
    GCEPersistentDisk,
    PersistentVolumeClaimVolume,
    Volume,
)
from kexplain.plugins.dynamic_resources import DynamicResources
from kexplain.plugins.node_declared_features import NodeDeclaredFeatures
from kexplain.plugins.node_volume_limits import NodeVolumeLimits
from kexplain.plugins.priority_sort import PrioritySort
from kexplain.plugins.volume_binding import VolumeBinding
from kexplain.plugins.volume_restrictions import VolumeRestrictions
from kexplain.plugins.volume_zone import VolumeZone
from tests.factories import cluster, node, pod

CLAIM = Volume(name="v", persistent_volume_claim=PersistentVolumeClaimVolume(claim_name="data"))
EPHEMERAL = Volume(name="scratch", ephemeral=EphemeralVolume())
GCE = Volume(name="gce", gce_persistent_disk=GCEPersistentDisk(pd_name="d"))
EBS = Volume(name="ebs", aws_elastic_block_store=AWSElasticBlockStore(volume_id="d"))
LUN = Volume(name="lun", iscsi=ISCSI(iqn="i"))
CEPH = Volume(name="ceph", rbd=RBD(image="i"))
PLAIN = Volume(name="config")
CSI = Volume(name="csi", csi=CSIVolume(driver="d"))

SKIPPING = [
    DynamicResources(), NodeDeclaredFeatures(), NodeVolumeLimits(), VolumeBinding(), VolumeRestrictions(), VolumeZone(),
]  # fmt: skip


@pytest.mark.parametrize(
    ("plugin", "volumes", "reason"),
    [
        pytest.param(VolumeBinding(), [PLAIN, CSI, GCE], None, id="binding-none"),
        pytest.param(VolumeBinding(), [CLAIM, EPHEMERAL], "claims data, scratch: binding and topology", id="binding"),
        pytest.param(VolumeZone(), [PLAIN, EPHEMERAL], None, id="zone-none"),
        pytest.param(VolumeZone(), [PLAIN, CLAIM], "claims data: zones of their volumes", id="zone"),
        pytest.param(NodeVolumeLimits(), [PLAIN, LUN, CEPH], None, id="limits-none"),
        pytest.param(
            NodeVolumeLimits(), [CLAIM, EPHEMERAL, GCE, EBS],
            "volumes v, scratch, gce, ebs: attachment limits of nodes", id="limits",
        ),
        pytest.param(VolumeRestrictions(), [PLAIN, EPHEMERAL], None, id="restrictions-none"),
        pytest.param(
            VolumeRestrictions(), [CLAIM, GCE, EBS, LUN, CEPH],
            "volumes v, gce, ebs, lun, ceph: may be in use elsewhere", id="restrictions",
        ),
    ],
)  # fmt: skip
def test_volumes(plugin: Any, volumes: list[Volume], reason: str | None) -> None:
    assert plugin.not_evaluated(pod(volumes=volumes)) == reason


@pytest.mark.parametrize("plugin", SKIPPING, ids=lambda plugin: plugin.name)
def test_they_turn_nobody_away(plugin: Any) -> None:
    made = cluster([node("n1")])
    profile = Profile.of([PrioritySort(), plugin], {})
    result = run_pre_filters(profile, pod(volumes=[CLAIM]), made)
    assert result.by_plugin == {plugin.name: SKIP}
    assert result.chain.first_rejection(made.node_infos[0]) is None


def test_scores() -> None:
    made = cluster([node("n1")])
    assert VolumeBinding().pre_score(pod(), made, made.node_infos) is SKIP
    assert VolumeBinding().score(pod(), None, made.node_infos[0]) == 0
