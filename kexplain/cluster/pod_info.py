"""A pod with everything about it that is worked out once.

Source: scheduler `framework.PodInfo`, kube-scheduler `framework.AffinityTerm`, `util.GetHostPorts`.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import msgspec
from msgspec import Struct

from kexplain.cluster.resource import Resource
from kexplain.objects.core import Container, ContainerStatus, Pod, PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm
from kexplain.objects.requests import CPU, MEMORY, RequestRules, pod_requests, scoring_requests
from kexplain.objects.selectors import Selector, SelectorError, selector_from

BIND_ALL_HOST_IP = "0.0.0.0"  # noqa: S104 (the address that means every address)


#: Records that read the same encode the same: how pods are told to be replicas of each other. Unlike msgpack, JSON
#: takes whole numbers of any size, which quantities may be.
_encode = msgspec.json.Encoder().encode


class HostPort(NamedTuple):
    """A port on the node itself."""

    ip: str
    protocol: str
    port: int


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


class PodInfo:
    """A pod on a node or on its way to one."""

    __slots__ = ("host_ports", "pod", "resource", "terms")

    def __init__(self, pod: Pod, resource: PodResource, terms: AffinityTerms, ports: tuple[HostPort, ...]) -> None:
        self.pod = pod
        self.resource = resource
        self.terms = terms
        self.host_ports = ports

    @property
    def has_affinity(self) -> bool:
        """Whether the pod states any pod affinity or anti-affinity."""
        affinity = self.pod.spec.affinity
        return affinity is not None and (affinity.pod_affinity is not None or affinity.pod_anti_affinity is not None)

    @property
    def has_required_anti_affinity(self) -> bool:
        """Whether the pod keeps others away from its topology domain."""
        affinity = self.pod.spec.affinity
        anti = affinity.pod_anti_affinity if affinity else None
        return anti is not None and bool(anti.required)


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
        key = _accounting_key(pod)
        resource = self._shared.get(key)
        if resource is None:
            resource = self._shared[key] = self._resource(pod, key)
        self._latest = PodInfo(pod, resource, self._terms_of(pod), host_ports(pod, self.rules))
        return self._latest

    def _terms_of(self, pod: Pod) -> AffinityTerms:
        affinity = pod.spec.affinity
        if affinity is None:
            return NO_TERMS
        key = (pod.namespace, _encode(affinity))
        terms = self._terms.get(key)
        if terms is None:
            terms = self._terms[key] = affinity_terms(pod)
        return terms

    def _resource(self, pod: Pod, key: bytes) -> PodResource:
        requested = pod_requests(pod, self.rules, use_status=True, counts_claims=True)
        counted = Resource.of_nanos(
            {k: v for k, v in scoring_requests(pod, self.rules, use_status=True).items() if k in (CPU, MEMORY)}
        )
        return PodResource(Resource.of_nanos(requested), counted.cpu_milli, counted.memory_bytes, key)


def _accounting_key(pod: Pod) -> bytes:
    """All that a pod's requests and limits are worked out from, as one text: replicas have the same."""
    spec, status = pod.spec, pod.status
    return _encode(
        (
            [(container.name, container.resources) for container in spec.containers or ()],
            [
                (container.name, container.resources, container.restart_policy)
                for container in spec.init_containers or ()
            ],
            _resized(status.container_statuses),
            _resized(status.init_container_statuses),
            (spec.resources, spec.overhead, status.resources, status.allocated_resources),
            status.node_allocatable_resource_claim_statuses,
            [condition for condition in status.conditions or () if condition.type == "PodResizePending"],
        )
    )


def _resized(statuses: tuple[ContainerStatus, ...] | None) -> list[ContainerStatus]:
    return [status for status in statuses or () if status.resources is not None]


def host_ports(pod: Pod, rules: RequestRules) -> tuple[HostPort, ...]:
    """The ports that the pod takes on its node: of containers and perhaps sidecars, not of other init containers."""
    ports: list[HostPort] = []
    for container in pod.spec.init_containers or ():
        if rules.sidecar_ports_count and container.restarts_always:
            ports += _container_host_ports(container)
    for container in pod.spec.containers or ():
        if container.ports:
            ports += _container_host_ports(container)
    return tuple(ports)


def _container_host_ports(container: Container) -> list[HostPort]:
    return [
        HostPort(port.host_ip or BIND_ALL_HOST_IP, port.protocol or "TCP", port.host_port)
        for port in container.ports or ()
        if port.host_port and port.host_port > 0
    ]


def conflicting_port(wanted: HostPort, used: AbstractSet[HostPort]) -> HostPort | None:
    """The port in use that cannot be had beside the wanted one; 0.0.0.0 clashes with every address."""
    if not used:
        return None
    if wanted.ip != BIND_ALL_HOST_IP:
        for ip in (BIND_ALL_HOST_IP, wanted.ip):
            if (port := HostPort(ip, wanted.protocol, wanted.port)) in used:
                return port
        return None
    return min((port for port in used if port[1:] == wanted[1:]), default=None)


def affinity_terms(pod: Pod) -> AffinityTerms:
    """The parsed terms; the first thing that cannot be parsed is told in `error`."""
    affinity = pod.spec.affinity
    if affinity is None or (affinity.pod_affinity is None and affinity.pod_anti_affinity is None):
        return NO_TERMS
    near, far = affinity.pod_affinity or PodAffinity(), affinity.pod_anti_affinity or PodAffinity()
    errors: list[str] = []
    return AffinityTerms(
        required=_terms(pod, near.required or (), errors),
        required_anti=_terms(pod, far.required or (), errors),
        preferred=_weighted(pod, near.preferred or (), errors),
        preferred_anti=_weighted(pod, far.preferred or (), errors),
        error="; ".join(errors),
    )


def _terms(pod: Pod, terms: tuple[PodAffinityTerm, ...], errors: list[str]) -> tuple[AffinityTerm, ...]:
    try:
        return tuple(_term(pod, term) for term in terms)
    except SelectorError as error:
        errors.append(str(error))
        return ()


def _weighted(
    pod: Pod, terms: tuple[WeightedPodAffinityTerm, ...], errors: list[str]
) -> tuple[WeightedAffinityTerm, ...]:
    parsed = _terms(pod, tuple(weighted.pod_affinity_term for weighted in terms), errors)
    return tuple(WeightedAffinityTerm(term, w.weight) for term, w in zip(parsed, terms, strict=False))


def _term(pod: Pod, term: PodAffinityTerm) -> AffinityTerm:
    """A term that names no namespaces at all is about the pod's own."""
    own = not term.namespaces and term.namespace_selector is None
    return AffinityTerm(
        namespaces=frozenset({pod.namespace}) if own else frozenset(term.namespaces or ()),
        selector=selector_from(term.label_selector),
        topology_key=term.topology_key,
        namespace_selector=selector_from(term.namespace_selector),
    )
