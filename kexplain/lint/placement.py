"""Whether every replica finds a node: what the manifests add to the cluster, and what they replace in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from kexplain.bounds import MAX_COPIES
from kexplain.case.case_builder import Contents
from kexplain.case.daemon_pods import pinned_node
from kexplain.case.notes import operator_notes
from kexplain.explanation import ExplainOptions, explain
from kexplain.explanation.missing_objects import rests_on
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Decision, Outcome
from kexplain.grouping import grouped
from kexplain.lint.options import LintOptions
from kexplain.lint.subjects import Workload, describes_cluster
from kexplain.load import Loaded
from kexplain.objects.batch import Job
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.by_itself import coming
from kexplain.remedies.new_nodes import new_nodes
from kexplain.scheduler.cycle import Scheduler
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.members import Refused, Rollout
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World

#: With more pods times nodes than this, no more nodes than kube-scheduler ever does are ranked for each pod.
_RANKED_IN_FULL = 1_000_000
_FEWEST = 1
#: With more than this none are: a pod goes to the first node that takes it.
_RANKED_AT_ALL = 5_000_000


class Placement(Struct):
    """What became of a workload: how far it got, or why it is not taken at all.

    The explanation is of the first pod that is left over, or else of the first that had to evict `victims`.
    """

    workload: Workload
    rollout: Rollout | None = None
    refused: Refused | None = None
    preempting: int = 0
    victims: tuple[str, ...] = ()
    explanation: PodExplanation | None = None
    #: Of pods that are not created: why no node would take one either.
    besides: PodExplanation | None = None
    #: Nodes that pods of a DaemonSet are left over for.
    nodes: tuple[str, ...] = ()
    #: Whether Karpenter may add a node for those that are left over, of which there is nothing to explain then.
    awaits_node: bool = False
    #: Whether it is beside another one, with as many replicas as autoscalers give workloads at most.
    is_at_most: bool = False

    @property
    def may_grow(self) -> bool:
        """Whether all replicas fit, and an autoscaler of the manifests may ask for more."""
        return self.rollout is not None and not self.rollout.short and self.workload.most > self.rollout.desired

    @property
    def tried(self) -> int:
        """How many pods were wanted."""
        return self.rollout.desired if self.rollout else 0

    @property
    def outcome(self) -> Outcome:
        """What became of those that are left over."""
        return Outcome(self.explanation.outcome) if self.explanation else Outcome.SCHEDULED


def place(
    workloads: Sequence[Workload],
    manifests: Loaded,
    around: Loaded,
    scheduler: Scheduler,
    left_out: Collection[int],
    options: LintOptions,
) -> tuple[list[Placement], tuple[str, ...]]:
    """What becomes of each workload, in the order given, but for those that make no pods; and notes.

    Objects are left out by their ids. All manifests are applied at once.
    """
    placed = [each for each in workloads if not each.spec.node_name]
    pods = sum(map(_count, placed))
    nodes = sum(isinstance(obj, Node) for obj in around.objects)
    quick, note = _quickened(scheduler, pods * nodes)
    contents = Contents(manifests + around, around.objects, quick, options.namespace, options.plugins)
    progress = options.progress
    heard = None if progress is None else lambda landed: progress(min(landed, pods), pods)
    asked = [obj for obj in manifests.objects if id(obj) not in left_out and not describes_cluster(obj)]
    followed = _settled(contents, asked, workloads, heard)
    notes = rests_on((each.pod for each in followed.pods if not each.pod.metadata.uid), followed.cluster)
    notes = (*operator_notes(each.obj for each in placed), *notes)
    placements = [*_placements(placed, followed)]
    if grown := [replace(each.workload, replicas=each.workload.most) for each in placements if each.may_grow]:
        placements += _at_most(grown, _settled(contents, asked, [*workloads, *grown]))
    return placements, (*([note] if note else []), *_capped(placed), *notes)


def _capped(workloads: Sequence[Workload]) -> Iterator[str]:
    """Of which workloads not all replicas are placed."""
    for each in workloads:
        if not each.runs_everywhere and (each.replicas or 0) > MAX_COPIES:
            yield f"of {each.replicas} replicas of {each.name}, {MAX_COPIES} are placed: more than enough to tell"


def _at_most(grown: Sequence[Workload], followed: Followed) -> Iterator[Placement]:
    """Those that do not all fit with as many replicas as autoscalers give workloads at most."""
    for each in _placements(grown, followed):
        if each.rollout and each.rollout.short and not each.awaits_node:
            yield replace(each, is_at_most=True)


def _settled(
    contents: Contents,
    asked: Sequence[KubernetesObject],
    workloads: Sequence[Workload],
    listener: Callable[[int], None] | None = None,
) -> Followed:
    """What becomes of the objects asked for, those of workloads with as many replicas as these have."""
    applied = {id(each.obj): _applied(each) for each in workloads}
    objects = (applied.get(id(obj), obj).in_namespace(contents.namespace) for obj in asked)
    return World(ReadObjects(contents)).after([partial(_apply, obj) for obj in objects]).settled(listener=listener)


def _apply(obj: KubernetesObject, after: EditedCluster) -> None:
    """A manifest as it is applied; of a pod that is there already it is asked whether it would find a place again."""
    if isinstance(obj, Pod) and (known := after.known(obj)) is not None:
        after.remove(known)
    after.add(obj)


def _quickened(scheduler: Scheduler, pairs: int) -> tuple[Scheduler, str]:
    """A scheduler that is done in time with so many pairs of pods and nodes, and what it does otherwise.

    What a node takes is decided as ever; which of many nodes a pod is put on may be another.
    """
    if pairs > _RANKED_AT_ALL:
        profiles = {name: replace(profile, pre_score=(), score=()) for name, profile in scheduler.profiles.items()}
        note = "with so many replicas and nodes, each goes to the first node that takes it, not to the best one"
        return replace(scheduler, profiles=profiles), note
    if pairs > _RANKED_IN_FULL and not scheduler.percentage_of_nodes_to_score:
        note = "with so many replicas and nodes, each goes to the best of a hundred nodes that take it"
        return replace(scheduler, percentage_of_nodes_to_score=_FEWEST), note
    return scheduler, ""


def _count(workload: Workload) -> int:
    """How many pods it makes; of a DaemonSet one, as a pattern."""
    return 1 if workload.runs_everywhere else min(workload.replicas or 0, MAX_COPIES)


def _applied(workload: Workload) -> KubernetesObject:
    """The object with as many replicas as it has at least, and no more than can be followed."""
    if isinstance(workload.obj, Pod):
        return workload.pod
    spec = getattr(workload.obj, "spec", None)
    if workload.replicas is None or spec is None:
        return workload.obj
    wanted = min(workload.replicas, MAX_COPIES)
    if isinstance(workload.obj, Job) and wanted < workload.replicas:
        return replace(workload.obj, spec=replace(workload.obj.spec, parallelism=wanted))
    if hasattr(spec, "replicas") and (spec.replicas if spec.replicas is not None else 1) != wanted:
        return replace(workload.obj, spec=replace(spec, replicas=wanted))
    return workload.obj


def _placements(workloads: Sequence[Workload], followed: Followed) -> Iterator[Placement]:
    rollouts = {(each.kind, each.namespace, each.name): each for each in followed.rollouts}
    refused = {(obj.kind, obj.namespace, obj.name): why for obj, why in followed.refused}
    facts = _Facts(followed)
    # Of two manifests of one object, the one applied last holds.
    last = {(each.obj.kind, each.namespace, each.obj.name or id(each)): each for each in workloads}
    for workload in last.values():
        key = (workload.obj.kind, workload.namespace, _name(workload))
        rollout = rollouts.get(key)
        if rollout is not None:
            yield facts.placement(workload, rollout)
        elif key in refused:
            yield Placement(workload, refused=refused[key], besides=facts.besides(workload))


def _name(workload: Workload) -> str:
    return workload.pod.name if isinstance(workload.obj, Pod) else workload.obj.name


class _Facts:
    """What is known of all pods that were tried."""

    def __init__(self, followed: Followed) -> None:
        self._followed = followed
        self._last = followed.last_decisions
        made_of = {each.pod.key: _made_of(each.made_of) for each in followed.pods}
        evicting = (attempt.decision for attempt in followed.settled.attempts if attempt.evicted)
        self._evicting = grouped((made_of.get(decision.pod.key, ""), decision) for decision in evicting)

    def placement(self, workload: Workload, rollout: Rollout) -> Placement:
        """The placement of a workload that got so far."""
        stuck = next((found for pod in rollout.waiting if (found := self._last.get(pod.key)) is not None), None)
        evicting = self._evicting.get(_made_of(workload.obj), [])
        shown = stuck or (evicting[0] if evicting else None)
        explanation = _explained(shown) if shown is not None else None
        awaits = bool(stuck and explanation and any(coming(new_nodes(stuck, None), explanation.causes)))
        return Placement(
            workload,
            rollout,
            preempting=len(evicting),
            victims=tuple(victim.key for victim in evicting[0].victims) if evicting else (),
            explanation=None if awaits else explanation,
            besides=self.besides(workload) if rollout.not_created and not (rollout.placed or stuck) else None,
            nodes=tuple(map(pinned_node, rollout.waiting)) if workload.runs_everywhere else (),
            awaits_node=awaits,
        )

    def besides(self, workload: Workload) -> PodExplanation | None:
        """Why no node would take a pod of the workload, were it created; None if one would."""
        decision = self._followed.tried(workload.obj)
        return None if decision.host or decision.nominated_node else _explained(decision)


def _explained(decision: Decision) -> PodExplanation:
    return explain(decision, ExplainOptions(seeks_help=False))


def _made_of(obj: KubernetesObject | None) -> str:
    return f"{obj.kind}/{obj.name}" if obj is not None else ""
