"""The filters of a profile, chained with the states that PreFilter made for them.

Source: `framework/runtime/framework.go`, `RunFilterPlugins` and `RunFilterPluginsWithNominatedPods`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.filter_chain import Link, Run
from kexplain.framework.status import NO_REJECTIONS, Code, Column, Rejections, Status, are_rejections, error
from kexplain.objects.core import Pod


class FilterChain(Struct, eq=False):
    """The filters that have something to say about a pod, each with the state that its PreFilter made.

    `names_by_plugin` are the nodes that a PreFilter narrowed the search to. With `runs_all` the scheduler itself asks
    every filter. `steps` are the links, some of them perhaps as runs, which is for nodes of the cluster only: the node
    of a trial changes. `stateless` are the first plugin that cannot follow pods which come and go, as its PreFilter
    never ran, and what it says.
    """

    pod: Pod
    links: Sequence[Link]
    names_by_plugin: Mapping[str, frozenset[str]]
    steps: Sequence[Link | Run]
    runs_all: bool
    stateless: tuple[str, str]
    #: The runs that the pods on a node do not bear on, and whether any link has to hear of pods that come and go.
    _of_nodes: Sequence[Run] = ()
    follows_pods: bool = True

    def __post_init__(self) -> None:
        parts = [part for step in self.steps if isinstance(step, Run) for part in (step, *step.links)]
        self._of_nodes = [part for part in parts if isinstance(part, Run) and part.is_of_nodes]
        self.follows_pods = bool(self.stateless[1]) or any(link.extensions for link in self.links)

    @property
    def made_of(self) -> tuple[object, ...]:
        """The plugins with their states: chains of the very same ones agree on every node."""
        return tuple(part for link in self.links for part in (link.plugin, link.state))

    def clone(self, node_info: NodeInfo) -> FilterChain:
        """A chain whose states may change, without the filters that let this node in whoever is on it."""
        silent = {id(link) for run in self._of_nodes if run.lets_in(self.pod, node_info) for link in run.links}
        links = [link.clone() for link in self.links if id(link) not in silent]
        return replace(self, links=links, steps=links)

    def state(self, plugin_name: str) -> Any:
        """What that plugin's PreFilter has made; None if it has no state here."""
        return next((link.state for link in self.links if link.name == plugin_name), None)

    def count_pod(self, pod_info: PodInfo, node_info: NodeInfo, change: int) -> Status | None:
        """Tell every state that the pod is on the node now, by a change of 1, or has left it, by -1.

        An answer is the error that upstream ends with.
        """
        for link in self.links:
            if link.extensions is not None:
                link.extensions.count_pod(self.pod, link.state, pod_info, node_info, change)
        if not self.stateless[1]:
            return None
        extension = "AddPod" if change > 0 else "RemovePod"
        return error('running {} on PreFilter plugin "{}": {}'.format(extension, *self.stateless))

    def asked_about(self, cluster: Cluster) -> Callable[[Sequence[NodeInfo]], Sequence[Status | None]]:
        """What gives each of some nodes its `first_rejection`, until the next pod is asked about."""
        if self.runs_all:
            return lambda node_infos: [self.first_rejection(node_info) for node_info in node_infos]
        links = (step for step in self.steps if isinstance(step, Link))
        known_by_link = {id(link): known for link in links if (known := link.rejections(self.pod, cluster)) is not None}
        steps = [step for step in self.steps if known_by_link.get(id(step)) is not NO_REJECTIONS]
        return lambda node_infos: self._heard(self._firsts(node_infos, cluster, steps, known_by_link))

    def _firsts(
        self,
        node_infos: Sequence[NodeInfo],
        cluster: Cluster,
        steps: Sequence[Link | Run],
        known_by_link: Mapping[int, Rejections],
    ) -> list[Status | None]:
        """Step by step, each about the nodes that are left: most steps have nothing to say of most nodes."""
        found: list[Status | None] = [None] * len(node_infos)
        for step in steps:
            if id(step) in known_by_link:
                by_node = known_by_link[id(step)].by_node
                found = [status or by_node.get(info.name) for info, status in zip(node_infos, found, strict=True)]
            else:
                left = [info for info, status in zip(node_infos, found, strict=True) if status is None]
                firsts = [every[0] if every else None for every in step.everys(self.pod, left, cluster)]
                answers = iter(firsts)
                found = [status or next(answers) for status in found] if len(left) < len(found) else firsts
        return found

    def _heard(self, found: list[Status | None]) -> list[Status | None]:
        """The same as the scheduler hears it."""
        if are_rejections(found):
            return found
        return [status if status is None or status.is_rejection else _failed(status) for status in found]

    def knows_all(self, cluster: Cluster) -> bool:
        """Whether the last pod was asked about on all nodes of the very same cluster, none of which is kept for any."""
        head = self.steps[0] if self.steps and not self.runs_all and not cluster.nominated_by_node else None
        return isinstance(head, Run) and head.is_known(cluster)

    def all_turned_down(self, cluster: Cluster) -> Sequence[Status] | None:
        """The first rejection of every node, if the last pod was asked about as in `knows_all`.

        None unless the filters whose verdicts hang on the node alone turn down all of them.
        """
        column = self.steps[0].column(self.pod, cluster)
        every = map(column.said.__getitem__, numbers := set(column.numbers))
        firsts = {number: each[0] for number, each in zip(numbers, every, strict=True) if each and each[0].is_rejection}
        return [*map(firsts.__getitem__, column.numbers)] if len(firsts) == len(numbers) else None

    def first_rejection(self, node_info: NodeInfo) -> Status | None:
        """The objection as the scheduler hears it: the first, or all of them as one where it asks every filter."""
        if self.runs_all:
            return self._merged_rejections(node_info)
        for step in self.steps:
            every = step.every(self.pod, node_info)
            if every:
                return every[0] if every[0].code.is_rejection else _failed(every[0])
        return None

    def lets_in(self, node_info: NodeInfo) -> bool:
        """Whether no filter objects to the node, asked until one does."""
        return all(step.lets_in(self.pod, node_info) for step in self.steps)

    def _merged_rejections(self, node_info: NodeInfo) -> Status | None:
        """All objections with the severest code; the first plugin with that is to blame, upstream any of them."""
        statuses = self.all_rejections(node_info)
        failed = next((status for status in statuses if not status.is_rejection), None)
        if failed is not None:
            return _failed(failed)
        if not statuses:
            return None
        codes = [status.code for status in statuses]
        unresolvable_code = Code.UNSCHEDULABLE_AND_UNRESOLVABLE
        worst = statuses[codes.index(unresolvable_code)] if unresolvable_code in codes else statuses[0]
        reasons = tuple(reason for status in statuses for reason in status.reasons)
        evidence = tuple(each for status in statuses for each in status.evidence)
        return Status(worst.code, reasons, evidence, worst.plugin)

    def all_rejections(self, node_info: NodeInfo) -> tuple[Status, ...]:
        """Every filter's objection to the node, in their order, asked without stopping at the first.

        What a plugin says whose PreFilter ruled the node out already does not count.
        """
        every: tuple[Status, ...] = ()
        pod = self.pod
        for step in self.steps:
            found = step.every(pod, node_info)
            if found:
                every = every + found if every else found
        return self._counted(node_info.name, every)

    def column(self, cluster: Cluster) -> Column:
        """`all_rejections` of every node of the cluster that the states were made for.

        As long as nothing but the node itself speaks, its tuple is the same one for every pod that asks for the same.
        """
        column = Column.of({}, len(cluster.node_infos))
        for step in self.steps:
            column = column.and_then(step.column(self.pod, cluster))
        if self.names_by_plugin:
            everys = zip(cluster.node_info_by_name, column.everys, strict=True)
            return Column.of({place: self._counted(*each) for place, each in enumerate(everys)}, len(column.numbers))
        return column

    def _counted(self, node_name: str, every: tuple[Status, ...]) -> tuple[Status, ...]:
        names_by_plugin = self.names_by_plugin
        if not names_by_plugin:
            return every
        return tuple(status for status in every if node_name in names_by_plugin.get(status.plugin, (node_name,)))


def _failed(status: Status) -> Status:
    """A filter's error as the scheduler hears it."""
    return error(f'running "{status.plugin}" filter plugin: {status.message}').by(status.plugin)


class Trial:
    """A node and the filters' states, copied: pods can be put and taken away to see what changes.

    Upstream tells plugins of pods elsewhere, and leaves their nodes as they are.
    """

    def __init__(self, chain: FilterChain, node_info: NodeInfo, cluster: Cluster) -> None:
        self._chain = chain.clone(node_info)
        self.node_info = node_info.copy()
        self._cluster = cluster

    def add_pod(self, pod_info: PodInfo, node_name: str) -> Status | None:
        """Put a pod back on its node, this or another; an answer is the error that upstream ends with."""
        if node_name == self.node_info.name:
            self.node_info.add_pod(pod_info)
        return self._count_pod(pod_info, node_name, 1) if self._chain.follows_pods else None

    def remove_pod(self, pod_info: PodInfo, node_name: str) -> Status | None:
        """Take a pod off its node, this or another; an answer is the error that upstream ends with."""
        if node_name == self.node_info.name:
            self.node_info.remove_pod(pod_info)
        return self._count_pod(pod_info, node_name, -1) if self._chain.follows_pods else None

    def _count_pod(self, pod_info: PodInfo, node_name: str, change: int) -> Status | None:
        here, elsewhere = self.node_info, self._cluster.node_info_by_name
        return self._chain.count_pod(pod_info, here if node_name == here.name else elsewhere[node_name], change)

    def rejection(self) -> Status | None:
        """What the filters say now, nominated pods considered; None if the pod fits."""
        if not self._cluster.nominated_by_node:
            return self._chain.first_rejection(self.node_info)
        return rejection_with_nominated(self._chain, self.node_info, self._cluster)


def rejection_with_nominated(chain: FilterChain, node_info: NodeInfo, cluster: Cluster) -> Status | None:
    """Why the pod does not fit on the node, both with the pods that are nominated for it and without.

    Those of lower priority do not count: the pod may take what was freed for them.
    """
    pod = chain.pod
    if cluster.nominated_by_node and (nominated := cluster.nominated_before(pod, node_info.name)):
        with_nominated, joined = chain.clone(node_info), node_info.copy()
        for pod_info in nominated:
            joined.add_pod(pod_info)
            failed = with_nominated.count_pod(pod_info, joined, 1)
            if failed is not None:
                return failed
        rejection = with_nominated.first_rejection(joined)
        if rejection is not None:
            # The node of the cluster does not count those that are nominated.
            seen = [one.seen_on(joined) if isinstance(one, InsufficientResource) else one for one in rejection.evidence]
            return replace(rejection, evidence=tuple(seen))
    return chain.first_rejection(node_info)


def search_failure(rejected: dict[str, Status]) -> Status | None:
    """The error among the verdicts that a search has reached, if there is one: it ended the search."""
    last = next(reversed(rejected.values()), None)
    return None if last is None or last.is_rejection else last


def heard(verdicts: Sequence[Status | None], wanted: int) -> Sequence[Status | None]:
    """As many verdicts as a search hears that ends with an error, or with so many nodes that take the pod."""
    if not are_rejections(verdicts):
        verdicts = verdicts[: 1 + next(at for at, each in enumerate(verdicts) if each and not each.is_rejection)]
    enough = [at for at, each in enumerate(verdicts) if each is None][wanted - 1 : wanted]
    return verdicts[: enough[0] + 1] if enough else verdicts
