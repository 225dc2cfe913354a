"""Taints of devices, which drivers and administrators set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cel.engine import SelectorError
from kexplain.cel.selectors import Selectors
from kexplain.objects.device_taint_rules import DeviceTaintRule, DeviceTaintSelector
from kexplain.objects.resource import Device, DeviceClass, DeviceTaint, DeviceToleration, ResourceSlice
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.tolerations import untolerated_taints


def is_tolerated(taints: Sequence[DeviceTaint], tolerations: Sequence[DeviceToleration]) -> bool:
    """Whether every taint that prevents allocation is tolerated."""
    return not untolerated_taints(taints, tolerations, REPELLING_EFFECTS)


#: What a rule without a selector is about in releases where that is every device.
_ANY = DeviceTaintSelector()

#: A rule's selector and its taint.
_Rule = tuple[DeviceTaintSelector, DeviceTaint]
#: Whether a device of that driver is one that a rule selects by what it is like.
IsLike = Callable[[DeviceTaintSelector, str, Device], bool]


def of_names_only(_selector: DeviceTaintSelector, _driver: str, _device: Device) -> bool:
    """What a device is like is nothing that rules ask."""
    return True


def of_class_and_expressions(classes: Mapping[str, DeviceClass], selectors: Selectors) -> IsLike:
    """Rules ask for a class, and for expressions, all of which must hold; a class that is not there has no devices.

    An expression that cannot be compiled is a SelectorError.
    """

    def is_like(selector: DeviceTaintSelector, driver: str, device: Device) -> bool:
        device_class = classes.get(selector.device_class_name or "")
        if selector.device_class_name and device_class is None:
            return False
        asked = ((device_class.spec.selectors or ()) if device_class else (), selector.selectors or ())
        expressions = (each.cel.expression if each.cel else "" for some in asked for each in some)
        try:
            return all(selectors.matches(expression, driver, device) for expression in expressions)
        except SelectorError as fault:
            if fault.kind == "compile":
                raise
            return False

    return is_like


def tainted(
    slices: Iterable[ResourceSlice],
    rules: Iterable[DeviceTaintRule],
    *,
    taints_all: bool,
    is_like: IsLike = of_names_only,
) -> list[ResourceSlice]:
    """The slices with the taints of rules behind those of drivers. Source: resourceslice tracker `applyPatches`.

    A rule without a selector `taints_all` devices, or none. A slice is lost where an expression that a rule asks about
    its devices cannot be compiled.
    """
    selecting = [(rule.spec.device_selector or (_ANY if taints_all else None), rule.spec.taint) for rule in rules]
    about = [(selector, taint) for selector, taint in selecting if selector is not None]
    if not about:
        return list(slices)
    return [each for each in (_tainted(each, about, is_like) for each in slices) if each is not None]


def _tainted(each: ResourceSlice, rules: Iterable[_Rule], is_like: IsLike) -> ResourceSlice | None:
    spec = each.spec
    about = [(selector, taint) for selector, taint in rules if _may_be_about(selector, each)]
    if not about:
        return each
    try:
        devices = tuple(_with_taints(device, spec.driver, about, is_like) for device in spec.devices or ())
    except SelectorError:
        return None
    return replace(each, spec=replace(spec, devices=devices))


def _may_be_about(selector: DeviceTaintSelector, each: ResourceSlice) -> bool:
    return selector.driver in (None, each.spec.driver) and selector.pool in (None, each.spec.pool.name)


def _with_taints(device: Device, driver: str, rules: Iterable[_Rule], is_like: IsLike) -> Device:
    named = ((selector, taint) for selector, taint in rules if selector.device in (None, device.name))
    taints = [taint for selector, taint in named if is_like(selector, driver, device)]
    return replace(device, taints=(*(device.taints or ()), *taints)) if taints else device
