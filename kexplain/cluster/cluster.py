"""The cluster at one moment. Source: scheduler `backend/cache` Snapshot and the listers of its informers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kexplain.cluster.listers import Listers
from kexplain.cluster.node_info import NodeInfo
from kexplain.cluster.node_tree import interleave_zones
from kexplain.cluster.pod_info import PodInfo, PodInfoFactory
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.requests import RequestRules


@dataclass(frozen=True, slots=True)
class ImageState:
    """An image somewhere in the cluster; its size is what the first node that holds it reports.

    `rank_by_node` are the nodes that hold it, numbered from 1 in the order in which they joined.
    """

    size_bytes: int
    rank_by_node: Mapping[str, int]


class Cluster:
    """An immutable snapshot; `assume`, `nominate` and `without` return a new one that shares all it can."""

    def __init__(
        self,
        node_infos: Sequence[NodeInfo],
        listers: Listers,
        pod_infos: PodInfoFactory,
        nominated: Mapping[str, tuple[PodInfo, ...]],
        image_owners: Sequence[Node],
    ) -> None:
        self.node_infos = tuple(node_infos)
        self.node_info_by_name = {node_info.name: node_info for node_info in self.node_infos}
        self.listers = listers
        self.nominated_by_node = nominated
        self.node_infos_with_affinity_pods = tuple(n for n in self.node_infos if n.pods_with_affinity)
        self.node_infos_with_required_anti_affinity_pods = tuple(
            n for n in self.node_infos if n.pods_with_required_anti_affinity
        )
        self._pod_infos = pod_infos
        self._image_owners = image_owners

    @classmethod
    def of(
        cls,
        nodes: Iterable[Node],
        pods: Iterable[Pod],
        objects: Iterable[KubernetesObject] = (),
        *,
        rules: RequestRules | None = None,
        listed: frozenset[type[KubernetesObject]] = frozenset(),
    ) -> Cluster:
        """The snapshot of these nodes, the pods bound to them, the pods nominated for them, and the rest.

        Nodes come in the order in which an API server would list them. A later node or pod of the same name
        replaces an earlier one. Finished pods, and pods on nodes that are not there, take nothing of anyone.
        Of the kinds in `listed`, these objects are known to be all there are.
        Raises QuantityError on an amount that is no quantity.
        """
        distinct_nodes = list({node.name: node for node in nodes}.values())
        node_infos = [NodeInfo(node) for node in interleave_zones(distinct_nodes)]
        by_name = {node_info.name: node_info for node_info in node_infos}
        pod_infos = PodInfoFactory(rules or RequestRules())
        nominated: dict[str, list[PodInfo]] = {}
        for pod in {pod.key: pod for pod in pods}.values():
            if pod.is_terminated:
                continue
            if pod.spec.node_name:
                node_info = by_name.get(pod.spec.node_name)
                if node_info is not None:
                    node_info.add_pod(pod_infos.pod_info(pod))
            elif pod.status.nominated_node_name:
                nominated.setdefault(pod.status.nominated_node_name, []).append(pod_infos.pod_info(pod))
        return cls(
            node_infos,
            Listers.of(objects, listed),
            pod_infos,
            {name: tuple(infos) for name, infos in nominated.items()},
            distinct_nodes,
        )

    @property
    def rules(self) -> RequestRules:
        """How requests are counted here."""
        return self._pod_infos.rules

    def pod_info(self, pod: Pod) -> PodInfo:
        """The pod with its accounting under this cluster's rules."""
        return self._pod_infos.pod_info(pod)

    def assume(self, pod: Pod, node_name: str) -> Cluster:
        """The cluster once the pod runs on that node, no longer nominated anywhere."""
        node_info = self.node_info_by_name[node_name].copy()
        node_info.add_pod(self.pod_info(pod))
        return self._replaced({node_name: node_info}, self._nominated_without(pod))

    def nominate(self, pod: Pod, node_name: str) -> Cluster:
        """The cluster once room on that node is kept for the pod."""
        nominated = dict(self._nominated_without(pod))
        nominated[node_name] = (*nominated.get(node_name, ()), self.pod_info(pod))
        return self._replaced({}, nominated)

    def without(self, pods: Iterable[Pod]) -> Cluster:
        """The cluster once these pods are gone, whether they ran or were nominated."""
        gone = set(pods)
        changed: dict[str, NodeInfo] = {}
        for node_info in self.node_infos:
            leaving = [pod_info for pod_info in node_info.pods if pod_info.pod in gone]
            if leaving:
                copy = node_info.copy()
                for pod_info in leaving:
                    copy.remove_pod(pod_info)
                changed[node_info.name] = copy
        nominated = {
            name: kept
            for name, infos in self.nominated_by_node.items()
            if (kept := tuple(pod_info for pod_info in infos if pod_info.pod not in gone))
        }
        return self._replaced(changed, nominated)

    def replacing(self, objects: Iterable[KubernetesObject]) -> Cluster:
        """The cluster with these objects, neither nodes nor pods, in place of those of their kind and name."""
        listers = self.listers.replacing(objects)
        return Cluster(self.node_infos, listers, self._pod_infos, self.nominated_by_node, self._image_owners)

    def image_states(self, names: Iterable[str]) -> dict[str, ImageState]:
        """Where these images are held, by image name; names that no node reports are missing."""
        wanted = frozenset(names)
        sizes: dict[str, int] = {}
        holders: dict[str, dict[str, int]] = {}
        for node in self._image_owners:
            for image in node.status.images or ():
                for name in image.names or ():
                    if name in wanted:
                        sizes.setdefault(name, image.size_bytes or 0)
                        ranks = holders.setdefault(name, {})
                        ranks.setdefault(node.name, len(ranks) + 1)
        return {name: ImageState(size, holders[name]) for name, size in sizes.items()}

    def _nominated_without(self, pod: Pod) -> Mapping[str, tuple[PodInfo, ...]]:
        return {
            name: kept
            for name, infos in self.nominated_by_node.items()
            if (kept := tuple(pod_info for pod_info in infos if pod_info.pod.uid != pod.uid))
        }

    def _replaced(self, changed: Mapping[str, NodeInfo], nominated: Mapping[str, tuple[PodInfo, ...]]) -> Cluster:
        node_infos = [changed.get(node_info.name, node_info) for node_info in self.node_infos]
        return Cluster(node_infos, self.listers, self._pod_infos, nominated, self._image_owners)
