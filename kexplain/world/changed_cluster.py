"""A cluster in which some objects are gone, new or others than they were: the same as if it were counted anew."""

from collections.abc import Collection, Iterable, Iterator

from kexplain.case.immediate_binding import bound_in
from kexplain.cluster import Cluster
from kexplain.cluster.departing import freed
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import tolerates


def changed_cluster(
    cluster: Cluster, gone: Collection[KubernetesObject], made: Collection[KubernetesObject]
) -> Cluster:
    """The cluster without what is `gone` and with what is `made`, where one object may stand in place of another.

    Pods without a node are only known; who tries them adds them. Claims of pods that are gone are free, and new claims
    are bound where they do not wait for a pod.
    """
    # 1) Pods leave, and nodes change.
    cluster = _with_nodes(_without_pods(cluster, gone, made), gone, made)
    # 2) Everything else.
    kept = {(type(each), each.key) for each in made}
    others = [each for each in made if not isinstance(each, Node | Event) and not _has_node(each)]
    without = [each for each in gone if not isinstance(each, Node) and (type(each), each.key) not in kept]
    if others or without:
        cluster = cluster.replacing(bound_in(others, cluster), without)
    # 3) Pods come to their nodes.
    for pod in filter(_has_node, made):
        if isinstance(pod, Pod) and pod.spec.node_name in cluster.node_info_by_name:
            cluster = cluster.assume(pod, pod.spec.node_name or "")
    return cluster


def _without_pods(cluster: Cluster, gone: Collection[KubernetesObject], made: Collection[KubernetesObject]) -> Cluster:
    """Those that are only replaced keep what they hold."""
    leaving = [each for each in gone if isinstance(each, Pod) and not each.is_terminated]
    placed = [*filter(None, (cluster.placed_pods.named(pod.namespace, pod.name) for pod in leaving))]
    kept = {each.uid for each in made if isinstance(each, Pod)} - {""}
    left = freed(
        cluster.without([*(info.pod for info in placed), *leaving]), [pod for pod in leaving if pod.uid not in kept]
    )
    # A port that several pods have is forgotten once one of them leaves: these nodes count theirs anew.
    names = {info.pod.spec.node_name for info in placed if info.host_ports}
    return left.with_nodes(info.node for info in left.node_infos if info.name in names) if names else left


def _with_nodes(cluster: Cluster, gone: Collection[KubernetesObject], made: Collection[KubernetesObject]) -> Cluster:
    nodes = {each.name: each for each in made if isinstance(each, Node)}
    lost = frozenset(each.name for each in gone if isinstance(each, Node)) - nodes.keys()
    return cluster.with_nodes(nodes.values(), lost)


def _has_node(obj: KubernetesObject) -> bool:
    return isinstance(obj, Pod) and bool(obj.spec.node_name) and not obj.is_terminated


def turned_out(before: Node | None, node: Node, pods: Iterable[Pod]) -> Iterator[Pod]:
    """Those of the pods on a node that taints which are new there do not let run on."""
    known = (before.spec.taints if before else None) or ()
    taints = [taint for taint in node.spec.taints or () if taint.effect == NO_EXECUTE and taint not in known]
    for pod in pods if taints else ():
        if any(not any(tolerates(each, taint) for each in pod.spec.tolerations or ()) for taint in taints):
            yield pod
