"""The typed facts behind a rejection by one of the storage plugins. Claims are named `namespace/name`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kexplain.framework.evidence import Evidence
from kexplain.objects.node_selectors import NodeTerm


class ClaimProblem(Enum):
    """What is wrong with a claim wherever the pod would go."""

    #: There is no such claim.
    MISSING = "Missing"
    #: The claim of an ephemeral volume is not made yet.
    NOT_CREATED = "NotCreated"
    #: A claim has the name of the ephemeral volume's, but was not made for the pod.
    NOT_OWNED = "NotOwned"
    #: The volume that it was bound to is gone.
    LOST = "Lost"
    #: It is on its way out.
    DELETING = "Deleting"
    #: It is bound as soon as it is made, not when a pod needs it, and that has not happened.
    UNBOUND = "Unbound"
    #: It is unbound and has no class.
    NO_CLASS = "NoClass"
    #: It is unbound and its class does not exist.
    CLASS_MISSING = "ClassMissing"
    #: It is bound to a volume that does not exist.
    VOLUME_MISSING = "VolumeMissing"


@dataclass(frozen=True, slots=True)
class UnusableClaim(Evidence):
    """A claim that keeps the pod off every node."""

    claim: str
    problem: ClaimProblem
    volume: str = ""
    class_name: str = ""


@dataclass(frozen=True, slots=True)
class DiskInUse(Evidence):
    """A disk that a pod on the node has mounted already; `disk` says which, in words."""

    volume: str
    disk: str
    pod: str


@dataclass(frozen=True, slots=True)
class ClaimInUse(Evidence):
    """A ReadWriteOncePod claim that other pods use; `pods` are those that did when the attempt began."""

    claim: str
    pods: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AttachLimitExceeded(Evidence):
    """More volumes of a driver than the node can have attached."""

    driver: str
    requested: int
    attached: int
    limit: int


@dataclass(frozen=True, slots=True)
class VolumeOutOfReach(Evidence):
    """The claim's volume cannot be reached from the node; `terms` are where it can be, one of which must hold."""

    claim: str
    volume: str
    terms: tuple[NodeTerm, ...]


@dataclass(frozen=True, slots=True)
class VolumeInOtherZone(Evidence):
    """The labels of the claim's volume name zones or regions that the node is not in."""

    claim: str
    volume: str
    key: str
    values: frozenset[str]
    actual: str | None


class Unfit(Enum):
    """Why a claim cannot be bound to a volume, in the order in which it is looked at."""

    CLASS = "class"
    CLAIMED = "claimed"
    TOO_SMALL = "too small"
    MODE = "volume mode"
    ATTRIBUTES_CLASS = "attributes class"
    DELETING = "being deleted"
    NOT_AVAILABLE = "not available"
    SELECTOR = "selector"
    ACCESS_MODES = "access modes"
    NODE = "node"


@dataclass(frozen=True, slots=True)
class UnfitVolume:
    """A volume that a claim cannot be bound to; `detail` is what the volume has instead."""

    volume: str
    why: Unfit
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NoVolumeToBind(Evidence):
    """No volume that exists fits the claim on this node, and its class makes no new ones.

    `unfit` are the volumes that are out of the question; of those that other nodes reach, some may be `taken`
    by other claims of the pod.
    """

    claim: str
    class_name: str
    requested_bytes: int
    unfit: tuple[UnfitVolume, ...]
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TopologyNotAllowed(Evidence):
    """The class makes no volumes for this node; `allowed` are the alternatives, each labels with their values."""

    claim: str
    class_name: str
    allowed: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


@dataclass(frozen=True, slots=True)
class NotEnoughStorage(Evidence):
    """The driver has no room for the claim; `largest_bytes` is the largest volume it can make for the node."""

    claim: str
    class_name: str
    requested_bytes: int
    largest_bytes: int | None


@dataclass(frozen=True, slots=True)
class ProvisionedElsewhere(Evidence):
    """The claim's volume is being made for another node."""

    claim: str
    node: str
