"""Admission plugin Priority: what a priority class, or the lack of one, makes of a pod, and of a group of pods.

Source: `priority.Plugin.admitPod`, `admitPodGroup`, release 1.36.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from kexplain.objects.core import PodSpec
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.scheduling import PodGroup, PriorityClass
from kexplain.shell import filled
from kexplain.words import did_you_mean

PREEMPT_LOWER_PRIORITY = "PreemptLowerPriority"
_LOOK = "kubectl get priorityclass/{name} -o yaml"

#: Every API server makes these two for itself and puts them back.
SYSTEM_PRIORITY_CLASSES: Mapping[str, PriorityClass] = {
    name: PriorityClass(metadata=ObjectMeta(name=name), value=value)
    for name, value in (("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000))
}

_Notes = tuple[str, ...]


def with_priority(spec: PodSpec, classes: Mapping[str, PriorityClass]) -> tuple[PodSpec, _Notes]:
    """The spec with class name, priority and preemption policy, and a note for a class that is not there.

    Where the class is known, it decides; where it is not, what the spec says itself stands.
    """
    name = spec.priority_class_name
    if chosen := class_of(name, classes):
        return _of_class(spec, chosen)
    return _of_unknown_class(spec, name, classes) if name else _of_no_class(spec)


def group_with_priority(group: PodGroup, classes: Mapping[str, PriorityClass]) -> PodGroup:
    """A new group with the priority of its class; one that has a priority, or is of a cluster, stays as it is."""
    spec = group.spec
    if spec.priority is not None or group.is_stored:
        return group
    chosen = class_of(spec.priority_class_name, classes)
    if chosen is None:
        return group
    return replace(group, spec=replace(spec, priority_class_name=chosen.name, priority=chosen.value))


def class_of(name: str | None, classes: Mapping[str, PriorityClass]) -> PriorityClass | None:
    """The class of that name; without a name the default one, of several the one with the lowest value."""
    if name:
        return classes.get(name) or SYSTEM_PRIORITY_CLASSES.get(name)
    defaults = (candidate for candidate in classes.values() if candidate.global_default)
    return min(defaults, key=lambda candidate: candidate.value, default=None)


def _of_class(spec: PodSpec, chosen: PriorityClass) -> tuple[PodSpec, _Notes]:
    policy = chosen.preemption_policy or PREEMPT_LOWER_PRIORITY
    spec = replace(spec, priority_class_name=chosen.name, priority=chosen.value, preemption_policy=policy)
    return spec, ()


def _of_unknown_class(spec: PodSpec, name: str, classes: Mapping[str, PriorityClass]) -> tuple[PodSpec, _Notes]:
    assumption = "priority 0 assumed" if spec.priority is None else f"its own priority {spec.priority} kept"
    hint = did_you_mean(name, classes) or filled(_LOOK, {"name": name})
    return _as_written(spec), (f'PriorityClass "{name}" was not read: {assumption} ({hint})',)


def _of_no_class(spec: PodSpec) -> tuple[PodSpec, _Notes]:
    if not spec.priority:
        return _as_written(spec), ()
    kept = f"no PriorityClass gives priority {spec.priority}: the pod keeps it here"
    return _as_written(spec), (f"{kept}, but an API server would refuse the pod (kubectl get priorityclasses)",)


def _as_written(spec: PodSpec) -> PodSpec:
    return replace(
        spec, priority=spec.priority or 0, preemption_policy=spec.preemption_policy or PREEMPT_LOWER_PRIORITY
    )
