"""Pods of a gang are bound once enough of them can run. Source: `plugins/gangscheduling`."""

from collections.abc import Sequence

from kexplain.cluster import Cluster, Listers, PodInfo
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import BindingStep, ExtensionPoint, points_left_out
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.scheduling import PodGroup, Workload

TOO_FEW_EXIST = "waiting for minCount pods from a gang to appear in scheduling queue"


class GangScheduling:
    """Keeps the pods of a gang out of the queue until enough exist, and from being bound until enough have a node.

    From 1.36 on a gang is a PodGroup; in 1.35 it is one of the groups of a Workload.
    """

    name = "GangScheduling"
    binding_points: tuple[ExtensionPoint, ...] = (ExtensionPoint.PERMIT,)

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._groups_are_objects = features.groups_are_scheduled_at_once
        self._names_the_pod = features.groups_are_counted_while_tried
        self.not_at = points_left_out(placementFeasible=self._names_the_pod)
        if not self._groups_are_objects:
            self.binding_points = (ExtensionPoint.RESERVE, ExtensionPoint.PERMIT)
        elif not features.gangs_wait_at_permit:
            self.binding_points = ()

    def may_help(self, action: str, pod: PodInfo, added: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that was created is of the same group."""
        return pod.pod.group is not None and pod.pod.group == added.pod.group

    def pre_enqueue(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None for pods of no gang, and once there are enough pods of it."""
        name = self._group(pod)
        needed = self._needed(name, cluster.listers) if name else None
        if isinstance(needed, Status):
            return needed
        if name and needed is not None and len(cluster.groups.members(name)) < needed:
            return unresolvable(TOO_FEW_EXIST)
        return None

    def feasible(self, name: GroupName, cluster: Cluster, scheduled: int, remaining: int) -> Status | None:
        """None once enough pods have a node, of which a group that is no gang needs one; whether they still can."""
        group = cluster.listers.get(PodGroup, name.name, name.namespace)
        needed = (group.min_count if group else None) or 1
        counts = f"{scheduled} scheduled, {remaining} remaining"
        if scheduled + remaining < needed:
            return unschedulable(f"minCount ({needed}) cannot be satisfied: {counts}")
        if scheduled < needed:
            return Status(Code.WAIT, (f"minCount ({needed}) is not yet satisfied: {counts}",))
        return None

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(self._group(pod))

    def permit(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None for pods of no gang, and once enough pods of it have a node; else the pod waits."""
        name = self._group(pod)
        needed = self._needed(name, cluster.listers) if name else None
        if isinstance(needed, Status):
            # It is gone since the pod was queued.
            return error(needed.message)
        if name and needed is not None and len(cluster.groups.members(name).placed) < needed:
            what = "to be scheduled" if self._groups_are_objects else "to be waiting on permit"
            return Status(Code.WAIT, (f"waiting for minCount pods from a gang {what}",))
        return None

    def binding_steps(self, pod: Pod, state: None, cluster: Cluster, node_name: str) -> Sequence[BindingStep]:
        """That the others are waited for."""
        name = self._group(pod)
        needed = self._needed(name, cluster.listers) if name else None
        if not isinstance(needed, int):
            return ()
        return [BindingStep(ExtensionPoint.PERMIT, f"wait until {needed} pods of the gang {name} have a node")]

    def _group(self, pod: Pod) -> GroupName | None:
        """The pod's group in the form that the release reads."""
        name = pod.group
        return name if name is not None and self._groups_are_objects is not bool(name.workload) else None

    def _needed(self, name: GroupName, listers: Listers) -> int | Status | None:
        """How many pods must be there; None if the group is no gang, a Status if it is not there itself."""
        if self._groups_are_objects:
            group = listers.get(PodGroup, name.name, name.namespace)
            if group is None:
                whose = "pod's" if self._names_the_pod else "pods's"
                return unresolvable(f'waiting for {whose} pod group "{name.name}" to appear in scheduling queue')
            return group.min_count
        workload = listers.get(Workload, name.workload, name.namespace)
        if workload is None:
            return unresolvable(f'waiting for pods\'s workload "{name.workload}" to appear in scheduling queue')
        part = workload.group(name.name)
        if part is None:
            return unresolvable(f'pod group "{name.name}" doesn\'t exist for a workload "{name.workload}"')
        return part.policy.gang.min_count if part.policy.gang else None
