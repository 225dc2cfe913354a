"""Pods near by: those that the pod must be near, or away from."""

from collections.abc import Sequence

from kexplain.cluster.pod_info import AffinityTerm
from kexplain.cluster.siblings import Maker, are_siblings, maker
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Diagnosis, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.objections.affinity import AffinityFact, AntiAffinityFact, ExistingAntiAffinityFact
from kexplain.explain.objections.objection import FactT
from kexplain.explain.wording import a_pod, pods_of
from kexplain.framework.evidence import (
    AffinityUnmatched,
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    PortInUse,
    UntoleratedTaints,
)
from kexplain.objects.core import Pod
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.words import joined, some

_AFFINITY, _PORTS = "InterPodAffinity", "NodePorts"


def nobody_near(scene: Scene) -> Diagnosis | None:
    """No pod that it must be near runs where it belongs."""
    if not scene.circles.unmet & Wish.NEAR:
        return None
    said = cause(scene, scene.home, AffinityUnmatched)
    if said is None:
        return None
    fact = _first_fact(scene, said.nodes, AffinityUnmatched, AffinityFact)
    sign = Sign(text=said.text, pods=(*fact.found_elsewhere, *fact.found_in_other_namespaces))
    text = _near_text(scene, fact, scene.found(said.nodes[0], AffinityUnmatched)[0].term)
    kept = _kept_nodes(scene, fact)
    if kept:
        taints = {str(taint) for name in kept for each in scene.found(name, UntoleratedTaints) for taint in each.taints}
        why = f", whose taint {joined(sorted(taints))} it does not tolerate" if taints else ", which is kept for others"
        text = f"it must be near {pods_of(fact.selector)}, which run only on {scene.places.of(kept).what}{why}"
    return scene.diagnosis(Kind.AFFINITY_UNSATISFIED, text, kept or said.nodes, said.plugin, evidence=[sign])


def _kept_nodes(scene: Scene, fact: AffinityFact) -> list[str]:
    """The nodes where such pods are, if all of them are kept for others."""
    names = (key.partition("/") for key in fact.found_elsewhere)
    found = (scene.cluster.placed_pods.named(namespace, name) for namespace, _, name in names)
    nodes = [scene.cluster.placed_pods.node_of(info.pod) for info in found if info]
    there = list(dict.fromkeys(node.name for node in nodes if node))
    return there if {*there} <= {*scene.circles.reserved} else []


def _first_fact(scene: Scene, names: Sequence[str], evidence: type[Evidence], kind: type[FactT]) -> FactT:
    facts = (
        fact
        for info in scene.infos(names)
        for each in scene.found(info.name, evidence)
        for fact in scene.facts(each, info)
    )
    return next(fact for fact in facts if isinstance(fact, kind))


def _near_text(scene: Scene, fact: AffinityFact, term: AffinityTerm) -> str:
    """What it must be near, and where such pods are."""
    pods, required = pods_of(fact.selector), "the required affinity is to"
    if fact.domain is None and not any(fact.topology_key in info.labels for info in scene.cluster.node_infos):
        return f"{required} {pods} by the label {fact.topology_key}, which no node has"
    if fact.found_elsewhere:
        return f"{required} {pods}, which run only where this pod cannot: {some(fact.found_elsewhere)}"
    if idle := [pod for pod in scene.cluster.listers.every(Pod) if term.matches(pod, {}) and pod.key != scene.pod.key]:
        return f"{required} {pods}, which {_state(idle)}: {some([pod.key for pod in idle])}"
    text = f"{required} {pods}, and none runs {_where(fact, term)}"
    others = sorted({name.partition("/")[0] for name in fact.found_in_other_namespaces})
    return f"{text}; {joined(others)} has some: {some(fact.found_in_other_namespaces)}" if others else text


def _state(idle: Sequence[Pod]) -> str:
    return "have finished" if all(pod.is_terminated for pod in idle) else "are pending, too"


def _where(fact: AffinityFact, term: AffinityTerm) -> str:
    if fact.namespaces:
        return f"in namespace {joined(fact.namespaces, 'or')}"
    is_anywhere = term.namespace_selector.matches({})
    return "anywhere" if is_anywhere else "where its namespaceSelector leads: no namespace has these labels"


# ------------------------------------------------------------------------------------------------ crowded out


def crowded(scene: Scene) -> Diagnosis | None:
    """Pods on every candidate keep it away: by anti-affinity, theirs or its own, or as they have its host port."""
    names = scene.circles.candidates
    for kind, judge in ((AntiAffinityMatched, _own), (ExistingAntiAffinity, _theirs), (PortInUse, _port)):
        if scene.everywhere_is(kind):
            return judge(scene, names)
    return None


def _own(scene: Scene, names: tuple[str, ...]) -> Diagnosis:
    fact = _first_fact(scene, names, AntiAffinityMatched, AntiAffinityFact)
    key, place = fact.topology_key, scene.place_of(names)
    own = {node.name for _, node in scene.siblings}
    domains = {info.labels.get(key, "") for info in scene.infos(names)}
    of_own = {info.labels.get(key, "") for info in scene.infos(sorted(own & set(scene.cluster.node_info_by_name)))}
    count, is_own = len(domains), domains <= of_own
    who = "a replica" if is_own else f"{a_pod(fact.selector)} that it must be away from"
    if key == HOSTNAME:
        each = f"{place.nodes} runs" if count == 1 else f"each of {place.nodes} runs"
        text = f"{each} {who} already" if is_own else f"{each} {who}"
    else:
        what = "zone" if key == ZONE else key
        named = f"{what} {domains.pop()}" if count == 1 else f"each {what} ({some(sorted(domains))})"
        text = f"{named} has {who}{' already' if is_own else ''}"
    if scene.circles.narrowed & Wish.VOLUME:
        text += f", and only there can its {scene.held} be reached"
    return _crowded(scene, Kind.ANTI_AFFINITY, text, _AFFINITY, names, AntiAffinityMatched)


def _theirs(scene: Scene, names: tuple[str, ...]) -> Diagnosis:
    place = scene.place_of(names)
    pods = _pods(scene, names, ExistingAntiAffinity)
    who = _made_by(scene, pods)
    fact = _first_fact(scene, names, ExistingAntiAffinity, ExistingAntiAffinityFact)
    where = f"on{'' if fact.topology_key == HOSTNAME else ' or near'} {place.nodes}"
    text = f"pods {where} must be away from it: {some(pods)}"
    if who:
        # Those that its own workload made before may have been told so by an earlier template.
        whose = "its own workload" if who == _named(maker(scene.pod)) else who
        text = f"{whose} must be away from it, and has pods {where}"
    return _crowded(scene, Kind.ANTI_AFFINITY, text, _AFFINITY, names, ExistingAntiAffinity)


def _port(scene: Scene, names: tuple[str, ...]) -> Diagnosis:
    place = scene.place_of(names)
    ports = {each.wanted.port for name in names for each in scene.found(name, PortInUse)}
    what = f"host port {joined(list(map(str, sorted(ports))))}"
    holders = _pods(scene, names, PortInUse)
    pods = [info.pod for node in scene.infos(names) for info in node.pods if info.pod.key in holders]
    own = [pod for pod in pods if are_siblings(scene.pod, pod)]
    by = ", by its own replicas" if own and len(own) >= len(names) else ""
    if not own and (who := _made_by(scene, holders)):
        by = f", by {who}"
    text = f"{what} is taken on {place.every}{by}"
    return _crowded(scene, Kind.HOST_PORT_TAKEN, text, _PORTS, names, PortInUse)


def _made_by(scene: Scene, keys: Sequence[str]) -> str:
    """The one workload that makes all these pods; empty if there are several."""
    found = (scene.cluster.placed_pods.named(*key.split("/", 1)) for key in keys)
    makers = {maker(info.pod) if info else None for info in found}
    return _named(makers.pop()) if len(makers) == 1 else ""


def _named(made_by: Maker | None) -> str:
    if made_by is None:
        return ""
    namespace, kind, name = made_by
    return f"{'deployment' if kind == 'ReplicaSet' else str(kind).lower()} {namespace}/{name}"


def _pods(scene: Scene, names: Sequence[str], kind: type[Evidence]) -> list[str]:
    """The pods that objections of a kind are about."""
    found: dict[str, None] = {}
    for info in scene.infos(names):
        for each in scene.found(info.name, kind):
            for fact in scene.facts(each, info):
                found |= dict.fromkeys(getattr(fact, "pods", ()) or getattr(fact, "held_by", ()))
    return list(found)


def _crowded(
    scene: Scene, kind: Kind, text: str, plugin: str, names: tuple[str, ...], evidence: type[Evidence]
) -> Diagnosis:
    sign = Sign(text=text, nodes=names, pods=tuple(_pods(scene, names, evidence)))
    return scene.diagnosis(kind, text, names, plugin, evidence=[sign])
