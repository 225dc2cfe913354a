"""A pod with everything about it that is worked out once.

Source: scheduler `framework.PodInfo`, kube-scheduler `framework.AffinityTerm`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kexplain.cluster.host_ports import HostPort, host_ports
from kexplain.cluster.resource import Resource
from kexplain.objects.core import (
    Affinity,
    Container,
    ContainerStatus,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    WeightedPodAffinityTerm,
)
from kexplain.objects.meta import Condition, Labels
from kexplain.objects.requests import CPU, MEMORY, RequestRules, pod_requests, scoring_requests
from kexplain.objects.selectors import Selector, SelectorError, selector_from
from kexplain.objects.stored_pods import NAMESPACE, Rows, StoredPods

#: Records that read the same encode the same: how pods are told to be replicas of each other. Unlike msgpack, JSON
#: takes whole numbers of any size, which quantities may be.
_encode = msgspec.json.Encoder().encode


class AffinityTerm(Struct, frozen=True):
    """A parsed pod affinity term."""

    namespaces: frozenset[str]
    selector: Selector
    topology_key: str
    namespace_selector: Selector

    def matches(self, pod: Pod, namespace_labels: Mapping[str, str]) -> bool:
        """Whether the term is about this pod, whose namespace carries these labels."""
        if pod.namespace in self.namespaces or self.namespace_selector.matches(namespace_labels):
            return self.selector.matches(pod.labels)
        return False


class WeightedAffinityTerm(Struct, frozen=True):
    """A parsed preferred term with its weight."""

    term: AffinityTerm
    weight: int


class PodResource(Struct, frozen=True):
    """What a pod takes on a node, and what it counts for in scoring."""

    requested: Resource
    non_zero_cpu_milli: int
    non_zero_memory_bytes: int
    #: All that this was worked out from: pods with the same key request the same.
    key: bytes


class AffinityTerms(Struct, frozen=True):
    """All parsed affinity terms of a pod; a group that cannot be parsed is empty, as upstream has it."""

    required: tuple[AffinityTerm, ...] = ()
    required_anti: tuple[AffinityTerm, ...] = ()
    preferred: tuple[WeightedAffinityTerm, ...] = ()
    preferred_anti: tuple[WeightedAffinityTerm, ...] = ()
    error: str = ""


NO_TERMS = AffinityTerms()


#: The fields that say whether a pod comes along with its node.
_OF_OWNERS = ("metadata.ownerReferences", "metadata.annotations")


class PodInfo:
    """A pod on a node or on its way to one."""

    __slots__ = ("affinity", "host_ports", "namespace", "pod", "resource", "terms")

    def __init__(self, pod: Pod, resource: PodResource, terms: AffinityTerms, ports: tuple[HostPort, ...]) -> None:
        self.pod = pod
        self.namespace = pod.metadata.namespace or ""
        self.affinity = pod.spec.affinity
        self.resource = resource
        self.terms = terms
        self.host_ports = ports

    @property
    def labels(self) -> Labels:
        """The labels of the pod."""
        return self.pod.labels

    @property
    def node_selector(self) -> Labels:
        """The labels of nodes that the pod asks for by its node selector."""
        return self.pod.spec.node_selector or {}

    @property
    def is_leaving(self) -> bool:
        """Whether the pod is being deleted."""
        return self.pod.metadata.deletion_timestamp is not None

    @property
    def comes_along(self) -> bool:
        """Whether every node of a pool has a pod like this one."""
        return self.partly(_OF_OWNERS).comes_along

    def partly(self, fields: tuple[str, ...]) -> Pod:  # noqa: ARG002 - of use where a pod is yet to be made
        """The pod with these fields, as the API calls them, and perhaps with others."""
        return self.pod

    @property
    def has_affinity(self) -> bool:
        """Whether the pod states any pod affinity or anti-affinity."""
        affinity = self.affinity
        return affinity is not None and (affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None)

    @property
    def has_required_anti_affinity(self) -> bool:
        """Whether the pod keeps others away from its topology domain."""
        affinity = self.affinity
        anti = affinity.pod_anti_affinity if affinity else None
        return anti is not None and bool(anti.required)


class StoredPodInfo(PodInfo):
    """The same of a pod of a snapshot that runs undisturbed.

    The pod itself, and its parsed terms, are made when they are asked for.
    """

    __slots__ = ("_made_by", "_row", "_rows")

    def __init__(
        self,
        made_by: PodInfoFactory,
        rows: Rows,
        row: int,
        namespace: str,
        affinity: Affinity | None,
        resource: PodResource,
        ports: tuple[HostPort, ...],
    ) -> None:
        self._made_by = made_by
        self._rows = rows
        self._row = row
        self.namespace = namespace
        self.affinity = affinity
        self.resource = resource
        self.host_ports = ports

    @property
    def labels(self) -> Labels:
        return self._rows.column("metadata.labels").at(self._row) or {}

    @property
    def node_selector(self) -> Labels:
        return self._rows.column("spec.nodeSelector").at(self._row) or {}

    @property
    def is_leaving(self) -> bool:
        return False

    def partly(self, fields: tuple[str, ...]) -> Pod:
        return self._rows.only(self._row, fields)

    def __getattr__(self, name: str) -> Any:
        # Python asks here for what has not been set.
        if name == "pod":
            self.pod = self._rows[self._row]
            return self.pod
        if name == "terms":
            self.terms = self._made_by.terms(self.namespace, self.affinity)
            return self.terms
        raise AttributeError(name)


class PodInfoFactory:
    """Makes PodInfos under the rules of one release, working out each distinct request list once.

    Most pods of a cluster are replicas: equal requests share one result.
    """

    def __init__(self, rules: RequestRules) -> None:
        self.rules = rules
        self._shared: dict[bytes, PodResource] = {}
        #: The pod that was asked about last: whoever decides about one asks several times.
        self._latest: PodInfo | None = None
        self._terms: dict[tuple[str, bytes], AffinityTerms] = {}

    def pod_info(self, pod: Pod) -> PodInfo:
        """The pod with its accounting. Raises QuantityError on a request that is no quantity."""
        if self._latest is not None and self._latest.pod is pod:
            return self._latest
        terms = self.terms(pod.namespace, pod.spec.affinity)
        self._latest = PodInfo(pod, self._resource(pod), terms, host_ports(pod, self.rules))
        return self._latest

    def stored_pod_infos(self, stored: StoredPods) -> list[PodInfo | None]:
        """The same of the pods of a snapshot, row by row; None for those that do not count, or are loose."""
        rows = stored.rows
        numbered = [rows.column(field).numbered(key) for field, key in _ACCOUNTED.items()]
        keys = zip(*(numbers for count, numbers in numbered if count > 1), strict=True)
        row_by_key: dict[tuple[int, ...], int] = {}
        alike = [row_by_key.setdefault(key, row) for row, key in enumerate(keys)] or [0] * len(rows)
        resources = {row: self._resource(rows.only(row, (*_ACCOUNTED,))) for row in {*alike}}
        ports: dict[int, tuple[HostPort, ...]] = {}
        for field in _WITH_PORTS:
            for row in rows.column(field).rows_where(_have_host_ports):
                ports[row] = host_ports(rows.only(row, _WITH_PORTS), self.rules)
        namespaces, affinities = rows.column(NAMESPACE).by_row(), rows.column("spec.affinity").by_row()
        infos: list[PodInfo | None] = [
            StoredPodInfo(self, rows, row, namespace, affinity, resources[like], ports.get(row, ()))
            for row, (namespace, affinity, like) in enumerate(zip(namespaces, affinities, alike, strict=True))
        ]
        for row in (*stored.loose, *stored.gone):
            infos[row] = None
        return infos

    def terms(self, namespace: str, affinity: Affinity | None) -> AffinityTerms:
        """The parsed terms of a pod in that namespace."""
        if affinity is None:
            return NO_TERMS
        key = (namespace, _encode(affinity))
        terms = self._terms.get(key)
        if terms is None:
            terms = self._terms[key] = _parsed(namespace, affinity)
        return terms

    def _resource(self, pod: Pod) -> PodResource:
        spec, status = pod.spec, pod.status
        # All that requests and limits are worked out from, as one text: replicas have the same.
        key = _encode(
            (
                _requesting(spec.containers),
                spec.init_containers and _requesting_first(spec.init_containers),
                _resized(status.container_statuses),
                _resized(status.init_container_statuses),
                (spec.resources, spec.overhead, status.resources, status.allocated_resources),
                status.node_allocatable_resource_claim_statuses,
                _resizing(status.conditions),
            )
        )
        resource = self._shared.get(key)
        if resource is None:
            resource = self._shared[key] = self._worked_out(pod, key)
        return resource

    def _worked_out(self, pod: Pod, key: bytes) -> PodResource:
        requested = pod_requests(pod, self.rules, use_status=True, counts_claims=True)
        counted = Resource.of_nanos(
            {k: v for k, v in scoring_requests(pod, self.rules, use_status=True).items() if k in (CPU, MEMORY)}
        )
        return PodResource(Resource.of_nanos(requested), counted.cpu_milli, counted.memory_bytes, key)


def _requesting(containers: Iterable[Container] | None) -> list[tuple[Any, ...]]:
    return [(container.name, container.resources) for container in containers or ()]


def _requesting_first(containers: Iterable[Container] | None) -> list[tuple[Any, ...]]:
    return [(container.name, container.resources, container.restart_policy) for container in containers or ()]


def _resized(statuses: Sequence[ContainerStatus] | None) -> Sequence[ContainerStatus] | None:
    # Every pod of a cluster is asked, where a generator would take longer than the loop.
    for status in statuses or ():
        if status.resources is not None:
            return statuses
    return None


def _resizing(conditions: Iterable[Condition] | None) -> list[Condition]:
    return [condition for condition in conditions or () if condition.type == "PodResizePending"]


_WHOLE = (
    "spec.resources", "spec.overhead", "status.resources", "status.allocatedResources",
    "status.nodeAllocatableResourceClaimStatuses",
)  # fmt: skip
#: The fields that the accounting key is of, and what of each is in it.
_ACCOUNTED: Mapping[str, Callable[[Any], bytes]] = {
    field: lambda value, part=part: _encode(part(value))  # type: ignore[misc] # it is given one value
    for field, part in {
        "spec.containers": _requesting,
        "spec.initContainers": _requesting_first,
        "status.containerStatuses": _resized,
        "status.initContainerStatuses": _resized,
        "status.conditions": _resizing,
        **dict.fromkeys(_WHOLE, lambda value: value),
    }.items()
}
_WITH_PORTS = ("spec.containers", "spec.initContainers")


def _have_host_ports(containers: Iterable[Container] | None) -> bool:
    return any(port.host_port for container in containers or () for port in container.ports or ())


def affinity_terms(pod: Pod) -> AffinityTerms:
    """The parsed terms; the first thing that cannot be parsed is told in `error`."""
    return _parsed(pod.namespace, pod.spec.affinity)


def _parsed(namespace: str, affinity: Affinity | None) -> AffinityTerms:
    if affinity is None or (affinity.pod_affinity is None and affinity.pod_anti_affinity is None):
        return NO_TERMS
    near, far = affinity.pod_affinity or PodAffinity(), affinity.pod_anti_affinity or PodAffinity()
    errors: list[str] = []
    return AffinityTerms(
        required=_terms(namespace, near.required or (), errors),
        required_anti=_terms(namespace, far.required or (), errors),
        preferred=_weighted(namespace, near.preferred or (), errors),
        preferred_anti=_weighted(namespace, far.preferred or (), errors),
        error="; ".join(errors),
    )


def _terms(namespace: str, terms: tuple[PodAffinityTerm, ...], errors: list[str]) -> tuple[AffinityTerm, ...]:
    try:
        return tuple(_term(namespace, term) for term in terms)
    except SelectorError as error:
        errors.append(str(error))
        return ()


def _weighted(
    namespace: str, terms: tuple[WeightedPodAffinityTerm, ...], errors: list[str]
) -> tuple[WeightedAffinityTerm, ...]:
    parsed = _terms(namespace, tuple(weighted.pod_affinity_term for weighted in terms), errors)
    return tuple(WeightedAffinityTerm(term, w.weight) for term, w in zip(parsed, terms, strict=False))


def _term(namespace: str, term: PodAffinityTerm) -> AffinityTerm:
    """A term that names no namespaces at all is about the pod's own."""
    own = not term.namespaces and term.namespace_selector is None
    return AffinityTerm(
        namespaces=frozenset({namespace}) if own else frozenset(term.namespaces or ()),
        selector=selector_from(term.label_selector),
        topology_key=term.topology_key,
        namespace_selector=selector_from(term.namespace_selector),
    )
