"""A case: the pods to place, and the cluster to place them in, read from files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from difflib import get_close_matches
from typing import BinaryIO

from msgspec.structs import replace

from kexplain.admission import (
    AdmissionObjects,
    admit,
    declared_replicas,
    default_class,
    ephemeral_claims,
    generate_claims,
    is_from_cluster,
    pods_of,
    stored,
)
from kexplain.admission.optional_plugins import AdmissionPlugin
from kexplain.cluster import Cluster
from kexplain.config.releases.detection import observed_release
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import KexplainError, UsageError
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.load import Loaded, check_quantities, load
from kexplain.load.live.api_resources import with_workloads
from kexplain.load.live.cluster_reader import ClusterSource
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event, events_about
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_selection import PodSelection
from kexplain.objects.quantity import QuantityError
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import some

DEFAULT_NAMESPACE = "default"
#: A reference to something in the cluster rather than a file: `web`, `pod/web`, `deploy/web`.
_REFERENCE = re.compile(r"(?:(?P<kind>[A-Za-z]+)/)?(?P<name>[a-z0-9]([-a-z0-9.]*[a-z0-9])?)")
_ALIASES_BY_KIND = {
    "Pod": ("pod", "pods", "po"),
    "Deployment": ("deployment", "deployments", "deploy"),
    "ReplicaSet": ("replicaset", "replicasets", "rs"),
    "StatefulSet": ("statefulset", "statefulsets", "sts"),
    "DaemonSet": ("daemonset", "daemonsets", "ds"),
    "ReplicationController": ("replicationcontroller", "replicationcontrollers", "rc"),
    "Job": ("job", "jobs"),
    "CronJob": ("cronjob", "cronjobs", "cj"),
}
_KIND_BY_ALIAS = {alias: kind for kind, aliases in _ALIASES_BY_KIND.items() for alias in aliases}


@dataclass(frozen=True, slots=True)
class PodToPlace:
    """A pod to place, as admitted; where it was read from; and what had to be assumed about it.

    `events` are what schedulers have said about it, and `running` is the pod as it runs, if it does.
    """

    pod: Pod
    source: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()
    #: What the pod was made of: a workload, or the pod as it was read.
    made_of: KubernetesObject | None = None
    events: tuple[Event, ...] = ()
    running: Pod | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """Among how many pods those without a node were looked for, and in how many namespaces; by which name, if any."""

    pods: int
    namespaces: int
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster, the pods to place in it in the order read, who places them, and what to say about the reading.

    `searched` is set where no pod was named, but all that are pending were asked for.
    """

    cluster: Cluster
    pods: tuple[PodToPlace, ...]
    notes: tuple[str, ...] = ()
    scheduler: Scheduler = field(default_factory=build_scheduler)
    searched: Searched | None = None


def load_case(
    references: Sequence[str],
    cluster: Sequence[str] = (),
    *,
    namespace: str = "",
    replicas: int | None = None,
    recursive: bool = False,
    stdin: BinaryIO | None = None,
    may_be_empty: bool = False,
    settings: SchedulerSettings | None = None,
    live: Callable[[], ClusterSource] | None = None,
    selection: PodSelection | None = None,
) -> Case:
    """The pods of these files (`-` is stdin) or names, in the cluster that these and the other files describe.

    Of a workload there is one representative pod, or `replicas` of them. What the files of `references` hold
    beside pods to place joins the cluster: nodes, running pods, classes. A name such as `web`, `pod/web` or
    `deploy/web` is looked up in `namespace` of the cluster, where a running pod is placed anew. What names no
    namespace is in `namespace`. Where no file describes a cluster, `live` is asked for the one to read; it says
    which namespace is meant, too, if nothing else does. Without references every pending pod is placed. `selection`
    leaves only some of what files hold, or of what is pending; with a node or a phase in it, of what runs, too.
    Where the settings of the scheduler name no release, the cluster tells it.
    Raises InputError with every fault of the input, UsageError on a name that is not there, or if there is
    nothing to place (unless it may be empty, or all that is pending was asked for) or no node to place it on,
    ClusterError if `live` cannot be read.
    """
    references = list(dict.fromkeys(references))
    paths = [each for each in references if _is_path(each)]
    named = [each for each in references if not _is_path(each)]
    selection = selection or PodSelection()
    if named and selection.is_by_selector:
        raise UsageError(f"{named[0]} is named already", "leave out either the name or the selector")
    manifests = load(paths, recursive=recursive, stdin=stdin)
    check_quantities(manifests)
    kinds = [_kind_and_name(reference)[0] for reference in named]
    source = None
    if live is not None and not cluster and not any(isinstance(obj, Node) for obj in manifests.objects):
        source = live()
        around = source.read(with_workloads(kinds))
        namespace = namespace or source.namespace
    else:
        around = load(cluster, recursive=recursive, stdin=stdin)
    # Those of nodes and pods are read in any case, and fail then.
    check_quantities(around, unless=(Node, Pod))
    server_version = manifests.server_version or around.server_version
    scheduler = scheduler_for(settings, (*manifests.objects, *around.objects), server_version)
    builder = _CaseBuilder(manifests, around, namespace or DEFAULT_NAMESPACE, replicas, scheduler, selection=selection)
    case = builder.build(named, takes_pending=not references, may_be_empty=may_be_empty)
    return _with_live_events(case, source) if source else case


def _with_live_events(case: Case, source: ClusterSource) -> Case:
    """The case with what schedulers have said about those of its pods that the cluster knows."""
    known = [placed.pod for placed in case.pods if placed.pod.metadata.uid]
    if not known:
        return case
    told = source.events((pod.namespace, pod.name) for pod in known)
    pods = _with_events(case.pods, told.objects)
    return replaced(case, pods=tuple(pods), notes=(*case.notes, *told.notes))


def _with_events(pods: Iterable[PodToPlace], objects: Iterable[KubernetesObject]) -> Iterator[PodToPlace]:
    """The pods with what schedulers have said about each; of a pod that only a manifest knows they have not."""
    events_by_pod: dict[tuple[str, str], list[Event]] = {}
    for obj in objects:
        if isinstance(obj, Event):
            events_by_pod.setdefault((obj.namespace, obj.subject.name or ""), []).append(obj)
    for placed in pods:
        events = events_by_pod.get((placed.pod.namespace, placed.pod.name)) if placed.pod.metadata.uid else None
        yield replaced(placed, events=events_about(placed.pod, events)) if events else placed


def scheduler_for(
    settings: SchedulerSettings | None, objects: Iterable[KubernetesObject], server_version: str = ""
) -> Scheduler:
    """The scheduler of these settings, of the release that the cluster lets on where they name none."""
    nodes = (obj for obj in objects if isinstance(obj, Node))
    return build_scheduler(settings, observed_release((_kubelet_version(node) for node in nodes), server_version))


def case_of(
    manifests: Loaded,
    around: Loaded,
    replicas: Mapping[int, int],
    scheduler: Scheduler,
    *,
    namespace: str = DEFAULT_NAMESPACE,
    left_out: Collection[int] = (),
    plugins: Collection[AdmissionPlugin] = (),
) -> Case:
    """The case of what was read already: so many pods of each object, by its id; those that are not named have none.

    Workloads without pods, and all other objects, are in the cluster, but for those that are left out by their ids.
    `plugins` are the optional admission plugins that are on.
    """
    builder = _CaseBuilder(manifests, around, namespace, None, scheduler, left_out, plugins)
    return builder.build_counted(replicas)


def running_anew(case: Case) -> Iterator[Case]:
    """A case for each pod that runs: the cluster as it is without it, and the pod to be placed again."""
    for node_info in case.cluster.node_infos:
        for pod_info in node_info.pods:
            pod = pod_info.pod
            anew = PodToPlace(replace(pod, spec=replace(pod.spec, node_name=None)), "", 0, ())
            yield replaced(case, cluster=case.cluster.without([pod]), pods=(anew,), notes=())


def _is_path(reference: str) -> bool:
    """Whether a reference means a file: it is one, or it looks like one."""
    # Unlike Path.exists, this is False for what cannot be looked at or cannot be a path at all.
    if reference == "-" or os.path.exists(reference) or not _REFERENCE.fullmatch(reference):  # noqa: PTH110
        return True
    return reference.endswith((".yaml", ".yml", ".json"))


def _kind_and_name(reference: str) -> tuple[str, str]:
    """What a name such as `web` or `deploy/web` stands for. Raises UsageError if its kind is none that has pods."""
    match = _REFERENCE.fullmatch(reference)
    alias = (match["kind"] or "pod").lower() if match else ""
    if alias not in _KIND_BY_ALIAS:
        known = ", ".join(sorted(aliases[0] for aliases in _ALIASES_BY_KIND.values()))
        raise UsageError(f'"{alias}" is not a kind that has pods', f"known are {known}")
    return _KIND_BY_ALIAS[alias], match["name"] if match else ""


class _CaseBuilder:
    """Tells the pods to place from the cluster, and admits both."""

    def __init__(
        self,
        manifests: Loaded,
        around: Loaded,
        namespace: str,
        replicas: int | None,
        scheduler: Scheduler,
        left_out: Collection[int] = (),
        plugins: Collection[AdmissionPlugin] = (),
        selection: PodSelection | None = None,
    ) -> None:
        self._loaded = manifests + around
        self._objects = [obj for obj in self._loaded.objects if id(obj) not in left_out]
        self._plugins = plugins
        self._manifests_loaded = manifests
        self._manifests = manifests.objects
        self._namespace = namespace
        self._replicas = replicas
        self._scheduler = scheduler
        self._selection = selection or PodSelection()
        self._admission = AdmissionObjects.of(self._objects, namespace=namespace)
        templates = [obj for obj in self._objects if isinstance(obj, ResourceClaimTemplate)]
        self._claim_templates = {f"{each.namespace or namespace}/{each.name}": each for each in templates}

    def build(self, named: Sequence[str], *, takes_pending: bool, may_be_empty: bool) -> Case:
        searched: Searched | None = None
        chosen = [*_to_place(self._manifests), *(self._look_up(reference) for reference in named)]
        if takes_pending:
            meant = [obj for obj in self._loaded.objects if isinstance(obj, Pod) and self._is_meant(obj)]
            chosen = [pod for pod in meant if _is_unplaced(pod) or self._selection.means_placed]
            searched = Searched(len(meant), len({pod.namespace for pod in meant}), self._selection.namespace)
            may_be_empty = may_be_empty or Pod in self._loaded.listed or self._has_pods()
        elif self._selection.is_by_selector:
            chosen = [obj for obj in chosen if any(map(self._is_meant, pods_of(obj).pods))]
        pods: list[PodToPlace] = []
        created: list[KubernetesObject] = []
        for obj in chosen:
            pods += self._pods_to_place(obj, self._replicas, created)
        if not pods and not may_be_empty:
            raise _nothing_to_place(self._loaded if takes_pending else self._manifests_loaded)
        gone = {id(obj) for obj in chosen}
        replaced_pods = self._of_the_same_name(pods, gone)
        gone |= replaced_pods.keys()
        cluster = self._cluster([obj for obj in self._loaded.objects if id(obj) not in gone], created)
        if not cluster.node_infos:
            raise UsageError(
                "there are no nodes to place pods on",
                "give them with --nodes FILE, for instance from: kubectl get nodes,pods -A -o json > cluster.json; "
                "or name a cluster to read with --kubeconfig",
            )
        there = [f"{key} is in the cluster already: explained in its place" for key in replaced_pods.values()]
        notes = (*_notes(self._loaded, cluster, gone), *there)
        told = tuple(_with_events(pods, self._loaded.objects))
        return Case(cluster, told, notes, self._scheduler, searched)

    def _is_meant(self, pod: Pod) -> bool:
        """Whether the selection takes a pod."""
        placed = self._in_namespace(pod)
        return isinstance(placed, Pod) and self._selection.matches(placed)

    def _has_pods(self) -> bool:
        return any(isinstance(obj, Pod) for obj in self._loaded.objects)

    def _of_the_same_name(self, pods: Sequence[PodToPlace], chosen: set[int]) -> dict[int, str]:
        """The keys of pods in the cluster that manifests hold too, by the identity of these pods."""
        keys = {placed.pod.key for placed in pods if placed.pod.name}
        return {
            id(obj): obj.key
            for obj in self._loaded.objects
            if isinstance(obj, Pod) and obj.key in keys and id(obj) not in chosen
        }

    def build_counted(self, replicas: Mapping[int, int]) -> Case:
        chosen = [obj for obj in self._manifests if replicas.get(id(obj))]
        created: list[KubernetesObject] = []
        pods = [pod for obj in chosen for pod in self._pods_to_place(obj, replicas[id(obj)], created)]
        gone = {id(obj) for obj in chosen}
        cluster = self._cluster([obj for obj in self._objects if id(obj) not in gone], created)
        return Case(cluster, tuple(pods), scheduler=self._scheduler)

    def _pods_to_place(
        self, obj: KubernetesObject, count: int | None, created: list[KubernetesObject]
    ) -> Iterator[PodToPlace]:
        """The pods of an object, admitted; what is created with them is added to a list."""
        made = pods_of(obj, count, namespace=self._namespace)
        created += made.created
        notes = (*made.notes, *_replica_notes(obj, count))
        for pod in made.pods:
            placed = self._pod_to_place(pod, obj, notes)
            # What is running has its claims; if one is not there, that is for the report to say.
            if not is_from_cluster(pod):
                generated = generate_claims(placed.pod, self._claim_templates)
                placed = replaced(placed, pod=generated.pod)
                created += [*ephemeral_claims(placed.pod), *generated.claims]
            yield placed

    def _pod_to_place(self, pod: Pod, obj: KubernetesObject, notes: tuple[str, ...]) -> PodToPlace:
        origin = self._loaded.origin(obj)
        # In a dump nobody looks for the line, and finding it would mean to read the dump again.
        line = 0 if is_from_cluster(pod) else origin.locate(())[0]
        admitted = admit(pod, self._admission, namespace=self._namespace, plugins=self._plugins)
        notes = (*notes, *admitted.notes)
        placed = admitted.pod
        if not placed.spec.scheduler_name:
            # Only a dump that somebody has edited lacks it: an API server always fills it in.
            placed = replace(placed, spec=replace(placed.spec, scheduler_name=DEFAULT_SCHEDULER_NAME))
        node_name = placed.spec.node_name
        running: Pod | None = None
        if node_name and is_from_cluster(pod):
            placed = replace(placed, spec=replace(placed.spec, node_name=None))
            if placed.is_terminated:
                notes = (*notes, f"has finished on {node_name}: explained as if it were to be placed now")
            else:
                running = pod
        elif placed.status.nominated_node_name and is_from_cluster(pod):
            nominated = placed.status.nominated_node_name
            notes = (*notes, f"nominated to {nominated}: preemption makes room for it there")
        elif node_name:
            notes = (*notes, f"spec.nodeName is set: the kubelet of {node_name} takes it without asking a scheduler")
        return PodToPlace(placed, origin.source, line, notes, obj, running=running)

    def _look_up(self, reference: str) -> KubernetesObject:
        kind, name = _kind_and_name(reference)
        alike = [obj for obj in self._loaded.objects if type(obj).__name__ == kind]
        for obj in alike:
            if obj.name == name and (obj.namespace or self._namespace) == self._namespace:
                return obj
        raise UsageError(
            f"{kind.lower()}/{name} is not in namespace {self._namespace} of the input", _hint(alike, kind, name)
        )

    def _cluster(self, objects: Sequence[KubernetesObject], created: Sequence[KubernetesObject]) -> Cluster:
        """The cluster of these objects; QuantityErrors are raised as InputErrors that say where."""
        try:
            pods = [self._in_cluster(obj) for obj in objects if isinstance(obj, Pod)]
            nodes = (obj for obj in objects if isinstance(obj, Node))
            others = [self._in_namespace(obj) for obj in objects if not isinstance(obj, Node | Pod | Event)]
            there = {obj.key for obj in others if isinstance(obj, PersistentVolumeClaim)}
            # A controller makes no claim that is there already.
            added = [obj for obj in created if not isinstance(obj, PersistentVolumeClaim) or obj.key not in there]
            class_name = default_class(others)
            rest = [stored(obj, class_name) for obj in (*others, *added)]
            listed = frozenset(self._loaded.listed)
            return Cluster.of(nodes, pods, rest, rules=self._scheduler.rules, listed=listed)
        except QuantityError as error:
            # Only now is it worth walking everything.
            check_quantities(self._loaded)
            raise KexplainError(str(error)) from error

    def _in_cluster(self, pod: Pod) -> Pod:
        if pod.metadata.namespace and is_from_cluster(pod):
            return pod
        placed = self._in_namespace(pod)
        return admit(placed, self._admission, namespace=self._namespace).pod if isinstance(placed, Pod) else pod

    def _in_namespace(self, obj: KubernetesObject) -> KubernetesObject:
        """The object with the namespace that it is in, if its kind is in any."""
        if obj.metadata.namespace or not obj.is_namespaced:
            return obj
        return replace(obj, metadata=replace(obj.metadata, namespace=self._namespace))


def _to_place(objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
    """The pods and workloads that are to be placed, out of everything that the files hold.

    Pods that are bound already, or finished, are part of the cluster, unless a manifest of somebody's own holds
    nothing else. Workloads that another one made are placed through that one.
    """
    unplaced = [obj for obj in objects if _is_unplaced(obj)]
    return unplaced or [obj for obj in objects if isinstance(obj, Pod) and not is_from_cluster(obj)]


def _is_unplaced(obj: KubernetesObject) -> bool:
    if isinstance(obj, Pod):
        return not obj.spec.node_name and not obj.is_terminated
    has_controller = any(owner.controller for owner in obj.metadata.owner_references or ())
    return not has_controller and bool(pods_of(obj).pods)


def _hint(alike: Sequence[KubernetesObject], kind: str, name: str) -> str:
    """Where a name may be that was not found where it was looked for."""
    elsewhere = sorted({obj.namespace for obj in alike if obj.name == name and obj.namespace})
    if elsewhere:
        return f"it is in namespace {', '.join(elsewhere)}: add -n {elsewhere[0]}"
    if not alike:
        return (
            f"the input holds no {kind} at all; give the cluster that does with --cluster FILE, "
            "or name one to read with --kubeconfig"
        )
    names = {obj.name: obj.namespace for obj in alike}
    close = get_close_matches(name, names, n=1, cutoff=0.4) or [each for each in names if each.startswith(name)][:1]
    return (
        f"did you mean {close[0]}{f' -n {names[close[0]]}' if names[close[0]] else ''}?"
        if close
        else f"there are {len(alike)} others"
    )


def _replica_notes(obj: KubernetesObject, replicas: int | None) -> Iterator[str]:
    declared = declared_replicas(obj)
    if replicas is None and declared is not None and declared > 1:
        kind = type(obj).__name__
        yield f"one of the {declared} pods that {kind} {obj.name} asks for: --replicas {declared} places them all"


def _nothing_to_place(loaded: Loaded) -> UsageError:
    pods = sum(1 for obj in loaded.objects if isinstance(obj, Pod))
    if pods:
        return UsageError(
            f"nothing to place: all pods of the input ({pods}) are bound or finished",
            "name one of them to have it placed anew, such as pod/NAME",
        )
    kinds = Counter(type(obj).__name__ for obj in loaded.objects) + loaded.passed_over
    held = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    return UsageError(f"nothing to place: {f'the input holds {held} only' if held else 'the input is empty'}")


def _notes(loaded: Loaded, cluster: Cluster, placed: set[int]) -> Iterator[str]:
    if loaded.passed_over:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(loaded.passed_over.items()))
        yield f"passed over, not being looked at: {kinds}"
    for warning in loaded.warnings:
        yield str(warning)
    if loaded.more_warnings:
        yield f"{loaded.more_warnings} more such notes are not shown"
    yield from loaded.notes
    running = (obj for obj in loaded.objects if isinstance(obj, Pod) and not obj.is_terminated)
    bound_to = {pod.spec.node_name for pod in running if pod.spec.node_name and id(pod) not in placed}
    missing = sorted(bound_to - cluster.node_info_by_name.keys())
    if missing:
        yield f"pods run on nodes that are not in the input: {some(missing)}"
    if not bound_to:
        yield "no running pods in the input: every node counts as empty"


def _kubelet_version(node: Node) -> str:
    return (node.status.node_info.kubelet_version or "") if node.status.node_info else ""
