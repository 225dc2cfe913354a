"""The typed facts behind a rejection for devices or kubelet features. Claims are named `namespace/name`."""

import msgspec
from msgspec import Struct

from kexplain.framework.evidence import Evidence


class SelectorCount(Struct, frozen=True, rename="camel"):
    """How many of the devices asked were as a selector wants them; `owner` is the class or claim that has it."""

    owner: str
    expression: str
    asked: int
    matching: int


class TakenDevice(Struct, frozen=True, rename="camel"):
    """A device (`driver/pool/device`) that would do, the claim that has it, and the pods that use the claim."""

    device: str
    claim: str
    users: tuple[str, ...] = ()


class UnmetRequest(Evidence, frozen=True, tag="UnmetDeviceRequest"):
    """A request for which the node has too few devices, whatever the others get.

    Without a claim, `request` is an extended resource of a container. Of `offered` devices on the node, `matching` are
    as class and request want them and `free` could be had; `wanted` is 0 where all matching devices are wanted, and
    one that cannot be had is too many.
    """

    claim: str
    request: str
    device_class: str
    wanted: int
    offered: int
    matching: int
    free: int
    selectors: tuple[SelectorCount, ...] = ()
    taken: tuple[TakenDevice, ...] = ()
    taints: tuple[str, ...] = ()
    #: Devices of which too little is left.
    too_small: int = 0
    #: Pools that cannot be used: their driver is updating them, or they contradict themselves.
    unusable_pools: tuple[str, ...] = ()

    @property
    def stage(self) -> str:
        """How far devices got: none there, too few that match, or too few that can be had."""
        if not self.offered:
            return "none"
        return "match" if self.matching < max(self.wanted, 1) else "free"


class UnmetCombination(Evidence, frozen=True, tag="UnmetDeviceCombination"):
    """Requests that could each be met, but not together.

    `attribute` is what their devices would have to share, or must not if `distinct`; empty if devices are too few.
    `values_by_request` are the values that the attribute has on devices that each request could have.
    """

    claims: tuple[str, ...]
    requests: tuple[str, ...]
    attribute: str = ""
    distinct: bool = False
    values_by_request: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class ClaimElsewhere(Evidence, frozen=True):
    """A claim whose devices, allocated already, cannot be used from the node.

    `nodes` says from which they can; empty where a driver reports that they could not be made ready.
    """

    claim: str
    nodes: str
    users: tuple[str, ...] = ()


class MissingDeviceClass(Evidence, frozen=True):
    """A request names a class that does not exist."""

    request: str
    device_class: str
    known: tuple[str, ...] = ()


class UndeclaredFeatures(Evidence, frozen=True):
    """Features of the kubelet that the pod uses and the node does not declare."""

    features: tuple[str, ...]
