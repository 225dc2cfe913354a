"""A cluster after changes: the objects as edited, and the pods that have to be placed because of it.

What controllers do about a change is followed at once: a workload that is scaled gains or loses pods, one with another
template has all its pods made again, and so have pods with a controller whose node goes or turns them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.admission.workloads import template_of
from kexplain.bounds import MAX_COPIES
from kexplain.case.building import CaseBuilder, Contents
from kexplain.case.changes import CREATE, DELETE, PATCH, Change, created, matching, patched
from kexplain.case.daemon_pods import daemon_pods
from kexplain.case.own_pods import Lineages
from kexplain.case.records import Case, PodToPlace
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import DaemonSet, StatefulSet
from kexplain.objects.batch import CronJob
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_pools import comes_along, free_name, fresh_node, newcomer
from kexplain.objects.selectors import Selector
from kexplain.objects.storage import CSINode
from kexplain.objects.tolerations import tolerates
from kexplain.scheduler.placing import anew

NO_EXECUTE = "NoExecute"

#: An edit of a cluster's objects.
Edit = Callable[["EditedCluster"], None]


class EditedCluster(Struct):
    """The objects of a cluster while they are edited; pods that have lost their place, or are new, come last."""

    objects: list[KubernetesObject]
    namespace: str
    #: Workloads whose claims have to be made along with their pods: how many pods are there already, by identity.
    grown: list[tuple[KubernetesObject, int, int]] = msgspec.field(default_factory=list)
    #: What was not done as it was asked for.
    notes: list[str] = msgspec.field(default_factory=list)

    # --------------------------------------------------------------------------------------------------- changes

    def apply(self, change: Change) -> None:
        """One change as an API server takes it, and what controllers do about it. Raises UsageError."""
        match change.verb:
            case "patch":
                index = matching(self.objects, change.target, self.namespace)
                old = self.objects[index]
                self.replace(index, patched(old, change))
            case "create":
                for obj in created([change.object]):
                    self.add(obj)
            case "delete":
                self.remove(self.objects[matching(self.objects, change.target, self.namespace)])
            case _:
                raise UsageError(f'"{change.verb}" is not a verb of a change', f"use {PATCH}, {CREATE} or {DELETE}")

    def add(self, obj: KubernetesObject) -> None:
        """A new object, or one in place of that of its kind and name."""
        namespace = obj.namespace or self.namespace
        for index, each in enumerate(self.objects):
            alike = type(each) is type(obj) and each.name == obj.name
            if alike and (not obj.is_namespaced or (each.namespace or self.namespace) == namespace):
                self.replace(index, _as_known(obj, each))
                return
        self.objects.append(obj)
        if template_of(obj) is not None and obj.metadata.controller is None:
            self.scale(obj, (), declared_replicas(obj) or 0)

    def replace(self, index: int, obj: KubernetesObject) -> None:
        """The object in place of the one at an index."""
        old = self.objects[index]
        self.objects[index] = obj
        if isinstance(obj, Pod):
            assert isinstance(old, Pod)  # noqa: S101 - it has the kind of what it replaces
            self._repod(index, old, obj)
        elif isinstance(obj, Node):
            self._turn_out(obj)
        elif template_of(obj) is not None:
            self.grown = [(obj if each is old else each, wanted, there) for each, wanted, there in self.grown]
            self._reconcile(old, obj)

    def remove(self, obj: KubernetesObject) -> None:
        """The object goes, and with it what cannot be without it."""
        self.objects = [each for each in self.objects if each is not obj]
        if isinstance(obj, Pod):
            self._made_again([obj])
        elif isinstance(obj, Node):
            self._leave([pod for pod in self.pods if pod.spec.node_name == obj.name])
        elif template_of(obj) is not None:
            self.grown = [each for each in self.grown if each[0] is not obj]
            self._discard(self.pods_of(obj))

    def delete_pods(self, selector: Selector, text: str) -> None:
        """All pods that a selector takes go; those with a controller are made again. Raises UsageError if none does."""
        gone = [pod for pod in self.pods if selector.matches(pod.labels)]
        if not gone:
            raise UsageError(f"no pod has the labels {text}")
        self._discard(gone)
        self._made_again(gone)

    def add_like(self, models: Sequence[Node], count: int) -> None:
        """So many fresh nodes, each like the next of these, with all that comes along with a node of its pool.

        Where the cluster has no such node, its DaemonSets are asked which of their pods would run there.
        """
        taken = {node.name for node in self.nodes}
        drivers = {obj.name: obj for obj in self.objects if isinstance(obj, CSINode)}
        companions = {
            like.name: [pod for pod in self.pods if pod.spec.node_name == like.name]
            if like.name in taken
            else self._daemons_of(like)
            for like in models[:count]
        }
        for number in range(count):
            like = models[number % len(models)]
            name = free_name(like.name, taken, number // len(models) + 1)
            new = newcomer(like, name, companions[like.name], drivers.get(like.name))
            taken.add(name)
            self.objects += [new.node, *([new.driver] if new.driver else []), *new.pods]

    def _daemons_of(self, node: Node) -> list[Pod]:
        """A pod of each DaemonSet that would run on the node.

        A running pod is pinned to its own node: which others it may run on, the template of its DaemonSet says.
        """
        templates = {obj.key: obj.spec.template for obj in self.objects if isinstance(obj, DaemonSet)}
        pods: dict[str, Pod] = {}
        for pod in self.pods:
            owner = pod.metadata.controller
            if owner is not None and owner.kind == "DaemonSet":
                pods.setdefault(f"{pod.namespace}/{owner.name}", pod)
        found = []
        for key, pod in pods.items():
            template = templates.get(key)
            affinity = template.spec.affinity if template else None
            free = replace(pod, spec=replace(pod.spec, affinity=affinity, node_name=None))
            found += [pod for _ in daemon_pods(free, [fresh_node(node, node.name)])]
        return found

    # ----------------------------------------------------------------------------------------------- what is there

    @property
    def pods(self) -> list[Pod]:
        """The pods that are not finished."""
        return [obj for obj in self.objects if isinstance(obj, Pod) and not obj.is_terminated]

    @property
    def nodes(self) -> list[Node]:
        """The nodes."""
        return [obj for obj in self.objects if isinstance(obj, Node)]

    def pods_of(self, workload: KubernetesObject) -> list[Pod]:
        """The pods that a workload has, by itself or through controllers below it."""
        return self.pods_of_name(type(workload).__name__, workload.name, workload.namespace)

    def pods_of_name(self, kind: str, name: str, namespace: str = "") -> list[Pod]:
        """The same where the workload itself need not be there."""
        return [*Lineages(self.objects, self.namespace).own_pods(kind, namespace or self.namespace, name).pods]

    # ------------------------------------------------------------------------------------- what controllers do

    def scale(self, workload: KubernetesObject | None, pods: Sequence[Pod], replicas: int) -> None:
        """As many pods as asked for: more of the same, or fewer, those without a place and the newest first."""
        if replicas > len(pods) + MAX_COPIES:
            name = "pods" if workload is None else f"pods of {type(workload).__name__.lower()}/{workload.name}"
            self.notes.append(
                f"of {replicas - len(pods)} more {name}, {MAX_COPIES} are placed: more than enough to tell"
            )
            replicas = len(pods) + MAX_COPIES
        if replicas < len(pods):
            self._discard(sorted(pods, key=_survival)[: len(pods) - replicas])
        elif isinstance(workload, StatefulSet) or (workload is not None and not pods):
            self._grow(workload, replicas, len(pods))
        else:
            self.objects += [_copy(pods[0], number) for number in range(1, replicas - len(pods) + 1)]

    def _grow(self, workload: KubernetesObject, replicas: int, present: int) -> None:
        key = (type(workload), workload.namespace, workload.name)
        self.grown = [each for each in self.grown if (type(each[0]), each[0].namespace, each[0].name) != key]
        if replicas > present:
            self.grown.append((workload, replicas, present))

    def _reconcile(self, old: KubernetesObject, new: KubernetesObject) -> None:
        if isinstance(new, CronJob):
            # It leaves the jobs alone that it has made.
            return
        pods = self.pods_of(new)
        replicas = declared_replicas(new)
        if template_of(old) != template_of(new):
            self._discard(pods)
            self.scale(new, (), len(pods) if replicas is None else replicas)
        elif replicas is not None and replicas != declared_replicas(old):
            self.scale(new, pods, replicas)

    def _repod(self, index: int, old: Pod, new: Pod) -> None:
        """A pod that is changed where it runs is made again; one that is pending just changes."""
        if old.spec.node_name and old.spec != new.spec:
            del self.objects[index]
            self.objects.append(anew(new))

    def _turn_out(self, node: Node) -> None:
        taints = [taint for taint in node.spec.taints or () if taint.effect == NO_EXECUTE]
        leaving = [
            pod
            for pod in self.pods
            if pod.spec.node_name == node.name
            and any(not any(tolerates(each, taint) for each in pod.spec.tolerations or ()) for taint in taints)
        ]
        self._leave(leaving)

    def _leave(self, pods: Sequence[Pod]) -> None:
        self._discard(pods)
        self._made_again(pod for pod in pods if not comes_along(pod))

    def _made_again(self, pods: Iterable[Pod]) -> None:
        self.objects += [anew(pod) for pod in pods if pod.metadata.controller is not None]

    def _discard(self, pods: Sequence[Pod]) -> None:
        gone = {id(pod) for pod in pods}
        self.objects = [obj for obj in self.objects if id(obj) not in gone]


def _as_known(obj: KubernetesObject, known: KubernetesObject) -> KubernetesObject:
    """A manifest as an update of what is there: it keeps the identity, and a pod or node its status."""
    metadata = replace(obj.metadata, uid=known.metadata.uid, creation_timestamp=known.metadata.creation_timestamp)
    return replace(obj, metadata=metadata)


def _survival(pod: Pod) -> tuple[bool, bool, str]:
    """The order in which a replica set does without pods. Source: controller `ActivePods`, its first criteria."""
    newest_first = "".join(chr(0x10FFFF - ord(char)) for char in pod.metadata.creation_timestamp or "")
    return bool(pod.spec.node_name), pod.is_ready, newest_first


def _copy(pod: Pod, number: int) -> Pod:
    made = anew(pod)
    stem = made.metadata.generate_name or f"{made.name}-"
    return replace(made, metadata=replace(made.metadata, name=f"{stem}new-{number}", uid=None))


def case_after(contents: Contents, edits: Iterable[Edit]) -> Case:
    """The case after the edits: every pod without a node, and those that lost or never had a place."""
    edited = EditedCluster([*contents.objects], contents.namespace)
    for edit in edits:
        edit(edited)
    pending = [pod for pod in edited.pods if not pod.spec.node_name]
    known = {id(obj) for obj in contents.objects}
    added = [obj for obj in edited.objects if id(obj) not in known]
    loaded = Loaded()
    loaded.absorb(contents.loaded)
    loaded.add(Segment("", Nowhere(), added, [() for _ in added]))
    builder = CaseBuilder(Contents(loaded, edited.objects, contents.scheduler, contents.namespace, contents.plugins))
    pods: list[PodToPlace] = []
    for pod in pending:
        pods += builder.pods(pod, None)
    for workload, replicas, present in edited.grown:
        pods += [*builder.pods(workload, replicas)][present:]
    cluster = builder.cluster({id(pod) for pod in pending})
    if not cluster.node_infos:
        raise UsageError("there are no nodes left to place pods on", "keep one at least")
    return Case(cluster, tuple(pods), tuple(edited.notes), scheduler=contents.scheduler)
