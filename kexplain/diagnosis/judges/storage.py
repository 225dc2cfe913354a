"""Volumes: where they can be reached or made, and what is left of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.components import publisher
from kexplain.diagnosis.driver_labels import is_zone, renamed_places
from kexplain.diagnosis.findings.place import VolumePlace
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.places import known_otherwise
from kexplain.diagnosis.records import Finding, Kind, Link, Relation, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import PLACES, Wish
from kexplain.explain.objections.storage import VolumesOutOfReach, label_pairs
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
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import is_user_of
from kexplain.objects.quantity import format_bytes
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, CSIDriver, CSINode, CSIStorageCapacity, StorageClass
from kexplain.objects.well_known import HOSTNAME
from kexplain.plugins.victims import seconds

if TYPE_CHECKING:
    from kexplain.diagnosis.driver_labels import Unregistered

#: Why no node will do, with what it is called, the plainest first.
_UNMET: tuple[tuple[type[Evidence], Kind], ...] = (
    (VolumeOutOfReach, Kind.VOLUME_OUT_OF_REACH), (VolumeInOtherZone, Kind.VOLUME_OUT_OF_REACH),
    (NoVolumeToBind, Kind.NO_VOLUME_FITS), (TopologyNotAllowed, Kind.VOLUME_OUT_OF_REACH),
    (ProvisionedElsewhere, Kind.VOLUME_OUT_OF_REACH), (ClaimElsewhere, Kind.DEVICES_UNAVAILABLE),
)  # fmt: skip
#: What is used up or in use on the nodes where the pod belongs.
_USED_UP: tuple[tuple[type[Evidence], Kind], ...] = (
    (ClaimInUse, Kind.CLAIM_IN_USE), (DiskInUse, Kind.CLAIM_IN_USE), (NotEnoughStorage, Kind.STORAGE_FULL),
    (AttachLimitExceeded, Kind.VOLUME_LIMIT),
)  # fmt: skip


def unmet_volume(scene: Scene) -> Finding | None:
    """The volume cannot be reached, or made, anywhere where the pod belongs."""
    if not scene.circles.unmet & Wish.VOLUME:
        return None
    without = _on_no(scene.lacking_driver(scene.home), scene)
    if without is not None:
        return without
    found = ((cause(scene, scene.home, kind), is_called) for kind, is_called in _UNMET)
    said, is_called = next(((said, is_called) for said, is_called in found if said), (None, Kind.REJECTED))
    if said is None:
        return None
    where = _apart(scene) or _out_of_reach(scene, said.nodes)
    known = where or told("objected", said.text, no_node=_is_on_no_node(scene))
    return scene.finding(is_called, known, said.plugin, said.nodes, chain=_chain(scene, said.nodes))


def _chain(scene: Scene, names: Sequence[str]) -> list[Link]:
    """From the pod to the volume that is out of reach."""
    unmet = scene.objected(names[0], VolumeOutOfReach) if names else []
    claims = [link(Relation.USES, PersistentVolumeClaim, each.claim) for each in unmet[:1]]
    return [*claims, *(link(Relation.BOUND_TO, PersistentVolume, each.volume) for each in unmet[:1])]


def _is_on_no_node(scene: Scene) -> bool:
    """Whether the node which a volume is made for is gone."""
    meant = {each.node for info in scene.infos(scene.home) for each in scene.objected(info.name, ProvisionedElsewhere)}
    return len(meant) == 1 and meant.isdisjoint(scene.cluster.node_info_by_name)


def _apart(scene: Scene) -> Statement | None:
    """That its volumes are in different places: each can be reached from some of the nodes, and all from none."""
    found = [each for info in scene.infos(scene.home) for each in scene.objected(info.name, VolumeOutOfReach)]
    counts = Counter(each.claim for each in found)
    places = {each.claim: _place_of_volume(each, scene) for each in found}
    is_each = len(counts) > 1 and all(places.values()) and max(counts.values()) < len(scene.home)
    if not is_each:
        return None
    return told("volumes-apart", [*filter(None, places.values())], early_classes(scene.pod, scene.cluster, places))


def _on_no(without: Mapping[str, tuple[VolumeOutOfReach, Unregistered]], scene: Scene) -> Finding | None:
    """That a driver is not registered on these nodes, if there are any."""
    if not without:
        return None
    names = tuple(without)
    evidence, missing = without[names[0]]
    place = scene.place_of(names)
    said = told("driver-unregistered", missing.driver, evidence.volume, [*missing.labels], place)
    chain = [*_chain(scene, names), link(Relation.LOOKED_AFTER_BY, CSIDriver, missing.driver)]
    return scene.finding(Kind.DRIVER_MISSING, said, "VolumeBinding", names, place, chain=chain)


def absent_driver(scene: Scene) -> Finding | None:
    """Nodes would take the pod if the driver of its volume ran there, and those where it runs do not."""
    return _on_no(scene.without_driver, scene)


def _out_of_reach(scene: Scene, names: Sequence[str]) -> Statement | None:
    """Where the volume can be reached from, and that no node is there."""
    for info in scene.infos(names[:1]):
        for evidence in scene.objected(info.name, VolumeOutOfReach):
            if moved := _renamed(evidence, scene):
                return moved
            fact = next(iter(VolumesOutOfReach().facts(evidence, info, scene)))
            there = _place_of_volume(evidence, scene) if fact.reachable_from else None
            if there:
                classes = early_classes(scene.pod, scene.cluster, [fact.claim], only_unused=True)
                return told("volume-elsewhere", fact.claim, there, scene.place, classes)
            if fact.reachable_from:
                return told("volume-out-of-reach", fact.volume, fact.claim, fact.reachable_from, scene.place)
    return None


def _renamed(evidence: VolumeOutOfReach, scene: Scene) -> Statement | None:
    """That nodes are where the volume is, and say so by another label than it wants."""
    volume = scene.cluster.listers.get(PersistentVolume, evidence.volume)
    old, new = renamed_places(volume, scene.cluster)
    if volume is None or not old:
        return None
    there = sum(new.items() <= info.labels.items() for info in scene.cluster.node_infos)
    first = min(info.node.metadata.creation_timestamp or "" for info in scene.cluster.node_infos)
    since = first if first > (volume.metadata.creation_timestamp or "~") else ""
    return told("volume-labels-renamed", evidence.claim, *map(label_pairs, (old, new)), there, since)


def _place_of_volume(evidence: VolumeOutOfReach, scene: Scene) -> VolumePlace | None:
    """The one zone or node that the volume is in; None if it is not that simple."""
    labels = [each for term in evidence.terms for each in term.labels]
    if len(evidence.terms) != 1 or len(labels) != 1 or labels[0].operator != "In" or len(labels[0].values) != 1:
        return None
    key, value = labels[0].key, next(iter(labels[0].values))
    if key == HOSTNAME:
        exists = value in scene.cluster.names_by_label(key)
        meant = None if exists else known_otherwise(value, scene.cluster)
        other, label = (meant.name, meant.labels[key]) if meant else ("", "")
        found = VolumePlace(claim=evidence.claim, key=key, value=value, exists=exists)
        return replace(found, node=other, label=label)
    if not is_zone(key, labels[0].values, scene.cluster):
        return None
    word = "zone" if key in PLACES or key.endswith("/zone") else key.rpartition("/")[2]
    return VolumePlace(claim=evidence.claim, key=key, value=value, word=word)


def missing_driver(scene: Scene) -> Finding | None:
    """The CSI driver is on none of the nodes where the pod belongs."""
    if not scene.circles.unmet & Wish.DRIVER:
        return None
    said = cause(scene, scene.home, DriverNotInstalled)
    if said is None:
        return None
    place = scene.place_of(said.nodes)
    found = told("objected", said.text, place=place)
    drivers = {each.driver: None for name in said.nodes[:1] for each in scene.objected(name, DriverNotInstalled)}
    chain = [link(Relation.LOOKED_AFTER_BY, CSIDriver, name) for name in drivers][:1]
    return scene.finding(Kind.DRIVER_MISSING, found, said.plugin, said.nodes, place, chain=chain)


def used_up(scene: Scene) -> Finding | None:
    """A volume that others use, or more of them than a node can have."""
    names = scene.circles.candidates
    for kind, is_called in _USED_UP:
        if scene.everywhere_is(kind):
            said = cause(scene, names, kind)
            unpublished = _unpublished(scene) if kind is NotEnoughStorage else None
            if unpublished is not None:
                is_read = scene.cluster.listers.has(CSIStorageCapacity)
                return replace(scene.finding(is_called, unpublished, "VolumeBinding", names), certain=is_read)
            if said is not None:
                place = scene.place if is_called is Kind.VOLUME_LIMIT and len(names) > 1 else None
                return scene.finding(is_called, told("objected", said.text, place=place), said.plugin, names)
    return None


def _unpublished(scene: Scene) -> Statement | None:
    """That nobody has said how much is left of a class, on whichever node, though its driver runs there."""
    every, names = scene.cluster.listers.every, scene.circles.candidates[:1]
    fact = next(each for name in names for each in scene.objected(name, NotEnoughStorage))
    made_by = scene.cluster.listers.get(StorageClass, fact.class_name)
    drivers = {each.name for node in every(CSINode) for each in node.spec.drivers or ()}
    is_known = any(each.storage_class_name == fact.class_name for each in every(CSIStorageCapacity))
    if made_by is None or made_by.provisioner not in drivers or is_known:
        return None
    by, size = publisher(made_by.provisioner, scene.cluster), format_bytes(fact.requested_bytes)
    return told("capacity-unpublished", fact.claim, size, fact.class_name, by) if by else None


#: A claim that is so much older than the pod, in seconds, may have had another before.
_ALIKE = 600


class EarlyVolume(Struct, frozen=True):
    """A volume that only some nodes reach, of a class that makes one as soon as there is a claim."""

    claim: PersistentVolumeClaim
    made_by: StorageClass
    is_unused: bool


def early_volumes(pod: Pod, cluster: Cluster) -> Iterator[EarlyVolume]:
    """Those of the pod."""
    for claim, volume in volumes_of(pod, cluster.listers):
        made_by = cluster.listers.get(StorageClass, claim.class_name)
        is_early = made_by and made_by.makes_volumes and made_by.volume_binding_mode != WAIT_FOR_FIRST_CONSUMER
        if made_by and is_early and volume.spec.node_affinity:
            yield EarlyVolume(claim, made_by, is_unused(claim, volume, pod, cluster))


def early_classes(pod: Pod, cluster: Cluster, claims: Collection[str], *, only_unused: bool = False) -> list[str]:
    """The classes that made the volumes of these claims, `namespace/name`, too early."""
    found = (each for each in early_volumes(pod, cluster) if each.claim.key in claims)
    return list(dict.fromkeys(each.made_by.name for each in found if each.is_unused or not only_unused))


def is_unused(claim: PersistentVolumeClaim, volume: PersistentVolume, pod: Pod, cluster: Cluster) -> bool:
    """Whether there is no data: the volume was made for the claim, the claim with the pod, and no other pod has it."""
    times = (volume.metadata.creation_timestamp, claim.metadata.creation_timestamp, pod.metadata.creation_timestamp)
    of_volume, of_claim, of_pod = (seconds(each or "") for each in times)
    if pod.spec.node_name or not (of_volume >= of_claim and 0 <= of_pod - of_claim <= _ALIKE):
        return False
    ended = (each for each in cluster.listers.every(Pod) if each.spec.node_name and each.namespace == pod.namespace)
    others = (*ended, *(info.pod for info, _ in cluster.placed_pods.matching(EVERYTHING, (pod.namespace,))))
    return not any(is_user_of(claim.key, other) for other in others)
