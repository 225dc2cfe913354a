"""kexplain in Python: load a case, schedule or explain it, read decisions.

case = load_case(["pod.yaml"], cluster=["nodes.yaml", "pods.yaml"])
for decision in schedule(case):
print(decision.pod.key, decision.outcome.value, decision.message)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import replace

from kexplain.admission import AdmissionObjects, admit, generate_claims, is_from_cluster, pods_of
from kexplain.cluster import Cluster
from kexplain.config.default_profile import DEFAULT_RELEASE, default_profile
from kexplain.errors import KexplainError, UsageError
from kexplain.explain import ExplainOptions, PodExplanation, Report
from kexplain.explain import explain as explain_decision
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.framework.trace import Decision, Outcome
from kexplain.load import Loaded, check_quantities, load
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.quantity import QuantityError
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate

__all__ = [
    "Case",
    "Decision",
    "Outcome",
    "PodExplanation",
    "PodToPlace",
    "Report",
    "Scheduler",
    "default_scheduler",
    "explain",
    "load_case",
    "schedule",
]

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
    """A pod to place, as admitted; where it was read from; and what had to be assumed about it."""

    pod: Pod
    source: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster, the pods to place in it in the order read, and what there is to say about the reading."""

    cluster: Cluster
    pods: tuple[PodToPlace, ...]
    notes: tuple[str, ...] = ()


def load_case(
    references: Sequence[str],
    cluster: Sequence[str] = (),
    *,
    namespace: str = DEFAULT_NAMESPACE,
    replicas: int | None = None,
    recursive: bool = False,
    stdin: BinaryIO | None = None,
) -> Case:
    """The pods of these files (`-` is stdin) or names, in the cluster that these and the other files describe.

    Of a workload there is one representative pod, or `replicas` of them. What the files of `references` hold
    beside pods to place joins the cluster: nodes, running pods, classes. A name such as `web`, `pod/web` or
    `deploy/web` is looked up in `namespace` of the cluster, where a running pod is placed anew. What names no
    namespace is in `namespace`.
    Raises InputError with every fault of the input, UsageError on a name that is not there, or if there is
    nothing to place or no node to place it on.
    """
    paths = [each for each in references if _is_path(each)]
    named = [each for each in references if not _is_path(each)]
    manifests = load(paths, recursive=recursive, stdin=stdin)
    check_quantities(manifests)
    return _CaseBuilder(manifests, load(cluster, recursive=recursive, stdin=stdin), namespace, replicas).build(named)


def _is_path(reference: str) -> bool:
    return reference == "-" or Path(reference).exists() or not _REFERENCE.fullmatch(reference)


class _CaseBuilder:
    """Tells the pods to place from the cluster, and admits both."""

    def __init__(self, manifests: Loaded, around: Loaded, namespace: str, replicas: int | None) -> None:
        self._loaded = manifests + around
        self._manifests = manifests.objects
        self._namespace = namespace
        self._replicas = replicas
        self._admission = AdmissionObjects.of(self._loaded.objects, namespace=namespace)

    def build(self, named: Sequence[str]) -> Case:
        chosen = [*_to_place(self._manifests), *(self._look_up(reference) for reference in named)]
        pods: list[PodToPlace] = []
        created: list[KubernetesObject] = []
        for obj in chosen:
            made = pods_of(obj, self._replicas, namespace=self._namespace)
            created += made.created
            for pod in made.pods:
                generated = self._with_claims(self._pod_to_place(pod, obj, made.notes), pod)
                pods.append(generated[0])
                created += generated[1]
        if not pods:
            raise _nothing_to_place(self._manifests)
        gone = {id(obj) for obj in chosen}
        cluster = self._cluster([obj for obj in self._loaded.objects if id(obj) not in gone], created)
        if not cluster.node_infos:
            raise UsageError(
                "there are no nodes to place pods on",
                "give them with --nodes FILE, for instance from: kubectl get nodes -o json > nodes.json",
            )
        return Case(cluster, tuple(pods), tuple(_notes(self._loaded, cluster, gone)))

    def _with_claims(self, placed: PodToPlace, read: Pod) -> tuple[PodToPlace, tuple[ResourceClaim, ...]]:
        """The pod with the claims that its templates make; a pod that was read from a cluster has what it has."""
        if is_from_cluster(read) or not placed.pod.spec.resource_claims:
            return placed, ()
        templates = (self._in_namespace(obj) for obj in self._loaded.objects if isinstance(obj, ResourceClaimTemplate))
        generated = generate_claims(
            placed.pod, {each.key: each for each in templates if isinstance(each, ResourceClaimTemplate)}
        )
        return replaced(placed, pod=generated.pod), generated.claims

    def _pod_to_place(self, pod: Pod, obj: KubernetesObject, notes: tuple[str, ...]) -> PodToPlace:
        origin = self._loaded.origin(obj)
        # In a dump nobody looks for the line, and finding it would mean to read the dump again.
        line = 0 if is_from_cluster(pod) else origin.locate(())[0]
        admitted = admit(pod, self._admission, namespace=self._namespace)
        notes = (*notes, *admitted.notes)
        placed = admitted.pod
        if not placed.spec.scheduler_name:
            # Only a dump that somebody has edited lacks it: an API server always fills it in.
            placed = replace(placed, spec=replace(placed.spec, scheduler_name=DEFAULT_SCHEDULER_NAME))
        node_name = placed.spec.node_name
        if node_name and is_from_cluster(pod):
            placed = replace(placed, spec=replace(placed.spec, node_name=None))
            notes = (*notes, f"already runs on {node_name}: explained as if it were to be placed now")
        elif node_name:
            notes = (*notes, f"spec.nodeName is set: the kubelet of {node_name} takes it without asking a scheduler")
        return PodToPlace(placed, origin.source, line, notes)

    def _look_up(self, reference: str) -> KubernetesObject:
        match = _REFERENCE.fullmatch(reference)
        alias = (match["kind"] or "pod").lower() if match else ""
        kind, name = _KIND_BY_ALIAS.get(alias), match["name"] if match else ""
        if kind is None:
            known = ", ".join(sorted(aliases[0] for aliases in _ALIASES_BY_KIND.values()))
            raise UsageError(f'"{alias}" is not a kind that has pods', f"known are {known}")
        for obj in self._loaded.objects:
            here = (obj.namespace or self._namespace) == self._namespace
            if here and type(obj).__name__ == kind and obj.name == name:
                return obj
        raise UsageError(
            f"{kind.lower()}/{name} is no file, and not in namespace {self._namespace} of the input",
            "name a file, or give the cluster that holds it with --cluster FILE, and its namespace with -n",
        )

    def _cluster(self, objects: Sequence[KubernetesObject], created: Sequence[KubernetesObject]) -> Cluster:
        """The cluster of these objects; QuantityErrors are raised as InputErrors that say where."""
        try:
            pods = [self._in_cluster(obj) for obj in objects if isinstance(obj, Pod)]
            nodes = (obj for obj in objects if isinstance(obj, Node))
            others = [self._in_namespace(obj) for obj in objects if not isinstance(obj, Node | Pod)]
            return Cluster.of(nodes, pods, (*others, *created))
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


def _nothing_to_place(objects: Sequence[KubernetesObject]) -> UsageError:
    pods = sum(1 for obj in objects if isinstance(obj, Pod))
    if pods:
        return UsageError(
            f"nothing to place: all pods of the input ({pods}) are bound or finished",
            "name one of them to have it placed anew, such as pod/NAME",
        )
    return UsageError("nothing to place: the input holds no pod, and no workload that makes any")


def _notes(loaded: Loaded, cluster: Cluster, placed: set[int]) -> Iterator[str]:
    if loaded.passed_over:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(loaded.passed_over.items()))
        yield f"passed over, since scheduling does not read them: {kinds}"
    for warning in loaded.warnings:
        yield str(warning)
    running = (obj for obj in loaded.objects if isinstance(obj, Pod) and not obj.is_terminated)
    bound_to = {pod.spec.node_name for pod in running if pod.spec.node_name and id(pod) not in placed}
    missing = sorted(bound_to - cluster.node_info_by_name.keys())
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        yield f"pods run on nodes that are not in the input: {', '.join(missing[:3])}{more}"


def default_scheduler(
    *,
    scheduler_name: str = DEFAULT_SCHEDULER_NAME,
    percentage_of_nodes_to_score: int = 0,
    traces_everything: bool = False,
    preempts: bool = True,
) -> Scheduler:
    """The scheduler of release 1.36 without any configuration; percentage 0 is worked out from the size.

    Without preemption, nothing is said of what evicting pods would do, in the message neither.
    """
    profile = default_profile(scheduler_name=scheduler_name)
    if not preempts:
        profile = replaced(profile, post_filter=())
    return Scheduler({scheduler_name: profile}, percentage_of_nodes_to_score, traces_everything)


def schedule(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod in queue order, each seeing the pods placed before it."""
    pods = [pod.pod for pod in case.pods]
    return simulate(scheduler or default_scheduler(), case.cluster, pods, start_index)


def explain(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0, node: str = "") -> Report:
    """The report on these pods in queue order; with a node's name, how that one stood each time."""
    decisions = schedule(case, scheduler, start_index=start_index)
    return Report(
        kubernetes_version=DEFAULT_RELEASE,
        pods=tuple(_explained(case, decisions, node)),
        notes=case.notes,
    )


def _explained(case: Case, decisions: Iterable[Decision], node: str) -> Iterator[PodExplanation]:
    pod_by_id = {id(pod.pod): pod for pod in case.pods}
    for decision in decisions:
        pod = pod_by_id[id(decision.pod)]
        yield explain_decision(decision, ExplainOptions(pod.source, pod.line, pod.notes, node))
