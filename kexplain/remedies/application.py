"""Changes applied to the objects of one decision: the pod and the cluster as they would be then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.changes import Change, Target
from kexplain.objects.core import Node, Pod, ReplicationController
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.remedies.changes import AnyStep, PodStep, Step, change, edited, has_identity, makes, target_of
from kexplain.remedies.commands import commands, deletion_of
from kexplain.remedies.controllers import as_made, to_recreate, with_template_of, yet_to_be_made_of

_OWNERS: tuple[type[KubernetesObject], ...] = (
    Deployment,
    ReplicaSet,
    StatefulSet,
    DaemonSet,
    ReplicationController,
    Job,
    CronJob,
)
#: Kinds that leave the pods they have alone, or at least those that have not started, when their template changes.
_KEEPING_PODS = (ReplicaSet, ReplicationController, StatefulSet)

Remake = Callable[[KubernetesObject], Pod]
_Key = tuple[type[KubernetesObject], str, str]
_Objects = dict[_Key, KubernetesObject | None]


class Applied(NamedTuple):
    """What steps come to."""

    pod: Pod
    cluster: Cluster
    changes: tuple[Change, ...]


class Applying:
    """Steps applied to what was decided about; the pod was made of `made_of`, and `remake` makes it again of that."""

    def __init__(self, decision: Decision, made_of: KubernetesObject, remake: Remake | None = None) -> None:
        self.decision, self.made_of, self.remake = decision, made_of, remake
        makers = _makers(decision) if isinstance(made_of, Pod) else ()
        #: What a change of the pod is written for: the workload behind it, with a job that it has made already, or
        #: what the pod was made of.
        self._targets = tuple(each.in_namespace(decision.pod.namespace) for each in makers or (made_of,))
        #: The steps that were applied last, and what they came to.
        self._last: tuple[Sequence[Step], tuple[Cluster, tuple[Change, ...]]] | None = None

    def apply(self, steps: Sequence[AnyStep]) -> Applied:
        """What the steps come to.

        Raises KexplainError, QuantityError, ValidationError or LookupError where they cannot be made.
        """
        others = [step for step in steps if isinstance(step, Step)]
        of_templates = [step for step in others if self._template_of(step)]
        pod, of_pod = self._changed_pod([step for step in steps if isinstance(step, PodStep)], of_templates)
        cluster, of_others = self._changed_cluster(others)
        return Applied(pod, cluster, (*of_pod, *of_others))

    def _template_of(self, step: Step) -> str:
        """The name of the template that the claim of a step is yet to be made of; empty if it is no such claim."""
        found = self._found(step.kind, step.namespace, step.name) if step.kind is PersistentVolumeClaim else None
        return yet_to_be_made_of(found, self.decision.pod) if isinstance(found, PersistentVolumeClaim) else ""

    def _changed_cluster(self, steps: Sequence[Step]) -> tuple[Cluster, tuple[Change, ...]]:
        """The cluster after the steps, and the changes for them; what was asked for last is often asked for again."""
        if self._last is None or [*map(id, self._last[0])] != [*map(id, steps)]:
            self._last = (steps, self._others(steps))
        return self._last[1]

    def _others(self, steps: Sequence[Step]) -> tuple[Cluster, tuple[Change, ...]]:
        before: _Objects = {}
        after: _Objects = {}
        for step in steps:
            key = (step.kind, step.namespace, step.name)
            if key not in before:
                before[key] = after[key] = self._found(*key)
            after[key] = _done(step, after[key])
        following = {
            (step.kind, step.namespace, step.name)
            for step in steps
            if step.follows or step.is_by_hand or self._template_of(step)
        }
        changes = (change(before[key], after[key]) for key in before if key not in following)
        return _changed(self.decision.cluster, before, after), tuple(each for each in changes if each)

    def commands(self, steps: Sequence[AnyStep], changes: Sequence[Change]) -> tuple[str, ...]:
        """The changes for a shell; what is a manifest still is for an editor."""
        own = {target_of(each) for each in self._targets}
        shorter: dict[Target, list[str]] = {}
        for step in steps:
            if isinstance(step, Step) and step.command:
                for each in changes:
                    if (each.target.kind, each.target.name) == (step.kind.__name__, step.name):
                        shorter.setdefault(each.target, []).append(step.command)
        lines = tuple(dict.fromkeys(commands([each for each in changes if not each.in_manifest], shorter)))
        is_kept = isinstance(self._targets[0], _KEEPING_PODS) and isinstance(self.made_of, Pod)
        if is_kept and has_identity(self.made_of) and any(each.target in own for each in changes):
            return (*lines, deletion_of(target_of(self.made_of)))
        return lines

    def _changed_pod(self, steps: Sequence[PodStep], of_templates: Sequence[Step]) -> tuple[Pod, tuple[Change, ...]]:
        """The pod made again, and the changes for it. Raises LookupError where nothing can be changed for it."""
        every, source = list(self._targets), self.made_of
        for step in steps:
            old, old_source = every, source
            every, source = [edited(each, step.edit) for each in every], edited(source, step.edit)
            if change(old_source, source) and not change(old[0], every[0]):
                raise LookupError(every[0].name)
        for of_template in of_templates:
            every = [with_template_of(each, of_template, self._template_of(of_template)) for each in every]
        pairs = zip(self._targets, every, strict=True)
        changes = tuple(each for before, after in pairs if (each := _own_change(before, after)))
        return (self._made_again(source) if steps and changes else self.decision.pod), changes

    def _found(self, kind: type[KubernetesObject], namespace: str, name: str) -> KubernetesObject | None:
        cluster = self.decision.cluster
        if kind is Node:
            node_info = cluster.node_info_by_name.get(name)
            return node_info.node if node_info else None
        if kind is Pod:
            placed = cluster.placed_pods.named(namespace, name)
            return placed.pod if placed else None
        return cluster.listers.get(kind, name, namespace)

    def _made_again(self, changed: KubernetesObject) -> Pod:
        pod = self.decision.pod
        if self.remake is not None:
            made = self.remake(changed)
        elif isinstance(changed, Pod):
            made = changed
        else:
            raise LookupError(target_of(changed).kind)
        made = replace(made, metadata=pod.metadata, status=pod.status)
        return as_made(made, pod)


def _own_change(before: KubernetesObject, after: KubernetesObject) -> Change | None:
    """The change of what makes the pod, or of the pod itself; what is created anew is as people would write it."""
    found = change(before, after, is_stored=has_identity(before))
    return change(before, to_recreate(after)) if found and found.recreate else found


def _done(step: Step, obj: KubernetesObject | None) -> KubernetesObject | None:
    """The object after the step; None if it is gone, or was not there to be changed."""
    if step.created is not None or step.edit is None or obj is None:
        return step.created
    changed: KubernetesObject = step.edit(obj)
    return changed


def _changed(cluster: Cluster, before: _Objects, after: _Objects) -> Cluster:
    changed = {each.name: each for each in after.values() if isinstance(each, Node)}
    others = [each for each in after.values() if not isinstance(each, Node | Pod | None)]
    gone = [each for key, each in before.items() if isinstance(each, Pod) and after[key] is not each]
    if gone:
        cluster = cluster.without(gone)
        changed = _counted_anew(gone, cluster) | changed
    cluster = cluster.replacing(others) if others else cluster
    cluster = cluster.with_nodes(changed.values()) if changed else cluster
    for key, pod in after.items():
        if isinstance(pod, Pod) and before[key] is not pod:
            cluster = cluster.assume(pod, pod.spec.node_name or "")
    return cluster


def _counted_anew(gone: Sequence[Pod], cluster: Cluster) -> dict[str, Node]:
    """Nodes that had pods with host ports: a port that several of them have is forgotten once one of them leaves."""
    names = {pod.spec.node_name or "" for pod in gone if cluster.pod_info(pod).host_ports}
    return {name: cluster.node_info_by_name[name].node for name in names if name in cluster.node_info_by_name}


def _makers(decision: Decision) -> tuple[KubernetesObject, ...]:
    """The workload that makes the pod, as far as the cluster shows it, and the job if that is not the workload."""
    chain: list[KubernetesObject] = []
    owner: OwnerReference | None = decision.pod.metadata.controller
    while owner is not None:
        kind = next((each for each in _OWNERS if each.__name__ == owner.kind), None)
        above = decision.cluster.listers.get(kind, owner.name or "", decision.pod.namespace) if kind else None
        if above is None or not makes(above, decision.pod):
            break
        chain.append(above)
        owner = above.metadata.controller
    # A cron job that changes leaves the jobs alone that it has made.
    return tuple(each for each in reversed(chain) if each is chain[-1] or isinstance(each, Job))
