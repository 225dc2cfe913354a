"""Taints where the pod belongs: those that came later, and those that it should tolerate."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import astuple

from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.records import Finding, Kind, Sign
from kexplain.diagnosis.reservations import made_nodes, virtual_place
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.taints import TaintFact
from kexplain.framework.evidence import UntoleratedTaints
from kexplain.grouping import grouped
from kexplain.objects.core import Taint
from kexplain.objects.tolerations import tolerates
from kexplain.words import near

_PLUGIN = "TaintToleration"


def for_single_pods(scene: Scene) -> Finding | None:
    """The node of a DaemonSet's pod is no machine that has agents."""
    label = virtual_place(scene)
    said = told("virtual-node", scene.place, label)
    return scene.finding(Kind.NO_POD_SLOT, said, "NodeResourcesFit", scene.home) if label else None


def all_kept(scene: Scene) -> Finding | None:
    """Every node in service is kept for others."""
    reserved = scene.circles.reserved
    if scene.home or not reserved:
        return None
    place = scene.place_of(reserved)
    having = grouped((taint, name) for name in reserved for taint in dict.fromkeys(map(str, _taints(scene, name))))
    if made := made_nodes(scene):
        said = told("nodes-made-for-pods", place, *astuple(made), scene.pod.scheduler_name, next(iter(having), ""))
        return scene.finding(Kind.RESERVATION_NOT_TOLERATED, said, _PLUGIN, reserved, place)
    by_one = [len(names) for names in having.values()] == [len(reserved)]
    kept = told("all-reserved", place, scene.places.by_pool(reserved), Few.of([*having], 4), by_one=by_one)
    signs = [_sign(taint, tuple(names)) for taint, names in having.items()]
    return scene.finding(Kind.RESERVATION_NOT_TOLERATED, kept, _PLUGIN, reserved, place, evidence=signs)


def untolerated(scene: Scene) -> Finding | None:
    """Every candidate has a taint that the pod does not tolerate."""
    if not scene.everywhere_is(UntoleratedTaints):
        return None
    names = scene.circles.candidates
    by_node = {name: _taints(scene, name) for name in names}
    taint = Counter(taint for taints in by_node.values() for taint in taints).most_common(1)[0][0]
    having = tuple(name for name in names if taint in by_node[name])
    return _came_later(scene, taint, having) or _reserved(scene, by_node[having[0]], having)


def _taints(scene: Scene, name: str) -> list[Taint]:
    return [taint for each in scene.objected(name, UntoleratedTaints) for taint in each.taints]


def _came_later(scene: Scene, taint: Taint, names: tuple[str, ...]) -> Finding | None:
    """Ordinary pods run there that do not tolerate it."""
    pods = [info.pod for at in scene.infos(names) for info in at.pods if scene.taint_use.speaks_against(info, taint)]
    use = scene.taint_use
    if not pods or not any(use.came_later(pool, taint) for pool in scene.places.pools(names)):
        return None
    keys, place = tuple(pod.key for pod in pods), scene.place_of(names)
    added = told("taint-added", place, str(taint), Few.of(keys), _near_miss(scene, names[0]))
    sign = Sign(text=str(told("taint-added-sign", str(taint))), nodes=names, pods=keys, taint=str(taint))
    return scene.finding(Kind.TAINT_ADDED, added, _PLUGIN, names, place, evidence=[sign])


def _reserved(scene: Scene, taints: Sequence[Taint], names: tuple[str, ...]) -> Finding:
    """It belongs there, and does not tolerate what keeps others away."""
    place, named = scene.place_of(names), [*map(str, taints)]
    signs = [_sign(each, names) for each in named]
    if scene.circles.is_guess:
        guess = told("taint-probably-added", place, named)
        return scene.finding(Kind.TAINT_ADDED, guess, _PLUGIN, names, place, evidence=signs, certain=False)
    kept = told("taint-not-tolerated", place, named, _near_miss(scene, names[0]), _older(scene, taints[0]))
    return scene.finding(Kind.RESERVATION_NOT_TOLERATED, kept, _PLUGIN, names, place, evidence=signs)


def _sign(taint: str, names: tuple[str, ...]) -> Sign:
    return Sign(text=str(told("taint-not-tolerated-sign", taint)), nodes=names, taint=taint)


def _near_miss(scene: Scene, name: str) -> Statement | None:
    """The toleration that misses the taint."""
    (info,) = scene.infos([name])
    every = (fact for each in scene.objected(name, UntoleratedTaints) for fact in scene.facts(each, info))
    found = [fact for fact in every if isinstance(fact, TaintFact)]
    if missed := next((fact.near_miss for fact in found if fact.near_miss), ""):
        return told("toleration-misses", missed)
    keys = [each.key for each in scene.pod.spec.tolerations or () if each.key]
    close = [(key, each.key) for each in found for key in keys if near(key, [each.key])]
    return told("toleration-misses", *close[0]) if close else None


def _older(scene: Scene, taint: Taint) -> Few:
    """The older pods of the same workload that do tolerate it."""
    older = [pod.key for pod, _ in scene.siblings if any(tolerates(each, taint) for each in pod.spec.tolerations or ())]
    return Few.of(older)
