"""What keeps a pod that has a node from running, by what its status and events say, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from kexplain.bound.stopped import stopped
from kexplain.cluster import Cluster
from kexplain.diagnosis.records import Hold
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from tests.bound.made import event, made
from tests.factories import cluster, node, pod
from tests.queues.made import read
from tests.said import differences, of_hold
from tests.storage_factories import claim, storage_class, uses

DELETED = {"deletionTimestamp": "t"}
DATA = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
BIG = pod("big", namespace="b", priority=1000, node="n1")
ONE = cluster([node("n1")], [BIG])
TURNED_AWAY = (
    "OutOfcpu",
    "TopologyAffinityError",
    "SMTAlignmentError",
    "UnexpectedAdmissionError",
    "NodeAffinity",
    "NodeName",
    "NodePorts",
    "TaintToleration",
    "NodeShutdown",
    "Terminated",
    "AppArmor",
    "SysctlForbidden",
    "PodOSNotSupported",
    "PodOSSelectorNodeLabelDoesNotMatch",
    "InvalidNodeInfo",
    "InitContainerRestartPolicyForbidden",
    "SupplementalGroupsPolicyNotSupported",
    "PodLevelResourcesNotSupported",
    "PodFeatureUnsupported",
    "FailedNodeDeclaredFeaturesCheck",
    "Preempting",
    "OOMKilled",
)
WAITING = (
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
    "ErrImageNeverPull",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
    "ContainerCreating",
    "PodInitializing",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "CrashLoopBackOff",
    "SomethingNew",
    "",
)
DISRUPTIONS = (
    "EvictionByEvictionAPI",
    "DeletionByTaintManager",
    "DeletionByPodGC",
    "TerminationByKubelet",
    "PreemptionByScheduler",
    "SomethingNew",
    "",
)
RESIZES = (
    ("PodResizePending", "Deferred"),
    ("PodResizePending", "Infeasible"),
    ("PodResizePending", ""),
    ("PodResizeInProgress", "Error"),
    ("PodResizeInProgress", ""),
)
EVENTS = (
    "FailedCreatePodSandBox",
    "NetworkNotReady",
    "FailedAttachVolume",
    "FailedMount",
    "FailedMapVolume",
    "FailedPrepareDynamicResources",
    "Pulled",
)


class Situation(Struct, frozen=True):
    """A pod, what was said of it, and what there is beside it."""

    pod: Pod
    events: Sequence[Event] = ()
    around: Cluster = ONE

    def found(self) -> Hold | None:
        found = stopped(self.pod, self.events, self.around)
        return found.hold if found else None


def _situations() -> Iterator[tuple[str, Situation]]:
    for reason in TURNED_AWAY:
        yield f"turned away as {reason}", Situation(made({"phase": "Failed", "reason": reason, "message": "words"}))
    yield "runs although its status has a reason", Situation(made({"phase": "Running", "reason": "NodeName"}))
    for reason in DISRUPTIONS:
        condition = {"type": "DisruptionTarget", "status": "True", "reason": reason, "message": "words"}
        yield f"disrupted by {reason or 'nobody'}", Situation(made({"phase": "Running", "conditions": [condition]}))
        stale = {"phase": "Running", "conditions": [condition | {"status": "False"}]}
        yield f"not disrupted any more by {reason or 'nobody'}", Situation(made(stale))
    for kind, reason in RESIZES:
        condition = {"type": kind, "status": "True", "reason": reason, "message": "words"}
        yield f"{kind} for {reason or 'no reason'}", Situation(made({"phase": "Running", "conditions": [condition]}))
        over = {"phase": "Running", "conditions": [condition | {"status": "False"}]}
        yield f"no more {kind} for {reason or 'no reason'}", Situation(made(over))
    yield from _started()
    yield from _preempted()
    yield from _volumes()
    yield from _named_node()


def _started() -> Iterator[tuple[str, Situation]]:
    for reason in WAITING:
        state = {"waiting": {"message": "words", **({"reason": reason} if reason else {})}}
        status = {"phase": "Pending", "containerStatuses": [{"name": "c", "state": state}]}
        yield f"its container waits as {reason or 'nothing'}", Situation(made(status))
    state = {"waiting": {"reason": "CrashLoopBackOff"}}
    first = {"initContainerStatuses": [{"name": "i", "state": state}], "containerStatuses": [{"name": "c"}]}
    yield "its init container waits", Situation(made({"phase": "Pending", **first}))
    running = {"name": "c", "state": {"running": {}}}
    second = {"containerStatuses": [running, {"name": "d", "state": state}]}
    yield "its second container waits", Situation(made({"phase": "Pending", **second}))
    for reason in EVENTS:
        seen = event(reason, firstTimestamp="t1", lastTimestamp="t2", source={"component": "kubelet"})
        yield f"the kubelet says {reason}", Situation(made({"phase": "Pending"}), [seen])
        yield f"somebody says {reason}", Situation(made({"phase": "Pending"}), [event(reason)])
    yield "somebody said FailedMount of one that runs", Situation(made({"phase": "Failed"}), [event("FailedMount")])
    said = [event("FailedMount", f"words of {at}", lastTimestamp=at) for at in ("2", "3", "1")]
    yield "the newest is quoted", Situation(made({"phase": "Pending"}), said)
    said = [event("FailedMount", lastTimestamp="1"), event("FailedMapVolume", lastTimestamp="2")]
    yield "the newest of two reasons is quoted", Situation(made({"phase": "Pending"}), said)


def _preempted() -> Iterator[tuple[str, Situation]]:
    def related(**fields: str) -> dict[str, Any]:
        return {"related": {"kind": "Pod", **fields}}

    leaving = made({"phase": "Running"}, metadata=DELETED, priority=5)
    for name, more in {
        "for a pod that is there": related(namespace="b", name="big"),
        "for a pod that is gone": related(namespace="b", name="gone"),
        "for a pod of no namespace": related(name="gone"),
        "for a pod of no name": related(namespace="b"),
        "for nobody": {},
    }.items():
        seen = event("Preempted", lastTimestamp="t", source={"component": "default-scheduler"}, **more)
        yield f"preempted {name}", Situation(leaving, [seen])
    yield "preempted, says somebody", Situation(leaving, [event("Preempted")])
    condition = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler", "message": "words"}
    disrupted = made({"phase": "Running", "conditions": [condition]}, metadata=DELETED)
    yield "preempted by its condition and an event", Situation(disrupted, [event("Preempted", "more words")])
    evicted = {"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."}
    yield "evicted by its kubelet", Situation(made(evicted))


def _volumes() -> Iterator[tuple[str, Situation]]:
    def attachment(name: str = "at", **fields: Any) -> dict[str, Any]:
        spec = {
            "attacher": "disk",
            "nodeName": "n1",
            "source": {"persistentVolumeName": "pv"},
            **fields.pop("spec", {}),
        }
        kind = {"apiVersion": "storage.k8s.io/v1", "kind": "VolumeAttachment"}
        return {**kind, "metadata": {"name": name}, "spec": spec, "status": {"attached": False, **fields}}

    waiting, data = made({"phase": "Pending"}, volumes=DATA), claim(volume="pv", modes=["ReadWriteMany"], namespace="a")
    for name, objects in {
        "and says nothing": [attachment()],
        "and says why": [attachment(attachError={"message": "words", "time": "t"})],
        "of nobody": [attachment(spec={"attacher": None})],
        "that is attached": [attachment(attached=True)],
        "of another node": [attachment(spec={"nodeName": "n2"})],
        "of another volume": [attachment(spec={"source": {"persistentVolumeName": "other"}})],
        "of no volume": [attachment(spec={"source": {}})],
        "of another node and volume": [attachment(spec={"nodeName": "n2"}), attachment("b", attached=True)],
        "after others": [attachment("a", attached=True), attachment("b")],
    }.items():
        around = cluster([node("n1")], [], data, *read(*objects))
        yield f"an attachment {name}", Situation(waiting, (), around)
    yield (
        "an attachment of one that has failed",
        Situation(made({"phase": "Failed"}, volumes=DATA), (), cluster([node("n1")], [], data, *read(attachment()))),
    )


def _named_node() -> Iterator[tuple[str, Situation]]:
    named = pod(node="n1", volumes=uses("data"), phase="Pending")
    nodes = cluster([node("n1")], [], storage_class(mode="WaitForFirstConsumer"), claim(storage_class="wait"))
    yield "a claim for which the scheduler would choose a node", Situation(named, (), nodes)
    yield "a node that is not there", Situation(named, (), cluster([node("n2")]))
    yield "a node that nobody has read", Situation(named, (), cluster([]))
    for phase in ("Running", "Succeeded", "Failed", "Unknown"):
        gone = cluster([node("n2")])
        yield f"its node is gone and it has {phase}", Situation(pod(node="n1", phase=phase), (), gone)
        leaving = pod(node="n1", phase=phase, deleting=True)
        yield f"its node is gone and it has {phase} and is being deleted", Situation(leaving, (), gone)
    yield (
        "its node is gone and it is being deleted",
        Situation(pod(node="n1", deleting=True), (), cluster([node("n2")])),
    )
    yield "no node was read of one that runs", Situation(pod(node="n1", phase="Running"), (), cluster([]))
    yield "a pod of no phase", Situation(pod(node="worker-1"), (), cluster([node("worker-2")]))


def test_what_is_said_of_pods_that_do_not_run(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_hold(each.found())] for name, each in _situations()}
    assert (
        differences(Path(__file__).parent / "said.txt", said, rewrite=request.config.getoption("--rewrite-golden"))
        == {}
    )
