"""The filters of a chain: each by itself, or several in a row whose verdicts are known as long as a node stands."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.shared_history import NodeMemo
from kexplain.framework.plugin import FilterPlugin, PreFilterExtensions, SelectiveFilter
from kexplain.framework.plugin_errors import plugin_error
from kexplain.framework.status import Code, Rejections, Status
from kexplain.objects.core import Pod

#: Stands for what has not been asked yet.
_UNKNOWN = Status(Code.SUCCESS)
_NAME = attrgetter("name")


def first_of(every: Sequence[Status]) -> Status | None:
    """The first objection, if there is one."""
    return every[0] if every else None


class Link:
    """A filter with its state.

    `extensions` is the same plugin if its state depends on which pods run where, `selective` if it may know which nodes
    it objects to.
    """

    __slots__ = ("_named", "extensions", "filter", "name", "plugin", "selective", "state")

    def __init__(
        self,
        plugin: FilterPlugin,
        state: Any,
        extensions: PreFilterExtensions | None,
        selective: SelectiveFilter | None = None,
    ) -> None:
        self.plugin = plugin
        self.name = plugin.name
        self.filter = plugin.filter
        self.state = state
        self.extensions = extensions
        self.selective = selective
        #: The plugin's answers, and the same as given by it, alone: one that it gives again stays the very same.
        self._named: dict[int, tuple[Status, tuple[Status]]] = {}

    def clone(self) -> Link:
        """The link with a state that may change."""
        if self.extensions is None:
            return self
        return Link(self.plugin, self.extensions.clone(self.state), self.extensions, self.selective)

    def _by(self, status: Status) -> tuple[Status]:
        known = self._named.get(id(status))
        if known is None:
            known = self._named[id(status)] = status, (status.by(self.name),)
        return known[1]

    def lets_in(self, pod: Pod, node_info: NodeInfo) -> bool:
        """Whether it says nothing."""
        return not self.every(pod, node_info)

    def every(self, pod: Pod, node_info: NodeInfo) -> tuple[Status, ...]:
        """Its objection to the node, if it has one."""
        try:
            status = self.filter(pod, self.state, node_info)
        except Exception as fault:
            raise plugin_error(self.name, pod, fault, node_info.name) from fault
        return () if status is None else self._by(status)

    def everys(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> list[tuple[Status, ...]]:
        """The same for each of these nodes, asked about in one go."""
        ask, state = self.filter, self.state
        try:
            found = [ask(pod, state, info) for info in node_infos]
        except Exception:
            # Asked again, to name the node.
            return [self.every(pod, info) for info in node_infos]
        distinct = {id(status): status for status in found}
        said = {key: () if status is None else self._by(status) for key, status in distinct.items()}
        return [said[key] for key in map(id, found)]

    def rejections(self, pod: Pod, cluster: Cluster) -> Rejections | None:
        """The same for all nodes, where the filter brings its objections along; None where it has to be asked."""
        if self.selective is None:
            return None
        try:
            return self.selective.rejections(self.state, cluster)
        except Exception as fault:
            raise plugin_error(self.name, pod, fault) from fault

    def by_node(self, pod: Pod, cluster: Cluster) -> dict[str, tuple[Status, ...]]:
        """The same for all nodes of the cluster that the state was made for; those without objections are missing."""
        node_infos: Iterable[NodeInfo] = cluster.node_infos
        try:
            suspects = self.selective.suspects(self.state, cluster) if self.selective else None
        except Exception as fault:
            raise plugin_error(self.name, pod, fault) from fault
        if suspects is not None:
            node_infos = map(cluster.node_info_by_name.__getitem__, suspects)
        listed = tuple(node_infos)
        return {info.name: every for info, every in zip(listed, self.everys(pod, listed), strict=True) if every}


class Sweep:
    """All objections to the nodes of one cluster by the run that was asked last about all of them.

    They stand for every run of the same key, in every cluster with the very same nodes.
    """

    __slots__ = ("_key", "_node_infos", "by_node", "firsts")

    def __init__(self) -> None:
        self._key: Hashable = None
        self._node_infos: Sequence[NodeInfo] = ()
        self.by_node: dict[str, tuple[Status, ...]] = {}
        #: The first objection to each node; empty unless there is one to every node.
        self.firsts: dict[str, Status] = {}

    def is_of(self, key: Hashable, node_infos: Sequence[NodeInfo]) -> bool:
        """Whether these are the objections of a run of that key to these nodes."""
        return self._node_infos is node_infos and self._key == key

    def keep(self, key: Hashable, node_infos: Sequence[NodeInfo], by_node: dict[str, tuple[Status, ...]]) -> None:
        """Keep what such a run says of these nodes."""
        self._key, self._node_infos, self.by_node = key, node_infos, by_node
        firsts = {name: every[0] for name, every in by_node.items()}
        is_all = len(firsts) == len(node_infos) and all(status.is_rejection for status in firsts.values())
        self.firsts = firsts if is_all else {}


class Run:
    """Filters in a row whose verdicts stand as long as the node does: about each node they are asked once.

    Some of them may be a run of their own, which other pods have in common that differ in what the rest looks at.
    """

    __slots__ = ("_alike", "_links", "_memo", "_sweep", "key")

    def __init__(
        self, links: Sequence[Link | Run], key: Hashable, memo: NodeMemo[tuple[Status, ...]], sweep: Sweep
    ) -> None:
        """`key` is all that the verdicts depend on beside the node, and `memo` what is known of them."""
        self._links = links
        #: What is said of nodes, by the very statuses.
        self._alike: dict[tuple[int, ...], tuple[Status, ...]] = {}
        self.key = key
        self._memo = memo
        self._sweep = sweep

    def every(self, pod: Pod, node_info: NodeInfo) -> tuple[Status, ...]:
        known = self._memo.get(node_info.name)
        if known is not None and known[0] is node_info:
            return known[1]
        (every,) = self._asked(pod, [node_info])
        return every

    def everys(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> list[tuple[Status, ...]]:
        """All objections to each of these nodes; link by link, as there may be many."""
        memo = map(self._memo.get, map(_NAME, node_infos), repeat((None, ())))
        found = [every if of is info else None for info, (of, every) in zip(node_infos, memo, strict=True)]
        unknown = [info for info, every in zip(node_infos, found, strict=True) if every is None]
        asked = iter(self._asked(pod, unknown) if unknown else ())
        return [next(asked) if every is None else every for every in found]

    def _asked(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> list[tuple[Status, ...]]:
        said = [link.everys(pod, node_infos) for link in self._links]
        keys = list(zip(*[map(id, every) for every in said], strict=True))
        # Nodes that are alike share what is said of them, which is then put into words once.
        alike: dict[tuple[int, ...], tuple[Status, ...]] = {}
        for key, parts in dict(zip(keys, zip(*said, strict=True), strict=True)).items():
            every = tuple(chain.from_iterable(parts))
            alike[key] = self._alike.setdefault(tuple(map(id, every)), every)
        found = [alike[key] for key in keys]
        self._memo.update(zip(map(_NAME, node_infos), zip(node_infos, found, strict=True), strict=True))
        return found

    def lets_in(self, pod: Pod, node_info: NodeInfo) -> bool:
        """Whether there is no objection, asked until there is one."""
        known = self._memo.get(node_info.name)
        if known is not None and known[0] is node_info:
            return not known[1]
        return all(link.lets_in(pod, node_info) for link in self._links)

    def by_node(self, pod: Pod, cluster: Cluster) -> dict[str, tuple[Status, ...]]:
        """All objections to all nodes of the cluster; those without any are missing."""
        if self._sweep.is_of(self.key, cluster.node_infos):
            return self._sweep.by_node.copy()
        everys = self.everys(pod, cluster.node_infos)
        found = {info.name: every for info, every in zip(cluster.node_infos, everys, strict=True) if every}
        self._sweep.keep(self.key, cluster.node_infos, found)
        return found.copy()

    def known_firsts(self, node_infos: Sequence[NodeInfo]) -> dict[str, Status]:
        """The first objection to each of the nodes, if it is known that there is one to every one; else nothing."""
        return self._sweep.firsts if self._sweep.is_of(self.key, node_infos) else {}
