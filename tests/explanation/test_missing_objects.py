from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.case.unread import taken_to_exist
from kexplain.cluster import Cluster
from kexplain.explanation import explain
from kexplain.explanation.missing_objects import device_notes, storage_notes
from kexplain.objects.core import (
    PodResourceClaim,
    PodResourceClaimStatus,
    ResourceQuota,
    ResourceQuotaSpec,
    ResourceQuotaStatus,
)
from kexplain.objects.meta import KubernetesObject, ObjectMeta, ResourceList
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import DeviceClaim, ResourceClaimSpec, ResourceClaimTemplate, ResourceClaimTemplateSpec
from tests.factories import cluster, node, pod
from tests.plugins.devices.makers import claim as device_claim
from tests.plugins.devices.makers import device, device_class, exactly, resource_slice
from tests.storage_factories import capacity, claim, csi_driver, csi_node, persistent_volume, storage_class, uses

CLASS = storage_class()
KNOWN: list[KubernetesObject] = [csi_node(), csi_driver(tracks_capacity=None)]


@pytest.mark.parametrize(
    ("objects", "kinds", "resources"),
    [
        pytest.param([], ["PersistentVolumeClaims", "CSINodes"], "pvc,pv,storageclasses,csinodes", id="no-claims"),
        pytest.param([claim("other")], [], "", id="other-claims"),
        pytest.param([claim(), CLASS, *KNOWN], [], "", id="all-there"),
        pytest.param([claim(), *KNOWN], ["StorageClasses"], "storageclasses", id="no-classes"),
        pytest.param([claim(), CLASS, KNOWN[1]], ["CSINodes"], "csinodes", id="no-csi-nodes"),
        pytest.param([claim(), CLASS, KNOWN[0]], ["CSIDrivers"], "csidrivers", id="no-drivers"),
        pytest.param(
            [claim(), storage_class(provisioner="kubernetes.io/no-provisioner"), KNOWN[0]], [], "", id="no-provisioner",
        ),
        pytest.param(
            [claim(), CLASS, KNOWN[0], csi_driver()], ["CSIStorageCapacities"], "csistoragecapacities",
            id="no-capacities",
        ),
        pytest.param(
            [claim(), CLASS, KNOWN[0], csi_driver(), capacity("1", None, "1Gi")], [], "", id="capacities",
        ),
        pytest.param(
            [claim(volume="pv")], ["PersistentVolumes", "CSINodes"], "pv,csinodes", id="bound-without-volumes",
        ),
        pytest.param([claim(volume="pv"), persistent_volume(), KNOWN[0]], [], "", id="bound"),
    ],
)  # fmt: skip
def test_kinds_that_are_missing(objects: list[KubernetesObject], kinds: list[str], resources: str) -> None:
    wants = pod(volumes=uses("data"))
    made = cluster([node("n1")], [], *objects, *taken_to_exist([wants, *objects], [], ()))
    decision = build_scheduler().schedule(wants, made)
    notes = storage_notes([wants], made)
    assert [kind in "".join(notes) for kind in kinds] == [True] * len(kinds)
    assert bool(notes) is bool(kinds)
    if notes:
        assert f"kubectl get {resources} -A -o json" in notes[0]
    assert explain(decision).notes == notes


def test_classes_of_manifests_are_not_called_none() -> None:
    """They say nothing about what else the cluster has."""
    wants, here = pod(volumes=uses("data")), replace(node("n1"), metadata=replace(node("n1").metadata, uid="n1"))
    made = replace(storage_class("made"), metadata=replace(storage_class("made").metadata, uid=None))
    objects = [claim(), made, *KNOWN]
    notes = storage_notes([wants], cluster([here], [], *objects, *taken_to_exist([here, wants, *objects], [], ())))
    assert notes[0].startswith("the input has no other StorageClasses (class ")


def test_pods_without_claims_need_nothing() -> None:
    assert storage_notes([pod()], cluster([node("n1")])) == ()


def test_what_is_said_of_one_pod_reads_the_same_for_the_next() -> None:
    waiting = [pod(name, volumes=uses(name)) for name in ("a", "b")]
    there = cluster([node("n1")], waiting, *taken_to_exist(waiting, [], ()))
    (note,) = {note for each in waiting for note in storage_notes([each], there)}
    assert "its claim is taken to exist" in note
    (note,) = storage_notes(waiting, there)
    assert "claims default/a, default/b are taken to exist" in note


@pytest.mark.parametrize(
    ("objects", "note"),
    [
        pytest.param([], "its claim is taken to exist, and its volume to be within reach of every node", id="claims"),
        pytest.param(
            [claim(volume="pv")], "the volume of default/data is taken to be within reach of every node", id="volumes"
        ),
        pytest.param([claim()], "class wait is taken to make volumes everywhere", id="classes"),
        pytest.param([claim(), CLASS], "", id="nothing"),
    ],
)
def test_what_a_server_does_not_list_is_no_file_to_add(objects: list[KubernetesObject], note: str) -> None:
    wants = pod(volumes=uses("data"))
    there = [*objects, *taken_to_exist([wants, *objects], [], ())]
    made = Cluster.of([node("n1")], [], there, listed=frozenset({PodDisruptionBudget}))
    found = "".join(storage_notes([wants], made))
    assert found.startswith("what may not be listed is taken for granted: " if note else "")
    assert found.endswith(note)
    assert bool(found) is bool(note)


MADE = ResourceClaimTemplate(
    api_version="resource.k8s.io/v1",
    metadata=ObjectMeta(name="gpu", namespace="default"),
    spec=ResourceClaimTemplateSpec(spec=ResourceClaimSpec(devices=DeviceClaim(requests=(exactly(),)))),
)
OTHER = replace(MADE, metadata=replace(MADE.metadata, name="other"))


def quota(resource: str, allowed: str = "0", namespace: str = "default") -> ResourceQuota:
    hard: ResourceList = {resource: allowed}
    return ResourceQuota(
        metadata=ObjectMeta(name="team", namespace=namespace),
        spec=ResourceQuotaSpec(hard=hard),
        status=ResourceQuotaStatus(hard=hard, used={resource: "0"}),
    )


CLAIMS, DEVICES = "count/resourceclaims.resource.k8s.io", "gpu.deviceclass.resource.k8s.io/devices"
GENERATED = "claim c is generated from ResourceClaimTemplate default/gpu, "
NOT_YET = "claim c has a template, default/gpu, but is not in the pod's status.resourceClaimStatuses: "


@pytest.mark.parametrize(
    ("generated", "objects", "said"),
    [
        pytest.param(False, [], f"{GENERATED}which was not read: add it with cluster=FILE", id="nothing-read"),
        pytest.param(False, [OTHER], f"{GENERATED}which does not exist", id="not-there"),
        pytest.param(False, [MADE], f"{NOT_YET}kube-controller-manager has not generated it yet", id="not-yet"),
        pytest.param(False, [MADE, quota(CLAIMS)], f"{NOT_YET}ResourceQuota team allows 0 of {CLAIMS}", id="quota"),
        pytest.param(False, [MADE, quota(DEVICES)], f"{NOT_YET}ResourceQuota team allows 0 of {DEVICES}", id="class"),
        pytest.param(False, [MADE, quota(CLAIMS, "1")], f"{NOT_YET}kube-controller-manager", id="quota-with-room"),
        pytest.param(False, [MADE, quota(CLAIMS, namespace="x")], f"{NOT_YET}kube-controller-manager", id="of-another"),
        pytest.param(True, [], "", id="generated"),
    ],
)  # fmt: skip
def test_claims_that_are_made_of_templates(generated: bool, objects: list[KubernetesObject], said: str) -> None:
    made = pod()
    made = replace(
        made, spec=replace(made.spec, resource_claims=(PodResourceClaim("c", resource_claim_template_name="gpu"),))
    )
    if generated:
        made = replace(made, status=replace(made.status, resource_claim_statuses=(PodResourceClaimStatus("c", "c-1"),)))
    there = cluster([node("n1")], [], resource_slice(device("d")), device_class(), *objects)
    notes = [each for each in device_notes(build_scheduler().schedule(made, there)) if each.startswith("claim ")]
    assert len(notes) == bool(said)
    assert "".join(notes).startswith(said)


NO_CLAIMS = "ResourceClaims (claims are taken to be met)"
NO_SLICES = "ResourceSlices (each node is taken to have the devices that claims ask for)"
NO_CLASSES = "DeviceClasses (every device is taken to belong to the class asked for)"


@pytest.mark.parametrize(
    ("objects", "kinds", "resources"),
    [
        pytest.param([], [NO_CLAIMS, NO_SLICES, NO_CLASSES], "resourceclaims,resourceslices,deviceclasses", id="none"),
        pytest.param(
            [device_claim(exactly())], [NO_SLICES, NO_CLASSES], "resourceslices,deviceclasses", id="claims-alone"
        ),
        pytest.param([device_claim(exactly()), device_class()], [NO_SLICES], "resourceslices", id="no-slices"),
        pytest.param(
            [device_claim(exactly()), resource_slice(device("d"))], [NO_CLASSES], "deviceclasses", id="no-classes"
        ),
        pytest.param([device_claim(exactly()), resource_slice(device("d")), device_class()], [], "", id="all-there"),
    ],
)
def test_kinds_of_devices_that_are_missing(objects: list[KubernetesObject], kinds: list[str], resources: str) -> None:
    made = replace(pod(), spec=replace(pod().spec, resource_claims=(PodResourceClaim("c", "c"),)))
    notes = device_notes(build_scheduler().schedule(made, cluster([node("n1")], [], *objects)))
    without = " and ".join(f"no {kind}" for kind in kinds)
    get = f"kubectl get {resources} -A -o json > devices.json"
    expected = f"the input has {without}: get them with {get}, and add cluster=devices.json"
    assert notes == ((expected,) if kinds else ())
