"""Pods that are to be spread over domains, where the domain that is due has no place."""

from collections.abc import Sequence

from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.findings.ways import domain
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.meant_labels import near_key
from kexplain.diagnosis.records import Finding, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import lacking_nodes
from kexplain.diagnosis.wishes import Wish
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.objects.well_known import HOSTNAME

_PLUGIN = "PodTopologySpread"


def missing_domain(scene: Scene) -> Finding | None:
    """No node has the label that the pods are spread over, or by which they are to be near others."""
    if not scene.circles.unmet & Wish.DOMAIN:
        return None
    every = ((info, *each) for info in scene.infos(scene.home) for each in scene.evidence(info.name))
    found = [(info, status.plugin, each) for info, status, each in every if isinstance(each, MissingTopologyLabel)]
    if not found:
        return None
    _, plugin, first = found[0]
    key = first.topology_key
    known = {label for info in scene.cluster.node_infos for label in info.labels}
    names = tuple(dict.fromkeys(info.name for info, *_ in found))
    is_known, spreads = key in known, plugin == _PLUGIN
    place, meant = (scene.place_of(names), []) if is_known else (None, near_key(key, known))
    missing = told("domain-label-missing", key, meant, place, spreads=spreads)
    sign = Sign(text=str(told("domain-label-missing-sign", key)), nodes=names, label=key)
    kind = Kind.SPREAD_UNSATISFIED if spreads else Kind.AFFINITY_UNSATISFIED
    return scene.finding(kind, missing, plugin, names, evidence=[sign])


def uneven(scene: Scene) -> Finding | None:
    """The spread over domains wants the next pod where no node takes it."""
    if not scene.anywhere_is(SkewExceeded):
        return None
    names = scene.circles.candidates
    skewed = {name: found for name in names if (found := scene.objected(name, SkewExceeded))}
    first = next(iter(skewed.values()))[0]
    if len(skewed) < len(names):
        left = [name for name in names if name not in skewed]
        return None if first.topology_key == HOSTNAME else _full(scene, first.topology_key, left)
    if first.domains < first.min_domains:
        few = told("too-few-domains", first.topology_key, first.min_domains, first.domains)
        return scene.finding(Kind.SPREAD_UNSATISFIED, few, _PLUGIN, names)
    return _of_lowest(scene, first)


def _of_lowest(scene: Scene, skew: SkewExceeded) -> Finding:
    """The domain with the fewest pods, which is due, has no candidate."""
    names, key, lowest = scene.circles.candidates, skew.topology_key, skew.minimum_domain
    there = [] if lowest is None else scene.cluster.names_by_label(key).get(lowest, ())
    lapsed = [name for name in there if name in scene.circles.lapsed]
    if lapsed:
        out = told("domain-out-of-service", key, lowest or "", str(scene.places.ailments(lapsed)))
        return scene.finding(Kind.ZONE_OUT_OF_SERVICE, out, _PLUGIN, (*names, *lapsed))
    found = cause(scene, names, SkewExceeded)
    is_closed = there and not any(name in names for name in there)
    held = scene.held if scene.circles.narrowed & Wish.VOLUME else ""
    other = told("objected", found.text if found else "")
    closed = told("domain-closed", key, lowest or "", held, scene.zone) if is_closed else other
    return scene.finding(Kind.SPREAD_UNSATISFIED, closed, _PLUGIN, names)


def _full(scene: Scene, key: str, left: Sequence[str]) -> Finding | None:
    """The domains that the spread leaves open have no room."""
    found = lacking_nodes(scene, left)
    if found is None:
        return None
    infos = scene.cluster.node_info_by_name
    domains = [domain(key, each) for each in sorted({infos[name].labels.get(key, "") for name in left})]
    return scene.finding(Kind.ZONE_FULL, told("no-room-to-spread", domains, found.shortage), "NodeResourcesFit", left)
