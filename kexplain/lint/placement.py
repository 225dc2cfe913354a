"""Whether every replica finds a node: what the manifests add to the cluster, and what they replace in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission.optional_plugins import AdmissionPlugin
from kexplain.bounds import MAX_COPIES
from kexplain.case import Case, PodToPlace, case_of
from kexplain.case.daemon_pods import daemon_pods
from kexplain.explanation import explain
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Decision, Outcome
from kexplain.lint.rollouts import Limits, limits
from kexplain.lint.running_pods import RunningPods
from kexplain.lint.subjects import Workload
from kexplain.load import Loaded
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Node, Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import after, simulate

#: With more pods times nodes than this, no more nodes than kube-scheduler ever does are ranked for each pod.
_RANKED_IN_FULL = 1_000_000
_FEWEST = 1
#: With more than this none are: a pod goes to the first node that takes it.
_RANKED_AT_ALL = 5_000_000


class Placement(Struct):
    """What became of a workload's pods; the explanation is of the first that was left over, or that must preempt."""

    workload: Workload
    tried: int = 0
    placed: int = 0
    preempting: int = 0
    #: Nodes that pods of a DaemonSet are left over for.
    nodes: list[str] = msgspec.field(default_factory=list)
    #: Set where it is not the pods as such that are left over, but those of a rolling update beside the old ones.
    rollout: Limits | None = None
    outcome: Outcome = Outcome.SCHEDULED
    explanation: PodExplanation | None = None

    @property
    def left_over(self) -> int:
        """Pods that find no node, not even by evicting others."""
        return self.tried - self.placed - self.preempting

    def note(self, decision: Decision) -> bool:
        """Count a decision; whether the pod is on a node now."""
        self.tried += 1
        if decision.host:
            self.placed += 1
            return True
        self.preempting += bool(decision.nominated_node)
        # What cannot be placed at all says more than what can be by evicting others.
        if self.explanation is None or (not decision.nominated_node and self.outcome is Outcome.SCHEDULED):
            self.explanation = explain(decision)
        if not decision.nominated_node:
            self.outcome = decision.outcome
        return False


def place(
    workloads: Sequence[Workload],
    manifests: Loaded,
    around: Loaded,
    scheduler: Scheduler,
    *,
    namespace: str,
    left_out: Collection[int] = (),
    plugins: Collection[AdmissionPlugin] = (),
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Placement], str]:
    """What becomes of each workload, in the order given, but for those without pods to place; and a note, if any.

    Objects are left out by their ids.

    What runs already is replaced first, one workload after the other; what is new comes behind it, in queue order.
    """
    counts = {id(each.obj): _count(each) for each in workloads if not each.spec.node_name}
    nodes = sum(1 for obj in (*manifests.objects, *around.objects) if isinstance(obj, Node))
    quick, note = _quickened(scheduler, sum(counts.values()) * nodes)
    case = case_of(manifests, around, counts, quick, namespace=namespace, left_out=left_out, plugins=plugins)
    return _Placing(case, workloads, progress).run(), note


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
    """How many pods to make: of a DaemonSet one, as a pattern."""
    return 1 if workload.runs_everywhere else min(workload.replicas or 0, MAX_COPIES)


class _Placing:
    """The cluster as it fills up."""

    def __init__(
        self,
        case: Case,
        workloads: Sequence[Workload],
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._cluster = case.cluster
        self._scheduler = case.scheduler
        self._start_index = 0
        self._progress = progress
        self._running = RunningPods(pod_info.pod for info in case.cluster.node_infos for pod_info in info.pods)
        self._pods: dict[int, list[PodToPlace]] = {}
        for pod in case.pods:
            self._pods.setdefault(id(pod.made_of), []).append(pod)
        self._workloads = [each for each in workloads if id(each.obj) in self._pods]
        self._node_by_pod: dict[int, str] = {}
        self._total = len(case.pods)
        self._done = 0

    def run(self) -> list[Placement]:
        placements = []
        new: list[tuple[Placement, Pod]] = []
        for workload in self._workloads:
            placement = Placement(workload)
            placements.append(placement)
            pods = self._pods_of(workload)
            old = self._running.of(workload)
            bounds = limits(workload.obj) if isinstance(workload.obj, Deployment) else None
            if old and bounds is not None:
                self._roll_out(placement, pods, old, bounds)
            else:
                # The old ones are gone before the new ones come, if not all at once.
                self._cluster = self._cluster.without(old)
                new += [(placement, pod) for pod in pods]
        placement_by_pod = {id(pod): placement for placement, pod in new}
        for decision in self._decisions([pod for _, pod in new]):
            placement = placement_by_pod[id(decision.pod)]
            if not placement.note(decision) and placement.workload.runs_everywhere and not decision.nominated_node:
                placement.nodes.append(self._node_by_pod[id(decision.pod)])
        return placements

    def _pods_of(self, workload: Workload) -> list[Pod]:
        pods = [each.pod for each in self._pods[id(workload.obj)]]
        if not workload.runs_everywhere:
            return pods
        made = list(daemon_pods(pods[0], [info.node for info in self._cluster.node_infos]))
        self._node_by_pod |= {id(pod): node.name for node, pod in made}
        return [pod for _, pod in made]

    def _decisions(self, pods: Sequence[Pod]) -> Iterator[Decision]:
        """Decisions in queue order; the cluster is as the last one left it afterwards."""
        last: Decision | None = None
        for decision in simulate(self._scheduler, self._cluster, pods, self._start_index):
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
            yield decision
            last = decision
        if last is not None:
            self._start_index = last.sampling.next_start_index
            self._cluster = after(last, self._scheduler)

    def _roll_out(self, placement: Placement, pods: Sequence[Pod], old: Sequence[Pod], bounds: Limits) -> None:
        """New pods in place of old ones, as many at a time as the bounds allow, until nothing moves any more."""
        replicas = len(pods)
        waiting, leaving = list(pods), list(old)
        running = 0
        while waiting:
            # Old pods go as soon as enough others are there.
            spare = len(leaving) + running - (replicas - bounds.unavailable)
            gone, leaving = leaving[: max(spare, 0)], leaving[max(spare, 0) :]
            self._cluster = self._cluster.without(gone)
            room = replicas + bounds.surge - len(leaving) - running
            batch, waiting = waiting[: max(room, 0)], waiting[max(room, 0) :]
            stuck = []
            last: Decision | None = None
            for decision in self._decisions(batch):
                if decision.host:
                    running += 1
                else:
                    stuck.append(decision.pod)
                    last = last or decision
            waiting = [*stuck, *waiting]
            if len(stuck) == len(batch) and not gone:
                self._give_up(placement, replicas, running, last, bounds)
                return
        placement.tried = placement.placed = replicas

    def _give_up(
        self, placement: Placement, replicas: int, running: int, last: Decision | None, bounds: Limits
    ) -> None:
        placement.tried, placement.placed, placement.rollout = replicas, running, bounds
        if last is not None:
            placement.preempting = 1 if last.nominated_node else 0
            placement.explanation = explain(last)
            placement.outcome = last.outcome
