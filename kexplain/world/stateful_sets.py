"""StatefulSets: pods by number, each with its claims.

Source: kube-controller-manager `statefulset` (stateful_set_control.go), release 1.36, whose feature
MaxUnavailableStatefulSet is off by default.
"""

from collections.abc import Callable, Iterator, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.objects.apps import ON_DELETE, StatefulSet, is_on_delete
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Member, Pods, Refused, Rollout, in_place_of, rollout_of

_LARGEST_BATCH = 500


class StatefulSetController(Struct, eq=False):
    """A stateful set; `make` makes the pod of a number and its claims, of the newest template or of the one before."""

    stateful_set: StatefulSet
    wanted: int
    make: Callable[[int, bool], tuple[Pod, tuple[PersistentVolumeClaim, ...]]]
    pods: Pods = msgspec.field(default_factory=Pods)
    #: Whether there is a revision before the newest one, which a partition keeps.
    has_older: bool = True
    refused: Refused | None = None

    @property
    def _ordinals(self) -> range:
        return range(self.stateful_set.start, self.stateful_set.start + self.wanted)

    def reconcile(self, plane: ControlPlane) -> bool:
        """Make what is missing, from the lowest number on; then let surplus go; then replace what is old."""
        self.refused = None
        is_ordered = self.stateful_set.is_ordered
        by_ordinal = {int(member.slot): member for member in (*self.pods.members, *self.pods.stuck)}
        wanted = self._ordinals
        create = self._create_next if is_ordered else self._create_all
        moved = create(plane, wanted, by_ordinal)
        is_held_up = is_ordered and any(not by_ordinal[each].is_ready for each in wanted if each in by_ordinal)
        if moved or is_held_up or self.refused is not None:
            return moved
        unwanted = (each for each in self.pods.members if int(each.slot) not in wanted)
        surplus = sorted(unwanted, key=lambda each: -int(each.slot))
        if surplus:
            return self._let_go(plane, surplus)
        return False if is_on_delete(self.stateful_set) else self._replace(plane, [by_ordinal[each] for each in wanted])

    def _create_next(self, plane: ControlPlane, wanted: range, by_ordinal: Mapping[int, Member]) -> bool:
        """The first that is missing, if all before it serve."""
        first = next((each for each in wanted if each not in by_ordinal or not by_ordinal[each].is_ready), None)
        return first is not None and first not in by_ordinal and self._create(plane, first)

    def _create_all(self, plane: ControlPlane, wanted: range, by_ordinal: Mapping[int, Member]) -> bool:
        """Batch by batch, each twice as large as the one before, up to the one in which a pod is refused."""
        moved = False
        for batch in _batches(wanted):
            created = [self._create(plane, each) for each in batch if each not in by_ordinal]
            moved |= any(created)
            if not all(created):
                break
        return moved

    def _create(self, plane: ControlPlane, ordinal: int) -> bool:
        is_new = not self.has_older or ordinal >= self.stateful_set.start + self.stateful_set.partition
        pod, claims = self.make(ordinal, is_new)
        lost = next((each for each in self.pods.lost if each.pod.name == pod.name), None)
        pod = in_place_of(lost, pod, is_new=is_new) if lost else pod
        refused = plane.create(self.pods, pod, self.stateful_set, claims=claims, is_new=is_new, slot=str(ordinal))
        self.refused = refused or self.refused
        return refused is None

    def _let_go(self, plane: ControlPlane, surplus: list[Member]) -> bool:
        """One at a time in order, and then only while all others serve."""
        if not self.stateful_set.is_ordered:
            plane.delete(surplus)
            return True
        unready = [each for each in surplus if not each.is_ready]
        if not surplus[0].is_ready and surplus[0] is not unready[-1]:
            return False
        plane.delete(surplus[:1])
        return True

    def _replace(self, plane: ControlPlane, members: list[Member]) -> bool:
        for member in reversed(members[self.stateful_set.partition :]):
            if not member.is_new:
                plane.delete([member])
                return True
            if not member.is_ready:
                return False
        return False

    def rollout(self) -> Rollout:
        """Complete is what has all pods, serving, and of the newest template unless it is to keep others."""
        members = self.pods.members
        is_there = len(members) == self.wanted == self.pods.available
        has_old = not all(each.is_new for each in members)
        home = self.stateful_set
        kept = ON_DELETE if is_on_delete(home) else "partition" if home.partition else ""
        present = {int(member.slot) for member in members}
        found = rollout_of(
            ("StatefulSet", home.namespace, home.name),
            members,
            complete=is_there and not has_old,
            desired=self.wanted,
            not_created=sum(each not in present for each in self._ordinals),
            kept_old_by=kept if is_there and has_old else "",
            refusals=[self.refused],
        )
        unready = [each.pod for each in members if each.node and not each.is_ready and home.is_ordered]
        return replace(found, stuck=tuple(each.pod for each in self.pods.stuck), unready=tuple(unready))


def _batches(ordinals: range) -> Iterator[range]:
    """The first alone, then twice as many each time."""
    size = 1
    while ordinals:
        yield ordinals[:size]
        ordinals, size = ordinals[size:], min(2 * size, _LARGEST_BATCH)
