"""How many devices stand behind an extended resource. Source: noderesources `calculateDRAResourceTotals`."""

from collections.abc import Iterable, Mapping

from kexplain.cel.engine import SelectorError
from kexplain.cel.selectors import Selectors
from kexplain.cluster import Cluster
from kexplain.objects.core import Node
from kexplain.objects.resource import Device, DeviceClass, ResourceClaim, ResourceSlice
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.inventory import DeviceID, is_for


class DeviceTotals:
    """Counts the devices of a class on a node, all slices taken as they are."""

    def __init__(self, cluster: Cluster, by_resource: Mapping[str, DeviceClass]) -> None:
        self._by_resource = by_resource
        self._slices = cluster.listers.every(ResourceSlice)
        self._state = AllocatedState.of(cluster.listers.every(ResourceClaim))
        self._selectors = Selectors()

    def on(self, node: Node, resource: str) -> tuple[int, int]:
        """How many devices there are, and how many are taken; nothing where a selector fails."""
        device_class = self._by_resource.get(resource)
        offered = taken = 0
        try:
            for each in self._slices if device_class else ():
                for device in _devices_for(each, node):
                    if device_class and self._belongs(each.spec.driver, device, device_class):
                        offered += 1
                        taken += self._state.is_allocated(DeviceID(each.spec.driver, each.spec.pool.name, device.name))
        except SelectorError:
            return 0, 0
        return offered, taken

    def _belongs(self, driver: str, device: Device, device_class: DeviceClass) -> bool:
        return all(
            self._selectors.matches(selector.cel.expression, driver, device)
            for selector in device_class.spec.selectors or ()
            if selector.cel is not None
        )


def _devices_for(each: ResourceSlice, node: Node) -> Iterable[Device]:
    spec = each.spec
    if spec.per_device_node_selection:
        return (device for device in spec.devices or () if is_for(device, node))
    # A slice that names no nodes at all counts everywhere.
    is_open = not spec.node_name and spec.node_selector is None
    return spec.devices or () if is_open or is_for(spec, node) else ()
