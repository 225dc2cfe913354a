"""Taints of devices, which drivers and administrators set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from kexplain.objects.device_taint_rules import DeviceTaintRule, DeviceTaintSelector
from kexplain.objects.resource import (
    Device,
    DeviceTaint,
    DeviceToleration,
    ResourceSlice,
)

_PREVENTING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})


def is_tolerated(taints: Sequence[DeviceTaint], tolerations: Sequence[DeviceToleration]) -> bool:
    """Whether every taint that prevents allocation is tolerated."""
    return all(
        taint.effect not in _PREVENTING_EFFECTS or any(toleration.tolerates(taint) for toleration in tolerations)
        for taint in taints
    )


#: What a rule without a selector is about in releases where that is every device.
_ANY = DeviceTaintSelector()

#: A rule's selector and its taint.
_Rule = tuple[DeviceTaintSelector, DeviceTaint]


def tainted(
    slices: Iterable[ResourceSlice], rules: Iterable[DeviceTaintRule], *, taints_all: bool
) -> list[ResourceSlice]:
    """The slices with the taints of rules behind those of drivers. Source: resourceslice tracker `applyPatches`.

    A rule without a selector `taints_all` devices, or none.
    """
    selecting = [(rule.spec.device_selector or (_ANY if taints_all else None), rule.spec.taint) for rule in rules]
    about = [(selector, taint) for selector, taint in selecting if selector is not None]
    return [_tainted(each, about) for each in slices] if about else list(slices)


def _tainted(each: ResourceSlice, rules: Iterable[_Rule]) -> ResourceSlice:
    spec = each.spec
    about = [(selector, taint) for selector, taint in rules if _may_be_about(selector, each)]
    if not about:
        return each
    return replace(
        each, spec=replace(spec, devices=tuple(_with_taints(device, about) for device in spec.devices or ()))
    )


def _may_be_about(selector: DeviceTaintSelector, each: ResourceSlice) -> bool:
    return selector.driver in (None, each.spec.driver) and selector.pool in (None, each.spec.pool.name)


def _with_taints(device: Device, rules: Iterable[_Rule]) -> Device:
    taints = [taint for selector, taint in rules if selector.device in (None, device.name)]
    return replace(device, taints=(*(device.taints or ()), *taints)) if taints else device
