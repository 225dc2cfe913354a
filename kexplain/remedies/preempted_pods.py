"""Whom a scheduler would evict, in words, and how those that it has evicted get their room back."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.circles import circles
from kexplain.grouping import grouped
from kexplain.objects.batch import Job
from kexplain.objects.changes import Change
from kexplain.objects.core import Pod, ResourceQuota
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.node_pools import comes_along
from kexplain.objects.scheduling import PriorityClass
from kexplain.remedies.advice import advice
from kexplain.remedies.commands import commands
from kexplain.remedies.makers import makers
from kexplain.remedies.more_nodes import smallest
from kexplain.remedies.records import Rank, Remedy
from kexplain.remedies.scaled_down import SCALED, scaling
from kexplain.remedies.steps import change
from kexplain.remedies.trials import Trials, Tried
from kexplain.words import joined, some

_OF_NODES = PriorityClass(metadata=ObjectMeta(name="system-node-critical"), value=2_000_001_000)
_FOR_AGENTS = PriorityClass(metadata=ObjectMeta(name="node-agents"), value=1_000_000)
_GKE_POOL = "cloud.google.com/gke-nodepool"
#: The policy of those that evict nobody.
NEVER = "Never"
#: So many nodes are named between which the scheduler draws lots.
_DRAWN = 2


def higher_classes(pod: Pod, cluster: Cluster) -> list[PriorityClass]:
    """The classes that people would give a pod for it to evict others, the lowest first."""
    above = [each for each in cluster.listers.every(PriorityClass) if each.value > pod.priority]
    kept = [each for each in above if each.preemption_policy != NEVER and not each.name.startswith("system-")]
    # What runs on each node is what that class is for, which every cluster has.
    is_own = comes_along(pod) and pod.priority < _OF_NODES.value and not _refuses_critical(pod.namespace, cluster)
    return sorted([*kept, *([_OF_NODES] if is_own else ())], key=lambda each: each.value)


def _refuses_critical(namespace: str, cluster: Cluster) -> bool:
    """Whether GKE lets no critical pods in there: outside of kube-system a quota has to name their class."""
    quotas = (each for each in cluster.listers.every(ResourceQuota) if each.namespace == namespace)
    is_allowed = namespace == "kube-system" or any(each.spec.scope_selector for each in quotas)
    return not is_allowed and any(_GKE_POOL in info.labels for info in cluster.node_infos)


def preempting_class(pod: Pod, cluster: Cluster) -> list[PriorityClass]:
    """A class like that of a pod which is to evict nobody, but that it does; an API server lets no class change so.

    Or one for what runs on each node, where the critical one is refused.
    """
    if comes_along(pod) and pod.priority < _FOR_AGENTS.value and _refuses_critical(pod.namespace, cluster):
        return [_FOR_AGENTS]
    if pod.spec.preemption_policy != NEVER:
        return []
    name = f"{pod.spec.priority_class_name or 'default'}-preempting"
    return [PriorityClass(metadata=ObjectMeta(name=name), value=pod.priority, preemption_policy="PreemptLowerPriority")]


def priority_rank(pod: Pod, places: Sequence[tuple[Pod, str]]) -> Rank:
    """How much a higher priority is wanted, by where the pods go that it evicts.

    A pod that comes with each node can be nowhere else; those as important as the pod are not left without a place.
    One that is of less importance than all that say nothing, or is to evict nobody, is meant to wait.
    """
    is_stranding = any(not node and each.priority >= pod.priority for each, node in places)
    if comes_along(pod):
        return Rank.MOVES if is_stranding else Rank.MENDS
    if pod.priority >= 0 and all(each.priority < 0 for each, _ in places):
        # They hold room for others, and are there to be evicted.
        return Rank.MENDS
    is_meant_to_wait = pod.priority < 0 or pod.spec.preemption_policy == NEVER
    return Rank.LAST_RESORT if is_stranding or is_meant_to_wait else Rank.MOVES


def evicts(tried: Tried, places: Sequence[tuple[Pod, str]]) -> str:
    """Who has to go, or may where the scheduler draws lots, who finds no place again, and which budgets that breaks."""
    nodes = {each.node_name for each in tried.chosen_from}
    gone = f"evicts {some([pod.key for pod in tried.evicted])}"
    if len(nodes) > 1 and len(nodes) == len(tried.chosen_from):
        drawn = tried.chosen_from[:_DRAWN]
        named = [f"{some([pod.key for pod in each.victims])} on {each.node_name}" for each in drawn]
        gone = f"evicts {joined(named, 'or')}, drawn at random"
        if len(nodes) > _DRAWN:
            gone = f"evicts pods from one of {len(nodes)} nodes, drawn at random, such as {named[0]}"
    if tried.evicted_later:
        # Who is tried before the evicted pods are gone may have others evicted.
        gone += f", and at least {tried.evicted_later} more for the others that wait"
    gone += _afterwards(places, tried.evicted_later)
    broken = dict.fromkeys(budget for each in tried.chosen_from for budget in each.violated_budgets)
    return f"{gone}, which breaks {'budget' if len(broken) == 1 else 'budgets'} {some([*broken])}" if broken else gone


def _afterwards(places: Sequence[tuple[Pod, str]], more: int) -> str:
    """What becomes of those that are evicted and find no place."""
    pending = [pod.key for pod, node in places if not node and pod.metadata.controller]
    lost = [pod.key for pod, _ in places if not pod.metadata.controller]
    who = "the evicted pod" if len(pending) == len(places) == 1 else some(pending)
    stay = f"{who} {'stays' if len(pending) == 1 else 'stay'} pending"
    texts = ["those that are evicted stay pending" if more else stay] if pending else []
    texts += [f"no controller makes {some(lost)} again"] if lost else []
    return "".join(f"; {text}" for text in texts)


def doing_without(pods: Sequence[Pod], trials: Trials) -> Iterator[Remedy]:
    """That the workload whose pods have taken the room does without them for now, where that is enough."""
    yield from _with_fewer(pods, len(pods), "which has taken the room, if that can wait", 1, trials)


def without_placeholders(trials: Trials) -> Iterator[Remedy]:
    """That fewer pods hold room for others, where all of a workload have it then that is to evict nobody."""
    pod, belongs = trials.decision.pod, circles(trials.decision).candidates
    if pod.spec.preemption_policy != NEVER or pod.priority < 0:
        return
    infos = trials.decision.cluster.nodes_named(belongs)
    by_maker = grouped((maker(each.pod), each.pod) for info in infos for each in info.pods if each.pod.priority < 0)
    for made_by, pods in by_maker.items():
        if made_by is not None:
            text = "whose pods only hold room for others"
            yield from _with_fewer(pods, 1, text, 1 + len(trials.pending), trials)


def _with_fewer(pods: Sequence[Pod], least: int, why: str, serving: int, trials: Trials) -> Iterator[Remedy]:
    """That the workload of these pods has fewer of them, at least so many fewer, where that serves enough."""
    found = makers(pods[0], pods[0], trials.decision.cluster)
    workload = next((each for each in found.targets if isinstance(each, Job)), found.targets[0])

    def attempt(fewer: int) -> Remedy | None:
        scaled = None if found.were_not_read or found.out_of_reach else _without(workload, fewer)
        done = trials.end_of([scaled[1]]) if scaled else None
        if scaled is None or done is None or done.serves < serving:
            return None
        text, made, lines = scaled
        rank = Rank.MENDS if isinstance(workload, Job) else Rank.MOVES
        return advice("do-without", text, why, changes=(made,), commands=lines, rank=rank, **done.told(trials.pending))

    yield from filter(None, [smallest(attempt, len(pods), least)])


def _without(workload: KubernetesObject, pods: int) -> tuple[str, Change, tuple[str, ...]] | None:
    """How a workload makes so many pods fewer: in words, what changes, and the commands; None for others."""
    what, count = f"{workload.kind} {workload.key}", declared_replicas(workload) or 0
    if isinstance(workload, Job):
        made = change(workload, replace(workload, spec=replace(workload.spec, suspend=True)))
        # Unlike most of a Job, that may change.
        made = made and replace(made, recreate=False)
        text = f"suspend {what} (its pods are killed, and begin anew once it goes on)"
        return (text, made, commands([made], {})) if made else None
    if not isinstance(workload, SCALED) or count < pods:
        return None
    left = count - pods
    made = change(workload, replace(workload, spec=replace(workload.spec, replicas=left)))
    return (f"scale {what} from {count} to {left}", made, (scaling(workload, left),)) if made else None
