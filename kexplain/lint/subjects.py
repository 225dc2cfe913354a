"""What rules look at: a workload or another object, and everything that it meets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import AdmissionObjects, admit, declared_replicas, is_from_cluster, pods_of
from kexplain.admission.workloads import template_of
from kexplain.cluster.resource import Resource
from kexplain.explain.karpenter import largest_machine, offers
from kexplain.grouping import grouped
from kexplain.load import Loaded
from kexplain.load.quantity_checks import quantity_problems
from kexplain.load.raw_manifests import Manifest
from kexplain.objects.apps import DaemonSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.core import (
    LimitRange,
    Node,
    NodeSelectorRequirement,
    Pod,
    PodSpec,
    PodStatus,
    ResourceQuota,
    Taint,
)
from kexplain.objects.custom_workloads import CustomWorkload, template_path_of
from kexplain.objects.karpenter import NodePool
from kexplain.objects.meta import KubernetesObject, Labels, LabelSelector, ObjectMeta
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.problem import Path
from kexplain.objects.quantity import QuantityError
from kexplain.objects.selectors import REPELLING_EFFECTS, Selector, SelectorError, label_values, selector_from
from kexplain.objects.tolerations import untolerated_taints
from kexplain.objects.untrusted import at, text
from kexplain.objects.well_known import NODE_CONDITIONS, UNSCHEDULABLE, WITHOUT_NAMESPACE
from kexplain.scheduler.cycle import Scheduler

if TYPE_CHECKING:
    from kexplain.lint.options import LintOptions

Kind = TypeVar("Kind", bound=KubernetesObject)


class OtherObject(KubernetesObject, frozen=True, kw_only=True):
    """An object of a kind that is not read, or that does not fit its record: rules look at what is written of it."""

    of_kind: str

    @property
    def kind(self) -> str:
        return self.of_kind


#: The taints of nodes that are not in service.
_PASSING = frozenset((*NODE_CONDITIONS, UNSCHEDULABLE))
#: What holds the amounts that admission goes by.
_LIMITING = LimitRange | ResourceQuota


class Subject(Struct, frozen=True):
    """An object of the manifests."""

    manifest: Manifest
    obj: KubernetesObject
    namespace: str

    @property
    def name(self) -> str:
        """`Kind namespace/name`, or without a namespace for kinds that are in none."""
        name = self.obj.name or self.obj.metadata.generate_name or ""
        home = self.obj.namespace if isinstance(self.obj, OtherObject) else self.namespace
        return f"{self.obj.kind} {f'{home}/' if home and self.obj.is_namespaced else ''}{name}"

    def stands_beside(self, other: Subject) -> bool:
        """Whether they are in files of one directory, which are applied together."""
        first, second = (each.manifest.origin.source.rpartition("/")[0] for each in (self, other))
        return first == second


class Workload(Subject, frozen=True, dict=True):
    """An object that pods are made of, or a pod itself.

    `path` leads to what holds the pod's `metadata` and `spec`; `spec` is what stands there, `pod` one of the pods that
    its controller would make, before admission.
    """

    path: Path
    spec: PodSpec
    pod: Pod
    #: How many pods there are at a time; None for a DaemonSet and for a template that makes none.
    replicas: int | None
    #: The autoscaler that scales it, where the manifests have one.
    scaler: Manifest | None = None

    @property
    def most(self) -> int:
        """The most replicas that an autoscaler gives it; 0 without one."""
        scaler = self.scaler.obj if self.scaler else None
        return (scaler.spec.max_replicas or 0) if isinstance(scaler, HorizontalPodAutoscaler) else 0

    @property
    def labels(self) -> Labels:
        """What the pods are labelled with, by the template and by the controller."""
        return self.pod.labels

    @property
    def template(self) -> Any:
        """What the manifest says of the pods, with `metadata` and `spec`; None where they are put together."""
        path = self.obj.place(self.path) if isinstance(self.obj, CustomWorkload) else self.path
        return None if path is None else at(self.manifest.value, *path)

    @property
    def runs_everywhere(self) -> bool:
        """Whether it makes a pod a node."""
        return isinstance(self.obj, DaemonSet)

    def at(self, *steps: str | int) -> Path:
        """The path of a field of the pod's spec."""
        return (*self.path, "spec", *steps)

    @cached_property
    def required_nodes(self) -> RequiredNodeAffinity:
        """Which nodes will do, as far as labels go."""
        return RequiredNodeAffinity.of(self.pod)


def workload_of(manifest: Manifest, namespace: str, scalers: Mapping[str, Manifest] | None) -> Workload | None:
    """The workload that a manifest describes; None if it is none, or if a controller made it: a dump is no manifest.

    `scalers` are the autoscalers of workloads, by their names as subjects.
    """
    obj = manifest.obj
    if obj is None or describes_cluster(obj):
        return None
    if isinstance(obj, Pod):
        return Workload(manifest, obj, obj.namespace or namespace, (), obj.spec, _as_new(obj), 1)
    template = template_of(obj)
    if template is None:
        return None
    pod = pods_of(obj, 1, namespace=namespace).pods[0]
    home = obj.namespace or namespace
    replicas = declared_replicas(obj)
    scaler = (scalers or {}).get(f"{obj.kind} {home}/{obj.name}")
    if scaler is not None and isinstance(scaler.obj, HorizontalPodAutoscaler) and replicas is not None:
        # A manifest without replicas leaves them to the autoscaler.
        least = scaler.obj.least
        replicas = least if "replicas" not in manifest.value.get("spec", {}) else max(replicas, least)
    return Workload(manifest, obj, home, template_path_of(obj), template.spec, pod, replicas, scaler)


def describes_cluster(obj: KubernetesObject) -> bool:
    """Whether an object is no manifest but says what a cluster consists of: a node, or what a controller has made."""
    return isinstance(obj, Node) or any(owner.controller for owner in obj.metadata.owner_references or ())


def _as_new(pod: Pod) -> Pod:
    """The pod without what only an API server gives: one that was saved from a cluster is applied as if it were new."""
    if not is_from_cluster(pod):
        return pod
    metadata = replace(pod.metadata, uid=None, creation_timestamp=None, deletion_timestamp=None)
    return replace(pod, metadata=metadata, status=PodStatus())


def autoscalers(manifests: Iterable[Manifest], namespace: str) -> dict[str, Manifest]:
    """The HorizontalPodAutoscalers of workloads, by the names of these as subjects."""
    found = ((each, each.obj) for each in manifests if isinstance(each.obj, HorizontalPodAutoscaler))
    targets = ((each, obj.spec.scale_target_ref, obj.namespace or namespace) for each, obj in found)
    return {f"{target.kind} {home}/{target.name}": each for each, target, home in targets}


def subject_of(manifest: Manifest, namespace: str) -> Subject:
    """The object of a manifest, whatever its kind."""
    metadata = at(manifest.value, "metadata")
    name = text(metadata, "name") or text(metadata, "generateName")
    named = ObjectMeta(name=name, namespace=text(metadata, "namespace"))
    obj = manifest.obj or OtherObject(metadata=named, of_kind=manifest.identity.kind)
    return Subject(manifest, obj, obj.namespace or namespace)


def _group(subject: Subject) -> str:
    return subject.manifest.identity.api_version.rpartition("/")[0]


class Surroundings:
    """All manifests, and the objects of the cluster if one was given."""

    def __init__(
        self,
        subjects: Iterable[Subject],
        manifests: Sequence[Manifest],
        around: Loaded | None,
        beside: Iterable[KubernetesObject],
        scheduler: Scheduler,
        options: LintOptions,
    ) -> None:
        """What stands `beside` comes to the cluster as well, and says nothing of what there is."""
        self.scheduler = scheduler
        self._listed = around.listed if around else frozenset[type[KubernetesObject]]()
        self._manifests = manifests
        self.subjects = tuple(subjects)
        self.workloads = tuple(each for each in self.subjects if isinstance(each, Workload))
        self.namespace = options.namespace
        self.has_cluster = around is not None
        self._there = tuple(around.objects if around else ())
        self._in_cluster = (*self._there, *beside)
        self._own = tuple(each.obj for each in self.subjects if not describes_cluster(each.obj))
        self._by_kind: dict[type[KubernetesObject], tuple[KubernetesObject, ...]] = {}
        # What an API server does not store changes no pod.
        stored = [each for each in self._own if not isinstance(each, _LIMITING) or not any(quantity_problems(each))]
        self.admission = AdmissionObjects.of(
            self._there,
            (*beside, *stored),
            listed=self._listed,
            plugins=options.plugins,
            namespace=self.namespace,
            release=options.releases[0],
        )
        self._admitted: dict[int, Pod | None] = {}

    def admitted(self, workload: Workload) -> Pod | None:
        """One of its pods as it would be stored; None where an amount is no quantity."""
        key = id(workload)
        if key not in self._admitted:
            try:
                self._admitted[key] = admit(workload.pod, self.admission).pod
            except QuantityError:
                self._admitted[key] = None
        return self._admitted[key]

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes of the cluster; empty without one."""
        return tuple(self.every(Node))

    @cached_property
    def pods(self) -> tuple[Pod, ...]:
        """The pods that run in the cluster."""
        return tuple(obj for obj in self._in_cluster if isinstance(obj, Pod) and not obj.is_terminated)

    def every(self, kind: type[Kind]) -> Iterator[Kind]:
        """The objects of a kind, in the cluster and in the manifests."""
        if kind not in self._by_kind:
            self._by_kind[kind] = tuple(obj for obj in (*self._in_cluster, *self._own) if isinstance(obj, kind))
        return (obj for obj in self._by_kind[kind] if isinstance(obj, kind))

    def within(self, namespace: str, kind: type[Kind]) -> list[Kind]:
        """The objects of a kind in a namespace."""
        return [obj for obj in self.every(kind) if (obj.namespace or self.namespace) == namespace]

    def names(self, kind: type[KubernetesObject], namespace: str = "") -> list[str]:
        """The names of the objects of a kind, of those in a namespace if one is given."""
        return [obj.name for obj in (self.within(namespace, kind) if namespace else self.every(kind))]

    def named(self, kind: str, namespace: str) -> set[str]:
        """The names of all objects of a kind, be it read or not, in a namespace, or of those that are in none."""
        is_anywhere = kind in WITHOUT_NAMESPACE
        found = (
            name for home, name in self._names.get(kind, ()) if is_anywhere or (home or self.namespace) == namespace
        )
        return {name for name in found if isinstance(name, str)}

    @cached_property
    def _names(self) -> Mapping[str, list[tuple[Any, Any]]]:
        there = [(obj.kind, (obj.namespace, obj.name)) for obj in self._in_cluster]
        named = ((each.identity.kind, at(each.value, "metadata")) for each in self._manifests)
        return grouped([*there, *((kind, (at(of, "namespace"), at(of, "name"))) for kind, of in named)])

    def alike(self, subject: Subject) -> Sequence[Subject]:
        """The manifests of the same object, which is one of them, in their order."""
        return self._alike[_group(subject), subject.name]

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], list[Subject]]:
        """The manifests of each object, by its group and its name."""
        return grouped(((_group(each), each.name), each) for each in self.subjects)

    def keys(self, kind: str, namespace: str, name: str) -> Set[str]:
        """The keys of the ConfigMap or Secret of that name in the manifests; none where there is no such."""
        return self._keys.get((kind, namespace, name), frozenset())

    @cached_property
    def _keys(self) -> Mapping[tuple[str, str, str], set[str]]:
        """The same of all, by kind, namespace and name."""
        found: dict[tuple[str, str, str], set[str]] = {}
        for each in self._manifests:
            if (kind := each.identity.kind) in ("ConfigMap", "Secret"):
                namespace, name = (text(at(each.value, "metadata"), field) for field in ("namespace", "name"))
                held = (at(each.value, field) for field in ("data", "binaryData", "stringData"))
                keys = found.setdefault((kind, namespace or self.namespace, name), set())
                keys.update(key for one in held if isinstance(one, dict) for key in one)
        return found

    def knows(self, kind: type[KubernetesObject]) -> bool:
        """Whether the cluster holds any of a kind: if it holds none, a dump may just lack them, but no snapshot."""
        return kind in self._listed or any(isinstance(obj, kind) for obj in self._there)

    def selected(self, selector: LabelSelector | None, namespace: str) -> list[Workload]:
        """The workloads of a namespace whose pods a selector selects."""
        found = parsed(selector)
        if found is None:
            return []
        return [each for each in self.workloads if each.namespace == namespace and found.matches(each.labels)]

    @cached_property
    def label_values(self) -> Mapping[str, set[str]]:
        """The values of every label that nodes carry."""
        return label_values(node.labels for node in self.nodes)

    @cached_property
    def largest(self) -> Mapping[str, int]:
        """The most that any node has of each resource; nodes with an amount that is no quantity aside."""
        most: dict[str, int] = {}
        for node in self.nodes:
            try:
                allocatable = Resource.of_list(node.status.allocatable).amounts()
            except QuantityError:
                continue
            for name, there in allocatable.items():
                most[name] = max(most.get(name, 0), there)
        return most

    @cached_property
    def node_pools(self) -> tuple[NodePool, ...]:
        """Pools that Karpenter adds nodes of, whether they have any yet or not."""
        return tuple(self.every(NodePool))

    @cached_property
    def taints(self) -> tuple[Taint, ...]:
        """The taints of nodes, and those that nodes of pools get."""
        specs = [pool.spec.template.spec for pool in self.node_pools]
        own = [taints for spec in specs for taints in (spec.taints, spec.startup_taints)]
        return tuple(taint for taints in (*(node.spec.taints for node in self.nodes), *own) for taint in taints or ())

    def may_come(self, *requirements: NodeSelectorRequirement) -> bool:
        """Whether some pool may add a node whose labels meet them all."""
        return any(offers(pool, requirements) for pool in self.node_pools)

    def may_offer(self, resource: str, requested: int) -> bool:
        """Whether some pool may add a node with so much of a resource."""
        largest = (largest_machine(pool, resource) for pool in self.node_pools)
        return any(most is None or most >= requested for most in largest)

    def eligible(self, workload: Workload) -> list[Node]:
        """The nodes that a workload's node selector and required node affinity leave."""
        return [node for node in self.nodes if workload.required_nodes.matches(node)]

    def usable(self, workload: Workload) -> list[Node]:
        """Those of them whose taints it tolerates; what ails a node passes, and is none."""
        tolerations = workload.pod.spec.tolerations or ()
        lasting = (
            (node, [each for each in node.spec.taints or () if each.key not in _PASSING])
            for node in self.eligible(workload)
        )
        return [node for node, taints in lasting if not untolerated_taints(taints, tolerations, REPELLING_EFFECTS)]


def parsed(selector: LabelSelector | None) -> Selector | None:
    """The selector; None where no API server would take it, which is for others to say."""
    with suppress(SelectorError):
        return selector_from(selector)
    return None


def budgets_of(workload: Workload, around: Surroundings) -> list[str]:
    """The names of the budgets that select the pods of a workload, in order."""
    budgets = around.within(workload.namespace, PodDisruptionBudget)
    selectors = ((each.name, parsed(each.spec.selector)) for each in budgets)
    return sorted({name for name, selector in selectors if selector is not None and selector.matches(workload.labels)})
