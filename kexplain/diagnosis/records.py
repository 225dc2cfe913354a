"""What is published of a diagnosis: one sentence that people can alert on, and the nodes by circle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Self, TypedDict, Unpack

from msgspec import field
from msgspec.structs import replace

from kexplain.diagnosis.findings.statement import Statement
from kexplain.explain.output import Output, copied
from kexplain.objects.meta import KubernetesObject


class Kind(StrEnum):
    """What is wrong, in a word that stays."""

    # Room.
    NO_ROOM = "no-room"
    NO_POD_SLOT = "no-pod-slot"
    OUTRANKED = "outranked"
    TOO_BIG = "too-big-for-any-node"
    REQUEST_SLIP = "request-slip"
    # What a pod asks for.
    RESOURCE_UNKNOWN = "resource-unknown"
    RESOURCE_LOST = "resource-lost"
    DEVICE_PLUGIN_DOWN = "device-plugin-down"
    DEVICES_UNAVAILABLE = "devices-unavailable"
    SELECTOR_UNSATISFIED = "selector-unsatisfied"
    LABEL_LOST = "label-lost"
    WISHES_CONTRADICT = "wishes-contradict"
    NODE_MISSING = "node-missing"
    FEATURE_MISSING = "feature-missing"
    # Taints and service.
    TAINT_ADDED = "taint-added"
    RESERVATION_NOT_TOLERATED = "reservation-not-tolerated"
    POOL_OUT_OF_SERVICE = "pool-out-of-service"
    POOL_PARTLY_OUT_OF_SERVICE = "pool-partly-out-of-service"
    NO_NODES = "no-nodes"
    # Domains and neighbours.
    ZONE_FULL = "zone-full"
    ZONE_OUT_OF_SERVICE = "zone-out-of-service"
    SPREAD_UNSATISFIED = "spread-unsatisfied"
    AFFINITY_UNSATISFIED = "affinity-unsatisfied"
    ANTI_AFFINITY = "anti-affinity"
    HOST_PORT_TAKEN = "host-port-taken"
    # Storage.
    CLAIM_MISSING = "claim-missing"
    CLASS_MISSING = "class-missing"
    CLAIM_UNBOUND = "claim-unbound"
    CLAIM_UNUSABLE = "claim-unusable"
    CLAIM_IN_USE = "claim-in-use"
    NO_VOLUME_FITS = "no-volume-fits"
    VOLUME_OUT_OF_REACH = "volume-out-of-reach"
    VOLUME_LIMIT = "volume-limit"
    DRIVER_MISSING = "driver-missing"
    STORAGE_FULL = "storage-full"
    # What is not about nodes.
    GATED = "gated"
    OTHER_SCHEDULER = "left-to-another-scheduler"
    DELETING = "being-deleted"
    GROUP_INCOMPLETE = "group-incomplete"
    FAILED = "attempt-failed"
    QUOTA_USED_UP = "quota-used-up"
    REFUSED = "refused"
    SUSPENDED = "suspended"
    WAITS_FOR_EARLIER = "waits-for-earlier-pod"
    STUCK_TERMINATING = "stuck-terminating"
    REJECTED = "rejected"
    NOT_TRIED = "not-tried"
    NOT_MADE = "not-made"
    JOB_FAILED = "job-failed"
    # What happens once a pod has a node, or while it gets one.
    TURNED_AWAY = "turned-away-by-kubelet"
    PREEMPTED = "preempted"
    EVICTED = "evicted"
    RESIZE_DEFERRED = "resize-deferred"
    RESIZE_INFEASIBLE = "resize-infeasible"
    RESIZE_FAILED = "resize-failed"
    CLAIM_NOT_PROVISIONED = "claim-not-provisioned"
    VOLUME_NOT_ATTACHED = "volume-not-attached"
    VOLUME_NOT_MOUNTED = "volume-not-mounted"
    DEVICE_NOT_PREPARED = "device-not-prepared"
    IMAGE_NOT_PULLED = "image-not-pulled"
    SANDBOX_FAILED = "sandbox-failed"
    CONTAINER_NOT_STARTED = "container-not-started"
    KUBELET_SILENT = "kubelet-silent"
    NOT_READY = "not-ready"
    # Queues and groups of other projects.
    QUEUE_WAITING_FOR_QUOTA = "queue-waiting-for-quota"
    QUEUE_EXCEEDS_QUOTA = "queue-exceeds-quota"
    QUEUE_NO_MATCHING_FLAVOR = "queue-no-matching-flavor"
    QUEUE_TOPOLOGY_FULL = "queue-topology-full"
    QUEUE_WAITING_FOR_PREEMPTED = "queue-waiting-for-preempted"
    QUEUE_WAITING_FOR_PODS_READY = "queue-waiting-for-pods-ready"
    QUEUE_ADMISSION_CHECK = "queue-admission-check"
    QUEUE_STOPPED = "queue-stopped"
    QUEUE_MISCONFIGURED = "queue-misconfigured"
    QUEUE_NOT_EVALUATED = "queue-not-evaluated"
    QUEUE_WAITING = "queue-waiting"
    QUEUE_ADMITTED = "queue-admitted"
    GROUP_WAITING = "group-waiting"

    @property
    def is_of_queues(self) -> bool:
        """Whether it is a queue of another project that lets work wait."""
        return self.startswith("queue-") or self is Kind.GROUP_WAITING


class When(StrEnum):
    """When the scheduler would try the pod again with another outcome."""

    NEVER = "never"
    SOMETHING_CHANGES = "when-something-changes"
    BY_ITSELF = "by-itself"


class ObjectReference(Output, frozen=True, omit_defaults=True):
    """An object, in the cluster or missing from it: `PersistentVolumeClaim shop/data`."""

    kind: str
    name: str
    namespace: str = ""


class Relation(StrEnum):
    """How a step of a chain hangs on the object before it, or on the pod."""

    USES = "uses"
    BOUND_TO = "bound-to"
    OF_CLASS = "of-class"
    MADE_BY = "made-by"
    RUNS_ON = "runs-on"
    LIMITED_BY = "limited-by"
    QUEUED_IN = "queued-in"
    WAITS_FOR = "waits-for"
    SET_BY = "set-by"
    LOOKED_AFTER_BY = "looked-after-by"


class Link(Output, frozen=True, omit_defaults=True):
    """A step from the pod to what is at fault: what the one before has to do with this object.

    `shownBy` is a command that would show it, where it is not in the input.
    """

    relation: Relation
    object: ObjectReference
    shown_by: str = ""


def link(relation: Relation, kind: str | type[KubernetesObject], key: str) -> Link:
    """A step to an object by its key: `name` or `namespace/name`."""
    namespace, _, name = key.rpartition("/")
    known = kind if isinstance(kind, str) else kind.__name__
    return Link(relation=relation, object=ObjectReference(kind=known, name=name, namespace=namespace))


class Sign(Output, frozen=True):
    """Something seen in the cluster that tells the cause, and on which nodes or pods (`namespace/name`) it is seen.

    `taint` and `label` are as kubectl writes them, where the sign is one of them.
    """

    text: str
    nodes: tuple[str, ...] = ()
    pods: tuple[str, ...] = ()
    taint: str = ""
    label: str = ""


class QuotaUse(Output, frozen=True, omit_defaults=True):
    """How much of a resource a queue uses, and how much it may; amounts as they are written, empty where nothing is.

    `unusedInCohort` is what the other queues of the cohort do not use of what they may lend.
    """

    resource: str
    used: str = ""
    allowed: str = ""
    flavor: str = ""
    borrowed: str = ""
    unused_in_cohort: str = ""

    @property
    def figures(self) -> str:
        """The same in words."""
        flavor = f" in flavor {self.flavor}" if self.flavor else ""
        borrowed = f", {self.borrowed} of that borrowed" if self.borrowed else ""
        cohort = f", {self.unused_in_cohort} unused by others of its cohort" if self.unused_in_cohort else ""
        return f"{self.resource}{flavor}: {self.used or '0'} of {self.allowed or '0'} used{borrowed}{cohort}"


class Hold(Output, frozen=True, omit_defaults=True):
    """What keeps a pod from running, apart from the scheduler: before it looks at the pod, or after it found a node.

    `by` is the project or component, `node` where the pod is, or was, if it has a node, and `object` where it says so:
    kind, namespace and name, with the `apiVersion` that was read. `since` is when it began to say so. `message` is
    its own words. `ahead` is how many wait in the same queue and come first, null where that is not known. What helps
    stands among the pod's remedies; `helps` has their texts, and `fix` that which is about these very objects.
    """

    kind: Kind
    by: str
    text: str
    object: str = ""
    api_version: str = ""
    queue: str = ""
    since: str = ""
    reason: str = ""
    message: str = ""
    quota: tuple[QuotaUse, ...] = ()
    ahead: int | None = None
    helps: tuple[str, ...] = ()
    command: str = ""
    node: str = ""
    fix: str = ""


class Finding(Output, frozen=True):
    """What is wrong, as somebody who knows the cluster would say it first, whoever says it.

        {"kind": "claim-missing", "text": "claim shop/dat does not exist; did you mean data?",
         "culprit": {"kind": "PersistentVolumeClaim", "name": "dat", "namespace": "shop"}, …}

    `facts` are what is known: the `type` of statement, and what that is about, from which all its words are made.
    `text` is a clause that stands behind "pending:", `amounts` has the numbers behind it, or names, and `detail` is
    these with where the other nodes stand, in whole sentences.
    `chain` leads from the pod to the `culprit`, the object at fault; both are empty where the pod itself is, or nodes.
    `plugin` is the plugin that objects, `pool` the pool that the pod belongs in, `nodes` are those that it is about (in
    large reports on several pods as in `circles`). Unless it is `certain`, the text says "probably" or "for example".
    """

    kind: Kind
    text: str
    amounts: str = ""
    detail: str = ""
    plugin: str = ""
    pool: str = ""
    nodes: tuple[str, ...] = ()
    evidence: tuple[Sign, ...] = ()
    certain: bool = True
    retry: When = When.SOMETHING_CHANGES
    culprit: ObjectReference | None = None
    chain: tuple[Link, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    #: What else is wrong once that is mended, in a clause; empty where nothing is known.
    besides: str = ""

    @property
    def clause(self) -> str:
        """The text without who says so."""
        return self.text

    def with_text(self, text: str, **facts: object) -> Self:
        """The same in other words, which tell these facts as well."""
        return replace(self, text=text, facts={**self.facts, **facts})

    @property
    def alike(self) -> tuple[Kind, object]:
        """What pods with the same wrong with them have in common; where room is short, amounts and nodes may differ."""
        return self.kind, self.pool if self.plugin == "NodeResourcesFit" else self.text


class Beside(TypedDict, total=False):
    """What there is to say of a finding beside its words."""

    pool: str
    evidence: Iterable[Sign]
    chain: Iterable[Link]
    retry: When
    certain: bool


def finding(
    kind: Kind, said: Statement, plugin: str = "", *, nodes: Iterable[str] = (), **beside: Unpack[Beside]
) -> Finding:
    """A finding in the words of its statement."""
    steps, words = tuple(beside.get("chain", ())), said.in_words
    return Finding(
        kind=kind,
        text=words.text,
        amounts=words.amounts,
        detail=words.detail,
        plugin=plugin,
        pool=beside.get("pool", ""),
        nodes=tuple(nodes),
        evidence=tuple(beside.get("evidence", ())),
        certain=beside.get("certain", True),
        retry=beside.get("retry", When.SOMETHING_CHANGES),
        culprit=steps[-1].object if steps else None,
        chain=steps,
        facts=said.published,
    )


class Held(Finding, frozen=True, kw_only=True):
    """A finding of what keeps a pod from running that is no scheduler; who says so is published apart, as `held`."""

    hold: Hold

    @property
    def clause(self) -> str:
        """The text without who says so."""
        return self.hold.text

    def with_text(self, text: str, **facts: object) -> Self:
        """The same in other words, which tell these facts as well."""
        told = super().with_text(_who_says(self.kind, self.hold, text), **facts)
        return replace(told, hold=replace(self.hold, text=text))

    @property
    def published(self) -> Finding:
        """The same without who says so."""
        return copied(self, Finding)


#: What says by itself who it is.
_BY_ITSELF = (Kind.NOT_TRIED, Kind.CLAIM_NOT_PROVISIONED, Kind.STUCK_TERMINATING)
_OVER = (Kind.TURNED_AWAY, Kind.PREEMPTED, Kind.EVICTED, Kind.RESIZE_INFEASIBLE)


def held_by(by: str, kind: Kind, said: Statement, *, node: str = "", message: str = "", **source: Any) -> Held:
    """A finding of what keeps a pod from running that is no scheduler, with what else its `Hold` has."""
    hold = Hold(kind=kind, by=by, text=str(said), node=node, message=message, **source)
    return Held(
        kind=kind,
        text=_who_says(kind, hold, hold.text),
        detail=" ".join(map(str.strip, message.splitlines())),
        nodes=(node,) if node else (),
        retry=When.NEVER if kind in _OVER else When.SOMETHING_CHANGES,
        facts=said.published,
        hold=hold,
    )


def _who_says(kind: Kind, hold: Hold, text: str) -> str:
    return text if hold.node or kind in _BY_ITSELF else f"{hold.by}: {text}"


class NodeCircles(Output, frozen=True):
    """All nodes by where they stand for the pod.

    `candidates` are what it asks for, or where it belongs; `reserved` are kept for others; what the pod excludes
    itself is `elsewhere`; `outOfService` are those that take no pods at the moment, whoever asks. In large reports on
    several pods, each is one text: places in the report's `nodeNames`, as in `0-3,8`.
    """

    candidates: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    out_of_service: tuple[str, ...] = ()


class OnceAdmitted(Output, frozen=True, omit_defaults=True):
    """What the scheduler of the report would say of the pod if nothing held it back: the nodes it fits on, or why none.

    `nodes` are those that it might land on; `fits` is on how many it fits. Of a pod that is made again under its name
    once it is gone, `why` is what would be wrong then.
    """

    message: str = ""
    nodes: tuple[str, ...] = ()
    fits: int = 0
    why: str = ""
