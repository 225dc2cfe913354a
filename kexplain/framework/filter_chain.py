"""The filters of a chain: each by itself, or several in a row whose verdicts are known as long as a node stands."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial, reduce
from itertools import chain
from operator import attrgetter
from typing import Any

from msgspec import Struct, field

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.shared_history import NodeMemo
from kexplain.framework.plugin import FilterPlugin, PreFilterExtensions, SelectiveFilter, WholesaleFilter
from kexplain.framework.plugin_errors import Asked
from kexplain.framework.status import Column, Rejections, Status
from kexplain.objects.core import Pod

_NAME = attrgetter("name")
#: Where so many times the nodes to be asked about are more than all, all are asked about in one go.
MANY = 4


class Link(Struct, eq=False):
    """A filter with its state.

    `extensions` is the same plugin if its state depends on which pods run where, `selective` if it may know which nodes
    it objects to, and `wholesale` if it judges all nodes in one go.
    """

    plugin: FilterPlugin
    state: Any
    extensions: PreFilterExtensions | None
    selective: SelectiveFilter | None = None
    wholesale: WholesaleFilter | None = None
    name: str = ""
    #: The plugin's answers, and the same as given by it, alone: one that it gives again stays the very same.
    _named: dict[int, tuple[Status, tuple[Status]]] = {}

    def __post_init__(self) -> None:
        self.name = self.plugin.name

    def clone(self) -> Link:
        """The link with a state that may change."""
        if self.extensions is None:
            return self
        return Link(self.plugin, self.extensions.clone(self.state), self.extensions, self.selective, self.wholesale)

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
            status = self.plugin.filter(pod, self.state, node_info)
        except Exception:
            # Asked again, to say what it was asked about: most are asked too often for that.
            with Asked(self.name, pod, node_info.name):
                status = self.plugin.filter(pod, self.state, node_info)
        return () if status is None else self._by(status)

    def everys(
        self,
        pod: Pod,
        node_infos: Sequence[NodeInfo],
        cluster: Cluster | None = None,  # noqa: ARG002
    ) -> list[tuple[Status, ...]]:
        """The same for each of these nodes, asked about in one go."""
        ask, state = self.plugin.filter, self.state
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
        with Asked(self.name, pod):
            return self.selective.rejections(self.state, cluster)

    def column(self, pod: Pod, cluster: Cluster) -> Column:
        """The same for all nodes of the cluster that the state was made for."""
        with Asked(self.name, pod):
            found = self.wholesale.filter_all(pod, self.state, cluster) if self.wholesale else None
        if found is None:
            by_node = self._by_node(pod, cluster)
            return Column.of(dict(zip(cluster.places(by_node), by_node.values(), strict=True)), len(cluster.node_infos))
        return Column(found.numbers, {key: every and self._by(*every) for key, every in found.said.items()})

    def _by_node(self, pod: Pod, cluster: Cluster) -> dict[str, tuple[Status, ...]]:
        """The same by the names of nodes; those without objections are missing."""
        node_infos: Iterable[NodeInfo] = cluster.node_infos
        with Asked(self.name, pod):
            suspects = self.selective.suspects(self.state, cluster) if self.selective else None
        if suspects is not None:
            node_infos = map(cluster.node_info_by_name.__getitem__, suspects)
        listed = tuple(node_infos)
        return {info.name: every for info, every in zip(listed, self.everys(pod, listed), strict=True) if every}


class Sweep(Struct, eq=False):
    """All objections to the nodes of one cluster by the run that was asked last about all of them.

    They stand for every run of the same key, in every cluster with the very same nodes.
    """

    column: Column = field(default_factory=Column)
    _key: Hashable = None
    _node_infos: Sequence[NodeInfo] = ()

    def is_about(self, node_infos: Sequence[NodeInfo]) -> bool:
        """Whether somebody has asked about all of these nodes."""
        return self._node_infos is node_infos

    def of(self, key: Hashable, node_infos: Sequence[NodeInfo], make: Callable[[], Column]) -> Column:
        """What a run of that key says of these nodes."""
        if self._node_infos is not node_infos or self._key != key:
            self._key, self._node_infos, self.column = key, node_infos, make()
        return self.column


class Run(Struct, eq=False):
    """Filters in a row whose verdicts stand as long as the node does: about each node they are asked once.

    Some of them may be a run of their own, which other pods have in common that differ in what the rest looks at.
    `key` is all that the verdicts depend on beside the node, and `memo` what is known of them. If it `is_of_nodes`, the
    pods there do not bear on them, and the key has a part for each link.
    """

    links: Sequence[Link | Run]
    key: tuple[Hashable, ...]
    memo: NodeMemo[tuple[Status, ...]]
    sweep: Sweep
    is_of_nodes: bool
    #: What is said of nodes, by the very statuses.
    _alike: dict[tuple[int, ...], tuple[Status, ...]] = {}

    def every(self, pod: Pod, node_info: NodeInfo) -> tuple[Status, ...]:
        (every,) = self.memo.of((node_info,), partial(self._asked, pod))
        return every

    def everys(
        self, pod: Pod, node_infos: Sequence[NodeInfo], cluster: Cluster | None = None
    ) -> list[tuple[Status, ...]]:
        """All objections to each of these nodes; link by link, as there may be many."""

        def ask(unknown: Sequence[NodeInfo]) -> Iterable[tuple[Status, ...]]:
            if cluster is None or MANY * len(unknown) <= len(cluster.node_infos):
                return self._asked(pod, unknown)
            return map(self.column(pod, cluster).everys.__getitem__, cluster.places(map(_NAME, unknown)))

        return self.memo.of(node_infos, ask)

    def _asked(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> list[tuple[Status, ...]]:
        said = [link.everys(pod, node_infos) for link in self.links]
        keys = list(zip(*[map(id, every) for every in said], strict=True))
        # Nodes that are alike share what is said of them, which is then put into words once.
        alike: dict[tuple[int, ...], tuple[Status, ...]] = {}
        for key, parts in dict(zip(keys, zip(*said, strict=True), strict=True)).items():
            every = tuple(chain.from_iterable(parts))
            alike[key] = self._alike.setdefault(tuple(map(id, every)), every)
        return [alike[key] for key in keys]

    def lets_in(self, pod: Pod, node_info: NodeInfo) -> bool:
        """Whether there is no objection, asked until there is one."""
        known = self.memo.get(node_info)
        return not known if known is not None else all(link.lets_in(pod, node_info) for link in self.links)

    def column(self, pod: Pod, cluster: Cluster) -> Column:
        """All objections to all nodes of the cluster."""
        makes = [partial(link.column, pod, cluster) for link in self.links]
        if self.is_of_nodes:
            columns = (cluster.fact((Column, key), make) for key, make in zip(self.key, makes, strict=True))
            return cluster.fact((Column, self.key), lambda: reduce(Column.and_then, columns))
        return self.sweep.of(self.key, cluster.node_infos, lambda: reduce(Column.and_then, [make() for make in makes]))

    def is_known(self, cluster: Cluster) -> bool:
        """Whether the last pod was asked about in the very same cluster, and on all nodes."""
        return self.sweep.is_about(cluster.node_infos)
