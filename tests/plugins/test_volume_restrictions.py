from __future__ import annotations

import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.evidence.storage import ClaimInUse, ClaimProblem, DiskInUse, UnusableClaim
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP
from kexplain.objects.core import ISCSI, RBD, AWSElasticBlockStore, GCEPersistentDisk, Volume
from kexplain.plugins.volume_restrictions import VolumeRestrictions
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod
from tests.storage_factories import claim, persistent_volume, storage_class, uses

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, pre_filtered, rejection

NO_DISK = "node(s) had no available disk"
IN_USE = (
    "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
)
RWOP = ("ReadWriteOncePod",)


def gce(name: str = "d", *, read_only: bool | None = None) -> Volume:
    return Volume(name="v", gce_persistent_disk=GCEPersistentDisk(pd_name=name, read_only=read_only))


def ebs(name: str = "d", *, read_only: bool | None = None) -> Volume:
    return Volume(name="v", aws_elastic_block_store=AWSElasticBlockStore(volume_id=name, read_only=read_only))


def iscsi(iqn: str = "d", *, lun: int = 0, read_only: bool | None = None) -> Volume:
    return Volume(name="v", iscsi=ISCSI(iqn=iqn, lun=lun, read_only=read_only))


def rbd(*monitors: str, image: str = "d", pool: str = "rbd", read_only: bool | None = None) -> Volume:
    return Volume(name="v", rbd=RBD(monitors=monitors, image=image, pool=pool, read_only=read_only))


@pytest.mark.parametrize(
    ("mounted", "wanted", "disk"),
    [
        pytest.param(gce(), gce(), "GCE disk d", id="gce"),
        pytest.param(gce(), gce("e"), None, id="gce-another"),
        pytest.param(gce(read_only=True), gce(read_only=True), None, id="gce-both-read-only"),
        pytest.param(gce(read_only=True), gce(), "GCE disk d", id="gce-one-read-only"),
        pytest.param(ebs(), ebs(), "EBS volume d", id="ebs"),
        pytest.param(ebs(read_only=True), ebs(read_only=True), "EBS volume d", id="ebs-even-both-read-only"),
        pytest.param(ebs(), ebs("e"), None, id="ebs-another"),
        pytest.param(iscsi(lun=0), iscsi(lun=1), "iSCSI target d", id="iscsi-whatever-the-lun"),
        pytest.param(iscsi(read_only=True), iscsi(read_only=True), None, id="iscsi-both-read-only"),
        pytest.param(rbd("a", "b"), rbd("b", "c"), "RBD image d", id="rbd-one-monitor-in-common"),
        pytest.param(rbd("a"), rbd("b"), None, id="rbd-other-monitors"),
        pytest.param(rbd("a", pool="p"), rbd("a"), None, id="rbd-another-pool"),
        pytest.param(rbd("a"), rbd("a", image="e"), None, id="rbd-another-image"),
        pytest.param(rbd("a", read_only=True), rbd("a", read_only=True), None, id="rbd-both-read-only"),
        pytest.param(gce(), ebs(), None, id="another-kind"),
    ],
)
def test_disks(mounted: Volume, wanted: Volume, disk: str | None) -> None:
    made = cluster([node("n1"), node("n2")], [pod("a", node="n1", volumes=[mounted])])
    evidence = [DiskInUse("v", disk or "", "default/a")]
    expected = rejection(UNSCHEDULABLE, NO_DISK, evidence=evidence) if disk else None
    assert filter_verdict(VolumeRestrictions(), pod(volumes=[wanted]), made) == expected
    assert filter_verdict(VolumeRestrictions(), pod(volumes=[wanted]), made, "n2") is None


def test_skips_pods_without_such_volumes() -> None:
    made = cluster([node("n1")], [], claim(), claim("alone", modes=RWOP))
    assert VolumeRestrictions().pre_filter(pod(), made) is SKIP
    assert VolumeRestrictions().pre_filter(pod(volumes=[Volume(name="config")]), made) is SKIP
    assert VolumeRestrictions().pre_filter(pod(volumes=uses("data")), made) is SKIP
    assert VolumeRestrictions().pre_filter(pod(volumes=uses("alone")), made) is SKIP


def test_missing_claim() -> None:
    made = cluster([node("n1")], [], claim(namespace="other"))
    evidence = [UnusableClaim("default/data", ClaimProblem.MISSING)]
    expected = rejection(UNRESOLVABLE, 'persistentvolumeclaim "data" not found', evidence=evidence)
    assert VolumeRestrictions().pre_filter(pod(volumes=uses("data")), made) == expected


def test_claim_of_one_pod_at_a_time() -> None:
    made = cluster([node("n1"), node("n2")], [pod("a", node="n1", volumes=uses("data"))], claim(modes=RWOP))
    evidence = [ClaimInUse("default/data", (("default/a", "n1"),))]
    expected = rejection(UNSCHEDULABLE, IN_USE, evidence=evidence)
    for name in ("n1", "n2"):
        assert filter_verdict(VolumeRestrictions(), pod(volumes=uses("data")), made, name) == expected


def test_uses_in_other_namespaces_do_not_count() -> None:
    running = pod("a", node="n1", namespace="other", volumes=uses("data"))
    made = cluster([node("n1")], [running], claim(modes=RWOP), claim(modes=RWOP, namespace="other"))
    assert VolumeRestrictions().pre_filter(pod(volumes=uses("data")), made) is SKIP


def test_pods_that_come_and_go_are_counted_by_name_only() -> None:
    running = pod("a", node="n1", volumes=uses("data"))
    other = pod("b", node="n1", namespace="other", volumes=uses("data"))
    made = cluster([node("n1")], [running, other], claim(modes=RWOP), claim(namespace="other"))
    plugin, asking, info = VolumeRestrictions(), pod(volumes=uses("data")), made.node_infos[0]
    state = pre_filtered(plugin, asking, made).state
    trial = plugin.clone(state)
    plugin.count_pod(asking, trial, made.pod_info(running), info, -1)
    assert plugin.filter(asking, trial, info) is None
    assert plugin.filter(asking, state, info) is not None
    plugin.count_pod(asking, trial, made.pod_info(running), info, 1)
    assert plugin.filter(asking, trial, info) is not None
    # Upstream does not look at the namespace here.
    plugin.count_pod(asking, trial, made.pod_info(other), info, -1)
    assert plugin.filter(asking, trial, info) is None


def test_preemption_frees_the_claim() -> None:
    made = cluster(
        [node("n1"), node("n2")],
        [pod("a", node="n1", priority=1, volumes=uses("data"))],
        claim(modes=RWOP, volume="pv"), persistent_volume(reserved="data"), storage_class(),
    )  # fmt: skip
    decision = Scheduler({"default-scheduler": default_profile()}).schedule(pod(priority=5, volumes=uses("data")), made)
    assert decision.nominated_node == "n1"


@pytest.mark.parametrize(
    ("is_new", "reason"),
    [
        (True, IN_USE),
        (False, "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"),
    ],
    ids=["since-1.34", "before"],
)
def test_message_of_a_claim_in_use(is_new: bool, reason: str) -> None:
    made = cluster([node("n1")], [pod("first", node="n1", volumes=uses("data"))], claim(modes=RWOP))
    plugin = VolumeRestrictions(Features(claim_in_use_is_named_unavailable=is_new))
    verdict = filter_verdict(plugin, pod(volumes=uses("data")), made)
    assert verdict is not None
    assert verdict.reasons == (reason,)
