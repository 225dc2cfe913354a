from __future__ import annotations

import pytest

from kexplain.framework.evidence.storage import AttachLimitExceeded, ClaimProblem, DriverNotInstalled, UnusableClaim
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Code, Status
from kexplain.objects.core import (
    AWSElasticBlockStore,
    AzureDisk,
    AzureFile,
    Cinder,
    GCEPersistentDisk,
    PortworxVolume,
    Volume,
)
from kexplain.objects.csi_migration import AWS_EBS, AZURE_DISK, CINDER, GCE_PD, PORTWORX
from kexplain.objects.meta import KubernetesObject
from kexplain.plugins.node_volume_limits import NodeVolumeLimits, attach_limit_key
from tests.factories import cluster, controlled_by, node, pod
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

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, rejection

LONG_DRIVER = "a-driver-with-a-very-long-name.example.com"
TOO_MANY = "node(s) exceed max volume count"


def exceeded(requested: int, attached: int, limit: int, driver: str = DRIVER) -> Status:
    return rejection(UNSCHEDULABLE, TOO_MANY, evidence=[AttachLimitExceeded(driver, requested, attached, limit)])


def bound(*names: str, driver: str = DRIVER) -> list[KubernetesObject]:
    """Claims, each with a volume of its own."""
    volumes = [persistent_volume(f"pv-{name}", driver=driver, reserved=name) for name in names]
    return [*(claim(name, volume=f"pv-{name}") for name in names), *volumes]


MISSING = f"{DRIVER} CSI driver is not installed on the node"
ABSENT = rejection(UNSCHEDULABLE, MISSING, evidence=[DriverNotInstalled(DRIVER)])
SCALING = Features(volume_limit_scaling=True)
IN_1_35 = Features(volume_limit_scaling=True, missing_drivers_count_if_they_say_so=False)


@pytest.mark.parametrize(
    ("features", "objects", "verdict"),
    [
        pytest.param(SCALING, [csi_driver(must_be_there=True), csi_node()], ABSENT, id="not-there"),
        pytest.param(SCALING, [csi_driver(must_be_there=True)], ABSENT, id="no-csi-node"),
        pytest.param(SCALING, [csi_driver(must_be_there=True), csi_node(limits={DRIVER: None})], None, id="there"),
        pytest.param(SCALING, [csi_driver(must_be_there=False)], None, id="it-does-not-mind"),
        pytest.param(SCALING, [csi_driver()], None, id="it-does-not-say"),
        pytest.param(SCALING, [], None, id="no-csi-driver"),
        pytest.param(IN_1_35, [csi_driver()], ABSENT, id="any-in-1.35"),
        pytest.param(IN_1_35, [], None, id="no-csi-driver-in-1.35"),
        pytest.param(Features(), [csi_driver(must_be_there=True)], None, id="gate-off"),
    ],
)
def test_drivers_that_must_be_there(
    features: Features, objects: list[KubernetesObject], verdict: Status | None
) -> None:
    there = cluster([node("n1")], [], *bound("a"), *objects)
    assert filter_verdict(NodeVolumeLimits(features), pod(volumes=uses("a")), there) == verdict


@pytest.mark.parametrize(
    ("running", "wanted", "limit", "verdict"),
    [
        pytest.param([], ["a"], 1, None, id="room"),
        pytest.param([], ["a"], 0, exceeded(1, 0, 0), id="limit-of-none"),
        pytest.param([["a"]], ["b"], 1, exceeded(1, 1, 1), id="full"),
        pytest.param([["a"]], ["b"], None, None, id="no-limit"),
        pytest.param([["a"]], ["a"], 1, None, id="shared-volumes-count-once"),
        pytest.param([["a"], ["a"]], ["b"], 2, None, id="shared-by-others"),
        pytest.param([["a", "b"]], ["c", "d"], 3, exceeded(2, 2, 3), id="several"),
        pytest.param([["missing"]], ["a"], 1, None, id="claims-of-others-may-be-missing"),
    ],
)
def test_limits(running: list[list[str]], wanted: list[str], limit: int | None, verdict: Status | None) -> None:
    pods = [pod(f"p{index}", node="n1", volumes=uses(*claims)) for index, claims in enumerate(running)]
    made = cluster([node("n1"), node("n2")], pods, *bound("a", "b", "c", "d"), csi_node(limits={DRIVER: limit}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses(*wanted)), made) == verdict
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses(*wanted)), made, "n2") is None


def test_one_handle_behind_two_volumes_is_one_volume() -> None:
    first, second = (persistent_volume(name, handle="same") for name in ("one", "two"))
    made = cluster(
        [node("n1")], [pod("a", node="n1", volumes=uses("x"))],
        claim("x", volume="one"), claim("y", volume="two"), first, second, csi_node(limits={DRIVER: 1}),
    )  # fmt: skip
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("y")), made) is None


def test_other_drivers_have_limits_of_their_own() -> None:
    made = cluster(
        [node("n1")], [pod("a", node="n1", volumes=uses("a"))],
        *bound("a"), *bound("b", driver="other"), csi_node(limits={DRIVER: 1, "other": 1}),
    )  # fmt: skip
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("b")), made) is None


@pytest.mark.parametrize(
    ("attached", "verdict"),
    [
        pytest.param([attachment("1", "pv-a")], exceeded(1, 1, 1), id="without-a-pod"),
        pytest.param([attachment("1", "pv-a", "n2")], None, id="another-node"),
        pytest.param([attachment("1", "gone")], None, id="volume-not-there"),
        pytest.param([attachment("1", None)], None, id="in-line"),
        pytest.param([attachment("1", "pv-a", attacher="")], None, id="no-attacher"),
        # What the pod brings counts once more, since only volumes of pods are shared.
        pytest.param([attachment("1", "pv-b")], exceeded(1, 1, 1), id="its-own"),
    ],
)
def test_attachments(attached: list[KubernetesObject], verdict: Status | None) -> None:
    made = cluster([node("n1")], [], *bound("a", "b"), *attached, csi_node(limits={DRIVER: 1}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("b")), made) == verdict


def test_attached_volumes_of_pods_count_once() -> None:
    made = cluster(
        [node("n1")], [pod("a", node="n1", volumes=uses("a"))],
        *bound("a", "b"), attachment("1", "pv-a"), csi_node(limits={DRIVER: 2}),
    )  # fmt: skip
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("b")), made) is None


@pytest.mark.parametrize(
    ("objects", "verdict"),
    [
        pytest.param([claim("b"), storage_class()], exceeded(1, 1, 1), id="unbound-counts-by-its-class"),
        pytest.param([claim("b", volume="gone"), storage_class()], exceeded(1, 1, 1), id="volume-not-there"),
        pytest.param([claim("b", storage_class=None)], None, id="no-class"),
        pytest.param([claim("b")], None, id="class-missing"),
        pytest.param([claim("b"), storage_class(provisioner="kubernetes.io/azure-file")], None, id="not-migrated"),
    ],
)
def test_unbound(objects: list[KubernetesObject], verdict: Status | None) -> None:
    running = pod("a", node="n1", volumes=uses("a"))
    made = cluster([node("n1")], [running], *bound("a"), *objects, csi_node(limits={DRIVER: 1}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("b")), made) == verdict


EBS = Volume(name="v", aws_elastic_block_store=AWSElasticBlockStore(volume_id="aws://zone/vol-1"))
GCE = Volume(name="v", gce_persistent_disk=GCEPersistentDisk(pd_name="d"))
AZURE = Volume(name="v", azure_disk=AzureDisk(disk_uri="/d", kind="Managed"))
OPENSTACK = Volume(name="v", cinder=Cinder(volume_id="d"))


@pytest.mark.parametrize(
    ("volume", "driver"),
    [(EBS, AWS_EBS.driver), (GCE, GCE_PD.driver), (AZURE, AZURE_DISK.driver), (OPENSTACK, CINDER.driver)],
    ids=["ebs", "gce", "azure", "cinder"],
)
def test_migrated_in_line_volumes(volume: Volume, driver: str) -> None:
    made = cluster([node("n1"), node("n2")], [], csi_node(limits={driver: 0}))
    asking = pod(volumes=[volume])
    assert filter_verdict(NodeVolumeLimits(), asking, made) == exceeded(1, 0, 0, driver)
    assert filter_verdict(NodeVolumeLimits(), asking, made, "n2") is None


def test_migrated_persistent_volumes() -> None:
    disk = persistent_volume(aws_elastic_block_store=AWSElasticBlockStore(volume_id="vol-1"))
    made = cluster([node("n1")], [], claim(volume="pv"), disk, csi_node(limits={AWS_EBS.driver: 0}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("data")), made) == exceeded(1, 0, 0, AWS_EBS.driver)
    plain = cluster([node("n1")], [], claim(volume="pv"), persistent_volume(driver=None), csi_node(limits={DRIVER: 0}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("data")), plain) is None


@pytest.mark.parametrize(
    ("volume", "reason"),
    [
        pytest.param(
            Volume(name="v", aws_elastic_block_store=AWSElasticBlockStore(volume_id="aws:///x")),
            "converting volume(v) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID "
            "Invalid format for AWS volume (aws:///x)",
            id="ebs",
        ),
        pytest.param(
            Volume(name="v", azure_disk=AzureDisk(kind="Shared")),
            "converting volume(v) from inline to csi: kind(Shared) is not supported in csi migration",
            id="azure",
        ),
    ],
)
def test_in_line_volumes_that_cannot_be_migrated(volume: Volume, reason: str) -> None:
    made = cluster([node("n1")], [], csi_node(limits={DRIVER: 1}))
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=[volume]), made) == rejection(Code.ERROR, reason)


def test_ephemeral_volumes() -> None:
    asking = pod("p", uid="u", volumes=[scratch()])
    owner = controlled_by("Pod", "p", api_version="v1")
    owned = claim("p-scratch", owner=type(owner)(kind="Pod", name="p", uid="u", controller=True))
    limits = csi_node(limits={DRIVER: 0})
    made = cluster([node("n1")], [], owned, storage_class(), limits)
    assert filter_verdict(NodeVolumeLimits(), asking, made) == exceeded(1, 0, 0)
    made = cluster([node("n1")], [], claim("p-scratch"), storage_class(), limits)
    reason = "PVC default/p-scratch was not created for pod default/p (pod is not owner)"
    assert filter_verdict(NodeVolumeLimits(), asking, made) == rejection(Code.ERROR, reason)


def test_missing_claim() -> None:
    made = cluster([node("n1")])
    reason = 'looking up PVC default/data: persistentvolumeclaim "data" not found'
    evidence = [UnusableClaim("default/data", ClaimProblem.MISSING)]
    expected = rejection(UNRESOLVABLE, reason, evidence=evidence)
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("data")), made) == expected
    nameless = rejection(Code.ERROR, "PersistentVolumeClaim had no name")
    assert filter_verdict(NodeVolumeLimits(), pod(volumes=uses("")), made) == nameless


def test_skips_pods_without_volumes_that_count() -> None:
    made = cluster([node("n1")])
    plugin = NodeVolumeLimits()
    assert plugin.pre_filter(pod(), made) is SKIP
    assert plugin.pre_filter(pod(volumes=[Volume(name="config")]), made) is SKIP
    # Migratable, though it never counts.
    assert plugin.pre_filter(pod(volumes=[Volume(name="share", azure_file=AzureFile())]), made) is not SKIP
    assert filter_verdict(plugin, pod(volumes=[Volume(name="share", azure_file=AzureFile())]), made) is None


@pytest.mark.parametrize(("count", "fits"), [(True, False), (False, True)], ids=["since-1.32", "before"])
def test_attachments_of_volumes_that_no_pod_uses(count: bool, fits: bool) -> None:
    made = cluster(
        [node("n1")], [], *bound("a"), persistent_volume("other"), attachment("left", "other"),
        csi_node(limits={DRIVER: 1}),
    )  # fmt: skip
    verdict = filter_verdict(NodeVolumeLimits(Features(attachments_count=count)), pod(volumes=uses("a")), made)
    assert (verdict is None) is fits


@pytest.mark.parametrize(
    ("allocatable", "csi_limit", "reads", "verdict"),
    [
        pytest.param(1, None, False, None, id="since-1.32"),
        pytest.param(1, None, True, exceeded(2, 0, 1), id="before"),
        pytest.param(1, 2, True, None, id="a-csi-node-has-the-last-word"),
    ],
)
def test_limits_in_what_a_node_has_allocatable(
    allocatable: int, csi_limit: int | None, reads: bool, verdict: Status | None
) -> None:
    asked = node("n1", further={f"attachable-volumes-csi-{DRIVER}": allocatable})
    made = cluster([asked], [], *bound("a", "b"), csi_node(limits={DRIVER: csi_limit}))
    plugin = NodeVolumeLimits(Features(node_allocatable_limits_volumes=reads))
    assert filter_verdict(plugin, pod(volumes=uses("a", "b")), made) == verdict


@pytest.mark.parametrize(
    ("driver", "key"),
    [
        ("csi.example.com", "attachable-volumes-csi-csi.example.com"),
        (LONG_DRIVER, "attachable-volumes-csi-a-driver-with-a-very-lo9a98fbcbf1176eef"),
    ],
)  # fmt: skip
def test_attach_limit_key(driver: str, key: str) -> None:
    assert attach_limit_key(driver) == key


@pytest.mark.parametrize(
    ("gate", "everywhere", "annotated", "counts"),
    [
        pytest.param(True, True, False, True, id="since-1.36"),
        pytest.param(True, False, True, True, id="annotated"),
        pytest.param(True, False, False, False, id="not-annotated"),
        pytest.param(False, False, True, False, id="gate-off"),
    ],
)
def test_portworx(gate: bool, everywhere: bool, annotated: bool, counts: bool) -> None:
    volume = Volume(name="v", portworx_volume=PortworxVolume(volume_id="1"))
    made = cluster(
        [node("n1")], [], csi_node(limits={PORTWORX.driver: 0}, migrated=PORTWORX.name if annotated else None)
    )
    plugin = NodeVolumeLimits(Features(portworx_migration=gate, portworx_is_migrated_everywhere=everywhere))
    verdict = filter_verdict(plugin, pod(volumes=[volume]), made)
    assert verdict == (exceeded(1, 0, 0, driver=PORTWORX.driver) if counts else None)
