from __future__ import annotations

import pytest

from kexplain.framework.evidence.storage import AttachLimitExceeded, ClaimProblem, UnusableClaim
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Code, Status
from kexplain.objects.core import AWSElasticBlockStore, AzureDisk, Cinder, GCEPersistentDisk, Node, Volume
from kexplain.objects.csi_migration import AWS_EBS, AZURE_DISK, CINDER, GCE_PD
from kexplain.plugins.non_csi_limits import NonCSILimits
from tests.factories import cluster, node, pod
from tests.storage_factories import claim, csi_node, persistent_volume, scratch, storage_class, uses

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, rejection

NITRO = {"node.kubernetes.io/instance-type": "m5.large"}
OF_OLD = {"beta.kubernetes.io/instance-type": "t3.small"}


def ebs(*ids: object) -> list[Volume]:
    return [Volume(name=str(id_), aws_elastic_block_store=AWSElasticBlockStore(volume_id=str(id_))) for id_ in ids]


def exceeded(requested: int, attached: int, limit: int) -> Status:
    evidence = [AttachLimitExceeded(AWS_EBS.name, requested, attached, limit)]
    return rejection(UNSCHEDULABLE, "node(s) exceed max volume count", evidence=evidence)


@pytest.mark.parametrize(
    ("asked", "attached", "wanted", "verdict"),
    [
        pytest.param(node("n1"), 38, ebs("new"), None, id="room"),
        pytest.param(node("n1"), 39, ebs("new"), exceeded(1, 39, 39), id="full"),
        pytest.param(node("n1"), 39, ebs(0, 1), None, id="shared-disks-count-once"),
        pytest.param(node("n1"), 39, [Volume(name="config")], None, id="other-volumes"),
        pytest.param(node("n1", labels=NITRO), 25, ebs("new"), exceeded(1, 25, 25), id="nitro"),
        pytest.param(node("n1", labels=OF_OLD), 25, ebs("new"), exceeded(1, 25, 25), id="label-of-old"),
        pytest.param(
            node("n1", further={"attachable-volumes-aws-ebs": 2}), 2, ebs("new"), exceeded(1, 2, 2), id="node-says",
        ),
    ],
)  # fmt: skip
def test_ebs(asked: Node, attached: int, wanted: list[Volume], verdict: Status | None) -> None:
    made = cluster([asked], [pod("running", node="n1", volumes=ebs(*range(attached)))])
    assert filter_verdict(NonCSILimits("EBSLimits"), pod(volumes=wanted), made) == verdict


def test_nodes_with_a_csi_node_are_left_to_its_limits() -> None:
    made = cluster([node("n1")], [pod("running", node="n1", volumes=ebs(*range(39)))], csi_node())
    assert filter_verdict(NonCSILimits("EBSLimits"), pod(volumes=ebs("new")), made) is None


def test_limit_that_is_set_for_all() -> None:
    made = cluster([node("n1")], [pod("running", node="n1", volumes=ebs(0, 1))])
    assert filter_verdict(NonCSILimits("EBSLimits", max_volumes=2), pod(volumes=ebs("new")), made) == exceeded(1, 2, 2)


@pytest.mark.parametrize(
    ("plugin", "volumes", "name"),
    [
        pytest.param(
            NonCSILimits("GCEPDLimits"),
            [Volume(gce_persistent_disk=GCEPersistentDisk(pd_name=str(n))) for n in range(17)],
            GCE_PD.name, id="gce",
        ),
        pytest.param(
            NonCSILimits("AzureDiskLimits"),
            [Volume(azure_disk=AzureDisk(disk_name=str(n))) for n in range(17)], AZURE_DISK.name, id="azure",
        ),
        pytest.param(
            NonCSILimits("CinderLimits"),
            [Volume(cinder=Cinder(volume_id=str(n))) for n in range(257)], CINDER.name, id="cinder",
        ),
    ],
)  # fmt: skip
def test_other_clouds(plugin: NonCSILimits, volumes: list[Volume], name: str) -> None:
    made = cluster([node("n1")])
    assert filter_verdict(plugin, pod(volumes=volumes[1:]), made) is None
    verdict = filter_verdict(plugin, pod(volumes=volumes), made)
    assert verdict is not None
    assert verdict.evidence == (AttachLimitExceeded(name, len(volumes), 0, len(volumes) - 1),)


def test_claims_count_by_their_volume_or_class() -> None:
    disk = persistent_volume("pv", driver=None)
    made = cluster(
        [node("n1")], [], claim("a", bound=False, storage_class="ebs"), claim("b", bound=False, storage_class="other"),
        claim("c", volume="pv"), claim("d", volume="gone", storage_class="ebs"), disk,
        storage_class("ebs", AWS_EBS.name), storage_class("other"),
    )  # fmt: skip
    verdict = filter_verdict(NonCSILimits("EBSLimits", max_volumes=1), pod(volumes=uses("a", "b", "c", "d")), made)
    assert verdict == exceeded(2, 0, 1)


@pytest.mark.parametrize(
    ("volumes", "verdict"),
    [
        pytest.param(uses(""), rejection(Code.ERROR, "PersistentVolumeClaim had no name"), id="nameless"),
        pytest.param(
            uses("gone"),
            rejection(
                UNRESOLVABLE, 'looking up PVC default/gone: persistentvolumeclaim "gone" not found',
                evidence=[UnusableClaim("default/gone", ClaimProblem.MISSING)],
            ),
            id="missing",
        ),
        pytest.param(
            [scratch("theirs")],
            rejection(
                Code.ERROR, "PVC default/p-theirs was not created for pod default/p (pod is not owner)",
            ),
            id="of-another-pod",
        ),
    ],
)  # fmt: skip
def test_claims_that_are_in_no_order(volumes: list[Volume], verdict: Status) -> None:
    made = cluster([node("n1")], [], claim("p-theirs"))
    assert filter_verdict(NonCSILimits("EBSLimits"), pod(volumes=volumes), made) == verdict


def test_claims_of_running_pods_may_be_missing() -> None:
    made = cluster([node("n1")], [pod("running", node="n1", volumes=uses("gone"))])
    assert filter_verdict(NonCSILimits("EBSLimits"), pod(volumes=ebs("new")), made) is None


def test_pods_without_volumes_are_skipped() -> None:
    assert NonCSILimits("EBSLimits").pre_filter(pod(), cluster([node("n1")])) is SKIP
