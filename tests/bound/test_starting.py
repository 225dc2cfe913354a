"""Pods that are not started."""

from __future__ import annotations

import pytest

from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Kind
from kexplain.objects.storage import VolumeAttachment
from tests.bound.made import event, made, why
from tests.queues.made import read


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("ErrImagePull", Kind.IMAGE_NOT_PULLED),
        ("ImagePullBackOff", Kind.IMAGE_NOT_PULLED),
        ("CreateContainerConfigError", Kind.CONTAINER_NOT_STARTED),
        ("SomethingNew", Kind.CONTAINER_NOT_STARTED),
        ("ContainerCreating", None),
    ],
)
def test_containers_that_wait(reason: str, kind: Kind | None) -> None:
    waiting = {"name": "c", "state": {"waiting": {"reason": reason, "message": "words"}}}
    found = why(made({"phase": "Pending", "containerStatuses": [waiting]}))
    assert (found and found.kind) == kind
    assert found is None or (found.message, found.node) == ("words", "n1")


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("FailedCreatePodSandBox", Kind.SANDBOX_FAILED),
        ("FailedAttachVolume", Kind.VOLUME_NOT_ATTACHED),
        ("FailedMount", Kind.VOLUME_NOT_MOUNTED),
        ("Pulled", None),
    ],
)
def test_events_of_pods_that_are_not_started(reason: str, kind: Kind | None) -> None:
    found = why(made({"phase": "Pending"}), event(reason))
    assert (found and found.kind) == kind
    assert why(made({"phase": "Running"}), event(reason)) is None


def test_what_a_driver_says_of_an_attachment() -> None:
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "a"},
        "spec": {"volumeName": "v1"},
    }
    attachment = {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "VolumeAttachment",
        "metadata": {"name": "at"},
        "spec": {"attacher": "disk", "nodeName": "n1", "source": {"persistentVolumeName": "v1"}},
        "status": {"attached": False, "attachError": {"message": "words", "time": "t"}},
    }
    objects = read(claim, attachment)
    assert isinstance(objects[1], VolumeAttachment)
    volumes = [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]
    found = why(made({"phase": "Pending"}, volumes=volumes), around=Cluster.of([], [], objects))
    assert found is not None
    assert (found.kind, found.by, found.object, found.message) == (
        Kind.VOLUME_NOT_ATTACHED,
        "disk",
        "VolumeAttachment at",
        "words",
    )
