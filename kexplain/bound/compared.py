"""How a pod that does not start differs from its siblings that do."""

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.cluster.siblings import placed_siblings
from kexplain.objects.core import Node, Pod

_OS, _ARCH = "kubernetes.io/os", "kubernetes.io/arch"


class Platforms(Struct, frozen=True):
    """The platform of a pod, as `windows/amd64`, and those of its siblings that run, `works`, none of which is that.

    `label` and `value` are the label that all nodes have where it runs, and the pod's own node has not.
    """

    own: str
    works: tuple[str, ...]
    label: str
    value: str


def platforms_apart(pod: Pod, cluster: Cluster) -> Platforms | None:
    """Where pods of its workload run on nodes of other platforms only; None where that is no difference."""
    info = cluster.node_info_by_name.get(pod.spec.node_name or "")
    own = _platform(info.node) if info and len(cluster.fact(_platforms, lambda: _platforms(cluster))) > 1 else ()
    running = {_platform(node) for each, node in placed_siblings(pod, cluster) if each.is_ready} if own else set()
    if info is None or not running or own in running:
        return None
    for place, label in enumerate((_OS, _ARCH)):
        values = {each[place] for each in running}
        if len(values) == 1 and own[place] not in values:
            works = tuple("/".join(each) for each in sorted(running))
            return Platforms("/".join(own), works, label, values.pop())
    return None


def _platforms(cluster: Cluster) -> frozenset[tuple[str, ...]]:
    return frozenset(_platform(info.node) for info in cluster.node_infos)


def _platform(node: Node) -> tuple[str, ...]:
    return node.labels.get(_OS, "linux"), node.labels.get(_ARCH, "")
