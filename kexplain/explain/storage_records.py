"""The facts behind the rejections of the storage plugins. Claims and pods are named `namespace/name`."""

from __future__ import annotations

from kexplain.explain.output import Fact, Output


class AboutStorage(Fact, frozen=True):
    """What all these facts have in common."""


class UnusableClaimFact(AboutStorage, frozen=True, tag="UnusableClaim"):
    """A claim that keeps the pod off every node.

    `problem` is Missing, NotCreated (an ephemeral volume's claim is not made yet), NotOwned (it was made for
    another pod), Lost (its volume is gone), Deleting, Unbound (it should have been bound before the pod came),
    NoClass, ClassMissing or VolumeMissing. `known` are claims that may have been meant where one is missing,
    and the classes there are where its class is.
    """

    claim: str
    problem: str
    volume: str = ""
    class_name: str = ""
    known: tuple[str, ...] = ()


class DiskInUseFact(AboutStorage, frozen=True, tag="DiskInUse"):
    """An in-line disk of the pod that a pod on the node has mounted."""

    volume: str
    disk: str
    pod: str


class ClaimInUseFact(AboutStorage, frozen=True, tag="ClaimInUse"):
    """A ReadWriteOncePod claim that other pods use, and the nodes that they run on."""

    claim: str
    pods: tuple[str, ...]
    nodes: tuple[str, ...]


class AttachLimitFact(AboutStorage, frozen=True, tag="AttachLimitExceeded"):
    """The node would have more volumes of a driver attached than it can: `attached + requested > limit`."""

    driver: str
    requested: int
    attached: int
    limit: int


class VolumeOutOfReachFact(AboutStorage, frozen=True, tag="VolumeOutOfReach"):
    """The claim's volume can be reached only from nodes with certain labels; `actual` are the node's own."""

    claim: str
    volume: str
    reachable_from: str
    actual: dict[str, str | None]


class VolumeZoneFact(AboutStorage, frozen=True, tag="VolumeInOtherZone"):
    """A label of the claim's volume names zones or regions that the node is not in; `actual` is where it is."""

    claim: str
    volume: str
    key: str
    values: tuple[str, ...]
    actual: str | None


class UnfitVolumeRecord(Output, frozen=True):
    """A volume that the claim cannot be bound to, why, and what the volume has instead."""

    volume: str
    why: str
    detail: str = ""


class NoVolumeFact(AboutStorage, frozen=True, tag="NoVolumeToBind"):
    """No volume fits the claim on this node, and its class makes none.

    `volumes` are some of those that are out of the question, and `count_by_reason` counts them all.
    """

    claim: str
    class_name: str
    requested_bytes: int
    volumes: tuple[UnfitVolumeRecord, ...]
    count_by_reason: dict[str, int]


class TopologyFact(AboutStorage, frozen=True, tag="TopologyNotAllowed"):
    """The class makes no volumes for this node: `allowed` are the alternatives, `actual` the node's labels."""

    claim: str
    class_name: str
    allowed: tuple[str, ...]
    actual: dict[str, str | None]


class NotEnoughStorageFact(AboutStorage, frozen=True, tag="NotEnoughStorage"):
    """The driver has no room for the claim; `largest_bytes` is null where it reports no capacity for the node."""

    claim: str
    class_name: str
    requested_bytes: int
    largest_bytes: int | None


class ProvisionedElsewhereFact(AboutStorage, frozen=True, tag="ProvisionedElsewhere"):
    """The claim's volume is being made for another node."""

    claim: str
    node: str


StorageFact = (
    UnusableClaimFact
    | DiskInUseFact
    | ClaimInUseFact
    | AttachLimitFact
    | VolumeOutOfReachFact
    | VolumeZoneFact
    | NoVolumeFact
    | TopologyFact
    | NotEnoughStorageFact
    | ProvisionedElsewhereFact
)
