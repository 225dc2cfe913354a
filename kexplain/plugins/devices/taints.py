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


def tainted(slices: Iterable[ResourceSlice], rules: Sequence[DeviceTaintRule]) -> list[ResourceSlice]:
    """The slices with the taints of rules behind those of drivers. Source: resourceslice tracker `applyPatches`."""
    return [_tainted(each, rules) for each in slices] if rules else list(slices)


def _tainted(each: ResourceSlice, rules: Sequence[DeviceTaintRule]) -> ResourceSlice:
    spec = each.spec
    about = [rule for rule in rules if _may_be_about(rule.spec.device_selector, each)]
    if not about:
        return each
    return replace(
        each, spec=replace(spec, devices=tuple(_with_taints(device, about) for device in spec.devices or ()))
    )


def _may_be_about(selector: DeviceTaintSelector, each: ResourceSlice) -> bool:
    return selector.driver in (None, each.spec.driver) and selector.pool in (None, each.spec.pool.name)


def _with_taints(device: Device, rules: Iterable[DeviceTaintRule]) -> Device:
    taints = [rule.spec.taint for rule in rules if rule.spec.device_selector.device in (None, device.name)]
    return replace(device, taints=(*(device.taints or ()), *taints)) if taints else device
