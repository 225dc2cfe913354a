"""Admission plugin RuntimeClass: what running under another container runtime costs, and where it can.

Source: `runtimeclass.RuntimeClass.Admit`, `util/tolerations.MergeTolerations`, release 1.36.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.objects.core import PodSpec, Toleration
from kexplain.objects.scheduling import RuntimeClass
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.shell import filled

EXISTS = "Exists"
EQUAL = "Equal"
_LOOK = "kubectl get runtimeclass/{name} -o yaml"


def with_runtime_class(spec: PodSpec, classes: Mapping[str, RuntimeClass]) -> tuple[PodSpec, tuple[str, ...]]:
    """The spec with overhead, node selector and tolerations of its class, and a note if that is not there."""
    name = spec.runtime_class_name
    if not name:
        return spec, ()
    runtime_class = classes.get(name)
    if runtime_class is None:
        note = (
            f'RuntimeClass "{name}" was not read: nothing assumed of its overhead, node selector '
            f"and tolerations ({filled(_LOOK, {'name': name})})"
        )
        return spec, (note,)
    if runtime_class.overhead is not None:
        spec = replace(spec, overhead=runtime_class.overhead.pod_fixed)
    if runtime_class.scheduling is not None:
        scheduling = runtime_class.scheduling
        # Where both ask for different values of a label, an API server refuses the pod; its own value stands.
        spec = replace(
            spec,
            node_selector={**(scheduling.node_selector or {}), **(spec.node_selector or {})} or None,
            tolerations=merge_tolerations(spec.tolerations or (), scheduling.tolerations or ()) or None,
        )
    return spec, ()


def merge_tolerations(first: Sequence[Toleration], second: Sequence[Toleration]) -> tuple[Toleration, ...]:
    """All tolerations in order, without those that another one covers; of equal ones the first is kept.

    Redundant tolerations go even where both come from the pod.
    """
    every = (*first, *second)
    merged: list[Toleration] = []
    for at, toleration in enumerate(every):
        covered_before = any(covers(other, toleration) for other in merged)
        covered_behind = any(not _same(other, toleration) and covers(other, toleration) for other in every[at + 1 :])
        if not (covered_before or covered_behind):
            merged.append(toleration)
    return tuple(merged)


def covers(wider: Toleration, toleration: Toleration) -> bool:
    """Whether `wider` tolerates all that `toleration` does.

    Upstream is stricter here than with taints: a toleration that leaves its operator out is covered by value
    only by its equal, though `Equal` is what it means.
    """
    if _same(wider, toleration):
        return True
    if (wider.key or "") != (toleration.key or "") and (wider.key or wider.operator != EXISTS):
        return False
    if not _covers_effect(wider, toleration):
        return False
    if wider.operator == EXISTS:
        return True
    by_value = wider.operator in (None, "", EQUAL)
    return by_value and toleration.operator == EQUAL and (toleration.value or "") == (wider.value or "")


def _covers_effect(wider: Toleration, toleration: Toleration) -> bool:
    if wider.effect and wider.effect != (toleration.effect or ""):
        return False
    return wider.effect != NO_EXECUTE or _outlasts(wider, toleration)


def _outlasts(wider: Toleration, toleration: Toleration) -> bool:
    """Whether `wider` tolerates for at least as long; without seconds it does so forever."""
    if wider.toleration_seconds is None:
        return True
    return toleration.toleration_seconds is not None and toleration.toleration_seconds <= wider.toleration_seconds


def _same(one: Toleration, other: Toleration) -> bool:
    """Whether two tolerations are stored alike: left out and empty are one."""
    return one.asked == other.asked and one.toleration_seconds == other.toleration_seconds
