"""Pods that are not started."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.bound.starting import attached_elsewhere, user_elsewhere
from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Kind
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import Condition
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.storage import VolumeAttachment
from tests.bound.made import event, made, why
from tests.factories import cluster, controlled_by, node, pod, service
from tests.queues.made import read
from tests.storage_factories import claim, uses


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
        ("FailedPrepareDynamicResources", Kind.DEVICE_NOT_PREPARED),
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


def _user(name: str = "new", on: str | None = "n2", **more: Any) -> Pod:
    """A pod that wants the claim, on a node and not started unless told otherwise."""
    return pod(name, node=on, **{"volumes": uses("data"), "phase": "Pending", **more})


OTHER = _user("old", "n1", phase="Running")
BOUND = claim(volume="pv")
WEB = controlled_by("ReplicaSet", "web")


@pytest.mark.parametrize(
    ("waiting", "around", "asked", "text"),
    [
        pytest.param(_user(), [OTHER], BOUND, "(ReadWriteOnce), and pod old on n1 still has it", id="another-pod"),
        pytest.param(_user(owner=WEB), [_user("old", "n1", owner=WEB)], BOUND,
                     "(ReadWriteOnce), and the earlier pod old on n1 still has it", id="the-pod-before"),
        pytest.param(_user(), [OTHER], claim(volume="pv", modes=["ReadWriteOncePod"]),
                     "(ReadWriteOncePod), and pod old on n1 still has it", id="of-one-pod"),
        pytest.param(_user(), [OTHER], claim(volume="pv", modes=["ReadWriteOncePod", "ReadWriteOnce"]),
                     "(ReadWriteOncePod and ReadWriteOnce), and pod old on n1 still has it", id="of-both-modes"),
        pytest.param(_user(), [_user("b", "n3"), _user("a", "n1"), _user("c", "n4")], BOUND,
                     "(ReadWriteOnce), and pod a on n1 still has it", id="the-first-by-name"),
        pytest.param(_user(volumes=uses("mine", "data")), [_user("old", "n1", volumes=uses("its", "data"))], BOUND,
                     "(ReadWriteOnce), and pod old on n1 still has it", id="one-of-several-claims"),
        pytest.param(_user(), [_user("old", "n2")], BOUND, "", id="on-the-same-node"),
        pytest.param(_user(), [_user("old", "n1", volumes=uses("its"))], BOUND, "", id="of-another-claim"),
        pytest.param(_user(), [_user("old", "n1", namespace="b")], BOUND, "", id="of-another-namespace"),
        pytest.param(_user(), [], BOUND, "", id="nobody-else"),
        pytest.param(_user(), [OTHER], claim(), "", id="without-a-volume"),
        pytest.param(_user(), [OTHER], claim(volume="pv", modes=["ReadWriteOnce", "ReadWriteMany"]), "",
                     id="for-many-nodes-as-well"),
        pytest.param(_user(), [OTHER], claim(volume="pv", namespace="b"), "", id="not-read"),
        pytest.param(_user(phase="Running"), [OTHER], BOUND, "", id="has-started"),
        pytest.param(_user(deleting=True), [OTHER], BOUND, "", id="on-its-way-out"),
    ],
)  # fmt: skip
def test_a_volume_that_another_node_still_has(
    waiting: Pod, around: list[Pod], asked: PersistentVolumeClaim, text: str
) -> None:
    found = why(waiting, around=cluster(map(node, ("n1", "n2", "n3", "n4")), around, asked))
    if not text:
        assert found is None
        return
    assert found is not None
    assert (found.kind, found.by, found.node) == (Kind.VOLUME_NOT_ATTACHED, "the attach/detach controller", "n2")
    assert found.text == f"the volume of claim data is attached to one node at a time {text}"
    assert (found.reason, found.message) == ("", "")


def test_without_a_node_no_volume_is_waited_for() -> None:
    assert user_elsewhere(_user(on=None), cluster([node("n1")], [OTHER], BOUND)) is None


SETTINGS = 'configmap "settings" not found'


@pytest.mark.parametrize(
    ("reason", "message", "says"),
    [
        ("CreateContainerConfigError", SETTINGS, "ConfigMap settings does not exist"),
        ("CreateContainerConfigError", 'secret "key" not found', "Secret key does not exist"),
        (
            "CreateContainerConfigError",
            "failed to sync: cache is stale",
            "of container c: failed to sync: cache is stale",
        ),
        ("CreateContainerConfigError", "runAsNonRoot and image will run as root (pod: a)", "runs as root"),
        ("CreateContainerConfigError", "runAsNonRoot and image has non-numeric user (node), cannot", "by name (node)"),
        (
            "CreateContainerConfigError",
            "couldn't find key a in ConfigMap d/b",
            "ConfigMap b, which it refers to, has no key a",
        ),
    ],
)
def test_what_a_container_refers_to_is_named(reason: str, message: str, says: str) -> None:
    waiting = {"name": "c", "state": {"waiting": {"reason": reason, "message": message}}}
    found = why(made({"phase": "Pending", "containerStatuses": [waiting]}))
    assert found is not None
    assert says in found.text


def test_what_a_volume_is_made_from_is_named() -> None:
    found = why(
        made({"phase": "Pending"}), event("FailedMount", f'MountVolume.SetUp failed for volume "v" : {SETTINGS}')
    )
    assert found is not None
    assert found.text == "ConfigMap settings, which a volume of it is made from, does not exist"


@pytest.mark.parametrize(("reason", "is_said"), [("ImagePullBackOff", True), ("CrashLoopBackOff", False)])
def test_pull_secrets_that_could_not_be_read(reason: str, is_said: bool) -> None:
    waiting = {"name": "c", "state": {"waiting": {"reason": reason}}}
    said = event("FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (acme, b); attempting")
    found = why(made({"phase": "Pending", "containerStatuses": [waiting]}), said)
    assert found is not None
    assert ("pull secret acme, b could not be read" in found.text) is is_said


def test_what_a_driver_says_is_in_the_sentence() -> None:
    said = event(
        "FailedAttachVolume", 'failed for volume "v" : rpc error: code = Internal desc = disk is being formatted'
    )
    found = why(made({"phase": "Pending"}), said)
    assert found is not None
    assert found.text == "a volume of it cannot be attached to n1: disk is being formatted"


WAITING_FOR_DB = {
    "type": "Initialized",
    "status": "False",
    "reason": "ContainersNotInitialized",
    "message": "containers with incomplete status: [migrate wait-for-db]",
}
DB: dict[str, Any] = {"namespace": "a", "labels": {"app": "db"}, "owner": controlled_by("StatefulSet", "db")}


@pytest.mark.parametrize(
    ("services", "database", "waits_for"),
    [
        pytest.param(["db"], pod("db-0", **DB), "db", id="pending"),
        pytest.param(["db", "for-db"], pod("db-0", **DB), "for-db", id="the-longest-name"),
        pytest.param(["db"], pod("db-0", node="n1", conditions=[Condition(type="Ready", status="True")], **DB), "",
                     id="runs"),
        pytest.param(["d", "wait-for-d", "web"], pod("db-0", **DB), "", id="another-name"),
        pytest.param(["db"], pod("db-0", **{**DB, "labels": {}}), "", id="nothing-behind"),
    ],
)  # fmt: skip
def test_init_containers_that_wait_for_a_service(services: list[str], database: Pod, waits_for: str) -> None:
    status = {"phase": "Pending", "conditions": [WAITING_FOR_DB]}
    waiting = made(status, initContainers=[{"name": "wait-for-db"}, {"name": "later"}])
    placed, idle = ([database], []) if database.spec.node_name else ([], [database])
    behind = (service(name, {"app": "db"}, "a") for name in services)
    found = why(waiting, around=cluster([node("n1")], placed, *idle, *behind))
    assert (found.text if found else "") == (
        f"its init container wait-for-db waits, probably for Service {waits_for}" if waits_for else ""
    )


@pytest.mark.parametrize(
    ("ended", "limits", "says", "message"),
    [
        ({"reason": "OOMKilled"}, {"memory": "128Mi"}, "more memory than its limit of 128Mi (OOMKilled)", "words"),
        ({"reason": "OOMKilled"}, {"cpu": "1"}, "killed as its node ran out of memory (OOMKilled)", "words"),
        (
            {"reason": "Error", "message": "no route"},
            {"memory": "128Mi"},
            "starts and ends again and again",
            "no route",
        ),
        ({}, {}, "starts and ends again and again", "words"),
        ({"exitCode": 3, "message": "no route"}, {}, "ends with exit code 3 again and again", "no route"),
        ({"exitCode": 0}, {}, "starts and ends again and again", "words"),
    ],
)
def test_how_a_container_ended_last(ended: Any, limits: Any, says: str, message: str) -> None:
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": "words"}}
    status = {"name": "c", "state": waiting, "lastState": {"terminated": ended}}
    containers = [{"name": "b"}, {"name": "c", "resources": {"limits": limits}}]
    found = why(made({"phase": "Pending", "containerStatuses": [status]}, containers=containers))
    assert found is not None
    assert found.text.endswith(says)
    assert found.message == message


@pytest.mark.parametrize(
    ("message", "text"),
    [
        pytest.param("failed (add): add cmd: failed to find plugin bridge", ": failed to find plugin bridge", id="why"),
        pytest.param("nothing behind a colon", ", mostly its network", id="no-reason"),
        pytest.param("rpc error: EOF", ", mostly its network", id="one-word"),
    ],
)
def test_why_there_is_no_sandbox(message: str, text: str) -> None:
    found = why(made({"phase": "Pending"}), event("FailedCreatePodSandBox", message))
    assert found is not None
    assert found.text == f"the kubelet cannot set up its sandbox{text}"


def test_where_no_address_is_left_the_pods_that_have_one_are_counted() -> None:
    served = [made({"phase": "Running"}, metadata={"name": f"s{n}"}) for n in range(2)]
    host = made({"phase": "Running"}, metadata={"name": "host"}, hostNetwork=True)
    waits = made({"phase": "Pending"}, metadata={"name": "waits"})
    said = event("FailedCreatePodSandBox", "failed (add): no IP addresses available in range set: 10.0.0.1-10.0.0.2")
    found = why(made({"phase": "Pending"}), said, around=cluster([node("n1")], [*served, host, waits]))
    assert found is not None
    assert found.text == (
        "the network plugin could not assign an IP address on n1: 2 pods there have one of their own,"
        " and its kubelet takes up to 110"
    )
    assert "cannot set up" in getattr(why(made({"phase": "Pending"}), said, around=cluster([])), "text", "")


def _attached(name: str, on: str, *, volume: str = "pv", attached: bool = True) -> VolumeAttachment:
    (found,) = read(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "VolumeAttachment",
            "metadata": {"name": name},
            "spec": {"attacher": "disk", "nodeName": on, "source": {"persistentVolumeName": volume}},
            "status": {"attached": attached, "detachError": {"message": "busy", "time": "t"}},
        }
    )
    assert isinstance(found, VolumeAttachment)
    return found


@pytest.mark.parametrize(
    ("waiting", "asked", "attachments", "kept"),
    [
        pytest.param(_user(), BOUND, [_attached("at", "n1")], "at", id="left-on-another-node"),
        pytest.param(_user(), BOUND, [_attached("at", "n2")], "", id="on-its-own-node"),
        pytest.param(_user(), BOUND, [_attached("at", "n1"), _attached("own", "n2")], "", id="on-its-own-node-as-well"),
        pytest.param(_user(), BOUND, [_attached("at", "n1", attached=False)], "", id="detached"),
        pytest.param(_user(), BOUND, [_attached("at", "n1", volume="other")], "", id="of-another-volume"),
        pytest.param(_user(), claim(volume="pv", modes=["ReadWriteMany"]), [_attached("at", "n1")], "", id="for-many"),
        pytest.param(_user(phase="Running"), BOUND, [_attached("at", "n1")], "", id="has-started"),
        pytest.param(_user(on=None), BOUND, [_attached("at", "n1")], "", id="without-a-node"),
    ],
)
def test_a_volume_that_is_still_attached_elsewhere(
    waiting: Pod, asked: PersistentVolumeClaim, attachments: list[VolumeAttachment], kept: str
) -> None:
    around = cluster(map(node, ("n1", "n2")), [], asked, *attachments)
    found = attached_elsewhere(waiting, around)
    assert (found.name if found else "") == kept
    said = why(waiting, around=around) if kept else None
    assert said is None or (said.text, said.object, said.message) == (
        "volume pv of claim data is attached to one node at a time, and still attached to n1",
        "VolumeAttachment at",
        "busy",
    )
    gone = why(waiting, around=cluster([node("n2")], [], asked, *attachments)) if kept else None
    assert gone is None or gone.text.endswith("and still attached to n1, which is gone")


LIVENESS = event("Unhealthy", 'Liveness probe failed: Get "http://10.0.0.1:80/": connection refused')


@pytest.mark.parametrize(
    ("code", "said", "says"),
    [
        pytest.param(143, LIVENESS, "kills container c again and again, as its liveness probe fails", id="told-to-end"),
        pytest.param(137, event("Unhealthy", "Startup probe failed: no"), "its startup probe fails: no", id="killed"),
        pytest.param(1, LIVENESS, "ends with exit code 1 again", id="by-itself"),
        pytest.param(143, event("Unhealthy", "Readiness probe failed: no"), "exit code 143", id="not-restarted-for-it"),
        pytest.param(143, event("Pulled"), "ends with exit code 143 again", id="no-probe"),
    ],
)  # fmt: skip
def test_containers_that_a_probe_has_killed(code: int, said: Event, says: str) -> None:
    ended = {"terminated": {"exitCode": code, "reason": "Error"}}
    waiting = {"name": "c", "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": ended}
    found = why(made({"phase": "Pending", "containerStatuses": [waiting]}), said)
    assert found is not None
    assert says in found.text
