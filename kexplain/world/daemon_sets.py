"""DaemonSets: a pod on every node that takes it.

Source: kube-controller-manager `daemon` (daemon_controller.go `manage`, update.go `rollingUpdate`), release 1.36.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from kexplain.case.daemon_pods import DaemonNodes, pinned_node
from kexplain.objects.apps import ON_DELETE, DaemonSet, is_on_delete
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Member, Pods, Refused, Rollout, in_place_of, rollout_of
from kexplain.world.surge import Bounds, daemon_bounds


class OnNode(Struct):
    """The pods for one node."""

    old: list[Member] = msgspec.field(default_factory=list)
    new: list[Member] = msgspec.field(default_factory=list)


class DaemonSetController(Struct, eq=False):
    """A daemon set; `nodes` says which nodes get a pod, and makes it."""

    daemon_set: DaemonSet
    nodes: DaemonNodes
    pods: Pods = msgspec.field(default_factory=Pods)
    refused: Refused | None = None

    @property
    def bounds(self) -> Bounds:
        """How many pods more, and how many fewer."""
        return daemon_bounds(self.daemon_set, len(self.nodes.wanted))

    def reconcile(self, plane: ControlPlane) -> bool:
        """One pod a node; then, if none was refused, the next ones of a new template."""
        self.refused = None
        by_node = self._by_node()
        gone = [*self._surplus(by_node)]
        plane.delete(gone)
        bare = [name for name in self.nodes.wanted if name not in by_node]
        has_created = self._create(plane, bare)
        if gone or has_created or self.refused is not None:
            return bool(gone) or has_created
        if is_on_delete(self.daemon_set):
            return False
        return self._surge(plane, by_node) if self.bounds.surge else self._roll(plane, by_node)

    def _by_node(self) -> dict[str, OnNode]:
        by_node: dict[str, OnNode] = {}
        for member in self.pods.members:
            on_node = by_node.setdefault(member.slot, OnNode())
            (on_node.new if member.is_new else on_node.old).append(member)
        return by_node

    def _create(self, plane: ControlPlane, node_names: list[str]) -> bool:
        before = len(self.pods.members)
        for name in node_names:
            lost = next((each for each in self.pods.lost if pinned_node(each.pod) == name), None)
            pod = self.nodes.pod_for(name)
            pod = in_place_of(lost, pod, is_new=True) if lost else pod
            self.refused = plane.create(self.pods, pod, self.daemon_set, slot=name)
            if self.refused is not None:
                break
        return len(self.pods.members) > before

    def _surplus(self, by_node: dict[str, OnNode]) -> Iterator[Member]:
        """Pods on nodes that are not to have one, and more than one on a node, but for one old beside one new."""
        for name, on_node in by_node.items():
            if not self.nodes.may_stay(name):
                yield from (*on_node.old, *on_node.new)
                continue
            if not self.bounds.surge or is_on_delete(self.daemon_set):
                yield from [*on_node.old, *on_node.new][1:]
                continue
            yield from (*on_node.old[1:], *on_node.new[1:])
            if on_node.old and on_node.new and (not on_node.old[0].is_ready or on_node.new[0].is_ready):
                yield on_node.old[0]

    def _roll(self, plane: ControlPlane, by_node: dict[str, OnNode]) -> bool:
        """Old pods that do not serve go at once, others as far as enough still serve."""
        unavailable = sum(not each.is_ready for on_node in by_node.values() for each in on_node.new[:1])
        old = [on_node.old[0] for on_node in by_node.values() if on_node.old]
        broken = [each for each in old if not each.is_ready]
        unavailable += len(broken)
        room = max(self.bounds.unavailable - unavailable, 0)
        gone = [*broken, *[each for each in old if each.is_ready][:room]]
        plane.delete(gone)
        return bool(gone)

    def _surge(self, plane: ControlPlane, by_node: dict[str, OnNode]) -> bool:
        """A new pod beside an old one, on so many nodes at a time; one that does not serve is no reason to wait."""
        surging = sum(bool(on_node.old and on_node.new) for on_node in by_node.values())
        alone = {name: on_node.old[0] for name, on_node in by_node.items() if on_node.old and not on_node.new}
        waiting = {name: each for name, each in alone.items() if name in self.nodes.wanted}
        lost = [each for name, each in alone.items() if name not in waiting and not each.is_ready]
        plane.delete(lost)
        broken_first = sorted(waiting, key=lambda name: waiting[name].is_ready)
        broken = sum(not each.is_ready for each in waiting.values())
        return self._create(plane, broken_first[: broken + max(self.bounds.surge - surging, 0)]) or bool(lost)

    def rollout(self) -> Rollout:
        """Complete is what has a serving pod of the newest template on each node, and no others."""
        members = self.pods.members
        has_old = not all(each.is_new for each in members)
        present = {member.slot for member in members}
        desired = len(self.nodes.wanted)
        home = self.daemon_set
        return rollout_of(
            ("DaemonSet", home.namespace, home.name),
            members,
            complete=len(members) == desired == self.pods.available and not has_old,
            desired=desired,
            not_created=sum(name not in present for name in self.nodes.wanted),
            kept_old_by=ON_DELETE if is_on_delete(self.daemon_set) and has_old else "",
            refusals=[self.refused],
            bounds="" if is_on_delete(self.daemon_set) else str(self.bounds),
        )
