"""Which node each pod of a cluster is on, or is nominated for."""

from collections.abc import Iterable

from kexplain.cluster.pod_info import PodInfo, PodInfoFactory
from kexplain.objects.core import Pod
from kexplain.objects.stored_pods import NODE_NAME, StoredPods


class Homes:
    """The pods on each node, and those that are nominated for one, in the order in which they are put there."""

    def __init__(self, names: Iterable[str], pod_infos: PodInfoFactory) -> None:
        """The names are those of all nodes."""
        self.on_nodes: dict[str, list[PodInfo]] = {name: [] for name in names}
        self.nominated: dict[str, list[PodInfo]] = {}
        self._pod_infos = pod_infos

    def put(self, pods: Iterable[Pod]) -> None:
        """Finished pods, and pods on nodes that are not there, are nowhere. Raises QuantityError."""
        on_nodes, pod_info = self.on_nodes, self._pod_infos.pod_info
        for pod in pods:
            if pod.is_terminated:
                continue
            if name := pod.spec.node_name:
                if name in on_nodes:
                    on_nodes[name].append(pod_info(pod))
            elif pod.status.nominated_node_name:
                self.nominated.setdefault(pod.status.nominated_node_name, []).append(pod_info(pod))

    def put_stored(self, stored: StoredPods) -> list[Pod]:
        """The same with all pods of a snapshot, of which the loose ones are returned."""
        infos = self._pod_infos.stored_pod_infos(stored)
        loose = {row: pod for row, pod in stored.loose.items() if row not in stored.gone}
        names = stored.rows.column(NODE_NAME)
        by_place = [self.on_nodes.get(name) for name in names.values]
        for row, (info, place) in enumerate(zip(infos, names.places or range(len(infos)), strict=True)):
            if info is None:
                if row in loose:
                    self.put([loose[row]])
            elif (there := by_place[place]) is not None:
                there.append(info)
        return [*loose.values()]
