"""How much a pod requests, summed exactly and rounded once.

Source: component-helpers `resource.PodRequests`, scheduler `framework.PodInfo.CalculateResource`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from kexplain.objects import quantity
from kexplain.objects.container_sums import add_to, raise_to, sum_containers
from kexplain.objects.core import Container, ContainerStatus, Pod, ResourceRequirements
from kexplain.objects.core.pods import ClaimedResource
from kexplain.objects.meta import RawQuantity, ResourceList
from kexplain.objects.well_known import NATIVE_DOMAIN

CPU = "cpu"
MEMORY = "memory"
PODS = "pods"
EPHEMERAL_STORAGE = "ephemeral-storage"
HUGEPAGES_PREFIX = "hugepages-"

#: Requested amounts by resource name, in nanos of the resource's unit.
Nanos = dict[str, int]

#: What a container counts for in scoring where it requests nothing: 100m CPU, 200 MiB.
DEFAULT_REQUESTS: Mapping[str, int] = {CPU: 100 * 10**6, MEMORY: 200 * 1024 * 1024 * 10**9}


class RequestRules(Struct, frozen=True):
    """Which feature gates bear on what a pod requests; the defaults are those of 1.36."""

    pod_level_resources: bool = True
    in_place_vertical_scaling: bool = True
    in_place_pod_level_vertical_scaling: bool = True
    sidecars_count_in_scoring: bool = True
    #: Without, amounts are rounded up container by container.
    requests_are_summed_exactly: bool = True
    #: Without, a sidecar is an init container like any other.
    sidecars_run_on: bool = True
    sidecar_ports_count: bool = True
    #: Without, what a resize has not given back counts container by container.
    resizes_count_in_sum: bool = False
    #: Without, scoring strategies take the overhead's whole CPUs, rounded up, for thousandths.
    cpu_overhead_scores_in_millis: bool = True
    node_allocatable_claims: bool = False


DEFAULT_RULES = RequestRules()


def is_native(name: str) -> bool:
    """Whether Kubernetes itself knows what the resource is."""
    return "/" not in name or NATIVE_DOMAIN in name


def is_pod_level_resource(name: str) -> bool:
    """Whether a resource can be requested for a pod as a whole."""
    return name in (CPU, MEMORY) or name.startswith(HUGEPAGES_PREFIX)


def amount_text(name: str, nanos: int) -> str:
    """So much of a resource, for people: `500m` of CPU, `1.5Gi` of memory."""
    if name == CPU:
        return quantity.format_milli(quantity.nanos_to_milli(nanos))
    value = quantity.nanos_to_value(nanos)
    is_bytes = name in (MEMORY, EPHEMERAL_STORAGE, "storage") or name.startswith(HUGEPAGES_PREFIX)
    return quantity.format_bytes(value) if is_bytes else str(value)


def resource_units(name: str, raw: RawQuantity) -> int:
    """An amount in the unit that a resource is counted in: CPU in thousandths, all else in whole units."""
    return quantity.milli_value(raw) if name == CPU else quantity.value(raw)


def sets_pod_level_requests(pod: Pod) -> bool:
    """Whether the pod as a whole requests anything that pods can request."""
    return any(map(is_pod_level_resource, pod.spec.requests))


def pod_requests(
    pod: Pod,
    rules: RequestRules,
    *,
    use_status: bool = False,
    defaults: Mapping[str, int] | None = None,
    counts_claims: bool = False,
) -> Nanos:
    """What the pod requests: containers and sidecars summed, at least each init container, plus overhead.

    `use_status` counts what an in-place resize has not given back yet, and `counts_claims` what its claims take of the
    node, as the scheduler does for pods on nodes. `defaults` replace, container by container, the requests that are
    missing. Raises QuantityError on a resource list that holds none.
    """
    use_status = use_status and rules.in_place_vertical_scaling
    claimed = claimed_of_node(pod) if counts_claims and rules.node_allocatable_claims else _NOTHING_CLAIMED
    total = _container_requests(pod, rules, claimed, use_status=use_status, defaults=defaults or {})
    if rules.pod_level_resources and sets_pod_level_requests(pod):
        total |= _pod_level_requests(pod, rules, use_status=use_status)
    add_to(total, _addend(nanos_of(pod.spec.overhead), rules))
    return total


def scoring_requests(pod: Pod, rules: RequestRules, *, use_status: bool = False) -> Nanos:
    """What the pod counts for on its node in scoring, where nothing counts as nothing.

    With pod-level requests the defaults fill only what the whole pod leaves open.
    """
    if not rules.sidecars_count_in_scoring:
        return _scoring_requests_beside_sidecars(pod, rules)
    if not (rules.pod_level_resources and sets_pod_level_requests(pod)):
        return pod_requests(pod, rules, use_status=use_status, defaults=DEFAULT_REQUESTS, counts_claims=True)
    known = pod_requests(pod, rules, use_status=use_status, counts_claims=True)
    missing = {name: nanos for name, nanos in DEFAULT_REQUESTS.items() if name not in known}
    if not missing:
        return known
    return pod_requests(pod, rules, use_status=use_status, defaults=missing, counts_claims=True)


def _scoring_requests_beside_sidecars(pod: Pod, rules: RequestRules) -> Nanos:
    """What the containers, or the init containers at their peak, count for; each is rounded up by itself.

    Sidecars count among the init containers only. Source: scheduler `calculateResource` before 1.32.
    """
    total = dict.fromkeys(DEFAULT_REQUESTS, 0)
    for container in pod.spec.containers or ():
        add_to(total, _counted(nanos_of(container.requests)))
    sidecars: Nanos = {}
    for container in pod.spec.init_containers or ():
        nanos = nanos_of(container.requests)
        is_sidecar = rules.sidecars_run_on and container.restarts_always
        if is_sidecar:
            add_to(sidecars, nanos)
        else:
            add_to(nanos, sidecars)
        raise_to(total, _counted(sidecars if is_sidecar else nanos))
    overhead = nanos_of(pod.spec.overhead)
    add_to(total, {name: _rounded(name, overhead[name]) for name in DEFAULT_REQUESTS if name in overhead})
    return total


def _counted(nanos: Nanos) -> Nanos:
    """CPU and memory, with the defaults where there is none."""
    return {name: _rounded(name, nanos.get(name, default)) for name, default in DEFAULT_REQUESTS.items()}


def _rounded(name: str, nanos: int) -> int:
    if name == CPU:
        return quantity.nanos_to_milli(nanos) * (quantity.NANOS_PER_UNIT // 1000)
    return quantity.nanos_to_value(nanos) * quantity.NANOS_PER_UNIT


class Claimed(Struct, frozen=True):
    """What claims take of a node for a pod as a whole, and for its containers by name while they run."""

    whole: Nanos
    by_container: Mapping[str, Nanos]


_NOTHING_CLAIMED = Claimed({}, {})


def claimed_of_node(pod: Pod) -> Claimed:
    """What the pod's status says that its claims take. Source: component-helpers `getDRANodeAllocatableResources`."""
    claimed = Claimed({}, {each.name or "": {} for each in pod.spec.every_container})
    for status in pod.status.node_allocatable_resource_claim_statuses or ():
        add_to(claimed.whole, nanos_of(status.resources))
        add_to(claimed.whole, _stated(status.mapping, "quantity"))
        add_to(claimed.whole, _stated(status.overhead, "per_pod"))
        unseen = set(claimed.by_container)
        for name in status.containers or ():
            # A container that names a claim twice counts once for itself, and once for the pod.
            total = claimed.by_container[name] if name in unseen else claimed.whole
            unseen.discard(name)
            add_to(total, _stated(status.overhead, "per_container"))
    return claimed


def _stated(every: tuple[ClaimedResource, ...] | None, field: str) -> Nanos:
    return nanos_of({each.name: raw for each in every or () if (raw := getattr(each, field)) is not None})


def _container_requests(
    pod: Pod, rules: RequestRules, claimed: Claimed, *, use_status: bool, defaults: Mapping[str, int]
) -> Nanos:
    if use_status and rules.resizes_count_in_sum:
        return _most_of_sums(pod, rules, claimed, defaults)
    statuses = _statuses_by_name(pod) if use_status else {}
    infeasible = bool(statuses) and _is_resize_infeasible(pod)

    def requests_of(container: Container, *, stays: bool) -> Nanos:
        spec = container.resources.requests if container.resources else None
        status = statuses.get(container.name or "") if stays else None
        if status is not None and status.resources is not None:
            nanos = _effective(infeasible, spec, status.resources.requests, status.allocated_resources)
        else:
            nanos = nanos_of(spec)
        for name, default in defaults.items():
            nanos.setdefault(name, default)
        add_to(nanos, claimed.by_container.get(container.name or "", {}))
        return _addend(nanos, rules)

    total = sum_containers(pod.spec, requests_of, sidecars_run_on=rules.sidecars_run_on)
    add_to(total, claimed.whole)
    return total


def _most_of_sums(pod: Pod, rules: RequestRules, claimed: Claimed, defaults: Mapping[str, int]) -> Nanos:
    """The most of what all containers ask, what all were given and what all were promised.

    What the status says of the pod as a whole goes before what it says of containers; that, and what all were given,
    has what claims take in it. Source: component-helpers `resource.AggregateContainerRequests` since 1.37.
    """
    infeasible = _is_resize_infeasible(pod)
    statuses = _statuses_by_name(pod, first_wins=True)

    def summed(stated: Callable[[ContainerStatus], ResourceList | None] | None, claimed: Claimed = claimed) -> Nanos:
        def requests_of(container: Container, *, stays: bool) -> Nanos:  # noqa: ARG001 (init containers have a status too)
            status = statuses.get(container.name or "")
            resources = stated(status) if stated and status else None
            if resources is not None:
                nanos = nanos_of(resources)
            else:
                nanos = {} if stated and infeasible else nanos_of(container.requests)
            nanos = {**defaults, **nanos}
            add_to(nanos, claimed.by_container.get(container.name or "", {}))
            return nanos

        total = sum_containers(pod.spec, requests_of, sidecars_run_on=rules.sidecars_run_on)
        add_to(total, claimed.whole)
        return total

    total = {} if infeasible else summed(None)
    promised, given = pod.status.allocated_resources, _requests_given(pod.status.resources)
    if rules.in_place_pod_level_vertical_scaling and promised is not None and given is not None:
        raise_to(total, nanos_of(promised))
        raise_to(total, nanos_of(given))
    else:
        raise_to(total, summed(lambda status: status.allocated_resources))
        raise_to(total, summed(_given_or_promised, _NOTHING_CLAIMED))
    return total


def _given_or_promised(status: ContainerStatus) -> ResourceList | None:
    given = _requests_given(status.resources)
    return status.allocated_resources if given is None else given


def _requests_given(resources: ResourceRequirements | None) -> ResourceList | None:
    return resources.requests if resources else None


def _addend(nanos: Nanos, rules: RequestRules) -> Nanos:
    """The amounts as they are summed: exact, or rounded up by themselves."""
    return nanos if rules.requests_are_summed_exactly else {name: _rounded(name, nanos[name]) for name in nanos}


def _pod_level_requests(pod: Pod, rules: RequestRules, *, use_status: bool) -> Nanos:
    requests = pod.spec.requests
    nanos = nanos_of(requests)
    if use_status and rules.in_place_pod_level_vertical_scaling and pod.status.resources is not None:
        actuated = pod.status.resources.requests
        effective = _effective(_is_resize_infeasible(pod), requests, actuated, pod.status.allocated_resources)
        nanos = effective if rules.resizes_count_in_sum else {name: effective.get(name, 0) for name in nanos}
    return {name: amount for name, amount in nanos.items() if is_pod_level_resource(name)}


def _effective(
    infeasible: bool, spec: ResourceList | None, actuated: ResourceList | None, allocated: ResourceList | None
) -> Nanos:
    """The most of what is asked, given and promised; an infeasible resize asks in vain."""
    nanos = {} if infeasible else nanos_of(spec)
    raise_to(nanos, nanos_of(actuated))
    raise_to(nanos, nanos_of(allocated))
    return nanos


def _statuses_by_name(pod: Pod, *, first_wins: bool = False) -> dict[str, ContainerStatus]:
    """All container statuses; of two with one name the later wins, as in upstream's map before 1.37."""
    every = (*(pod.status.container_statuses or ()), *(pod.status.init_container_statuses or ()))
    return {status.name: status for status in (reversed(every) if first_wins else every)}


def _is_resize_infeasible(pod: Pod) -> bool:
    for condition in pod.status.conditions or ():
        if condition.type == "PodResizePending":
            return condition.reason == "Infeasible"
    return False


def nanos_of(resources: ResourceList | None) -> Nanos:
    """The amounts of a resource list. Raises QuantityError on a value that is no quantity."""
    return {name: quantity.parse(raw) for name, raw in resources.items()} if resources else {}
