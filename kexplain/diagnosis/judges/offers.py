"""What only some nodes offer: devices, huge pages, features of the kubelet."""

from collections import Counter
from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.resource import differ_in_size, is_extended_resource_name
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish, has_capacity
from kexplain.framework.evidence import Evidence, InsufficientResource
from kexplain.framework.evidence.devices import (
    ClaimElsewhere,
    MissingDeviceClass,
    UndeclaredFeatures,
    UnmetCombination,
    UnmetRequest,
)
from kexplain.grouping import grouped
from kexplain.objects import quantity
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.resource import DeviceClass
from kexplain.words import near

_FIT = "NodeResourcesFit"


def unmet_offer(scene: Scene) -> Finding | None:
    """No node offers it that is what the pod asks for otherwise."""
    if not scene.circles.unmet & Wish.OFFER:
        return None
    resource = _missing_resource(scene)
    if resource:
        return _unknown(resource, scene)
    return (
        _by_cause(scene, MissingDeviceClass, Kind.CLASS_MISSING)
        or _by_cause(scene, UndeclaredFeatures, Kind.FEATURE_MISSING)
        or _without_devices(scene)
        or _by_cause(scene, UnmetRequest, Kind.DEVICES_UNAVAILABLE)
    )


def _without_devices(scene: Scene) -> Finding | None:
    """No node offers any device of the kind: whoever should report them is the next to look at."""
    unmet = [each for info in scene.infos(scene.home) for each in scene.objected(info.name, UnmetRequest)]
    if not unmet or not unmet[0].device_class or any(each.matching or each.unusable_pools for each in unmet):
        return None
    first = unmet[0]
    has_class = scene.cluster.listers.get(DeviceClass, first.device_class) is not None
    if not has_class or any(each.device_class != first.device_class for each in unmet):
        return None
    # Where other devices are reported, those that do are at work, and the request asks for what there is not.
    if any(each.offered for each in unmet):
        return None
    said = told("devices-missing", first.device_class, scene.place, first.claim, first.request)
    chain = [link(Relation.OF_CLASS, DeviceClass, first.device_class)]
    names = [info.name for info in scene.infos(scene.home)]
    return finding(Kind.DEVICES_UNAVAILABLE, said, "DynamicResources", nodes=names, pool=scene.place.pool, chain=chain)


def _missing_resource(scene: Scene) -> str:
    """The resource of which most of the nodes where the pod belongs have nothing at all."""
    short = (each for info in scene.infos(scene.home) for each in scene.objected(info.name, InsufficientResource))
    counts = Counter(each.resource for each in short if each.allocatable <= 0)
    return max(counts, key=counts.__getitem__, default="")


def _unknown(resource: str, scene: Scene) -> Finding:
    others = [info.name for info in scene.cluster.node_infos if info.allocatable.amount(resource) > 0]
    if others:
        offering = scene.places.of(others, others=True)
        labels = [*map(str, RequiredNodeAffinity.of(scene.pod).labels or ())]
        said = told("offered-elsewhere", resource, scene.place, labels, offering)
        sign = Sign(text=str(told("offers", offering, resource)), nodes=tuple(others))
        return scene.finding(Kind.WISHES_CONTRADICT, said, _FIT, others, offering, evidence=[sign])
    known = [each for each in _offered(scene.cluster) if each != resource]
    misspelt = [each for each in near(resource, known) if not differ_in_size(resource, each)]
    unknown = told("resource-unknown", resource, misspelt, _offered_instead(resource, known, scene))
    return scene.finding(Kind.RESOURCE_UNKNOWN, unknown, _FIT, scene.home)


def _offered_instead(resource: str, known: Sequence[str], scene: Scene) -> list[Statement]:
    """What nodes do offer of the same vendor, and how much of it is free."""
    vendor = resource.partition("/")[0]
    instead = [each for each in known if is_extended_resource_name(each) and each.partition("/")[0] == vendor]
    infos = scene.cluster.node_infos
    totals = {each: sum(info.allocatable.amount(each) for info in infos) for each in instead}
    used = {each: sum(info.requested.amount(each) for info in infos) for each in instead}
    return [told("supply", each, total, max(total - used[each], 0)) for each, total in totals.items() if total]


def _offered(cluster: Cluster) -> Sequence[str]:
    """The resources that nodes offer beside what all machines have."""
    every = (info.allocatable.amounts().items() for info in cluster.node_infos)
    return cluster.fact(_offered, lambda: sorted({name for each in every for name, count in each if count > 0}))


def _by_cause(scene: Scene, kind: type[Evidence], is_called: Kind) -> Finding | None:
    fact = cause(scene, scene.home, kind)
    if fact is None:
        return None
    return scene.finding(is_called, told("objected", fact.text), fact.plugin, fact.nodes, scene.place_of(fact.nodes))


# --------------------------------------------------------------------------------------------------- out of order


def broken_devices(scene: Scene) -> Finding | None:
    """Nodes have devices, and none of them may be had: whoever reports them is down, or they are all unhealthy."""
    if not any(map(is_extended_resource_name, scene.cluster.pod_info(scene.pod).resource.requested.amounts())):
        return None
    objected = ((each, info) for info in scene.candidates for each in scene.objected(info.name, InsufficientResource))
    none_left = ((each.resource, info) for each, info in objected if each.allocatable <= 0)
    broken = (pair for pair in none_left if is_extended_resource_name(pair[0]) and has_capacity(*pair))
    for resource, infos in grouped(broken).items():
        names = tuple(info.name for info in infos)
        place, whole = scene.place_of(names), len(infos) == len(scene.candidates)
        has = quantity.value((infos[0].node.status.capacity or {}).get(resource, 0))
        home = None if whole else scene.place
        said = told("device-plugin-down", resource, place, has, home)
        sign = Sign(text=str(told("device-plugin-down-sign", resource, has)), nodes=names)
        return scene.finding(Kind.DEVICE_PLUGIN_DOWN, said, _FIT, names, place, evidence=[sign])
    return None


def taken_devices(scene: Scene) -> Finding | None:
    """Devices of claims that are in use, or cannot be had together."""
    kinds: tuple[type[Evidence], ...] = (UnmetRequest, UnmetCombination, ClaimElsewhere)
    if not any(map(scene.anywhere_is, kinds)):
        return None
    if not all(any(scene.objected(info.name, kind) for kind in kinds) for info in scene.candidates):
        return None
    found = next(filter(None, (_by_cause(scene, kind, Kind.DEVICES_UNAVAILABLE) for kind in kinds)), None)
    unmet = [each for name in (found.nodes if found else ()) for each in scene.objected(name, UnmetRequest)]
    said = (_all_tainted(scene, unmet) or _all_taken(scene, unmet)) if unmet else None
    if found is None or said is None:
        return found
    lost = scene.lost_offer
    names = lost.nodes if lost else found.nodes
    chain = [link(Relation.OF_CLASS, DeviceClass, lost.resource)] if lost else ()
    return finding(found.kind, said, found.plugin, nodes=names, pool=found.pool, chain=chain)


def _all_tainted(scene: Scene, unmet: Sequence[UnmetRequest]) -> Statement | None:
    """The same in few words where only the taints of devices are wrong."""
    if not all(each.taints and not each.taken for each in unmet):
        return None
    taints = Few.of(dict.fromkeys(str(taint) for each in unmet for taint in each.taints))
    return told("devices-tainted", unmet[0].device_class, scene.place, taints)


def _all_taken(scene: Scene, unmet: Sequence[UnmetRequest]) -> Statement | None:
    """The same in few words where others have the very devices that a request asks for, and nothing else is wrong."""
    first = unmet[0]
    if not all(each.request == first.request and _is_taken(each) for each in unmet):
        return None
    matching, free = sum(each.matching for each in unmet), sum(each.free for each in unmet)
    pods = Few.of(dict.fromkeys(pod for each in unmet for device in each.taken for pod in device.users))
    where, lost = (first.device_class, scene.place), scene.lost_offer
    ending = told("lost", Few.of(lost.nodes), lost.like, "", newer=lost.newer) if lost else None
    return told("devices-taken", *where, first.claim, first.request, first.wanted, matching, free, pods, ending)


def _is_taken(unmet: UnmetRequest) -> bool:
    return bool(unmet.taken) and unmet.stage == "free" and not unmet.taints and not unmet.too_small and unmet.wanted > 0
