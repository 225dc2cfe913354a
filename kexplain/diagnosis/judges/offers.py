"""What only some nodes offer: devices, huge pages, features of the kubelet."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import differ_in_size, is_extended_resource_name
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.places import Place
from kexplain.diagnosis.records import Diagnosis, Kind, Sign
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
from kexplain.objects import quantity
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.requests import HUGEPAGES_PREFIX
from kexplain.words import ask, clauses, joined, near, plural, some

_FIT = "NodeResourcesFit"


def unmet_offer(scene: Scene) -> Diagnosis | None:
    """No node offers it that is what the pod asks for otherwise."""
    if not scene.circles.unmet & Wish.OFFER:
        return None
    resource = _missing_resource(scene)
    if resource:
        return _unknown(resource, scene)
    return (
        _by_cause(scene, MissingDeviceClass, Kind.CLASS_MISSING)
        or _by_cause(scene, UndeclaredFeatures, Kind.FEATURE_MISSING)
        or _by_cause(scene, UnmetRequest, Kind.DEVICES_UNAVAILABLE)
    )


def _missing_resource(scene: Scene) -> str:
    """The resource of which most of the nodes where the pod belongs have nothing at all."""
    counts = Counter(
        evidence.resource
        for info in scene.infos(scene.home)
        for evidence in scene.found(info.name, InsufficientResource)
        if evidence.allocatable <= 0
    )
    return max(counts, key=counts.__getitem__, default="")


def _unknown(resource: str, scene: Scene) -> Diagnosis:
    others = [info.name for info in scene.cluster.node_infos if info.allocatable.amount(resource) > 0]
    if others:
        offering = scene.places.of(others, others=True)
        required = RequiredNodeAffinity.of(scene.pod)
        asked = joined([str(each) for each in required.labels]) if required.labels else ""
        here = f"no node with {asked} offers" if asked else f"{scene.place.what} {_offers(scene.place)} no"
        text = f"{here} {resource}; only {offering.what} {offering.has} it"
        sign = Sign(text=f"{offering.what} {_offers(offering)} {resource}", nodes=tuple(others))
        return scene.diagnosis(Kind.WISHES_CONTRADICT, text, others, _FIT, evidence=[sign], place=offering)
    known = [each for each in _offered(scene.cluster) if each != resource]
    what = (
        f"huge pages of {resource.removeprefix(HUGEPAGES_PREFIX)}"
        if resource.startswith(HUGEPAGES_PREFIX)
        else resource
    )
    misspelt = [each for each in near(resource, known) if not differ_in_size(resource, each)]
    text = clauses(f"no node offers {what}", ask(*misspelt) or _offered_instead(resource, known, scene))
    return scene.diagnosis(Kind.RESOURCE_UNKNOWN, text, scene.home, _FIT)


def _offered_instead(resource: str, known: Sequence[str], scene: Scene) -> str:
    """What nodes do offer of the same vendor, and how much of it is free."""
    vendor = resource.partition("/")[0]
    instead = [each for each in known if is_extended_resource_name(each) and each.partition("/")[0] == vendor]
    infos = scene.cluster.node_infos
    totals = {each: sum(info.allocatable.amount(each) for info in infos) for each in instead}
    used = {each: sum(info.requested.amount(each) for info in infos) for each in instead}
    amounts = [f"{total} {each} ({max(total - used[each], 0)} free)" for each, total in totals.items() if total]
    return f"nodes offer {some(amounts, 4)}" if amounts else ""


def _offers(place: Place) -> str:
    return "offers" if place.is_one else "offer"


def _offered(cluster: Cluster) -> Sequence[str]:
    """The resources that nodes offer beside what all machines have."""
    every = (info.allocatable.amounts().items() for info in cluster.node_infos)
    return cluster.fact(_offered, lambda: sorted({name for each in every for name, count in each if count > 0}))


def _by_cause(scene: Scene, kind: type[Evidence], is_called: Kind) -> Diagnosis | None:
    found = cause(scene, scene.home, kind)
    if found is None:
        return None
    return scene.diagnosis(is_called, found.text, found.nodes, found.plugin, place=scene.place_of(found.nodes))


# --------------------------------------------------------------------------------------------------- out of order


def broken_devices(scene: Scene) -> Diagnosis | None:
    """Nodes have devices, and none of them may be had: whoever reports them is down, or they are all unhealthy."""
    if not any(map(is_extended_resource_name, scene.cluster.pod_info(scene.pod).resource.requested.amounts())):
        return None
    broken: dict[str, list[NodeInfo]] = {}
    for info in scene.candidates:
        for evidence in scene.found(info.name, InsufficientResource):
            name = evidence.resource
            if evidence.allocatable <= 0 and is_extended_resource_name(name) and has_capacity(name, info):
                broken.setdefault(name, []).append(info)
    for resource, infos in broken.items():
        names = tuple(info.name for info in infos)
        place, whole = scene.place_of(names), len(infos) == len(scene.candidates)
        has = quantity.value((infos[0].node.status.capacity or {}).get(resource, 0))
        where = place.where if whole else f"on {len(infos)} of {scene.place.nodes}"
        each = "it has" if len(names) == 1 else "each has"
        none = f"{each} {has}, and none is allocatable" if has else "pods hold some there, and none is reported"
        rest = "" if whole else "the other nodes have none free"
        text = f"the device plugin of {resource} is down {where}{', or all devices are unhealthy' if has else ''}"
        signs = [Sign(text=f"capacity {has}, allocatable 0 {resource}", nodes=names)]
        amounts = clauses(none, rest)
        return scene.diagnosis(Kind.DEVICE_PLUGIN_DOWN, text, names, _FIT, amounts=amounts, evidence=signs, place=place)
    return None


def taken_devices(scene: Scene) -> Diagnosis | None:
    """Devices of claims that are in use, or cannot be had together."""
    kinds: tuple[type[Evidence], ...] = (UnmetRequest, UnmetCombination, ClaimElsewhere)
    if not any(map(scene.anywhere_is, kinds)):
        return None
    if not all(any(scene.found(info.name, kind) for kind in kinds) for info in scene.candidates):
        return None
    found = next(filter(None, (_by_cause(scene, kind, Kind.DEVICES_UNAVAILABLE) for kind in kinds)), None)
    unmet = [each for name in (found.nodes if found else ()) for each in scene.found(name, UnmetRequest)]
    return found and ((unmet and (_all_tainted(scene, found, unmet) or _all_taken(scene, found, unmet))) or found)


def _all_tainted(scene: Scene, found: Diagnosis, unmet: Sequence[UnmetRequest]) -> Diagnosis | None:
    """The same in few words where only the taints of devices are wrong."""
    if not all(each.taints and not each.taken for each in unmet):
        return None
    taints = some(list(dict.fromkeys(str(taint) for each in unmet for taint in each.taints)))
    return replace(found, text=f"the devices of class {unmet[0].device_class} {scene.place.where} are tainted {taints}")


def _all_taken(scene: Scene, found: Diagnosis, unmet: Sequence[UnmetRequest]) -> Diagnosis | None:
    """The same in few words where others have the very devices that a request asks for, and nothing else is wrong."""
    first = unmet[0]
    if not all(each.request == first.request and _is_taken(each) for each in unmet):
        return None
    free, matching = sum(each.free for each in unmet), sum(each.matching for each in unmet)
    lacking, verb = ("too few devices", "are") if free else ("no device", "is")
    whose = f"claim {first.claim}, request {first.request}," if first.claim else "it"
    return replace(
        found,
        text=f"{lacking} of class {first.device_class} {verb} free {scene.place.where}",
        amounts=f"{whose} needs {first.wanted}; {matching - free} of {matching} that match are taken{_holders(unmet)}",
    )


def _holders(unmet: Sequence[UnmetRequest]) -> str:
    pods = dict.fromkeys(pod for each in unmet for device in each.taken for pod in device.users)
    return f", by {plural(len(pods), 'pod')} ({some([*pods])})" if pods else ""


def _is_taken(unmet: UnmetRequest) -> bool:
    return bool(unmet.taken) and unmet.stage == "free" and not unmet.taints and not unmet.too_small and unmet.wanted > 0
