"""Volumes: where they can be reached or made, and what is left of them."""

from collections import Counter
from collections.abc import Sequence

from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Diagnosis, Kind
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import PLACES, Wish
from kexplain.explain.objections.storage import VolumesOutOfReach
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.devices import ClaimElsewhere
from kexplain.framework.evidence.storage import (
    AttachLimitExceeded,
    ClaimInUse,
    DiskInUse,
    DriverNotInstalled,
    NotEnoughStorage,
    NoVolumeToBind,
    ProvisionedElsewhere,
    TopologyNotAllowed,
    VolumeInOtherZone,
    VolumeOutOfReach,
)
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined

#: Why no node will do, with what it is called, the plainest first.
_UNMET: tuple[tuple[type[Evidence], Kind], ...] = (
    (VolumeOutOfReach, Kind.VOLUME_OUT_OF_REACH),
    (VolumeInOtherZone, Kind.VOLUME_OUT_OF_REACH),
    (NoVolumeToBind, Kind.NO_VOLUME_FITS),
    (TopologyNotAllowed, Kind.VOLUME_OUT_OF_REACH),
    (ProvisionedElsewhere, Kind.VOLUME_OUT_OF_REACH),
    (ClaimElsewhere, Kind.DEVICES_UNAVAILABLE),
)
#: What is used up or in use on the nodes where the pod belongs.
_USED_UP: tuple[tuple[type[Evidence], Kind], ...] = (
    (ClaimInUse, Kind.CLAIM_IN_USE),
    (DiskInUse, Kind.CLAIM_IN_USE),
    (NotEnoughStorage, Kind.STORAGE_FULL),
    (AttachLimitExceeded, Kind.VOLUME_LIMIT),
)


def unmet_volume(scene: Scene) -> Diagnosis | None:
    """The volume cannot be reached, or made, anywhere where the pod belongs."""
    if not scene.circles.unmet & Wish.VOLUME:
        return None
    without = _without_driver(scene)
    if without is not None:
        return without
    found = ((cause(scene, scene.home, kind), is_called) for kind, is_called in _UNMET)
    said, is_called = next(((said, is_called) for said, is_called in found if said), (None, Kind.REJECTED))
    if said is None:
        return None
    text = _apart(scene) or _out_of_reach(scene, said.nodes) or f"{said.text}{_on_no_node(scene)}"
    return scene.diagnosis(is_called, text, said.nodes, said.plugin)


def _on_no_node(scene: Scene) -> str:
    """That the node which a volume is made for is gone."""
    meant = {each.node for info in scene.infos(scene.home) for each in scene.found(info.name, ProvisionedElsewhere)}
    return ", which does not exist" if len(meant) == 1 and meant.isdisjoint(scene.cluster.node_info_by_name) else ""


def _apart(scene: Scene) -> str:
    """That its volumes are in different places: each can be reached from some of the nodes, and all from none."""
    found = [each for info in scene.infos(scene.home) for each in scene.found(info.name, VolumeOutOfReach)]
    counts = Counter(each.claim for each in found)
    places = {each.claim: _place_of_volume(each, scene)[0] for each in found}
    is_each = len(counts) > 1 and all(places.values()) and max(counts.values()) < len(scene.home)
    apart = joined([f"that of claim {claim} {place}" for claim, place in places.items()])
    return f"its volumes are in different places: {apart}" if is_each else ""


def _without_driver(scene: Scene) -> Diagnosis | None:
    """The volume could be reached from nodes that lack the labels of its driver, which does not run there."""
    # Few volumes are out of reach.
    from kexplain.diagnosis.driver_labels import unregistered  # noqa: PLC0415

    without = {
        info.name: (each, missing)
        for info in scene.infos(scene.home)
        for each in scene.found(info.name, VolumeOutOfReach)
        if (missing := unregistered(each.volume, info, scene.cluster))
    }
    if not without:
        return None
    names = tuple(without)
    evidence, missing = without[names[0]]
    place = scene.place_of(names)
    text = f"CSI driver {missing.driver} is not registered on {place.nodes}, so that its volume is out of reach"
    lacking = f"they lack {joined(list(missing.labels))}, which volume {evidence.volume} needs"
    return scene.diagnosis(Kind.DRIVER_MISSING, text, names, "VolumeBinding", amounts=lacking, place=place)


def _out_of_reach(scene: Scene, names: Sequence[str]) -> str:
    """Where the volume can be reached from, and that no node is there."""
    for info in scene.infos(names[:1]):
        for evidence in scene.found(info.name, VolumeOutOfReach):
            fact = next(iter(VolumesOutOfReach().facts(evidence, info, scene.lookup)))
            if fact.reachable_from:
                place = scene.place
                there, wrong = _place_of_volume(evidence, scene)
                if there:
                    return f"the volume of claim {fact.claim} is {there}, {wrong}"
                where = f"{place.what} {place.has} none" if place.pool else "it may use none"
                reach = f"can only be reached from nodes with {fact.reachable_from}"
                return f"volume {fact.volume} of claim {fact.claim} {reach}, and {where}"
    return ""


def _place_of_volume(evidence: VolumeOutOfReach, scene: Scene) -> tuple[str, str]:
    """The one zone or node that the volume is in, and what is wrong with it; empty if it is not that simple."""
    labels = [each for term in evidence.terms for each in term.labels]
    if len(evidence.terms) != 1 or len(labels) != 1 or labels[0].operator != "In" or len(labels[0].values) != 1:
        return "", ""
    key, value = labels[0].key, next(iter(labels[0].values))
    if key == HOSTNAME:
        is_there = value in scene.cluster.names_by_label(key)
        return f"on node {value}", f"which {'is not for this pod' if is_there else 'does not exist'}"
    from kexplain.diagnosis.driver_labels import is_zone  # noqa: PLC0415 (few volumes are out of reach)

    if not is_zone(key, labels[0].values, scene.cluster):
        return "", ""
    place = scene.place
    word = "zone" if key in PLACES or key.endswith("/zone") else key.rpartition("/")[2]
    named = value if value.startswith(word) else f"{word} {value}"
    return f"in {named}", f"where {f'{place.what} {place.has} no node' if place.is_pool else 'it may use no node'}"


def missing_driver(scene: Scene) -> Diagnosis | None:
    """The CSI driver is on none of the nodes where the pod belongs."""
    if not scene.circles.unmet & Wish.DRIVER:
        return None
    said = cause(scene, scene.home, DriverNotInstalled)
    if said is None:
        return None
    place = scene.place_of(said.nodes)
    return scene.diagnosis(Kind.DRIVER_MISSING, f"{said.text} {place.where}", said.nodes, said.plugin, place=place)


def used_up(scene: Scene) -> Diagnosis | None:
    """A volume that others use, or more of them than a node can have."""
    names = scene.circles.candidates
    for kind, is_called in _USED_UP:
        if scene.everywhere_is(kind):
            said = cause(scene, names, kind)
            if said is not None:
                where = f" {scene.place.where}" if is_called is Kind.VOLUME_LIMIT and len(names) > 1 else ""
                return scene.diagnosis(is_called, f"{said.text}{where}", names, said.plugin)
    return None
