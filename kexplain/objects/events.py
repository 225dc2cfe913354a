"""Events, of core/v1 and of events.k8s.io/v1: what a scheduler has said about a pod."""

from collections.abc import Iterable

from kexplain.objects.core import Pod
from kexplain.objects.meta import Int32, KubernetesObject, Record
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.patterns import regex
from kexplain.tables import sections

FAILED_SCHEDULING = "FailedScheduling"
#: What KAI-Scheduler and Volcano have for it, beside messages of their own.
UNSCHEDULABLE = "Unschedulable"
FAILED_CREATE = "FailedCreate"
#: The same of a Deployment whose ReplicaSet cannot be created, and its condition's reason.
REPLICA_SET_FAILED = "ReplicaSetCreateError"
#: What autoscalers say of a pod, beside Karpenter's own FailedScheduling.
NOT_TRIGGER_SCALE_UP, TRIGGERED_SCALE_UP, NOMINATED = "NotTriggerScaleUp", "TriggeredScaleUp", "Nominated"
FAILED_SCALE_UP = "FailedScaleUp"
AUTOSCALER_REASONS = (NOT_TRIGGER_SCALE_UP, TRIGGERED_SCALE_UP, NOMINATED, FAILED_SCALE_UP)
#: What provisioners, and the controller of volumes, say of a claim without a volume; the first is bad news.
PROVISIONING_REASONS = ("ProvisioningFailed", "ExternalProvisioning")
#: What schedulers say of a pod that had to go for a more important one.
PREEMPTED = "Preempted"
#: What kubelets report of a pod that they cannot stop.
FAILED_KILL = "FailedKillPod"
#: What tells of a node that may not start pods.
NODE_REASONS = sections("kubelet-reasons")["of events of nodes"]
#: What tells why something waits, though nobody warns of it; and who tells it under any reason.
TELLING_REASONS = (*AUTOSCALER_REASONS, UNSCHEDULABLE, PREEMPTED, *PROVISIONING_REASONS, *NODE_REASONS)
YUNIKORN = "yunikorn"
#: What reasons say that tell of something that did not work, whoever says so.
TROUBLE = regex("Fail|Err|Exceeded|Invalid|Denied|Unable")
_SCHEDULED = "Scheduled"
_KARPENTER = "karpenter"
#: How Karpenter begins, under whatever name a cloud runs it.
_KARPENTER_FAILED = "Failed to schedule pod, "
#: Of NodeClaims, what Karpenter says of one that is not launched.
_LAUNCH_REASONS = ("InsufficientCapacityError", "NodeClassNotReady")


class EventSource(Record, frozen=True):
    """Who reported an event, as old clients say it."""

    component: str | None = None


class EventSeries(Record, frozen=True):
    """How often an event came again; its text stays that of the first."""

    count: Int32 | None = None
    last_observed_time: str | None = None


class Subject(Record, frozen=True):
    """What an event is about, or who has a role."""

    kind: str | None = None
    namespace: str | None = None
    name: str | None = None
    uid: str | None = None


class Event(KubernetesObject, frozen=True, tag_field="kind", tag="Event"):
    """An event, with the names of its fields in both API groups."""

    involved_object: Subject | None = None
    regarding: Subject | None = None
    related: Subject | None = None
    type: str | None = None
    reason: str | None = None
    message: str | None = None
    note: str | None = None
    reporting_component: str | None = None
    reporting_controller: str | None = None
    source: EventSource | None = None
    deprecated_source: EventSource | None = None
    event_time: str | None = None
    first_timestamp: str | None = None
    deprecated_first_timestamp: str | None = None
    last_timestamp: str | None = None
    deprecated_last_timestamp: str | None = None
    count: Int32 | None = None
    deprecated_count: Int32 | None = None
    series: EventSeries | None = None

    @property
    def subject(self) -> Subject:
        return self.involved_object or self.regarding or Subject()

    def is_about(self, obj: KubernetesObject) -> bool:
        """Whether it names an object of a kind, and no earlier one of the same name, which has another uid."""
        uid, subject = obj.metadata.uid, self.subject
        named = (subject.namespace or self.namespace, subject.name) == (obj.namespace, obj.name)
        return named and (not uid or subject.uid in (None, uid))

    @property
    def is_of_launch(self) -> bool:
        """Whether Karpenter says with it why the cloud makes no node, whose NodeClaim it deletes then."""
        return self.reason in _LAUNCH_REASONS and self.subject.kind == "NodeClaim"

    def is_named_by(self, others: "Iterable[Event]") -> bool:
        """Whether the text of another event ends with the name of what it is about."""
        return bool(self.subject.name) and any(each.text.endswith(f"/{self.subject.name}") for each in others)

    @property
    def is_failed_scheduling(self) -> bool:
        """Whether a scheduler says with it why it has no node for a pod."""
        return self.reason == FAILED_SCHEDULING and self.subject.kind == "Pod" and not self._is_of_karpenter

    @property
    def is_of_autoscaler(self) -> bool:
        """Whether an autoscaler says with it whether it adds a node for a pod."""
        is_meant = self.reason in AUTOSCALER_REASONS or (self.reason == FAILED_SCHEDULING and self._is_of_karpenter)
        return is_meant and self.subject.kind == "Pod"

    @property
    def _is_of_karpenter(self) -> bool:
        return self.reporter == _KARPENTER or self.text.startswith(_KARPENTER_FAILED)

    @property
    def is_of_node(self) -> bool:
        """Whether somebody else than its kubelet warns of a node."""
        is_warning = (self.type, self.subject.kind) == ("Warning", "Node")
        return is_warning and self.reporter not in ("kubelet", "node-controller")

    @property
    def is_telling(self) -> bool:
        """Whether any report has a use for it."""
        return self.type != "Normal" or self.reason in TELLING_REASONS or self.reporter == YUNIKORN

    @property
    def is_failed_create(self) -> bool:
        """Whether a controller says with it why it could not create a pod."""
        return self.reason in (FAILED_CREATE, REPLICA_SET_FAILED)

    @property
    def preempted_from(self) -> tuple[str, str] | None:
        """The namespace and name of what made the pod that had to go, as its name says; None of other events."""
        subject = self.subject
        if self.reason != PREEMPTED or subject.kind != "Pod":
            return None
        return subject.namespace or self.namespace, (subject.name or "").rpartition("-")[0]

    @property
    def text(self) -> str:
        return self.message or self.note or ""

    @property
    def reporter(self) -> str:
        """Who reported it: for a scheduler, its name."""
        source = self.source or self.deprecated_source
        return self.reporting_component or self.reporting_controller or (source and source.component) or ""

    @property
    def first_seen(self) -> str:
        """When it was reported with this text. Source: kubectl's printer of events."""
        return self.first_timestamp or self.deprecated_first_timestamp or self.event_time or ""

    @property
    def last_seen(self) -> str:
        """When it was reported last. Source: kubectl's printer of events."""
        if self.series is not None and self.series.last_observed_time:
            return self.series.last_observed_time
        return self.last_timestamp or self.deprecated_last_timestamp or self.event_time or ""

    def followed_by(self, objects: Iterable[KubernetesObject]) -> list[str]:
        """The names of those that were made since; none if it is not known when it was reported."""
        since = self.last_seen
        return [each.name for each in objects if since and (each.metadata.creation_timestamp or "") >= since]

    @property
    def times(self) -> int:
        return (self.series.count if self.series else None) or self.count or self.deprecated_count or 1


def made_by(pod: KubernetesObject) -> tuple[str, str]:
    """The namespace and name of what makes the pod, as `preempted_from` of an event has them; no name without any."""
    owner = pod.metadata.controller
    return pod.namespace, (owner.name or "") if owner else ""


def events_about(pod: Pod, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events in which a scheduler says why it has no node for the pod, the newest last.

    Other schedulers have other reasons for that. An event of an earlier pod of the same name has another uid.
    """
    own = {pod.scheduler_name} - {DEFAULT_SCHEDULER_NAME}

    def is_refusal(event: Event) -> bool:
        return event.is_failed_scheduling or (event.reporter in own and event.reason != _SCHEDULED)

    return _about(pod, filter(is_refusal, events))


def autoscaler_events_about(pod: Pod, events: Iterable[Event]) -> tuple[Event, ...]:
    """The events in which autoscalers say whether they add a node for the pod, the newest last."""
    return _about(pod, (event for event in events if event.is_of_autoscaler))


def said_of(pod: Pod, events: Iterable[Event]) -> tuple[Event, ...]:
    """Everything that was said of the pod, the newest last."""
    return _about(pod, (event for event in events if event.subject.kind in (None, "Pod")))


def _about(pod: Pod, events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(sorted([event for event in events if event.is_about(pod)], key=lambda event: event.last_seen))
