"""What helps against objections because of the pods that run near by."""

from collections.abc import Iterator, Mapping, Sequence, Set

from kexplain.cluster import NodeInfo
from kexplain.cluster.placed_pods import maker
from kexplain.cluster.siblings import are_siblings, siblings
from kexplain.diagnosis.circles import UNSORTED
from kexplain.diagnosis.components import scaled_to_none
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.objections.affinity import AffinityFact, AntiAffinityFact, ExistingAntiAffinityFact
from kexplain.explain.wording import a_pod, pods_of
from kexplain.objects.core import Pod
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.claims import restored_elsewhere
from kexplain.remedies.commands import scaling_of
from kexplain.remedies.makers import makers
from kexplain.remedies.moved_pods import named
from kexplain.remedies.pod_edits import attracted_in, in_turn, preferring_apart, preferring_near
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.ranking import UNTRIED
from kexplain.remedies.records import Rank
from kexplain.remedies.steps import Step, deletion, edited
from kexplain.words import joined, some

#: How many workloads nobody means to stay away from with one selector.
_MANY = 4


class AgainstAffinities(Against[AffinityFact]):
    """No pod runs near by that the pod must be near to."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[AffinityFact]]) -> Iterator[Proposal]:
        """Look in other namespaces, if such pods are there; else run one, or do without."""
        fact = next(iter(facts_by_node.values()))[0]
        namespaces = sorted({name.partition("/")[0] for name in fact.found_in_other_namespaces})
        if namespaces:
            edit = attracted_in(fact.topology_key, namespaces)
            yield proposed("affinity/namespaces", ", ".join(namespaces), edit=edit)
        yield from _scaled_up(fact, home, tuple(facts_by_node))
        softer = preferring_near(fact.topology_key, fact.selector)
        yield proposed("affinity/prefer", pods_of(fact.selector), fact.topology_key, edit=softer)
        about = a_pod(fact.selector), fact.topology_key, fact.domain is None
        yield proposed("affinity/run-pod", *about, is_fallback=True)


def _scaled_up(fact: AffinityFact, home: Scene, nodes: tuple[str, ...]) -> Iterator[Proposal]:
    """That the workload makes pods again which the pod has to be near to."""
    for term in home.cluster.pod_info(home.pod).terms.required:
        found = scaled_to_none(term, home.cluster) if str(term.selector) == fact.selector else ""
        if found and not fact.found_in_other_namespaces:
            yield proposed("affinity/scale-up", found, nodes=nodes)


class AgainstAntiAffinities(Against[AntiAffinityFact]):
    """Pods run near by that the pod must be away from."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[AntiAffinityFact]]) -> Iterator[Proposal]:
        """Make it preferred: of this pod, or of those that run, too, if they have the same."""
        fact, *more = next(iter(facts_by_node.values()))
        selectors = joined(list(dict.fromkeys(pods_of(each.selector) for each in (fact, *more))))
        softer = in_turn(*(preferring_apart(each.topology_key, each.selector) for each in (fact, *more)))
        rank = Rank.MENDS if _is_about_many(facts_by_node, home) else Rank.LOOSENS
        yield proposed("anti-affinity/prefer", selectors, edit=softer, rank=rank)
        others = siblings(home.pod, home.cluster)
        if home.is_narrowed(Wish.VOLUME):
            # Others may be where no replica is: it is the volume that is in the wrong place.
            yield from restored_elsewhere(home)
        if others:
            # A change of the template reaches the pods that run already, too.
            steps = tuple(Step(Pod, each.namespace, each.name, softer, follows=True) for each in others)
            yield proposed("anti-affinity/of-all", selectors, edit=softer, order=3, steps=steps)
            held_by = {name: set(facts[0].pods) for name, facts in facts_by_node.items()}
            where = "on one node" if fact.topology_key == HOSTNAME else f"in one {fact.topology_key.rpartition('/')[2]}"
            yield from fewer(others, held_by, home, where)

    def at_node(self, node_info: NodeInfo, facts: Sequence[AntiAffinityFact], home: Scene) -> Iterator[Proposal]:
        """Move the pods, if they are few."""
        return _moving(facts, home)


def fewer(others: Sequence[Pod], held_by: Mapping[str, Set[str]], home: Scene, where: str) -> Iterator[Proposal]:
    """To run no more replicas than there are places, where one of its own is at each of them."""
    own = {pod.key for pod in others if pod.metadata.controller == home.pod.metadata.controller}
    is_narrow = home.circles is UNSORTED or home.is_narrowed(Wish.VOLUME)
    is_everywhere = not is_narrow and held_by.keys() >= {*home.circles.candidates}
    if own and is_everywhere and all(not own.isdisjoint(keys) for keys in held_by.values()):
        changes, commands = scaling_of(home.pod, len(own), home.cluster)
        yield proposed("fewer-replicas", len(own), where, order=4 - UNTRIED, changes=changes, commands=commands)


def _is_about_many(facts_by_node: Mapping[str, Sequence[AntiAffinityFact]], home: Scene) -> bool:
    """Whether it is to be away from so many workloads that it cannot have been meant."""
    keys = {key for facts in facts_by_node.values() for fact in facts for key in fact.pods}
    found = (home.cluster.placed_pods.named(*key.split("/", 1)) for key in keys)
    return len({maker(each.pod) for each in found if each is not None} - {None}) >= _MANY


class AgainstExistingAntiAffinities(Against[ExistingAntiAffinityFact]):
    """Pods run near by that must be away from the pod."""

    def proposals(
        self, home: Scene, facts_by_node: Mapping[str, Sequence[ExistingAntiAffinityFact]]
    ) -> Iterator[Proposal]:
        pods = dict.fromkeys(pod for facts in facts_by_node.values() for fact in facts for pod in fact.pods)
        yield proposed("anti-affinity/move", some(list(pods)), nodes=tuple(facts_by_node), is_fallback=True)
        yield from _softened(next(iter(pods), ""), home)

    def at_node(
        self, node_info: NodeInfo, facts: Sequence[ExistingAntiAffinityFact], home: Scene
    ) -> Iterator[Proposal]:
        """Move the pods, if they are few."""
        return _moving(facts, home)


def _softened(key: str, home: Scene) -> Iterator[Proposal]:
    """That the workload of a pod, by its key, which keeps this one away, would rather be away than has to be."""
    cluster, labels = home.cluster, home.cluster.listers.namespace_labels.get(home.pod.namespace, {})
    info = cluster.placed_pods.named(*key.split("/", 1)) if key else None
    found = makers(info.pod, info.pod, cluster) if info else None
    # Of a workload that was not read there is no template to change.
    if info is None or found is None or found.were_not_read or are_siblings(home.pod, info.pod):
        return
    workload = found.targets[0]
    if isinstance(workload, Pod):
        return
    terms = [each for each in info.terms.required_anti if each.matches(home.pod, labels)]
    softer = in_turn(*(preferring_apart(each.topology_key, str(each.selector)) for each in terms))
    theirs = (Step(Pod, each.namespace, each.name, softer, follows=True) for each in siblings(info.pod, cluster))
    made = Step(type(workload), workload.namespace, workload.name, lambda each: edited(each, softer))
    yield proposed("anti-affinity/of-others", workload, steps=(made, *theirs))


def _moving(facts: Sequence[AntiAffinityFact] | Sequence[ExistingAntiAffinityFact], home: Scene) -> Iterator[Proposal]:
    """Move the pods that are in the way, if these are all, and none belongs with the pod."""
    pods = named(list(dict.fromkeys(key for fact in facts for key in fact.pods)), home.cluster)
    is_all = all(fact.matching <= len(fact.pods) for fact in facts)
    if pods and is_all and not any(are_siblings(home.pod, pod) for pod in pods):
        domains = dict.fromkeys((fact.topology_key, fact.domain) for fact in facts)
        place = joined([domain if key == HOSTNAME else f"{key}={domain}" for key, domain in domains])
        keys = [pod.key for pod in pods]
        yield proposed("anti-affinity/move-away", keys, place, steps=tuple(map(deletion, keys)))
