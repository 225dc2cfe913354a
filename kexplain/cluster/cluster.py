"""The cluster at one moment. Source: scheduler `backend/cache` Snapshot and the listers of its informers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from operator import attrgetter, sub
from typing import Any

from msgspec.structs import replace

from kexplain.cluster.groups import NO_GROUPS, AffinityNodes, Groups
from kexplain.cluster.homes import Homes
from kexplain.cluster.images import Images, ImageState
from kexplain.cluster.listers import Listers
from kexplain.cluster.node_info import NodeInfo, Room, offered_by, used_of
from kexplain.cluster.node_tree import interleave_zones
from kexplain.cluster.placed_pods import REPELLING, LeavingPods, PlacedPods, PlacedTerms
from kexplain.cluster.pod_info import AffinityTerm, AffinityTerms, PodInfo, PodInfoFactory
from kexplain.cluster.shared_history import Counted, Fact, Lineage, NodeMemo, PodChange, Version
from kexplain.grouping import grouped
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.requests import RequestRules
from kexplain.objects.stored_pods import StoredPods

_IMAGES = attrgetter("status.images")


class _ByName(Mapping[str, NodeInfo]):
    """A cluster's nodes by name, found by the position that they have in all clusters of the lineage."""

    __slots__ = ("_node_infos", "_position_by_name")

    def __init__(self, node_infos: Sequence[NodeInfo], position_by_name: Mapping[str, int]) -> None:
        self._node_infos = node_infos
        self._position_by_name = position_by_name

    def __getitem__(self, name: str) -> NodeInfo:
        return self._node_infos[self._position_by_name[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._position_by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._position_by_name)

    def __len__(self) -> int:
        return len(self._node_infos)


class Cluster:
    """An immutable snapshot; `assume`, `nominate` and `without` return a new one that shares all it can.

    What is counted over its pods, or found out about its nodes, is shared by all clusters that came of one.
    """

    def __init__(
        self,
        node_infos: Sequence[NodeInfo],
        listers: Listers,
        nominated: Mapping[str, tuple[PodInfo, ...]],
        lineage: Lineage,
        version: Version,
        groups: Groups = NO_GROUPS,
    ) -> None:
        self.groups = groups
        self.node_infos = tuple(node_infos)
        self.node_info_by_name: Mapping[str, NodeInfo] = _ByName(self.node_infos, lineage.position_by_name)
        self.listers = listers
        self.nominated_by_node = nominated
        self._lineage = lineage
        self._version = version
        self._room_by_place: dict[str, Room] = {}
        self._of_nodes: dict[Hashable, Sequence[Any]] = {}

    @classmethod
    def of(
        cls,
        nodes: Iterable[Node],
        pods: Iterable[Pod],
        objects: Iterable[KubernetesObject] = (),
        *,
        rules: RequestRules | None = None,
        listed: frozenset[type[KubernetesObject]] = frozenset(),
        stored: StoredPods | None = None,
    ) -> Cluster:
        """The snapshot of these nodes, the pods bound to them, the pods nominated for them, and the rest.

        Nodes come in the order in which an API server would list them. A later node or pod of the same name
        replaces an earlier one. Finished pods, and pods on nodes that are not there, take nothing of anyone.
        Of the kinds in `listed`, these objects are known to be all there are. Pods that are `stored` come behind
        the others, none of which has a name of theirs.
        Raises QuantityError on an amount that is no quantity.
        """
        joined = {node.name: node for node in nodes}
        pod_infos = PodInfoFactory(rules or RequestRules())
        there = list({(pod.metadata.namespace, pod.metadata.name): pod for pod in pods}.values())
        homes = Homes(joined, pod_infos)
        homes.put(there)
        if stored is not None:
            there += homes.put_stored(stored)
        made = (NodeInfo(node, homes.on_nodes[name]) for name, node in joined.items())
        node_infos = interleave_zones((info.zone, info) for info in made)
        return cls(
            node_infos,
            Listers.of(objects, listed),
            {name: tuple(infos) for name, infos in homes.nominated.items()},
            Lineage([node_info.name for node_info in node_infos], joined, pod_infos),
            Version(),
            Groups.of(there),
        )

    def anew(self) -> Cluster:
        """The same cluster, of which nothing has been worked out yet."""
        lineage = Lineage(self._lineage.position_by_name, self._lineage.joined, self._lineage.pod_infos)
        return Cluster(self.node_infos, self.listers, self.nominated_by_node, lineage, Version(), self.groups)

    @property
    def rules(self) -> RequestRules:
        """How requests are counted here."""
        return self._lineage.pod_infos.rules

    @property
    def pods(self) -> Iterator[Pod]:
        """The pods on nodes, node by node."""
        return (pod_info.pod for node_info in self.node_infos for pod_info in node_info.pods)

    def pod_info(self, pod: Pod) -> PodInfo:
        """The pod with its accounting under this cluster's rules."""
        return self._lineage.pod_infos.pod_info(pod)

    def counted_by(self, rules: RequestRules) -> Cluster:
        """This very cluster if its requests are counted by these rules, and otherwise one where they are.

        Raises QuantityError on a request that is no quantity.
        """
        if rules == self.rules:
            return self
        pod_infos, infos = PodInfoFactory(rules), self.node_infos
        node_infos = [NodeInfo(each.node, [pod_infos.pod_info(info.pod) for info in each.pods]) for each in infos]
        nominated = {
            name: tuple(pod_infos.pod_info(pod_info.pod) for pod_info in infos)
            for name, infos in self.nominated_by_node.items()
        }
        lineage = Lineage(self._lineage.position_by_name, self._lineage.joined, pod_infos)
        return Cluster(node_infos, self.listers, nominated, lineage, Version(), self.groups)

    # ----------------------------------------------------------------------------------------- what is worked out

    def fact(self, key: Hashable, make: Callable[[], Fact]) -> Fact:
        """What `make` finds out about the nodes, asked once for each key; it must not depend on the pods."""
        return self._lineage.fact(key, make)

    def tally(self, key: Hashable, make: Callable[[], Counted]) -> Counted:
        """What `make` counts over the placed pods, kept up to date since; of use until the next one is asked for.

        It must not depend on nodes without pods, unless the key has the `nodes_key`.
        """
        return self._lineage.tally(self._version, key, make)

    @property
    def nodes_key(self) -> Hashable:
        """The same for all clusters that have the very same nodes, if with other pods."""
        return self._lineage.nodes_key

    def node_memo(self, key: Hashable) -> NodeMemo[Any]:
        """What was found out about single nodes under that key, to look up and to add to."""
        return self._lineage.node_memo(key)

    def of_each_node(self, key: Hashable, ask: Callable[[NodeInfo], Fact]) -> dict[str, Fact]:
        """What is found out about every node by its name, asked once as long as the node and its pods stand."""
        found = self.node_memo(key).of(self.node_infos, partial(map, ask))
        return dict(zip(self._lineage.position_by_name, found, strict=True))

    def of_nodes(self, key: Hashable, ask: Callable[[NodeInfo], Fact]) -> Sequence[Fact]:
        """The same in the order of nodes, for keys of which there are few: each is kept with the cluster."""
        if key not in self._of_nodes:
            self._of_nodes[key] = [*self.of_each_node(key, ask).values()]
        found: Sequence[Fact] = self._of_nodes[key]
        return found

    def room_by_place(self, resource: str) -> Room:
        """What each node offers of a resource, and what is taken, in their order."""
        if resource not in self._room_by_place:
            offered, kinds = self.fact((Room, resource), lambda: offered_by(self.node_infos, resource))
            used = [*map(used_of(resource), self.node_infos)]
            self._room_by_place[resource] = Room(offered, kinds, used, [*map(sub, [offered[k] for k in kinds], used)])
        return self._room_by_place[resource]

    @property
    def placed_pods(self) -> PlacedPods:
        """The pods on nodes, by what selectors ask for."""
        return self.tally(PlacedPods, lambda: PlacedPods(self.node_infos))

    @property
    def leaving_pods(self) -> LeavingPods:
        """The pods on nodes that are being deleted."""
        return self.tally(LeavingPods, lambda: LeavingPods(self.node_infos))

    def placed_terms(
        self,
        kind: str,
        terms_of: Callable[[AffinityTerms], Iterable[tuple[AffinityTerm, int]]],
        *,
        looks_everywhere: bool = False,
    ) -> PlacedTerms:
        """One kind of affinity term of all placed pods; while a group is tried, of those where upstream looks."""
        known = self.groups.affinity_nodes
        if known is None:
            return self.tally((PlacedTerms, kind), lambda: PlacedTerms(self.node_infos, terms_of))
        names = known.with_required_anti_affinity if kind == REPELLING else known.with_affinity
        return PlacedTerms((info for info in self.node_infos if looks_everywhere or info.name in names), terms_of)

    def names_by_label(self, key: str) -> Mapping[str | None, Sequence[str]]:
        """The names of the nodes by the value of that label, in the order of nodes; None for those without."""
        named = ((node_info.labels.get(key), node_info.name) for node_info in self.node_infos)
        return self.fact(("names by label", key), lambda: grouped(named))

    def image_states(self, names: Iterable[str]) -> dict[str, ImageState]:
        """Where these images are held, by image name; names that no node reports are missing."""
        return self._images().states(names)

    def _images(self) -> Images:
        return self.fact(Images, lambda: Images(self._lineage.joined.values()))

    # ---------------------------------------------------------------------------------------------- what may change

    def assume(self, pod: Pod, node_name: str) -> Cluster:
        """The cluster once the pod runs on that node, no longer nominated anywhere."""
        node_info = self.node_info_by_name[node_name].copy()
        pod_info = self.pod_info(pod)
        node_info.add_pod(pod_info)
        groups = self.groups.with_pod(pod, node_name)
        nominated = self._nominated_but(lambda each: each.uid == pod.uid)
        return self._changed([node_info], [PodChange(pod_info, node_info.node, 1)], nominated, groups)

    def nominated_before(self, pod: Pod, node_name: str) -> list[PodInfo]:
        """The other pods that are nominated for a node, and no less important than this one."""
        nominees = self.nominated_by_node.get(node_name, ())
        return [each for each in nominees if each.pod.priority >= pod.priority and each.pod.uid != pod.uid]

    def nominate(self, pod: Pod, node_name: str) -> Cluster:
        """The cluster once room on that node is kept for the pod; on none if the name is empty."""
        nominated = self._nominated_but(lambda each: each.uid == pod.uid)
        if node_name:
            nominated[node_name] = (*nominated.get(node_name, ()), self.pod_info(pod))
        return Cluster(self.node_infos, self.listers, nominated, self._lineage, self._version, self.groups)

    def awaiting(self, pods: Iterable[Pod]) -> Cluster:
        """The cluster in which these pods are known to wait for a node, which tells how many their groups have."""
        return self.with_groups(self.groups.awaiting(pods))

    def with_groups(self, groups: Groups) -> Cluster:
        """The cluster with these pods in its groups."""
        if groups is self.groups:
            return self
        return Cluster(self.node_infos, self.listers, self.nominated_by_node, self._lineage, self._version, groups)

    def trying_group(self) -> Cluster:
        """The cluster while a group is tried, which remembers where pods with affinity are now."""
        anywhere = frozenset(info.name for info in self.node_infos if info.pods_with_affinity)
        required = frozenset(info.name for info in self.node_infos if info.pods_with_required_anti_affinity)
        return self.with_groups(replace(self.groups, affinity_nodes=AffinityNodes(anywhere, required)))

    def with_group_tried(self) -> Cluster:
        """The cluster once that is over."""
        return self.with_groups(replace(self.groups, affinity_nodes=None, new_pods=frozenset(), new_claims=frozenset()))

    def with_claims_of_group(self, keys: Iterable[str]) -> Cluster:
        """The cluster with these claims given to the group that is being tried; itself while none is."""
        groups = self.groups
        if groups.affinity_nodes is None:
            return self
        return self.with_groups(replace(groups, new_claims=groups.new_claims.union(keys)))

    def vacated(self, pods: Iterable[Pod]) -> Cluster:
        """The cluster with the room of these pods free, which still count in their groups."""
        return self.without(pods).with_groups(self.groups)

    def without(self, pods: Iterable[Pod]) -> Cluster:
        """The cluster once these pods are gone, whether they ran or were nominated."""
        gone = set(pods)
        changed: list[NodeInfo] = []
        changes: list[PodChange] = []
        for node_info in self._holding(gone):
            copy = node_info.copy()
            for pod_info in [pod_info for pod_info in node_info.pods if pod_info.pod in gone]:
                copy.remove_pod(pod_info)
                changes.append(PodChange(pod_info, node_info.node, -1))
            changed.append(copy)
        return self._changed(changed, changes, self._nominated_but(gone.__contains__), self.groups.without(gone))

    def with_nodes(self, nodes: Iterable[Node], gone: Collection[str] = ()) -> Cluster:
        """The cluster with these nodes: each with the pods of the one of its name, or new; others are `gone`.

        Raises QuantityError on an amount that is no quantity.
        """
        changed = {node.name: node for node in nodes}
        if not changed and not gone:
            return self
        joined = {**self._lineage.joined, **changed}
        if gone:
            joined = {name: node for name, node in joined.items() if name not in gone}
        changes = [PodChange(info, node.node, -1) for node in self._named((*changed, *gone)) for info in node.pods]
        new: dict[str, NodeInfo] = {}
        for name, node in changed.items():
            pods = former.pods if (former := self.node_info_by_name.get(name)) else ()
            new[name] = NodeInfo(node, pods)
            changes += [PodChange(pod_info, node, 1) for pod_info in pods]
        node_infos = [new.get(info.name, info) for info in self.node_infos]
        if gone or not self._stay_in_their_zones(new):
            known = dict(zip(self._lineage.position_by_name, node_infos, strict=True)) | new
            node_infos = interleave_zones((info.zone, info) for info in map(known.__getitem__, joined))
        names = [node_info.name for node_info in node_infos]
        lineage = Lineage(names, joined, self._lineage.pod_infos, self._lineage)
        if _hold_the_same_images(joined.values(), self._lineage.joined.values()):
            lineage.fact(Images, self._images)
        return Cluster(
            node_infos, self.listers, self.nominated_by_node, lineage, Version(self._version, changes), self.groups
        )

    def _stay_in_their_zones(self, new: Mapping[str, NodeInfo]) -> bool:
        """Whether there are nodes of all these names in the very zones, so that the order of nodes stays."""
        known = self.node_info_by_name
        return all(name in known and known[name].zone == info.zone for name, info in new.items())

    def nodes_named(self, names: Iterable[str]) -> list[NodeInfo]:
        """The nodes of these names, in their order. Raises KeyError for a name that no node has."""
        return [*map(self.node_infos.__getitem__, self.places(names))]

    def places(self, names: Iterable[str]) -> Iterable[int]:
        """The places of the nodes of these names in the order of all. Raises KeyError for a name that no node has."""
        return map(self._lineage.position_by_name.__getitem__, names)

    def _named(self, names: Iterable[str]) -> list[NodeInfo]:
        return [self.node_info_by_name[name] for name in dict.fromkeys(names) if name in self.node_info_by_name]

    def replacing(self, objects: Iterable[KubernetesObject], gone: Collection[KubernetesObject] = ()) -> Cluster:
        """The cluster with these objects, none on nodes, in place of those of their kind and name; others are gone."""
        listers = self.listers.replacing([*objects], gone)
        return Cluster(self.node_infos, listers, self.nominated_by_node, self._lineage, self._version, self.groups)

    def _holding(self, pods: Collection[Pod]) -> list[NodeInfo]:
        """The nodes that any of these pods is on: that which it names, if it was not put elsewhere here."""
        named = (self.node_info_by_name.get(pod.spec.node_name or "") for pod in pods)
        holding = {node_info.name: node_info for node_info in named if node_info is not None}
        found = sum(pod_info.pod in pods for node_info in holding.values() for pod_info in node_info.pods)
        if found == len(pods):
            return list(holding.values())
        names = {node.name for pod in pods if (node := self.placed_pods.node_of(pod)) is not None}
        return [info for info in self.node_infos if info.name in names]

    def _nominated_but(self, is_gone: Callable[[Pod], bool]) -> dict[str, tuple[PodInfo, ...]]:
        """The pods that are nominated for each node, but for those that go."""
        held = self.nominated_by_node.items()
        left = ((name, [info for info in infos if not is_gone(info.pod)]) for name, infos in held)
        return {name: tuple(infos) for name, infos in left if infos}

    def _changed(
        self,
        changed: Iterable[NodeInfo],
        changes: Sequence[PodChange],
        nominated: Mapping[str, tuple[PodInfo, ...]],
        groups: Groups,
    ) -> Cluster:
        node_infos = list(self.node_infos)
        for node_info in changed:
            node_infos[self._lineage.position_by_name[node_info.name]] = node_info
        version = Version(self._version, changes)
        return Cluster(node_infos, self.listers, nominated, self._lineage, version, groups)


def _hold_the_same_images(nodes: Collection[Node], others: Collection[Node]) -> bool:
    """Whether those that hold any images are nodes of the same names with the very same ones, in the same order."""
    return all(
        one is other or (one and other and one.name == other.name and one.status.images is other.status.images)
        for one, other in zip_longest(filter(_IMAGES, nodes), filter(_IMAGES, others))
    )
