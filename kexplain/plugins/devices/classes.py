"""Device classes, and the extended resources that stand for them. Source: `deviceclass/extendedresourcecache`."""

from collections.abc import Iterable, Mapping

from kexplain.cluster import Cluster
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.objects.resource import DeviceClass
from kexplain.objects.well_known import DEVICE_CLASS_PREFIX


def is_device_resource_name(name: str) -> bool:
    """Whether a resource may be backed by a class. Source: scheduler `IsDRAExtendedResourceName`."""
    return name.startswith(DEVICE_CLASS_PREFIX) or is_extended_resource_name(name)


def class_by_resource(cluster: Cluster, features: Features = DEFAULT_FEATURES) -> dict[str, DeviceClass]:
    """The class behind each extended resource; of several the newest, of equals the first by name.

    Empty where no class stands for any. Up to 1.37 a class is not found under its implicit name either if it comes
    after the one that it loses its resource to, as a scheduler that starts meets them.
    """
    by_resource: dict[str, DeviceClass] = {}
    for each in cluster.listers.every(DeviceClass) if features.extended_resources_of_classes else ():
        explicit = each.spec.extended_resource_name
        rival = by_resource.get(explicit) if explicit is not None else None
        has_lost = rival is not None and not _replaces(each, rival)
        if explicit is not None and not has_lost:
            by_resource[explicit] = each
        if not has_lost or features.losing_classes_keep_their_names:
            by_resource[DEVICE_CLASS_PREFIX + each.name] = each
    return by_resource


def _replaces(new: DeviceClass, known: DeviceClass) -> bool:
    mine, other = new.metadata.creation_timestamp or "", known.metadata.creation_timestamp or ""
    return mine > other or (mine == other and new.name < known.name)


def backed_by_class(names: Iterable[str], by_resource: Mapping[str, DeviceClass]) -> frozenset[str]:
    """Those of the resources that stand for a class."""
    return frozenset(name for name in names if is_device_resource_name(name) and name in by_resource)


def left_to_devices(amounts: Mapping[str, int], by_resource: Mapping[str, DeviceClass]) -> frozenset[str]:
    """What 1.34 does not look for where a node does not report it: everything, if no extended resource is requested.

    It knows a class by its name only if the class names no resource.
    """
    if not any(amount and is_extended_resource_name(name) for name, amount in amounts.items()):
        return frozenset(amounts)
    found = ((name, by_resource.get(name)) for name in amounts)
    return frozenset(name for name, each in found if each and name in (each.spec.extended_resource_name, *_own(each)))


def _own(each: DeviceClass) -> tuple[str, ...]:
    return () if each.spec.extended_resource_name is not None else (DEVICE_CLASS_PREFIX + each.name,)
