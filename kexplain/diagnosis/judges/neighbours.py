"""Pods near by: those that the pod must be near, or away from."""

from collections.abc import Sequence
from functools import partial

from kexplain.case.own_pods import above, read_controller
from kexplain.cluster.placed_pods import Maker, maker
from kexplain.cluster.pod_info import AffinityTerm
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.components import scaled_to_none
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.findings.ways import workload
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Finding, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.objections.affinity import AffinityFact, AntiAffinityFact, ExistingAntiAffinityFact
from kexplain.explain.objections.objection import FactT
from kexplain.framework.evidence import (
    AffinityUnmatched,
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    PortInUse,
    UntoleratedTaints,
)
from kexplain.objects.core import Pod
from kexplain.objects.selectors import EVERYTHING

_AFFINITY, _PORTS = "InterPodAffinity", "NodePorts"


def nobody_near(scene: Scene) -> Finding | None:
    """No pod that it must be near runs where it belongs."""
    if not scene.circles.unmet & Wish.NEAR:
        return None
    said = cause(scene, scene.home, AffinityUnmatched)
    if said is None:
        return None
    fact = _first_fact(scene, said.nodes, AffinityUnmatched, AffinityFact)
    sign = Sign(text=said.text, pods=(*fact.found_elsewhere, *fact.found_in_other_namespaces))
    kept = _kept_nodes(scene, fact)
    term = scene.objected(said.nodes[0], AffinityUnmatched)[0].term
    known = _near_kept(scene, fact, kept) if kept else _near(scene, fact, term)
    return scene.finding(Kind.AFFINITY_UNSATISFIED, known, said.plugin, kept or said.nodes, evidence=[sign])


def near_what(scene: Scene) -> str:
    """What the pods are labelled that it must be near, where other nodes have none of them."""
    others = scene.circles.elsewhere if scene.is_narrowed(Wish.NEAR) else ()
    without = scene.where(others, lambda name: scene.objected(name, AffinityUnmatched))
    return _first_fact(scene, without[:1], AffinityUnmatched, AffinityFact).selector if without else ""


def _near_kept(scene: Scene, fact: AffinityFact, kept: Sequence[str]) -> Statement:
    """That such pods run on nodes that are kept for others."""
    evidence = (each for name in kept for each in scene.objected(name, UntoleratedTaints))
    taints = sorted({str(taint) for each in evidence for taint in each.taints})
    return told("near-reserved", fact.selector, scene.places.of(kept), taints)


def _kept_nodes(scene: Scene, fact: AffinityFact) -> list[str]:
    """The nodes where such pods are, if all of them are kept for others."""
    names = (key.partition("/") for key in fact.found_elsewhere)
    found = (scene.cluster.placed_pods.named(namespace, name) for namespace, _, name in names)
    nodes = [scene.cluster.placed_pods.node_of(info.pod) for info in found if info]
    there = list(dict.fromkeys(node.name for node in nodes if node))
    return there if {*there} <= {*scene.circles.reserved} else []


def _first_fact(scene: Scene, names: Sequence[str], evidence: type[Evidence], kind: type[FactT]) -> FactT:
    objected = ((each, info) for info in scene.infos(names) for each in scene.objected(info.name, evidence))
    facts = (fact for each, info in objected for fact in scene.facts(each, info))
    return next(fact for fact in facts if isinstance(fact, kind))


def _near(scene: Scene, fact: AffinityFact, term: AffinityTerm) -> Statement:
    """What it must be near, and where such pods are."""
    selector, key, others = fact.selector, fact.topology_key, fact.found_in_other_namespaces
    if fact.domain is None and not any(key in info.labels for info in scene.cluster.node_infos):
        return told("near-by-no-label", selector, key)
    if fact.found_elsewhere:
        return told("near-elsewhere", selector, Few.of(fact.found_elsewhere))
    if idle := [pod for pod in scene.cluster.listers.every(Pod) if term.matches(pod, {}) and pod.key != scene.pod.key]:
        finished = all(pod.is_terminated for pod in idle)
        return told("near-idle", selector, Few.of(pod.key for pod in idle), finished=finished)
    if not others and (idle_workload := scaled_to_none(term, scene.cluster)):
        return told("near-scaled-down", selector, idle_workload)
    elsewhere, is_any = sorted({name.partition("/")[0] for name in others}), term.namespace_selector.matches({})
    return told("near-nobody", selector, fact.namespaces, Few.of(others), elsewhere, any=is_any)


# ------------------------------------------------------------------------------------------------ crowded out


def crowded(scene: Scene) -> Finding | None:
    """Pods on every candidate keep it away: by anti-affinity, theirs or its own, or as they have its host port."""
    names = scene.circles.candidates
    for kind, judge in ((AntiAffinityMatched, _own), (ExistingAntiAffinity, _theirs), (PortInUse, _port)):
        if scene.everywhere_is(kind):
            return judge(scene, names)
    return None


def _own(scene: Scene, names: tuple[str, ...]) -> Finding:
    fact = _first_fact(scene, names, AntiAffinityMatched, AntiAffinityFact)
    key = fact.topology_key
    own = {node.name for _, node in scene.siblings}
    domains = {info.labels.get(key, "") for info in scene.infos(names)}
    of_own = {info.labels.get(key, "") for info in scene.infos(sorted(own & set(scene.cluster.node_info_by_name)))}
    held = scene.held if scene.circles.narrowed & Wish.VOLUME else ""
    few, place, is_own = Few.of(sorted(domains)), scene.place_of(names), domains <= of_own
    # A selector of one label says more than whose pods those are.
    is_plain = is_own or "," not in fact.selector
    whose = "" if is_plain else _of_one(scene, _pods(scene, names, AntiAffinityMatched))
    away = told("away-from-others", fact.selector, key, place, few, held, is_own, whose)
    return _crowded(scene, Kind.ANTI_AFFINITY, away, names, AntiAffinityMatched)


def _theirs(scene: Scene, names: tuple[str, ...]) -> Finding:
    pods = _pods(scene, names, ExistingAntiAffinity)
    who = _made_by(scene, pods)
    fact = _first_fact(scene, names, ExistingAntiAffinity, ExistingAntiAffinityFact)
    # Those that its own workload made before may have been told so by an earlier template.
    whose = "its own workload" if who is not None and who == maker(scene.pod) else workload(who)
    info = scene.cluster.placed_pods.named(*pods[0].split("/", 1))
    labels = scene.cluster.listers.namespace_labels.get(scene.pod.namespace, {})
    terms = (each for each in (info.terms.required_anti if info else ()) if each.matches(scene.pod, labels))
    selector = next((str(each.selector) for each in terms if each.selector != EVERYTHING), "")
    away = told("others-away", fact.topology_key, scene.place_of(names), Few.of(pods), whose, selector)
    return _crowded(scene, Kind.ANTI_AFFINITY, away, names, ExistingAntiAffinity)


def _port(scene: Scene, names: tuple[str, ...]) -> Finding:
    ports = {each.wanted.port for name in names for each in scene.objected(name, PortInUse)}
    holders = _pods(scene, names, PortInUse)
    pods = [info.pod for node in scene.infos(names) for info in node.pods if info.pod.key in holders]
    own = [pod for pod in pods if are_siblings(scene.pod, pod)]
    by = "" if own else workload(_made_by(scene, holders))
    by = "its own replicas" if own and len(own) >= len(names) else by
    taken = told("port-taken", sorted(ports), scene.place_of(names), by)
    return _crowded(scene, Kind.HOST_PORT_TAKEN, taken, names, PortInUse)


def _of_one(scene: Scene, keys: Sequence[str]) -> str:
    """What all of these pods are for in the end, in words; empty where that is not one thing."""
    found = (scene.cluster.placed_pods.named(*key.split("/", 1)) for key in keys)
    read = partial(read_controller, scene.cluster.listers)
    tops = {[*above(info.pod, "", read)][-1] if info and maker(info.pod) else None for info in found}
    kind, namespace, name = next(iter(tops)) or ("", "", "") if len(tops) == 1 else ("", "", "")
    return workload((namespace, kind, name)) if name else ""


def _made_by(scene: Scene, keys: Sequence[str]) -> Maker | None:
    """The one workload that makes all these pods; None if there are several."""
    found = (scene.cluster.placed_pods.named(*key.split("/", 1)) for key in keys)
    makers = {maker(info.pod) if info else None for info in found}
    return makers.pop() if len(makers) == 1 else None


def _pods(scene: Scene, names: Sequence[str], kind: type[Evidence]) -> list[str]:
    """The pods that objections of a kind are about."""
    objected = ((each, info) for info in scene.infos(names) for each in scene.objected(info.name, kind))
    found = (fact for each, info in objected for fact in scene.facts(each, info))
    return [*dict.fromkeys(pod for fact in found for pod in getattr(fact, "pods", ()) or getattr(fact, "held_by", ()))]


def _crowded(scene: Scene, kind: Kind, said: Statement, names: tuple[str, ...], evidence: type[Evidence]) -> Finding:
    plugin = _PORTS if evidence is PortInUse else _AFFINITY
    sign = Sign(text=str(said), nodes=names, pods=tuple(_pods(scene, names, evidence)))
    return scene.finding(kind, said, plugin, names, evidence=[sign])
