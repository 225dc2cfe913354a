"""Changes tried: applied to the cluster's objects, and the pod decided anew through the whole cycle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.errors import KexplainError
from kexplain.explain.changes import AnyStep, Change, PodStep, Step, Target, change, edited, target_of
from kexplain.explain.commands import commands
from kexplain.explain.records import Remedy
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Node, Pod, ReplicationController
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.objects.quantity import QuantityError
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.placing import place

#: How many nodes may be looked at in all trials of a run: with many nodes or pods, fewer things are tried for each.
NODES_LOOKED_AT = 60_000
#: What a trial costs even if there are few nodes, as so many of them.
LEAST_NODES = 50
MOST_TRIALS = 80

_OWNERS: tuple[type[KubernetesObject], ...] = (
    Deployment,
    ReplicaSet,
    StatefulSet,
    DaemonSet,
    ReplicationController,
    Job,
    CronJob,
)
Remake = Callable[[KubernetesObject], Pod]


class Tried(Struct, frozen=True):
    """Steps that are enough: what they change, where the pod then lands, and the cluster with it there."""

    steps: tuple[AnyStep, ...]
    changes: tuple[Change, ...]
    decision: Decision
    scheduler: Scheduler
    cluster: Cluster
    evicted: tuple[Pod, ...] = ()

    def remedy(self, action: str, text: str, nodes: Sequence[str] = ()) -> Remedy:
        """What is reported: the node where the pod lands is among the nodes that it fits on."""
        host = self.decision.host
        shorter: dict[Target, list[str]] = {}
        for step in self.steps:
            if isinstance(step, Step) and step.command:
                for each in self.changes:
                    if (each.target.kind, each.target.name) == (step.kind.__name__, step.name):
                        shorter.setdefault(each.target, []).append(step.command)
        return Remedy(
            action=action,
            text=text,
            nodes=tuple(nodes) if host in nodes else (host, *nodes),
            tried=True,
            changes=self.changes,
            commands=commands(self.changes, shorter),
        )


@dataclass(slots=True)
class Trials:
    """The trials for one decision; `made_of` is what the pod was made of, and `remake` makes it again."""

    decision: Decision
    scheduler: Scheduler | None = None
    made_of: KubernetesObject | None = None
    remake: Remake | None = None
    sharing: int = 1
    gave_up: bool = False
    _left: int = field(init=False)
    #: The same scheduler, which looks for no room: whether a pod fits does not depend on it, and it takes longest.
    _calm: Scheduler | None = field(init=False)
    #: Every pod of the cluster by namespace and name, once one is asked for.
    _pods: dict[tuple[str, str], Pod] = field(init=False, default_factory=dict)
    #: What a change of the pod is written for, and what the pod is made of, which it is tried on.
    _target: KubernetesObject = field(init=False)
    _source: KubernetesObject = field(init=False)

    def __post_init__(self) -> None:
        nodes = len(self.decision.cluster.node_infos) + LEAST_NODES
        self._left = min(NODES_LOOKED_AT // (nodes * max(self.sharing, 1)), MOST_TRIALS)
        self._calm = self.scheduler.without_post_filter() if self.scheduler else None
        made_of = self.made_of or self.decision.pod
        self._source = made_of
        self._target = _owner(self.decision) or made_of if isinstance(made_of, Pod) else made_of

    @property
    def can_try(self) -> bool:
        """Whether anything can be tried: extenders that are asked over HTTP are not asked about what might be."""
        return self._left > 0 and self.scheduler is not None and not self.scheduler.connected_extenders

    def attempt(self, steps: Sequence[AnyStep], *, may_preempt: bool = False) -> Tried | None:
        """What the steps lead to if they are enough; None if not, or once too much has been tried."""
        if self.scheduler is None or self._calm is None or not self.can_try:
            return None
        if self._left <= 0:
            self.gave_up = True
            return None
        self._left -= 1
        try:
            pod, cluster, changes = self._applied(steps)
            start = self.decision.sampling.start_index % max(len(cluster.node_infos), 1)
            if not may_preempt:
                decision = self._calm.schedule(pod, cluster, start)
                if decision.outcome is not Outcome.SCHEDULED:
                    return None
                return Tried(tuple(steps), changes, decision, self.scheduler, self.scheduler.assume(decision))
            placed = place(self.scheduler, cluster, pod, start)
        except (KexplainError, QuantityError, msgspec.ValidationError, LookupError):
            # What cannot be made, an API server would not take either.
            return None
        if placed.decision.outcome is not Outcome.SCHEDULED:
            return None
        evicted = tuple(each.pod for each in placed.evicted)
        return Tried(tuple(steps), changes, placed.decision, self.scheduler, placed.cluster, evicted)

    def needed(self, steps: Sequence[AnyStep]) -> Tried | None:
        """What the steps lead to if they are enough, and none of them is there in vain."""
        tried = self.smallest(steps)
        return tried if tried is not None and len(tried.steps) == len(steps) else None

    def smallest(self, steps: Sequence[AnyStep]) -> Tried | None:
        """The steps, if they are enough and each of them is needed."""
        tried = self.attempt(steps)
        if tried is None:
            return None
        for index in range(len(steps)):
            fewer = [*steps[:index], *steps[index + 1 :]]
            if fewer and (enough := self.smallest(fewer)) is not None:
                return enough
        return tried

    def places(self, tried: Tried, pods: Iterable[Pod]) -> Iterator[tuple[Pod, str]]:
        """Where pods that had to leave go then, all together; an empty name for those that find no place."""
        cluster, scheduler = tried.cluster, tried.scheduler.without_post_filter()
        for pod in pods:
            anew = replace(pod, spec=replace(pod.spec, node_name=None), status=replace(pod.status, phase="Pending"))
            decision = scheduler.schedule(anew, cluster)
            if decision.outcome is Outcome.SCHEDULED:
                cluster = scheduler.assume(decision)
            yield pod, decision.host

    def _applied(self, steps: Sequence[AnyStep]) -> tuple[Pod, Cluster, tuple[Change, ...]]:
        own, source = self._target, self._source
        cluster = self.decision.cluster
        before: dict[tuple[type[KubernetesObject], str, str], KubernetesObject | None] = {}
        after: dict[tuple[type[KubernetesObject], str, str], KubernetesObject | None] = {}
        for step in steps:
            if isinstance(step, PodStep):
                own, source = edited(own, step.edit), edited(source, step.edit)
                continue
            key = (step.kind, step.namespace, step.name)
            if key not in before:
                before[key] = after[key] = self._found(*key)
            if step.created is not None:
                after[key] = step.created
            else:
                after[key] = step.edit(after[key]) if step.edit is not None and after[key] is not None else None
        following = {
            (each.kind, each.namespace, each.name) for each in steps if isinstance(each, Step) and each.follows
        }
        namespace = self.decision.pod.namespace
        pairs = [
            (self._target.in_namespace(namespace), own.in_namespace(namespace)),
            *((before[key], after[key]) for key in before if key not in following),
        ]
        changes = tuple(each for pair in pairs if (each := change(*pair)))
        pod = self.decision.pod if source is self._source else self._made_again(source)
        return pod, _changed(cluster, before, after), changes

    def _found(self, kind: type[KubernetesObject], namespace: str, name: str) -> KubernetesObject | None:
        cluster = self.decision.cluster
        if kind is Node:
            node_info = cluster.node_info_by_name.get(name)
            return node_info.node if node_info else None
        if kind is Pod:
            if not self._pods:
                placed = (info.pod for node_info in cluster.node_infos for info in node_info.pods)
                self._pods = {(pod.namespace, pod.name): pod for pod in placed}
            return self._pods.get((namespace, name))
        return cluster.listers.get(kind, name, namespace)

    def _made_again(self, changed: KubernetesObject) -> Pod:
        pod = self.decision.pod
        if self.remake is not None:
            made = self.remake(changed)
        elif isinstance(changed, Pod):
            made = changed
        else:
            raise LookupError(target_of(changed).kind)
        # The claims of a pod are those of its own name, which another pod of the same workload does not have.
        is_own = not isinstance(changed, StatefulSet)
        spec = made.spec if is_own else replace(made.spec, volumes=pod.spec.volumes)
        return replace(made, metadata=pod.metadata, status=pod.status, spec=spec)


_Objects = dict[tuple[type[KubernetesObject], str, str], KubernetesObject | None]


def _changed(cluster: Cluster, before: _Objects, after: _Objects) -> Cluster:
    nodes = [each for each in after.values() if isinstance(each, Node)]
    others = [each for each in after.values() if not isinstance(each, Node | Pod | None)]
    cluster = cluster.without([each for key, each in before.items() if isinstance(each, Pod) and after[key] is None])
    cluster = cluster.replacing(others) if others else cluster
    cluster = cluster.with_nodes(nodes) if nodes else cluster
    for key, pod in after.items():
        if isinstance(pod, Pod) and before[key] is None:
            cluster = cluster.assume(pod, pod.spec.node_name or "")
    return cluster


def _owner(decision: Decision) -> KubernetesObject | None:
    """The workload that makes the pod, as far as the cluster shows it."""
    found: KubernetesObject | None = None
    owner: OwnerReference | None = decision.pod.metadata.controller
    while owner is not None:
        kind = next((each for each in _OWNERS if each.__name__ == owner.kind), None)
        above = decision.cluster.listers.get(kind, owner.name or "", decision.pod.namespace) if kind else None
        if above is None:
            break
        found = above
        owner = above.metadata.controller
    return found
