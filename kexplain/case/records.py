"""What there is to say of the pods of a case, and of their workloads."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from kexplain.admission.quotas import Excess
from kexplain.errors import Fault
from kexplain.framework.trace import Decision
from kexplain.load.loaded import Origin
from kexplain.objects.apps import Deployment
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem


class PodToPlace(Struct, frozen=True):
    """A pod to place, as admitted; where it was read from; and what had to be assumed about it.

    `events` are what schedulers have said about it, and `running` is the pod as it runs, if it does.
    """

    pod: Pod
    source: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()
    #: What the pod was made of: a workload, or the pod as it was read.
    made_of: KubernetesObject | None = None
    #: Makes and admits the pod again, of a changed object.
    remake: Callable[[KubernetesObject], Pod] | None = None
    events: tuple[Event, ...] = ()
    running: Pod | None = None
    #: Why an API server would not create it, quotas aside.
    refusals: tuple[Problem, ...] = ()
    #: Where the manifest is; None for what comes from a cluster.
    manifest: Origin | None = None
    #: Whether it is shown although an API server refuses it, or its manifest.
    is_refused: bool = False


class Decided(Struct, frozen=True):
    """A pod as it was asked about, and what was decided of it."""

    pod: PodToPlace
    decision: Decision

    @property
    def key(self) -> str:
        """Its `namespace/name`."""
        return self.decision.pod.key


class Searched(Struct, frozen=True, rename="camel"):
    """How many pods were searched for those without a node; `namespace` is empty for all namespaces."""

    pods: int
    namespaces: int
    namespace: str = ""


class ControllerMessage(Struct, frozen=True, rename="camel"):
    """What a controller says of pods that it could not create; `times` is 0 where no event says how often."""

    controller: str
    text: str
    times: int = 0
    last_seen: str = ""


def is_held(obj: KubernetesObject) -> bool:
    """Whether somebody has told the controller to wait: a suspended Job, a paused Deployment."""
    match obj:
        case Job() | CronJob():
            return bool(obj.spec.suspend)
        case Deployment():
            return bool(obj.spec.paused)
        case _:
            return False


class OwnPods(Struct, frozen=True):
    """A workload that was named, with its pods in the cluster that have not finished and are not being deleted.

    `wanted` is how many it wants now, None if nothing says so; so many are `missing`. `controllers` are the workload
    itself, if it was read, and what it made that makes pods.
    """

    kind: str
    namespace: str
    name: str
    pods: tuple[Pod, ...]
    wanted: int | None
    missing: int
    controllers: tuple[KubernetesObject, ...] = ()
    complaints: tuple[ControllerMessage, ...] = ()
    #: The quotas that the next pod would exceed, and what raises its requests above its template, if that is why.
    excesses: tuple[Excess, ...] = ()
    raised_by: str = ""
    #: What else an API server would refuse of it: each field at fault, and what is wrong with it.
    problems: tuple[Problem, ...] = ()
    #: The pod that has to be ready before the next one is made.
    waits_for: str = ""
    #: Its pods that are being deleted and are still there.
    leaving: tuple[Pod, ...] = ()
    #: The first of these that nobody stops, as its node is lost, and what ails that; empty where all are on their way.
    stuck: tuple[Pod, ...] = ()
    stuck_as: str = ""
    #: What its kubelet says, which cannot stop it.
    stuck_said: str = ""
    #: What is said of those of its pods that do not serve.
    events: tuple[Event, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """Its kind, namespace and name."""
        return self.kind, self.namespace, self.name

    @property
    def held(self) -> KubernetesObject | None:
        """The controller that somebody has told to wait; None if there is none."""
        return next((each for each in self.controllers if is_held(each)), None)

    @property
    def is_paused(self) -> bool:
        """Whether pods are missing as long as a Deployment is paused; of suspended Jobs that is what is meant."""
        return self.missing > 0 and isinstance(self.held, Deployment)

    @property
    def is_explained(self) -> bool:
        """Whether it is known why pods are missing."""
        is_failing = any(isinstance(each, Job) and each.keeps_failing for each in self.controllers)
        # A Deployment without any condition is one that its controller has not looked at.
        is_unseen = any(isinstance(each, Deployment) and not each.status.conditions for each in self.controllers)
        is_known = is_failing or self.is_paused or (is_unseen and self.missing)
        return bool(self.excesses or self.problems or self.complaints or self.stuck or is_known)

    @property
    def pending(self) -> tuple[Pod, ...]:
        """The pods that have no node."""
        return tuple(pod for pod in self.pods if not pod.spec.node_name)


class RolloutFigures(Struct, frozen=True, kw_only=True, rename="camel"):
    """How far a workload gets; `RolloutReport` says what each figure means."""

    kind: str
    namespace: str
    name: str
    complete: bool
    desired: int
    placed: int
    new: int
    old: int
    pending: int
    not_created: int
    kept_old_by: str = ""


#: Of a pod that is shown although it is not created.
NOT_CREATED = "an API server refuses {}; the rest is what a scheduler would say of it"


class NotCreated(Struct, frozen=True):
    """A workload, or a pod, of whose `wanted` pods an API server refuses so many, and why.

    If it refuses all of them, the pod `shown`, by its uid, stands for them in the queue.
    """

    made_of: KubernetesObject
    namespace: str
    wanted: int
    missing: int
    faults: tuple[Fault, ...]
    shown: str = ""
    #: Whether it is their claims that are refused.
    is_of_claims: bool = False
