"""How a pod that does not start differs from its siblings that do."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.siblings import are_siblings, placed_siblings
from kexplain.diagnosis.findings.statement import Few, told
from kexplain.diagnosis.records import Held
from kexplain.objects.core import Node, NodeSystemInfo, Pod
from kexplain.objects.node_pools import comes_along
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH, POD_TEMPLATE_HASH
from kexplain.words import clauses

_OS, _ARCH = "kubernetes.io/os", "kubernetes.io/arch"
_VERSIONS = {
    "kubelet_version": "kubelet",
    "container_runtime_version": "container runtime",
    "kernel_version": "kernel",
    "os_image": "OS image",
}


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


def with_other_nodes(found: Held, pod: Pod, cluster: Cluster) -> Held:
    """The finding with what nodes have where pods of its template are ready, and none has where they are not.

    Where such pods are on no other nodes, or nothing tells these apart, it stays as it is.
    """
    alike = [(each, node.name) for each, node in placed_siblings(pod, cluster) if _template(each) == _template(pod)]
    ready, every = {name for each, name in alike if each.is_ready}, {name for _, name in alike}
    if not ready or pod.spec.node_name in ready or len(every) == len(ready):
        return found
    marks = {name: _marks(cluster.node_info_by_name[name], cluster, pod) for name in every}
    works, fails = [marks[name] for name in ready], [marks[name] for name in every - ready]
    there = frozenset.intersection(*works).difference(*fails)
    own = frozenset.intersection(*fails).difference(*works)
    said = told("nodes-apart", *(Few.of(sorted(each), 2) for each in (there, own)), Few.of(sorted(ready)))
    more = found.with_text(clauses(found.clause, str(said)))
    return replace(more, facts={**found.facts, "apart": said.about}) if there or own else found


def _template(pod: Pod) -> tuple[str | None, ...]:
    return pod.labels.get(POD_TEMPLATE_HASH), pod.labels.get(CONTROLLER_REVISION_HASH)


def _marks(info: NodeInfo, cluster: Cluster, pod: Pod) -> frozenset[str]:
    """What may make a pod fail on one node and run on another: versions, drivers, devices, agents that are ready."""
    csi = cluster.listers.get(CSINode, info.name)
    agents = (each.pod for each in info.pods if comes_along(each.pod) and not are_siblings(each.pod, pod))
    makers = (each.metadata.controller for each in agents if each.is_ready)
    return frozenset(
        (
            *_versions(info.node.status.node_info or NodeSystemInfo()),
            *(f"CSI driver {each.name}" for each in (csi.spec.drivers if csi else None) or ()),
            *(f"{key} in its capacity" for key in info.node.status.capacity or () if "/" in key),
            *(f"a ready pod of DaemonSet {by.name}" for by in makers if by),
        )
    )


def _versions(system: NodeSystemInfo) -> Iterator[str]:
    for field, words in _VERSIONS.items():
        if version := getattr(system, field):
            yield f"{words} {version}"
