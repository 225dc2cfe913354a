"""Taints where the pod belongs: those that came later, and those that it should tolerate."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.diagnosis.records import Diagnosis, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.taints import TaintFact
from kexplain.framework.evidence import UntoleratedTaints
from kexplain.objects.core import Taint
from kexplain.objects.tolerations import tolerates
from kexplain.words import ask, clauses, joined, near, plural, some, verb

_PLUGIN = "TaintToleration"


def all_kept(scene: Scene) -> Diagnosis | None:
    """Every node in service is kept for others."""
    reserved = scene.circles.reserved
    if scene.home or not reserved:
        return None
    taints = list(dict.fromkeys(taint for name in reserved for taint in _taints(scene, name)))
    place, where = scene.place_of(reserved), scene.places.by_pool(reserved)
    is_every = len(reserved) == len(scene.cluster.node_infos)
    nodes = f"{'all' if is_every else 'the'} {len(reserved)} nodes{'' if is_every else ' in service'} are"
    what = f"{place.what} is" if len(reserved) == 1 else nodes
    text = f"{what} kept for others{f' ({where})' if where and len(reserved) > 1 else ''}"
    amounts = f"it tolerates none of the taints there: {some(list(map(str, taints)), 4)}"
    signs, kind = _signs(taints, reserved), Kind.RESERVATION_NOT_TOLERATED
    return scene.diagnosis(kind, text, reserved, _PLUGIN, amounts=amounts, evidence=signs, place=place)


def untolerated(scene: Scene) -> Diagnosis | None:
    """Every candidate has a taint that the pod does not tolerate."""
    if not scene.everywhere_is(UntoleratedTaints):
        return None
    names = scene.circles.candidates
    by_node = {name: _taints(scene, name) for name in names}
    counts = Counter(taint for taints in by_node.values() for taint in taints)
    taint = counts.most_common(1)[0][0]
    having = tuple(name for name in names if taint in by_node[name])
    return _came_later(scene, taint, having) or _reserved(scene, by_node[having[0]], having)


def _taints(scene: Scene, name: str) -> list[Taint]:
    return [taint for each in scene.found(name, UntoleratedTaints) for taint in each.taints]


def _came_later(scene: Scene, taint: Taint, names: tuple[str, ...]) -> Diagnosis | None:
    """Ordinary pods run there that do not tolerate it."""
    pods = [
        info.pod for node in scene.infos(names) for info in node.pods if scene.taint_use.speaks_against(info.pod, taint)
    ]
    place = scene.place_of(names)
    use = scene.taint_use
    if not pods or not any(use.came_later(pool, taint) for pool in scene.places.pools(names)):
        return None
    was = verb(place.is_one, "was")
    text = f"{place.what} {was} given the taint {taint}, which the pods that run there do not tolerate"
    keys = [pod.key for pod in pods]
    older = f"{plural(len(pods), 'pod')} from before {verb(len(pods), 'runs')} there: {some(keys)}"
    amounts = clauses(_nearly(scene, names[0]), older)
    signs = [Sign(text=f"taint {taint} came later", nodes=names, pods=tuple(keys), taint=str(taint))]
    return scene.diagnosis(Kind.TAINT_ADDED, text, names, _PLUGIN, amounts=amounts, evidence=signs, place=place)


def _reserved(scene: Scene, taints: Sequence[Taint], names: tuple[str, ...]) -> Diagnosis:
    """It belongs there, and does not tolerate what keeps others away."""
    place = scene.place_of(names)
    named = joined([str(taint) for taint in taints])
    is_every = len(names) == len(scene.cluster.node_infos)
    if scene.circles.is_guess:
        text = f"{place.what} {place.has} the taint {named}, which probably came later: no pod there tolerates it"
        found = scene.diagnosis(Kind.TAINT_ADDED, text, names, _PLUGIN, evidence=_signs(taints, names), place=place)
        return replace(found, certain=False)
    if is_every and len(names) > 1:
        text = f"every node has the taint {named}, which is not tolerated"
    else:
        text = f"{place.what} {place.has} the taint {named}, which is not tolerated"
    amounts = _nearly(scene, names[0]) or _older(scene, taints[0])
    signs, kind = _signs(taints, names), Kind.RESERVATION_NOT_TOLERATED
    return scene.diagnosis(kind, text, names, _PLUGIN, amounts=amounts, evidence=signs, place=place)


def _signs(taints: Sequence[Taint], names: tuple[str, ...]) -> tuple[Sign, ...]:
    return tuple(Sign(text=f"taint {taint} is not tolerated", nodes=names, taint=str(taint)) for taint in taints)


def _nearly(scene: Scene, name: str) -> str:
    """The toleration that misses the taint."""
    (info,) = scene.infos([name])
    facts = [
        fact
        for each in scene.found(name, UntoleratedTaints)
        for fact in scene.facts(each, info)
        if isinstance(fact, TaintFact)
    ]
    if missed := next((fact.near_miss for fact in facts if fact.near_miss), ""):
        return f"it tolerates only {missed}"
    keys = [each.key for each in scene.pod.spec.tolerations or () if each.key]
    close = [(key, each.key) for each in facts for key in keys if near(key, [each.key])]
    return clauses(f"it tolerates {close[0][0]}", ask(close[0][1])) if close else ""


def _older(scene: Scene, taint: Taint) -> str:
    """That older pods of the same workload do tolerate it."""
    older = [pod.key for pod, _ in scene.siblings if any(tolerates(each, taint) for each in pod.spec.tolerations or ())]
    return f"older pods of its workload tolerate it, such as {some(older)}" if older else ""
