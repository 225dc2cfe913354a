"""The typed facts behind a rejection by one of the storage plugins. Claims are named `namespace/name`."""

from enum import Enum, StrEnum

from msgspec import Struct

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


class UnusableClaim(Evidence, frozen=True):
    """A claim that keeps the pod off every node."""

    claim: str
    problem: ClaimProblem
    volume: str = ""
    class_name: str = ""


class DiskInUse(Evidence, frozen=True):
    """A disk that a pod on the node has mounted already; `disk` says which, in words."""

    volume: str
    disk: str
    pod: str


class ClaimInUse(Evidence, frozen=True):
    """A ReadWriteOncePod claim that other pods use; `pods` are those that did when the attempt began."""

    claim: str
    pods: tuple[tuple[str, str], ...]


class AttachLimitExceeded(Evidence, frozen=True):
    """More volumes of a driver than the node can have attached."""

    driver: str
    requested: int
    attached: int
    limit: int


class VolumeOutOfReach(Evidence, frozen=True):
    """The claim's volume cannot be reached from the node; `terms` are where it can be, one of which must hold."""

    claim: str
    volume: str
    terms: tuple[NodeTerm, ...]


class VolumeInOtherZone(Evidence, frozen=True):
    """The labels of the claim's volume name zones or regions that the node is not in."""

    claim: str
    volume: str
    key: str
    values: frozenset[str]
    actual: str | None


class Unfit(StrEnum):
    """Why a claim cannot be bound to a volume, in the order in which it is looked at."""

    MISSING = "missing"
    CLASS = "class"
    CLAIMED = "claimed"
    #: The claim that it belonged to is gone, and nobody has given it free.
    RELEASED = "released"
    TOO_SMALL = "too small"
    MODE = "volume mode"
    ATTRIBUTES_CLASS = "attributes class"
    DELETING = "being deleted"
    NOT_AVAILABLE = "not available"
    SELECTOR = "selector"
    ACCESS_MODES = "access modes"
    NODE = "node"
    #: It goes to another claim of the pod.
    TAKEN = "taken"


class UnfitVolume(Struct, frozen=True, rename="camel"):
    """A volume that a claim cannot be bound to; `detail` is what the volume has instead."""

    volume: str
    why: Unfit
    detail: str = ""


class NoVolumeToBind(Evidence, frozen=True):
    """No volume that exists fits the claim on this node, and its class makes no new ones.

    `unfit` are the volumes that are out of the question; of those that other nodes reach, some may be `taken`
    by other claims of the pod.
    """

    claim: str
    class_name: str
    requested_bytes: int
    unfit: tuple[UnfitVolume, ...]
    taken: frozenset[str] = frozenset()


class DriverNotInstalled(Evidence, frozen=True):
    """The node does not have the CSI driver."""

    driver: str


class TopologyNotAllowed(Evidence, frozen=True):
    """The class makes no volumes for this node; `allowed` are the alternatives, each labels with their values."""

    claim: str
    class_name: str
    allowed: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


class NotEnoughStorage(Evidence, frozen=True):
    """The driver has no room for the claim; `largest_bytes` is the largest volume it can make for the node."""

    claim: str
    class_name: str
    requested_bytes: int
    largest_bytes: int | None


class ProvisionedElsewhere(Evidence, frozen=True):
    """The claim's volume is being made for another node."""

    claim: str
    node: str
