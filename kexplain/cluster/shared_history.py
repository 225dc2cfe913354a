"""What clusters share that came of each other, kept up to date by the pods that come and go.

Placing or removing a pod makes a new cluster. What was counted over all pods of one cluster is brought to another along
the changes between the two, so that it costs what has changed, not the size of the cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from kexplain.cluster.node_info import NodeInfo
from kexplain.cluster.pod_info import PodInfo, PodInfoFactory
from kexplain.objects.core import Node

#: So many tallies are kept, those that were asked for last: enough for all that a pod asks for, many times over.
TALLIES_KEPT = 128
#: The same for facts about nodes, of which each shape of pods has about eight.
FACTS_KEPT = 512
#: The same for what was found out node by node, which takes more room.
NODE_MEMOS_KEPT = 128
#: Where more pods than these have come and gone, it costs less to count anew.
_MANY = 4096


class Tally(Protocol):
    """Something counted over all placed pods."""

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod in (1) that came to the node, or out (-1) that left it."""


Counted = TypeVar("Counted", bound=Tally)
Fact = TypeVar("Fact")


class PodChange(NamedTuple):
    """A pod that came to a node (`sign` 1), or left it (-1)."""

    pod_info: PodInfo
    node: Node
    sign: int


class Version:
    """A cluster's place among those that came of each other: what changed since the one before it."""

    __slots__ = ("changes", "depth", "parent")

    def __init__(self, parent: Version | None = None, changes: Sequence[PodChange] = ()) -> None:
        self.parent = parent
        self.changes = changes
        self.depth: int = parent.depth + 1 if parent else 0


class NodeMemo(Generic[Fact]):
    """What was found out about nodes, each as it was: it stands while that is the one."""

    def __init__(self) -> None:
        self._found: dict[NodeInfo, Fact] = {}
        #: Of each node the one that was asked about last.
        self._asked: dict[str, NodeInfo] = {}
        #: What is known of a node; None where nobody has asked.
        self.get = self._found.get

    def of(self, node_infos: Sequence[NodeInfo], ask: Callable[[Sequence[NodeInfo]], Iterable[Fact]]) -> list[Fact]:
        """What is known of these nodes in their order, never None; `ask` finds out about those that have changed.

        Few have, which is told without a step of Python each.
        """
        known = [*map(self.get, node_infos)]
        if None in known:
            missing = [index for index, old in enumerate(known) if old is None]
            unknown = [node_infos[index] for index in missing]
            for index, info, fact in zip(missing, unknown, ask(unknown), strict=True):
                former = self._asked.get(info.name)
                if former is not None and former is not info:
                    self._found.pop(former, None)
                self._asked[info.name] = info
                self._found[info] = known[index] = fact
        return cast("list[Fact]", known)


class Lineage:
    """The nodes' order and facts about nodes, of clusters that came of each other and differ in pods alone.

    Tallies, and what is known of single nodes, are shared with lineages that have other nodes too.
    """

    def __init__(
        self,
        names: Iterable[str],
        joined: Mapping[str, Node],
        pod_infos: PodInfoFactory,
        came_of: Lineage | None = None,
    ) -> None:
        """The names come in the order in which the scheduler holds nodes, `joined` in that in which they joined."""
        self.position_by_name: Mapping[str, int] = {name: position for position, name in enumerate(names)}
        self.joined = joined
        #: Stands for these very nodes in the keys of tallies.
        self.nodes_key = object()
        self.pod_infos = pod_infos
        self._facts: dict[Hashable, Any] = {}
        self._tallies: dict[Hashable, tuple[Version, Any]] = came_of._tallies if came_of else {}  # noqa: SLF001 - its own kind
        self._node_memos: dict[Hashable, NodeMemo[Any]] = came_of._node_memos if came_of else {}  # noqa: SLF001 - its own kind

    def tally(self, version: Version, key: Hashable, make: Callable[[], Counted]) -> Counted:
        """The tally of that key at that version, made if there is none; the next one asked for may change it."""
        kept = self._tallies.get(key)
        changes = _changes_between(kept[0], version) if kept else None
        tally: Counted = make() if kept is None or changes is None else kept[1]
        for pod_info, node, sign in changes or ():
            tally.count(pod_info, node, sign)
        _keep(self._tallies, key, (version, tally), TALLIES_KEPT)
        return tally

    def fact(self, key: Hashable, make: Callable[[], Fact]) -> Fact:
        """What was found out about the nodes under that key, or is now; it must not depend on pods."""
        fact: Fact = self._facts[key] if key in self._facts else make()
        _keep(self._facts, key, fact, FACTS_KEPT)
        return fact

    def node_memo(self, key: Hashable) -> NodeMemo[Any]:
        """What was found out about single nodes under that key, to look up and to add to."""
        memo = self._node_memos.get(key)
        if memo is None:
            memo = NodeMemo()
        _keep(self._node_memos, key, memo, NODE_MEMOS_KEPT)
        return memo


def _keep(kept: dict[Hashable, Any], key: Hashable, value: object, number: int) -> None:
    """Keep the value as the newest, and of all no more than that number."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > number:
        del kept[next(iter(kept))]


def _changes_between(known: Version, wanted: Version) -> list[PodChange] | None:
    """What undoes one version back to where both came from, then what leads from there to the other; None if much."""
    behind: list[PodChange] = []
    ahead: list[Sequence[PodChange]] = []
    count = 0
    while known is not wanted:
        is_behind = known.depth >= wanted.depth and known.parent is not None
        changes = known.changes if is_behind else wanted.changes
        count += len(changes)
        if count > _MANY:
            return None
        if is_behind:
            behind += (change._replace(sign=-change.sign) for change in reversed(changes))
            known = known.parent or known
        else:
            ahead.append(changes)
            wanted = wanted.parent or wanted
    return [*behind, *chain.from_iterable(reversed(ahead))]
