"""What the plugins that compare pods by their labels read of one: of its labels, those that any selector looks at.

Controllers give each pod labels that no selector reads, such as its index.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from itertools import chain

from kexplain.cluster import Cluster, Listers, NodeInfo, PodInfo
from kexplain.framework.signing import NOTHING_READ, Signature, encoded
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.core import Affinity, Node, Pod, ReplicationController, Service, TopologySpreadConstraint
from kexplain.objects.meta import LabelSelector


def sign_affinity(pod: Pod, cluster: Cluster) -> Signature:
    """The pod's terms, its namespace, and of its labels those that its terms or those of other pods read."""
    affinity = pod.spec.affinity
    terms = encoded((affinity.pod_affinity, affinity.pod_anti_affinity)) if affinity else b""
    placed = cluster.tally(_KeysOfPods, lambda: _KeysOfPods(cluster.node_infos)).keys
    nominated = (info.pod for infos in cluster.nominated_by_node.values() for info in infos)
    keys = {*placed, *(key for each in (pod, *nominated) for key in _keys_of_affinity(each.spec.affinity))}
    return Signature((pod.namespace, _labels(pod, keys), terms))


def sign_spread(pod: Pod, cluster: Cluster, *, has_defaults: bool) -> Signature:
    """What bears on how the pod is spread: its own constraints, or else its services and its controller."""
    spec = pod.spec
    own = spec.topology_spread_constraints
    if not own and not has_defaults:
        return NOTHING_READ
    counted_on = encoded((own, spec.node_selector, spec.affinity.node_affinity if spec.affinity else None))
    selected = (pod.namespace, _labels(pod, frozenset(_keys_of_spread(own)))) if own else signed_owners(pod, cluster)
    return Signature((selected, counted_on, spec.tolerations))


def signed_owners(pod: Pod, cluster: Cluster) -> Hashable:
    """What tells which services and which controller a pod belongs to."""
    owner = pod.metadata.controller
    controller = (owner.api_version, owner.kind, owner.name) if owner else None
    keys = cluster.listers.derived(_keys_of_owners, Service, ReplicationController, ReplicaSet, StatefulSet)
    return pod.namespace, _labels(pod, keys), controller


def _labels(pod: Pod, keys: Collection[str]) -> Hashable:
    return frozenset((key, value) for key, value in pod.labels.items() if key in keys)


def _keys_of_affinity(affinity: Affinity | None) -> Iterator[str]:
    for term in affinity.pod_terms if affinity else ():
        yield from _keys(term.label_selector)
        yield from (*(term.match_label_keys or ()), *(term.mismatch_label_keys or ()))


def _keys_of_spread(constraints: Iterable[TopologySpreadConstraint]) -> Iterator[str]:
    for constraint in constraints:
        yield from (*_keys(constraint.label_selector), *(constraint.match_label_keys or ()))


class _KeysOfPods:
    """The label keys that affinities of placed pods read; a tally."""

    def __init__(self, node_infos: Iterable[NodeInfo]) -> None:
        self.keys: Counter[str] = Counter()
        for node_info in node_infos:
            for info in node_info.pods_with_affinity:
                self.keys.update(_keys_of_affinity(info.affinity))

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Note a pod that came or went; a key that nobody reads any more may stay, which does no harm."""
        if pod_info.has_affinity and sign > 0:
            self.keys.update(_keys_of_affinity(pod_info.affinity))


def _keys_of_owners(listers: Listers) -> frozenset[str]:
    selecting: tuple[Service | ReplicationController, ...] = (
        *listers.every(Service),
        *listers.every(ReplicationController),
    )
    owning: tuple[ReplicaSet | StatefulSet, ...] = (*listers.every(ReplicaSet), *listers.every(StatefulSet))
    by_selector = chain.from_iterable(_keys(each.spec.selector) for each in owning)
    return frozenset((*chain.from_iterable(each.spec.selector or {} for each in selecting), *by_selector))


def _keys(selector: LabelSelector | None) -> Iterator[str]:
    if selector is not None:
        yield from selector.match_labels or ()
        yield from (each.key for each in selector.match_expressions or ())
