"""Pods that are to be spread over domains, where the domain that is due has no place."""

from collections.abc import Sequence

from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.meant_labels import near_key
from kexplain.diagnosis.records import Diagnosis, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import lack
from kexplain.diagnosis.wishes import Wish
from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.words import ask, clauses, joined, verb

_PLUGIN = "PodTopologySpread"
#: What people call the domains of well-known labels.
_CALLED = {ZONE: "zone", HOSTNAME: "node"}


def missing_domain(scene: Scene) -> Diagnosis | None:
    """No node has the label that the pods are spread over, or by which they are to be near others."""
    if not scene.circles.unmet & Wish.DOMAIN:
        return None
    found = [
        (info, status.plugin, each)
        for info in scene.infos(scene.home)
        for status, each in scene.evidence(info.name)
        if isinstance(each, MissingTopologyLabel)
    ]
    if not found:
        return None
    _, plugin, first = found[0]
    key = first.topology_key
    known = {label for info in scene.cluster.node_infos for label in info.labels}
    names = tuple(dict.fromkeys(info.name for info, *_ in found))
    whose = scene.place_of(names).what if key in known else "node"
    text = f"no node of {whose} has the label {key}" if key in known else f"no node has a label {key}"
    why = "which it is spread over" if plugin == _PLUGIN else "by which it must be near other pods"
    text = clauses(f"{text}, {why}", ask(*near_key(key, known)) if key not in known else "")
    kind = Kind.SPREAD_UNSATISFIED if plugin == _PLUGIN else Kind.AFFINITY_UNSATISFIED
    return scene.diagnosis(kind, text, names, plugin, evidence=[Sign(text=f"no label {key}", nodes=names, label=key)])


def uneven(scene: Scene) -> Diagnosis | None:
    """The spread over domains wants the next pod where no node takes it."""
    if not scene.anywhere_is(SkewExceeded):
        return None
    names = scene.circles.candidates
    skewed = {name: found for name in names if (found := scene.found(name, SkewExceeded))}
    first = next(iter(skewed.values()))[0]
    if len(skewed) < len(names):
        left = [name for name in names if name not in skewed]
        return None if first.topology_key == HOSTNAME else _full(scene, first.topology_key, left)
    if first.domains < first.min_domains:
        are = verb(first.domains, "is")
        text = f"the pods must spread over {first.min_domains} {_what(first)}, and there {are} only {first.domains}"
        return scene.diagnosis(Kind.SPREAD_UNSATISFIED, text, names, _PLUGIN)
    return _of_lowest(scene, first)


def _of_lowest(scene: Scene, skew: SkewExceeded) -> Diagnosis:
    """The domain with the fewest pods, which is due, has no candidate."""
    names, lowest = scene.circles.candidates, skew.minimum_domain
    there = [] if lowest is None else scene.cluster.names_by_label(skew.topology_key).get(lowest, ())
    lapsed = [name for name in there if name in scene.circles.lapsed]
    spread, where = f"the pods must spread over {_what(skew)}", _domain(skew.topology_key, lowest)
    if lapsed:
        text = f"{spread}, and {where} is out of service ({scene.places.ailing(lapsed)})"
        return scene.diagnosis(Kind.ZONE_OUT_OF_SERVICE, text, (*names, *lapsed), _PLUGIN)
    said = cause(scene, names, SkewExceeded)
    text = said.text if said else ""
    if there and not any(name in names for name in there):
        lacks = "is not" if skew.topology_key == HOSTNAME else "has no node"
        text = f"{spread}, and {where}, which has the fewest, {lacks} for this pod"
    return scene.diagnosis(Kind.SPREAD_UNSATISFIED, text, names, _PLUGIN)


def _what(skew: SkewExceeded) -> str:
    return _CALLED[skew.topology_key] + "s" if skew.topology_key in _CALLED else skew.topology_key


def _domain(key: str, value: str | None) -> str:
    return f"{_CALLED[key]} {value}" if key in _CALLED else f"{key}={value}"


def _full(scene: Scene, key: str, left: Sequence[str]) -> Diagnosis | None:
    """The domains that the spread leaves open have no room."""
    found = lack(scene, left)
    if found is None:
        return None
    infos = scene.cluster.node_info_by_name
    where = joined([_domain(key, each) for each in sorted({infos[name].labels.get(key, "") for name in left})])
    text = f"no room in {where}, where the next pod has to go to stay spread"
    return scene.diagnosis(Kind.ZONE_FULL, text, left, "NodeResourcesFit", amounts=found.text)
