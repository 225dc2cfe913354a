"""What has changed in a cluster between two times, and which of it changes the verdict on a pod: found by bisecting."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kexplain.case import Case
from kexplain.case.own_pods import Key, above, key_of
from kexplain.explain.output import Output
from kexplain.framework.trace import Outcome
from kexplain.grouping import counted
from kexplain.load.json_patch import differences, pointer, steps_of
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_pools import pool_names
from kexplain.world.sources import Difference, ReadObjects

#: More changes together than these are no answer to what it was.
_MOST = 12
#: How much of a path says what has changed.
_STEPS = 3


class ClusterChange(Output, frozen=True, kw_only=True):
    """Objects of a kind that came, went and changed: pods of one workload (`of`), nodes of one pool, or a single one.

    `names` are those of all of them, new ones first, and `fields` differ in those that changed.
    """

    kind: str
    of: str = ""
    names: tuple[str, ...]
    came: int = 0
    went: int = 0
    changed: int = 0
    fields: tuple[str, ...] = ()


class _Unit(Struct, frozen=True):
    """What is undone and done as one."""

    change: ClusterChange
    differences: Sequence[Difference]


class ClusterChanges:
    """What makes the cluster of one case that of another; the pods that are asked about are no part of it."""

    def __init__(self, before: Case, after: Case) -> None:
        assert before.builder is not None and after.builder is not None  # noqa: S101, PT018 - cases that are read have one
        self._after, self._builder = after, after.builder
        self._source = ReadObjects(before.builder.contents, before.cluster)
        asked = {("Pod", each.pod.namespace, each.pod.name) for each in after.pods}
        old, new = (_there(case, asked) for case in (before, after))
        pairs = [(old.get(key), new.get(key)) for key in {**new, **old}]
        encoded = ((one, other) for one, other in pairs if _encoded(one) != _encoded(other))
        differing = [(one, other) for one, other in encoded if one is None or other is None or _fields(one, other)]
        self._units = [*_units(differing, old | new, after.builder.contents.namespace)]

    @property
    def count_by_kind(self) -> dict[str, int]:
        """How many objects of each kind came, went or changed."""
        return dict(counted((each.change.kind, len(each.differences)) for each in self._units).most_common())

    def deciding(self, pod: Pod) -> tuple[ClusterChange, ...]:
        """Some changes that together give the earlier cluster the later verdict on a pod; none can be left out.

        Each is the last of the fewest that do together with those that were found before. Empty where all of them do
        not, as it is the scheduler or the queue that differs, or where it takes more than a few.
        """
        is_fitting = self._fits(pod, self._units)
        if self._fits(pod, ()) is is_fitting:
            return ()
        kept: list[_Unit] = []
        rest = self._units
        while self._fits(pod, kept) is not is_fitting:
            if len(kept) == _MOST:
                return ()
            low, high = 0, len(rest)
            while high - low > 1:
                middle = (low + high) // 2
                if self._fits(pod, [*rest[:middle], *kept]) is is_fitting:
                    high = middle
                else:
                    low = middle
            *rest, last = rest[:high]
            kept = [last, *kept]
        for each in tuple(kept):
            others = [every for every in kept if every is not each]
            kept = others if self._fits(pod, others) is is_fitting else kept
        return tuple(each.change for each in kept)

    def _fits(self, pod: Pod, units: Sequence[_Unit]) -> bool:
        made = [each for unit in units for each in unit.differences]
        cluster = self._source.changed(made, lambda: self._builder)
        scheduler = self._after.scheduler.without_post_filter()
        return bool(cluster.node_infos) and scheduler.schedule(pod, cluster).outcome is Outcome.SCHEDULED


def _there(case: Case, asked: set[Key]) -> dict[Key, KubernetesObject]:
    """What bears on others: no events, and no pods that have no node or need none any more."""
    assert case.builder is not None  # noqa: S101 - see above
    contents = case.builder.contents
    found = {}
    for each in contents.objects:
        is_idle = isinstance(each, Pod) and (each.is_terminated or not each.spec.node_name)
        if not isinstance(each, Event) and not is_idle and (key := key_of(each, contents.namespace)) not in asked:
            found[key] = each
    return found


def _encoded(obj: KubernetesObject | None) -> bytes:
    """What is compared; of a pod no more than others see."""
    if isinstance(obj, Pod):
        metadata = {"labels": obj.labels, "deletionTimestamp": obj.metadata.deletion_timestamp}
        return msgspec.json.encode({"spec": obj.spec, "metadata": metadata})
    return msgspec.json.encode(obj)


def _units(differing: Sequence[Difference], objects: Mapping[Key, KubernetesObject], namespace: str) -> Iterator[_Unit]:
    """Pods by workload, nodes by pool and fields, others by themselves; those that nobody else follows come first."""
    pools = pool_names(each for each in objects.values() if isinstance(each, Node))
    groups: dict[tuple[Any, ...], list[Difference]] = {}
    for one, other in differing:
        obj = other or one
        assert obj is not None  # noqa: S101 - one of them is there
        fields = _fields(one, other)
        match obj:
            case Pod():
                owner = [key_of(obj, namespace), *above(obj, namespace, objects.get)][-1]
                key: tuple[Any, ...] = ("Pod", f"{owner[0].lower()}/{owner[2]}", owner)
            case Node():
                key = ("Node", pools[obj.name], one is None, other is None, fields)
            case _:
                key = (obj.kind, "", *key_of(obj, namespace))
        groups.setdefault(key, []).append((one, other))
    for key in sorted(groups, key=lambda each: (each[0] == "Pod", each[0] != "Node")):
        yield _Unit(_change(key[0], key[1], groups[key]), groups[key])


def _change(kind: str, of: str, differing: Sequence[Difference]) -> ClusterChange:
    came = [other for one, other in differing if one is None]
    went = [one for one, other in differing if other is None]
    changed = [(one, other) for one, other in differing if one is not None and other is not None]
    objects = [each for each in (*came, *went, *(one for one, _ in changed)) if each is not None]
    return ClusterChange(
        kind=kind,
        of=of,
        names=tuple(each.key if each.is_namespaced else each.name for each in objects),
        came=len(came),
        went=len(went),
        changed=len(changed),
        fields=tuple(dict.fromkeys(field for one, other in changed for field in _fields(one, other))),
    )


def _fields(one: KubernetesObject | None, other: KubernetesObject | None) -> tuple[str, ...]:
    """What differs in an object that is there at both times."""
    if one is None or other is None:
        return ()
    before, after = (msgspec.json.decode(_encoded(each)) for each in (one, other))
    # What one has and the other has not is added on the way from one to the other.
    made = (each for pair in ((before, after), (after, before)) for each in differences(*pair) if "value" in each)
    found = (steps_of(path)[:_STEPS] for each in made for path in _paths(each))
    return tuple(dict.fromkeys(".".join(step for step in steps if not step.isdecimal()) for steps in found))


def _paths(operation: dict[str, Any]) -> list[str]:
    """What an operation is about: each field of what it adds."""
    value, path = operation["value"], operation["path"]
    return [path + pointer([key]) for key in value] if isinstance(value, dict) else [path]
