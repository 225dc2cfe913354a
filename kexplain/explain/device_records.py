"""The facts behind the rejections for devices and kubelet features. Claims are named `namespace/name`."""

from __future__ import annotations

import msgspec

from kexplain.explain.output import Fact, Output


class AboutDevices(Fact, frozen=True):
    """What all these facts have in common."""


class SelectorMatches(Output, frozen=True):
    """How many of the devices asked were as a selector wants them; `owner` is the class or claim that has it."""

    owner: str
    expression: str
    asked: int
    matching: int


class DeviceHolder(Output, frozen=True):
    """A device (`driver/pool/device`) that would do, the claim that has it, and the pods that use the claim."""

    device: str
    claim: str
    users: tuple[str, ...] = ()


class GivenDevice(Output, frozen=True):
    """A device (`driver/pool/device`) that a request is given where the pod lands.

    Without a claim, the request is for an extended resource of a container.
    """

    claim: str
    request: str
    device: str


class UnmetDeviceRequestFact(AboutDevices, frozen=True, tag="UnmetDeviceRequest"):
    """A request for which the node has too few devices; without a claim it is an extended resource of a container.

    Of `offered` devices on the node, `matching` are as class and request want them and `free` could be had;
    `wanted` is 0 where all matching devices are wanted. `tooSmall` devices have too little of a capacity left.
    """

    claim: str
    request: str
    device_class: str
    wanted: int
    offered: int
    matching: int
    free: int
    selectors: tuple[SelectorMatches, ...] = ()
    taken: tuple[DeviceHolder, ...] = ()
    taints: tuple[str, ...] = ()
    too_small: int = 0
    unusable_pools: tuple[str, ...] = ()


class UnmetDeviceCombinationFact(AboutDevices, frozen=True, tag="UnmetDeviceCombination"):
    """Requests that could each be met, but not together.

    `attribute` is what their devices would have to share, or must not if `distinct`; empty if devices are too few.
    """

    claims: tuple[str, ...]
    requests: tuple[str, ...]
    attribute: str = ""
    distinct: bool = False
    values_by_request: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class ClaimElsewhereFact(AboutDevices, frozen=True, tag="ClaimElsewhere"):
    """A claim whose devices, allocated already, cannot be used from the node, but from those that `nodes` selects.

    `nodes` is empty where a driver reports that the devices could not be made ready.
    """

    claim: str
    nodes: str
    users: tuple[str, ...] = ()


class MissingDeviceClassFact(AboutDevices, frozen=True, tag="MissingDeviceClass"):
    """A request names a class that does not exist; `known` are those that do."""

    request: str
    device_class: str
    known: tuple[str, ...] = ()


class UndeclaredFeaturesFact(AboutDevices, frozen=True, tag="UndeclaredFeatures"):
    """Features of the kubelet that the pod uses and the node does not declare."""

    features: tuple[str, ...]


DeviceFact = (
    UnmetDeviceRequestFact
    | UnmetDeviceCombinationFact
    | ClaimElsewhereFact
    | MissingDeviceClassFact
    | UndeclaredFeaturesFact
)
