"""What nodes do not offer that nodes like them do: devices that nobody reports there, huge pages of another image."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.diagnosis.reported import reported
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.evidence.devices import UnmetRequest
from kexplain.grouping import grouped
from kexplain.objects.node_pools import comes_along, created, is_kin, make, named_pool
from kexplain.objects.quantity import value
from kexplain.objects.requests import HUGEPAGES_PREFIX

if TYPE_CHECKING:
    from kexplain.diagnosis.scene import Scene

#: More nodes than these lost nothing by accident.
_MOST = 100


class LostOffer(Struct, frozen=True):
    """Nodes that offer nothing of a resource, or no devices of a class, and have nothing else against the pod.

    One is `like` them and offers it. They are `newer` if all of them were made after those that offer it. Where some of
    it is `left` on the first, it is less than that has, as the rest is unhealthy. `said` is reported of it.
    """

    resource: str
    nodes: tuple[str, ...]
    like: str
    newer: bool
    left: str = ""
    said: str = ""


def lost_offer(scene: Scene) -> LostOffer | None:
    """The first resource that nodes which would fit otherwise do not report, unlike others of their make."""
    if comes_along(scene.pod):
        return None
    makes: dict[str, object] = scene.cluster.fact(make, dict)
    for group in scene.alike(scene.circles.elsewhere):
        resource = _lacked(scene, group[0])
        offering = [each.node for each in scene.candidates if resource and _offers(scene, each, resource)]
        kin = grouped((makes.get(node.name) or makes.setdefault(node.name, make(node)), node) for node in offering)
        found = {
            info.name: like
            for info in scene.infos(group[:_MOST])
            for like in islice((each for each in kin.get(make(info.node), ()) if is_kin(info.node, each)), 1)
            if _should_offer(resource, info, scene.cluster)
        }
        if found:
            infos, like = scene.infos([*found]), next(iter(found.values())).name
            is_newer = min(created(each.node) for each in infos) > max(map(created, offering))
            rest = _left(infos[0], resource), reported(scene.cluster).get(infos[0].name, "")
            return LostOffer(resource, tuple(found), like, is_newer, *rest)
    return None


def _left(info: NodeInfo, resource: str) -> str:
    have = info.allocatable.amount(resource)
    return f"{have} of its {_of_machine(info, resource)}" if have > 0 else ""


def _offers(scene: Scene, info: NodeInfo, resource: str) -> bool:
    unmet = scene.objected(info.name, UnmetRequest)
    return info.allocatable.amount(resource) > 0 or any(one.device_class == resource and one.offered for one in unmet)


def _lacked(scene: Scene, name: str) -> str:
    """What the node offers nothing of, if that is all that is objected to it."""
    evidence = [each for _, each in scene.evidence(name)]
    if len(evidence) == 1 and isinstance(evidence[0], UnmetRequest):
        return "" if evidence[0].offered else evidence[0].device_class
    info = scene.cluster.node_info_by_name[name]
    short = [each for each in evidence if isinstance(each, InsufficientResource)]
    idle = [each for each in short if each.allocatable <= 0 or _is_withheld(each, info)]
    resource = idle[0].resource if len(idle) == len(evidence) == 1 else ""
    return resource if is_extended_resource_name(resource) or resource.startswith(HUGEPAGES_PREFIX) else ""


def _is_withheld(short: InsufficientResource, info: NodeInfo) -> bool:
    """Whether the machine has enough of it: what kubelets count as capacity alone is unhealthy."""
    needed = short.requested + short.used_on(info)
    return is_extended_resource_name(short.resource) and needed <= _of_machine(info, short.resource)


def _of_machine(info: NodeInfo, resource: str) -> int:
    return value((info.node.status.capacity or {}).get(resource, 0))


def _should_offer(resource: str, info: NodeInfo, cluster: Cluster) -> bool:
    """Whether the machine is known to have it, as its pool or its labels say, or who reports it there does not run."""
    vendor = f"{resource.partition('/')[0]}/"
    offered = [name for name, count in info.allocatable.amounts().items() if name.startswith(vendor) and count > 0]
    is_known = bool(named_pool(info.node)) or resource.startswith(HUGEPAGES_PREFIX)
    if offered or is_known or any(key.startswith(vendor) for key in info.labels):
        return not offered or resource in offered
    # Few nodes have lost anything.
    from kexplain.diagnosis.caretakers import Subject, caretaker  # noqa: PLC0415
    from kexplain.diagnosis.components import of_caretaker  # noqa: PLC0415

    who = caretaker(Subject.RESOURCE, resource)
    return any(each.node == info.name for each in (of_caretaker(who, cluster, [info.node]) if who else ()))
