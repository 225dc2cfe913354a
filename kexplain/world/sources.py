"""The objects of a cluster before anything changes, as they were read or counted, and the cluster after changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import TypeVar

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.immediate_binding import bound_in
from kexplain.case.own_pods import Key, key_of
from kexplain.cluster import Cluster
from kexplain.cluster.departing import freed
from kexplain.load import Loaded
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_service import Trouble, lost, saying
from kexplain.objects.selectors import EVERYTHING, NO_EXECUTE
from kexplain.objects.tolerations import untolerated_taints
from kexplain.objects.well_known import DEFAULT_NAMESPACE, JOB_TRACKING
from kexplain.scheduler.cycle import Scheduler

#: An object as it was and as it is then; None where it is not there.
Difference = tuple[KubernetesObject | None, KubernetesObject | None]
_Object = TypeVar("_Object", bound=KubernetesObject)
#: With more pods than these, only those are thought of that share a namespace with the pods in question.
MOST_AROUND = 2_000


class ReadObjects:
    """Objects as they were read; the cluster of them may have been counted already."""

    def __init__(self, contents: Contents, cluster: Cluster | None = None) -> None:
        self._contents, self._cluster = contents, cluster
        self.namespace = contents.namespace
        self._objects = Objects.these(contents.objects)
        self._by_key: dict[str, dict[Key, KubernetesObject]] = {}

    @cached_property
    def cluster(self) -> Cluster:
        if self._cluster is not None:
            return self._cluster
        waiting = (obj for obj in self._objects.others if isinstance(obj, Pod) and not obj.spec.node_name)
        return CaseBuilder(self._contents).cluster({*map(id, waiting)})

    def find(self, key: Key) -> KubernetesObject | None:
        kind = key[0]
        if kind not in self._by_key:
            found = self._by_key[kind] = {}
            for each in self._objects if kind == Pod.__name__ else self._objects.others:
                if each.kind == kind:
                    found.setdefault(key_of(each, self.namespace), each)
        return self._by_key[kind].get(key)

    def of(self, *kinds: type[_Object]) -> Iterable[_Object]:
        return self._objects.of(*kinds)

    def within(self, namespace: str, kinds: tuple[type[KubernetesObject], ...]) -> Iterable[KubernetesObject]:
        """The objects of these kinds, all of which have namespaces, that are in this one."""
        return (obj for obj in self.of(*kinds) if (obj.namespace or self.namespace) == namespace)

    def on_node(self, name: str) -> Iterable[Pod]:
        return (pod for pod in self.of(Pod) if pod.spec.node_name == name and not pod.is_terminated)

    def contents(self, namespaces: Set[str]) -> Contents:  # noqa: ARG002 - see CountedObjects
        return self._contents

    def changed(self, differences: Sequence[Difference], builder: Callable[[], CaseBuilder]) -> Cluster:
        gone = [old.in_namespace(self.namespace) for old, _ in differences if old is not None]
        stored = builder()
        made = [stored.in_cluster(new) for _, new in differences if new is not None]
        added = [new for _, new in differences if new is not None]
        cluster = changed_cluster(self.cluster, gone, made)
        return cluster.replacing(stored.taken_to_exist((*self._contents.objects, *added)))

    def pods_around(self, cluster: Cluster, namespaces: Set[str]) -> Iterable[Pod]:  # noqa: ARG002 - see CountedObjects
        return cluster.pods


class CountedObjects:
    """The objects of a counted cluster, and pods that wait beside it; all are as an API server stores them.

    Pods that were put on their nodes here, and only here, take room and are no objects.
    """

    def __init__(self, cluster: Cluster, scheduler: Scheduler | None, waiting: Sequence[Pod]) -> None:
        self.cluster, self._scheduler, self._waiting = cluster, scheduler, waiting
        self.namespace = waiting[0].namespace if waiting else DEFAULT_NAMESPACE
        self._contents: dict[Set[str] | None, Contents] = {}

    def find(self, key: Key) -> KubernetesObject | None:
        kind, namespace, name = key
        if kind == Node.__name__:
            node_info = self.cluster.node_info_by_name.get(name)
            return node_info.node if node_info else None
        if kind == Pod.__name__:
            placed = self.cluster.placed_pods.named(namespace, name)
            waiting = (pod for pod in self._waiting if (pod.namespace, pod.name) == (namespace, name))
            return placed.pod if placed else next(waiting, None)
        kinds = (each for each in self.cluster.listers.kinds if each.__name__ == kind)
        return next(filter(None, (self.cluster.listers.get(each, name, namespace) for each in kinds)), None)

    def of(self, *kinds: type[_Object]) -> Iterable[_Object]:
        nodes = (node_info.node for node_info in self.cluster.node_infos) if issubclass(Node, kinds) else ()
        return (obj for obj in (*nodes, *self._objects(None, kinds)) if isinstance(obj, kinds))

    def within(self, namespace: str, kinds: tuple[type[KubernetesObject], ...]) -> Iterable[KubernetesObject]:
        """The objects of these kinds, all of which have namespaces, that are in this one, and all pods that wait."""
        return self._objects({namespace}, kinds)

    def on_node(self, name: str) -> Iterable[Pod]:
        node_info = self.cluster.node_info_by_name.get(name)
        return (info.pod for info in node_info.pods) if node_info else ()

    def contents(self, namespaces: Set[str]) -> Contents:
        limits = self._limits(namespaces)
        if limits not in self._contents:
            assert self._scheduler is not None  # noqa: S101 - without one nothing is followed
            loaded = Loaded()
            loaded.listed = {*self.cluster.listers.listed}
            self._contents[limits] = Contents(loaded, [*self._objects(limits)], self._scheduler, self.namespace)
        return self._contents[limits]

    def changed(self, differences: Sequence[Difference], builder: Callable[[], CaseBuilder]) -> Cluster:  # noqa: ARG002
        gone = [old for old, _ in differences if old is not None]
        return changed_cluster(self.cluster, gone, [new for _, new in differences if new is not None])

    def pods_around(self, cluster: Cluster, namespaces: Set[str]) -> Iterable[Pod]:
        return (info.pod for info, _ in cluster.placed_pods.matching(EVERYTHING, self._limits(namespaces)))

    def _limits(self, namespaces: Set[str]) -> Set[str] | None:
        """The namespaces that count besides those of pods that wait; None where all do."""
        if sum(len(info.pods) for info in self.cluster.node_infos) <= MOST_AROUND:
            return None
        return frozenset((*namespaces, *(pod.namespace for pod in self._waiting)))

    def _objects(
        self, namespaces: Set[str] | None, kinds: tuple[type[KubernetesObject], ...] = (KubernetesObject,)
    ) -> Iterator[KubernetesObject]:
        """All objects of these kinds but nodes; of those in namespaces, those in these."""
        listers = self.cluster.listers
        known = [kind for kind in listers.kinds if kind is not Pod and issubclass(kind, kinds)]
        for each in chain.from_iterable(map(listers.every, known)):
            if namespaces is None or not each.is_namespaced or each.namespace in namespaces:
                yield each
        if issubclass(Pod, kinds):
            placed = (info.pod for info, _ in self.cluster.placed_pods.matching(EVERYTHING, namespaces))
            yield from (pod for pod in placed if pod.spec.node_name)
            yield from self._waiting


#: Where the objects of a cluster are, of which nothing changes there.
Source = ReadObjects | CountedObjects


# ------------------------------------------------------------------------------------------------ the cluster then


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
    deleted = [pod for pod in leaving if pod.uid not in kept]
    left = freed(cluster.without([*(info.pod for info in placed), *leaving]), deleted)
    # A port that several pods have is forgotten once one of them leaves: these nodes count theirs anew.
    names = {info.pod.spec.node_name for info in placed if info.host_ports}
    return left.with_nodes(info.node for info in left.node_infos if info.name in names) if names else left


def _with_nodes(cluster: Cluster, gone: Collection[KubernetesObject], made: Collection[KubernetesObject]) -> Cluster:
    nodes = {each.name: each for each in made if isinstance(each, Node)}
    lost = frozenset(each.name for each in gone if isinstance(each, Node)) - nodes.keys()
    return cluster.with_nodes(nodes.values(), lost)


def _has_node(obj: KubernetesObject) -> bool:
    return isinstance(obj, Pod) and bool(obj.spec.node_name) and not obj.is_terminated


def changed_pods(differences: Iterable[Difference]) -> list[tuple[Pod, Pod]]:
    """The pods that are others than they were, and still there: before and after."""
    return [(old, new) for old, new in differences if isinstance(old, Pod) and isinstance(new, Pod)]


def turned_out(before: Node | None, node: Node, pods: Iterable[Pod]) -> Iterator[Pod]:
    """Those of the pods on a node that taints which are new there do not let run on.

    Of a node that is lost, and marked as out of service, pods that are being deleted are let go whatever they tolerate,
    but for what finalizers hold.

    Source: kube-controller-manager `podgc.gcTerminating`, release 1.36.
    """
    known = (before.spec.taints if before else None) or ()
    taints = [taint for taint in node.spec.taints or () if taint.effect == NO_EXECUTE and taint not in known]
    for pod in pods if taints else ():
        if pod.metadata.deletion_timestamp and lets_go(node):
            yield from () if {*(pod.metadata.finalizers or ())} - {JOB_TRACKING} else (pod,)
        elif untolerated_taints(taints, pod.spec.tolerations or (), (NO_EXECUTE,)):
            yield pod


def lets_go(node: Node) -> bool:
    """Whether a node is lost, and marked as out of service: its pods and volumes are let go then."""
    return bool(lost(node) and saying(node, Trouble.MARKED))
