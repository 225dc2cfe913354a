"""What is published of a diagnosis: one sentence that people can alert on, and the nodes by circle."""

from enum import StrEnum

from kexplain.explain.output import Output


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
    REJECTED = "rejected"
    NOT_TRIED = "not-tried"
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
    IMAGE_NOT_PULLED = "image-not-pulled"
    SANDBOX_FAILED = "sandbox-failed"
    CONTAINER_NOT_STARTED = "container-not-started"
    KUBELET_SILENT = "kubelet-silent"
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


class When(StrEnum):
    """When the scheduler would try the pod again with another outcome."""

    NEVER = "never"
    SOMETHING_CHANGES = "when-something-changes"
    BY_ITSELF = "by-itself"


class Sign(Output, frozen=True):
    """Something seen in the cluster that tells the cause, and on which nodes or pods (`namespace/name`) it is seen.

    `taint` and `label` are as kubectl writes them, where the sign is one of them.
    """

    text: str
    nodes: tuple[str, ...] = ()
    pods: tuple[str, ...] = ()
    taint: str = ""
    label: str = ""


class Diagnosis(Output, frozen=True):
    """What somebody who knows the cluster would say first.

    `text` is a clause that stands behind "pending:", `amounts` has the numbers behind it, or names, and `detail` is
    these with where the other nodes stand, in whole sentences.
    `plugin` is the plugin that objects, `pool` the pool that the pod belongs in, `nodes` are those that it is about (in
    large reports on several pods as in `circles`). Unless it is `certain`, the text says "probably".
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

    @property
    def alike(self) -> tuple[str, str]:
        """What pods with the same wrong with them have in common; where room is short, amounts and nodes may differ."""
        return self.kind, self.pool if self.plugin == "NodeResourcesFit" else self.text


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
        cohort = f", {self.unused_in_cohort} unused in its cohort" if self.unused_in_cohort else ""
        return f"{self.resource}{flavor}: {self.used or '0'} of {self.allowed or '0'} used{borrowed}{cohort}"


class Hold(Output, frozen=True, omit_defaults=True):
    """What keeps a pod from running, apart from the scheduler: before it looks at the pod, or after it found a node.

    `by` is the project or component, `node` where the pod is, or was, if it has a node, and `object` where it says so:
    kind, namespace and name, with the `apiVersion` that was read. `since` is when it began to say so. `message` is
    its own words. `ahead` is how many wait in the same queue and come first, null where that is not known. What helps
    stands among the pod's remedies; `helps` has their texts.
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


#: What says by itself who it is.
_BY_ITSELF = (Kind.NOT_TRIED, Kind.CLAIM_NOT_PROVISIONED)


def of_hold(held: Hold) -> Diagnosis:
    """The same as a diagnosis."""
    is_over = held.kind in (Kind.TURNED_AWAY, Kind.PREEMPTED, Kind.EVICTED, Kind.RESIZE_INFEASIBLE)
    return Diagnosis(
        kind=held.kind,
        text=held.text if held.node or held.kind in _BY_ITSELF else f"{held.by}: {held.text}",
        detail=held.message,
        nodes=(held.node,) if held.node else (),
        retry=When.NEVER if is_over else When.SOMETHING_CHANGES,
    )


class OnceAdmitted(Output, frozen=True, omit_defaults=True):
    """What the scheduler of the report would say of the pod if nothing held it back: the nodes it fits on, or why none.

    `nodes` are those that it might land on; `fits` is on how many it fits.
    """

    message: str = ""
    nodes: tuple[str, ...] = ()
    fits: int = 0
