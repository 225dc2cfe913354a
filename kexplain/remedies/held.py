"""What would let a pod run that something else than a scheduler keeps from it: a queue, a kubelet, a volume."""

from collections.abc import Callable, Collection, Iterable, Iterator
from re import search
from typing import TypeAlias

from msgspec import Struct

from kexplain.bound.compared import with_other_nodes
from kexplain.bound.ending import over_again
from kexplain.bound.pod_on_node import KUBELET
from kexplain.bound.stopped import all_stopped, stopped
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.beyond_templates import with_runs
from kexplain.diagnosis.culprits import Care, with_culprit
from kexplain.diagnosis.keepers import keeper_of
from kexplain.diagnosis.records import Held, Kind, OnceAdmitted
from kexplain.grouping import grouped
from kexplain.objects.batch import Job
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.advice import advice
from kexplain.remedies.compared import elsewhere
from kexplain.remedies.components import mending
from kexplain.remedies.gangs import beyond_all_nodes
from kexplain.remedies.lost_nodes import letting_go, stopping
from kexplain.remedies.records import Action, Helps, Rank, Remedy
from kexplain.remedies.used_volumes import freeing
from kexplain.shell import filled
from kexplain.tables import records

#: For pods that fare in so many ways it is said what would help.
_HELPED = 12
#: What is done about these very objects, if it is not the queue that changes.
_FIXES = {Kind.GROUP_INCOMPLETE: Action.CHANGE_ROLLOUT, Kind.STUCK_TERMINATING: Action.FREE}
_ON_NODES = (Action.MEND_NODE, Action.CHECK_NODE)


_Mending: TypeAlias = Callable[[Held, Care, Cluster], tuple[Held, Helps]]


class _Help(Struct, frozen=True):
    """What helps against a kind of diagnosis, of everybody or of those whose names, or reasons, `by` finds.

    What stands `is_else` is for those that no `by` of the kind finds; `text` can name facts of the statement and groups
    of `by`; `shows` is the command that shows more, or `hold` for that of the hold.
    """

    kind: str
    action: str
    text: str
    by: str = ""
    is_else: bool = False
    shows: str = ""


def _mended(found: Held, care: Care, cluster: Cluster) -> tuple[Held, Helps]:
    return with_culprit(found, care), tuple(mending(care, cluster))


def helped(
    found: Held,
    was: Pod | None,
    cluster: Cluster,
    made_of: KubernetesObject | None = None,
    pod: Pod | None = None,
    then: OnceAdmitted | None = None,
    mend: _Mending = _mended,
) -> tuple[Held, Helps]:
    """The finding with who should see to it and does not, and what would help: to get that one running comes first.

    `pod` is what is tried in place of the pod as it `was` read; without either it is work that has none. `mend` knows
    more of why that one does not run, and what would help.
    """
    info = cluster.node_info_by_name.get(found.hold.node)
    there = info.node if info else None
    helps = tuple(freeing(was, cluster)) if was and found.kind is Kind.VOLUME_NOT_ATTACHED else ()
    further = elsewhere(found, was, cluster) if was else ()
    helps = _in_order(found, further, helps or helping(found, pod or was, made_of, then, there))
    if beyond := beyond_all_nodes(found, cluster):
        found, helps = beyond
    if was and any(each.rank is Rank.BY_ITSELF for each in helps) and _ends_again(was, cluster):
        helps = tuple(each for each in helps if each.rank is not Rank.BY_ITSELF)
    care = keeper_of(found, was, cluster)
    found, first = mend(found, care, cluster) if care else (found, ())
    return found, (*first, *helps)


def _in_order(found: Held, further: Iterable[Remedy], others: Iterable[Remedy]) -> Helps:
    """What is to be done about a node says more than that nodes differ, unless a label tells them apart."""
    is_of_node = any(each.by and (each.action in _ON_NODES or "reported" in found.facts) for each, _ in _found(found))
    return (*others, *further) if is_of_node and not found.facts.get("apart", {}).get("label") else (*further, *others)


def on_its_node(pod: Pod, cluster: Cluster, mend: _Mending) -> tuple[Held | None, Helps]:
    """Why a pod does not run on its node, as its status says it, and what would help; nothing where that is open."""
    held = stopped(pod, (), cluster)
    is_open = held is None or held.facts["type"] == "containers-not-ready"
    return (None, ()) if held is None or is_open else helped(held, pod, cluster, mend=mend)


def all_helped(
    pods: Iterable[Pod], cluster: Cluster, events: Iterable[Event], mend: _Mending = _mended
) -> Iterator[tuple[Pod, Held, Helps]]:
    """The pods that have a node and do not run, with what would help the first of those that fare alike."""
    every = all_stopped(pods, cluster, events)
    alike = grouped(((found.kind, found.hold.text), (pod, found)) for pod, found in every)
    for number, same in enumerate(alike.values()):
        for place, (pod, found) in enumerate(same):
            helps = () if place or number >= _HELPED else helped(found, pod, cluster, mend=mend)[1]
            yield pod, with_runs(found, pod, cluster), helps


def _found(found: Held) -> list[tuple[_Help, dict[str, str]]]:
    """The rows of the table with the facts that their texts may name, those of everybody first."""
    held = found.hold
    short = held.quota[0].resource if held.quota else "what is short"
    known = {name: fact for name, fact in found.facts.items() if isinstance(fact, str)}
    known |= {"queue": held.queue or "default", "by": held.by, "node": held.node, "short": short}
    said = f"{held.by} {held.reason} {held.message} {found.facts['type']}"
    table = (each for each in records(__file__, "held", _Help) if each.kind == held.kind)
    every = [(each, made) for each in table if (made := search(each.by, said))]
    is_known = any(each.by for each, _ in every)
    rows = ((each, {**known, **made.groupdict()}) for each, made in every if not (each.is_else and is_known))
    return sorted(rows, key=lambda row: bool(row[0].by))


def of_work(found: Held) -> Iterator[Remedy]:
    """What helps against what a queue or a kubelet says, by the table, after what is about these very objects."""
    held = found.hold
    if held.fix:
        commands = (held.command,) if held.kind is Kind.STUCK_TERMINATING else ()
        yield advice("queue", held.fix, action=_FIXES.get(held.kind, Action.CHANGE_QUEUE), commands=commands)
    if held.fix and held.kind in (Kind.QUEUE_MISCONFIGURED, Kind.QUEUE_STOPPED, Kind.GROUP_INCOMPLETE):
        return
    for each, facts in _found(found):
        # Nothing that is wrong goes away by itself, and what is said of the very queue is not said again of queues.
        is_unbound = "{queue}" in each.text and not held.quota
        if not ((held.fix and each.action in (Action.WAIT, Action.CHANGE_QUEUE)) or is_unbound):
            shows = held.command if each.shows == "hold" else filled(each.shows, facts)
            rank, lines = Rank.BY_ITSELF if each.action == Action.WAIT else Rank.MENDS, (shows,) if shows else ()
            yield Remedy(action=each.action, text=each.text.format(**facts), rank=rank, commands=lines)


def ended_again(pods: Iterable[Pod], makers: Collection[str | None], cluster: Cluster) -> tuple[Held, Helps] | None:
    """That kubelets turn away, or evict, each pod that one of these controllers makes, and what helps; None if not."""
    failed = [each for each in pods if each.status.phase == "Failed"]
    found = over_again((pod for pod in failed if (by := pod.metadata.controller) and by.uid in makers), cluster)
    if found is None:
        return None
    pod = next(each for each in failed if found.hold.object == f"Pod {each.key}")
    found, helps = helped(with_other_nodes(found, pod, cluster), None, cluster)
    return found, (*elsewhere(found, pod, cluster), *helps)


def _ends_again(pod: Pod, cluster: Cluster) -> bool:
    """Whether kubelets turn away, or evict, one pod of its workload after the other."""
    every = (each for each in cluster.listers.every(Pod) if each.status.phase == "Failed" and are_siblings(pod, each))
    return over_again(every, cluster) is not None


def helping(
    held: Held, pod: Pod | None, made_of: KubernetesObject | None, then: OnceAdmitted | None, there: Node | None = None
) -> Iterator[Remedy]:
    """What would help, first what happens by itself."""
    if pod is None:
        yield from of_work(held)
        return
    if held.kind is Kind.SUSPENDED:
        yield _starting(pod, made_of)
        return
    if held.kind is Kind.STUCK_TERMINATING:
        stuck = made_of if isinstance(made_of, Pod) else pod
        owner = stuck.metadata.controller
        lost = letting_go(stuck, there, then, is_awaited=owner is None or owner.kind == "StatefulSet")
        yield from stopping(stuck) if held.hold.by == KUBELET else lost
        return
    anew = [_anew(held, pod, then)] if held.kind in _ANEW else []
    yield from sorted((*anew, *of_work(held)), key=lambda each: each.rank)


#: What is over for the pod on its node, and open to another one in its place.
_ANEW = (Kind.TURNED_AWAY, Kind.RESIZE_DEFERRED, Kind.RESIZE_INFEASIBLE, Kind.PREEMPTED, Kind.EVICTED)


def _starting(pod: Pod, made_of: KubernetesObject | None) -> Remedy:
    """A Job that is not suspended any longer; it may be known by its pod only."""
    owner, job = pod.metadata.controller, made_of if isinstance(made_of, Job) else None
    name = job.name if job else (owner.name or "") if owner else ""
    is_stored = job is None or bool(job.metadata.uid)
    return advice("start-job", name, pod.namespace, has_command=is_stored and bool(name))


def _anew(held: Held, pod: Pod, then: OnceAdmitted | None) -> Remedy:
    """Another pod in place of this one, where its controller makes one."""
    nodes = tuple(then.nodes) if then is not None else ()
    owner, fits = pod.metadata.controller, bool(nodes) or then is None
    lives = held.kind in (Kind.RESIZE_DEFERRED, Kind.RESIZE_INFEASIBLE)
    if owner is None:
        return advice("anew/by-hand", fits, nodes=nodes, rank=Rank.MOVES if lives else Rank.MENDS)
    if lives:
        return advice("anew/delete", owner, fits, pod.name, pod.namespace, nodes=nodes)
    return advice("anew/by-itself", owner, fits, nodes=nodes)
