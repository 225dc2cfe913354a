"""The pods of each group, with a node and without. Source: scheduler `backend/cache` podGroupState."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.grouping import grouped
from kexplain.objects.core import GroupName, Pod


class PlacedMember(NamedTuple):
    """A pod, as `namespace/name`, and its node, which may be one that is not there."""

    key: str
    node_name: str


class GroupMembers(Struct, frozen=True):
    """The pods of a group by their uids: those that wait for a node, and those that have one."""

    waiting: Mapping[str, Pod] = msgspec.field(default_factory=dict)
    placed: Mapping[str, PlacedMember] = msgspec.field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.waiting) + len(self.placed)

    def with_pod(self, pod: Pod, node_name: str) -> GroupMembers:
        """The group with that pod on that node."""
        waiting = {uid: each for uid, each in self.waiting.items() if uid != pod.uid}
        return GroupMembers(waiting, {**self.placed, pod.uid: PlacedMember(pod.key, node_name)})

    def without(self, uids: Collection[str]) -> GroupMembers:
        """The group once these pods are gone."""
        return GroupMembers(
            {uid: pod for uid, pod in self.waiting.items() if uid not in uids},
            {uid: each for uid, each in self.placed.items() if uid not in uids},
        )


_NOBODY = GroupMembers()


class AffinityNodes(Struct, frozen=True):
    """The nodes with pods that have affinity, and those with pods that have required anti-affinity."""

    with_affinity: frozenset[str]
    with_required_anti_affinity: frozenset[str]


class Groups(Struct, frozen=True):
    """All groups that have pods; immutable.

    While a group is tried, `affinity_nodes` are as they were before: upstream's snapshot does not note that a pod of
    the group brings affinity to a node, and looks for it on these nodes alone. Source: `Snapshot.AssumePod`. Nor does
    it note which volumes the pods use that got a node meanwhile, `new_pods` by uid, or from which nodes the claims are
    available that these were given, `new_claims` by key.
    """

    members_by_name: Mapping[GroupName, GroupMembers] = msgspec.field(default_factory=dict)
    affinity_nodes: AffinityNodes | None = None
    new_pods: frozenset[str] = frozenset()
    new_claims: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pods: Iterable[Pod]) -> Groups:
        """The groups of these pods; finished ones are in none."""
        waiting: dict[GroupName, dict[str, Pod]] = {}
        placed: dict[GroupName, dict[str, PlacedMember]] = {}
        for pod in pods:
            name = pod.group
            if name is None or pod.is_terminated:
                continue
            if pod.spec.node_name:
                placed.setdefault(name, {})[pod.uid] = PlacedMember(pod.key, pod.spec.node_name)
            else:
                waiting.setdefault(name, {})[pod.uid] = pod
        names = (*waiting, *placed)
        return cls({name: GroupMembers(waiting.get(name, {}), placed.get(name, {})) for name in names})

    def members(self, name: GroupName) -> GroupMembers:
        """The pods of a group, of which there may be none."""
        return self.members_by_name.get(name, _NOBODY)

    def with_pod(self, pod: Pod, node_name: str) -> Groups:
        """The groups with that pod on that node."""
        name = pod.group
        if name is None:
            return self
        members = {**self.members_by_name, name: self.members(name).with_pod(pod, node_name)}
        new = self.new_pods if self.affinity_nodes is None else self.new_pods | {pod.uid}
        return replace(self, members_by_name=members, new_pods=new)

    def awaiting(self, pods: Iterable[Pod]) -> Groups:
        """The groups with these pods among those that wait for a node."""
        more = Groups.of(pods)
        if not more.members_by_name:
            return self
        changed = {}
        for name, added in more.members_by_name.items():
            known = self.members(name)
            waiting = {uid: pod for uid, pod in added.waiting.items() if uid not in known.placed}
            changed[name] = GroupMembers({**known.waiting, **waiting}, {**known.placed, **added.placed})
        return replace(self, members_by_name={**self.members_by_name, **changed})

    def without(self, pods: Iterable[Pod]) -> Groups:
        """The groups once these pods are gone."""
        uids_by_name = grouped((pod.group, pod.uid) for pod in pods if pod.group is not None)
        if not uids_by_name:
            return self
        changed = {name: self.members(name).without({*uids}) for name, uids in uids_by_name.items()}
        return replace(self, members_by_name={**self.members_by_name, **changed})


NO_GROUPS = Groups()
