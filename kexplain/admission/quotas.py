"""Whether new objects fit into the quotas of their namespace: pods, claims, and what is only counted.

Source: apiserver `plugin/resourcequota.CheckRequest`, quota/v1/evaluator/core `podEvaluator`, `pvcEvaluator` and
`claimEvaluator`, quota/v1/generic `objectCountEvaluator`, release 1.36.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from kexplain.admission.limits import summed
from kexplain.admission.optional_plugins import is_best_effort
from kexplain.objects.core import Container, Pod, ResourceQuota, ScopedResourceSelectorRequirement
from kexplain.objects.meta import KubernetesObject, ResourceList
from kexplain.objects.persistent_volumes import PersistentVolumeClaim, requested_nanos
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import NANOS_PER_UNIT, QuantityError, canonical, parse
from kexplain.objects.requests import (
    CPU,
    EPHEMERAL_STORAGE,
    HUGEPAGES_PREFIX,
    MEMORY,
    Nanos,
    RequestRules,
    amount_text,
    is_native,
    is_pod_level_resource,
    pod_requests,
)
from kexplain.objects.resource import ALL, ResourceClaim
from kexplain.objects.selectors import Requirement
from kexplain.objects.well_known import MOST_DEVICES
from kexplain.patterns import regex

_COUNTS = ("pods", "count/pods")
_COMPUTE = (CPU, MEMORY, EPHEMERAL_STORAGE)
_REQUESTS, _LIMITS = "requests.", "limits."
#: What an API server says of a pod that a quota has no room for.
_EXCEEDED = regex(r"exceeded quota: (?P<quota>[^ ,]+), requested: (?P<asked>[^ ]+), used: ")
#: Where a quota limits one of these, every container must name it.
_MUST_BE_NAMED = frozenset({CPU, MEMORY, *(f"{part}{name}" for part in (_REQUESTS, _LIMITS) for name in (CPU, MEMORY))})


class Excess(Struct, frozen=True):
    """A quota that a pod would exceed: what it allows of a resource, what is used, and what the pod asks for; nanos.

    `others` is who uses most of it beside the pod's own workload, if that is known, and how much that is; `then` the
    same of who uses most after that.
    """

    quota: str
    resource: str
    allowed: int
    used: int
    asked: int
    others: tuple[str, int] = ("", 0)
    then: tuple[str, int] = ("", 0)

    @property
    def is_mostly_of_others(self) -> bool:
        """Whether that other workload uses half of what is used, or more."""
        return 2 * self.others[1] >= self.used > 0

    def __str__(self) -> str:
        allowed = f"ResourceQuota {self.quota} allows {self.amount(self.allowed)} of {self.resource}"
        return f"{allowed}: {self.amount(self.used)} is used, and this asks for {self.amount(self.asked)}"

    def amount(self, nanos: int) -> str:
        """An amount of the resource as people write it."""
        return amount_text(self.resource.rpartition(".")[2], nanos)


class QuotaRoom:
    """What quotas have left: less of it with every object that is created, more with every pod that goes."""

    def __init__(
        self, quotas: Mapping[str, Sequence[ResourceQuota]], existing: Iterable[KubernetesObject] = ()
    ) -> None:
        """Quotas by namespace; of those that no controller has seen yet, `existing` objects use up their share."""
        self._quotas = quotas
        self._used: dict[tuple[str, str], Nanos] = {}
        uncounted = {namespace for namespace, each in quotas.items() if any(q.status.used is None for q in each)}
        for obj in existing if uncounted else ():
            if obj.namespace in uncounted and not (isinstance(obj, Pod) and obj.is_terminated):
                self._count(obj, 1, counted=False)

    def create(self, obj: KubernetesObject) -> list[Problem]:
        """Why an object, as admitted, is refused. If it is not, it takes its share, and there is less for the next."""
        problems = self.problems(obj)
        if not problems:
            self._count(obj, 1)
        return problems

    def problems(self, obj: KubernetesObject) -> list[Problem]:
        """Why an object, as admitted, would be refused."""
        quotas = self._quotas_of(obj)
        usage = _usage(obj) if quotas else {}
        problems: list[Problem] = []
        for quota in quotas:
            unnamed = _unnamed(obj, quota) if isinstance(obj, Pod) else []
            problems += unnamed or [Problem(("spec",), str(each)) for each in self._over(obj, quota, usage)]
        return problems

    def growth_problems(self, before: Pod, after: Pod) -> Iterator[Problem]:
        """Why a pod, as it is resized, is refused: what it asks for less than before, or as much, nobody counts."""
        had = _usage_of_pod(before)
        more = {name: amount - had.get(name, 0) for name, amount in _usage_of_pod(after).items()}
        for quota in self._quotas_of(after):
            yield from _unnamed(after, quota)
            yield from (Problem(("spec",), f"{each} more") for each in self._over(after, quota, more))

    def resize(self, before: Pod, after: Pod) -> None:
        """A pod that a controller has counted asks for something else."""
        self.forget(before)
        self._count(after, 1, counted=True)

    def release(self, obj: KubernetesObject) -> None:
        """An object goes, and gives its share back."""
        self._count(obj, -1)

    def forget(self, obj: KubernetesObject) -> None:
        """An object is not there any more that a controller has counted; what nobody had counted has no share."""
        self._count(obj, -1, counted=True)

    def take(self, obj: KubernetesObject) -> None:
        """An object is there, whatever quotas allow."""
        self._count(obj, 1)

    def _quotas_of(self, obj: KubernetesObject) -> list[ResourceQuota]:
        return [each for each in self._quotas.get(obj.namespace, ()) if _applies(each, obj)]

    def _count(self, obj: KubernetesObject, sign: int, *, counted: bool | None = None) -> None:
        """Add an object to what is used, or take it away; of those quotas only that are `counted`, or are not."""
        quotas = [each for each in self._quotas_of(obj) if counted in (None, each.status.used is not None)]
        usage = _usage(obj) if quotas else {}
        for quota in quotas:
            used = self._used_of(obj, quota)
            used |= {name: used.get(name, 0) + sign * usage[name] for name in limits(quota) if name in usage}

    def _used_of(self, obj: KubernetesObject, quota: ResourceQuota) -> Nanos:
        recorded = quota.status.used or {}
        return self._used.setdefault(
            (obj.namespace, quota.name), {name: parse(recorded[name]) for name in limits(quota) if name in recorded}
        )

    def excesses(self, obj: KubernetesObject) -> Iterator[Excess]:
        """The quotas that an object, a pod as admitted, would exceed."""
        for quota in self._quotas_of(obj):
            yield from self._over(obj, quota, _usage(obj))

    def excesses_said(self, namespace: str, refusal: str) -> Iterator[Excess]:
        """The quotas that a pod would exceed of which an API server says so: it may ask for more than its template."""
        said = _EXCEEDED.search(refusal)
        for quota in self._quotas.get(namespace, ()) if said else ():
            if said and quota.name == said["quota"]:
                with suppress(QuantityError):
                    asked = (each.partition("=") for each in said["asked"].split(","))
                    yield from self._over(quota, quota, {name: parse(amount) for name, _, amount in asked})

    def share(self, pod: Pod, excess: Excess) -> int:
        """How much of what a pod would exceed another pod uses."""
        counts = any(each.name == excess.quota for each in self._quotas_of(pod))
        return _usage_of_pod(pod).get(excess.resource, 0) if counts else 0

    def unnamed(self, pod: Pod) -> Iterator[Problem]:
        """What quotas count, and the containers of an admitted pod do not name."""
        for quota in self._quotas_of(pod):
            yield from _unnamed(pod, quota)

    def _over(self, obj: KubernetesObject, quota: ResourceQuota, usage: Nanos) -> Iterator[Excess]:
        so_far = self._used_of(obj, quota)
        for name, raw in limits(quota).items():
            used, asked = so_far.get(name, 0), usage.get(name, 0)
            if asked > 0 and used + asked > parse(raw):
                yield Excess(quota.name, name, parse(raw), used, asked)


def limits(quota: ResourceQuota) -> ResourceList:
    """What the quota allows in all; one that no controller has seen yet, what it will."""
    return quota.status.hard or quota.spec.hard or {}


# ------------------------------------------------------------------------------------------- which quotas apply


def _applies(quota: ResourceQuota, obj: KubernetesObject) -> bool:
    if isinstance(obj, Pod):
        return any(map(_counts, limits(quota))) and all(_in_scope(scope, obj) for scope in _scopes(quota))
    # Scopes are of pods alone: a quota with one counts nothing else.
    return not any(_scopes(quota))


def _counts(name: str) -> bool:
    """Whether pods use up what a quota limits by this name."""
    bare = name.removeprefix(_REQUESTS)
    if name in _COUNTS or bare in _COMPUTE or name.removeprefix(_LIMITS) in _COMPUTE:
        return True
    return bare.startswith(HUGEPAGES_PREFIX) or (bare != name and not is_native(name))


def _scopes(quota: ResourceQuota) -> Iterator[ScopedResourceSelectorRequirement]:
    for scope in quota.spec.scopes or ():
        yield ScopedResourceSelectorRequirement(scope_name=scope, operator="Exists")
    if quota.spec.scope_selector is not None:
        yield from quota.spec.scope_selector.match_expressions or ()


def _in_scope(scope: ScopedResourceSelectorRequirement, pod: Pod) -> bool:
    deadline = pod.spec.active_deadline_seconds
    is_terminating = deadline is not None and deadline >= 0
    match scope.scope_name:
        case "Terminating" | "NotTerminating":
            return is_terminating == (scope.scope_name == "Terminating")
        case "BestEffort" | "NotBestEffort":
            return is_best_effort(pod.spec) == (scope.scope_name == "BestEffort")
        case "PriorityClass":
            wanted = Requirement(scope.scope_name, scope.operator, frozenset(scope.values or ()))
            name = pod.spec.priority_class_name
            return wanted.matches({scope.scope_name: name} if name else {})
        case "CrossNamespacePodAffinity":
            terms = pod.spec.affinity.pod_terms if pod.spec.affinity else ()
            return any(term.namespaces or term.namespace_selector is not None for term in terms)
    return False


# ------------------------------------------------------------------------------------------- what a pod uses up


def _unnamed(pod: Pod, quota: ResourceQuota) -> list[Problem]:
    """What containers must name and do not. Pods that do so as a whole are exempt."""
    if any(map(is_pod_level_resource, (*pod.spec.requests, *pod.spec.limits))):
        return []
    return [
        Problem(
            ("spec", *at, "resources", *missing),
            f"is required: ResourceQuota {quota.name} counts {name}",
            would_do=_other_amount(container, *missing),
        )
        for at, container in pod.spec.placed_containers()
        for name in sorted(_MUST_BE_NAMED.intersection(limits(quota)))
        if (missing := _missing(container, name))
    ]


def _missing(container: Container, name: str) -> tuple[str, str] | None:
    """The field of a container's resources that a quota of this name wants; None if it is there."""
    which, bare = ("limits", name.removeprefix(_LIMITS)) if name.startswith(_LIMITS) else ("requests", name)
    bare = bare.removeprefix(_REQUESTS)
    return None if bare in getattr(container, which) else (which, bare)


def _other_amount(container: Container, which: str, name: str) -> str | None:
    """What the container requests of what it names no limit of, or the other way round: both may be equal."""
    amounts = container.requests if which == "limits" else container.limits
    return canonical(amounts[name]) if name in amounts else None


def _usage(obj: KubernetesObject) -> Nanos:
    """What an object uses up, in nanos, by the names of quotas."""
    if isinstance(obj, Pod):
        return _usage_of_pod(obj)
    group = (obj.api_version or "").rpartition("/")[0]
    plural = f"{obj.kind.lower()}s"
    counts = {f"count/{plural}.{group}"} if group else {f"count/{plural}", plural}
    usage = dict.fromkeys(counts, NANOS_PER_UNIT)
    if isinstance(obj, ResourceClaim):
        return usage | _usage_of_devices(obj)
    return usage | _usage_of_claim(obj) if isinstance(obj, PersistentVolumeClaim) else usage


def _usage_of_devices(claim: ResourceClaim) -> Nanos:
    """The most devices that it may be given, by class. Source: `claimEvaluator.Usage`."""
    usage: Nanos = {}
    for request in claim.spec.devices.requests or ():
        most: Nanos = {}
        for wanted in request.first_available or filter(None, [request.exactly]):
            name = f"{wanted.device_class_name}.deviceclass.resource.k8s.io/devices"
            count = MOST_DEVICES if wanted.allocation_mode == ALL else 1 if wanted.count is None else wanted.count
            most[name] = max(most.get(name, 0), count * NANOS_PER_UNIT)
        usage = {name: usage.get(name, 0) + most.get(name, 0) for name in {**usage, **most}}
    return usage


def _usage_of_claim(claim: PersistentVolumeClaim) -> Nanos:
    """Its storage, and both its number and its storage once more by class."""
    storage = requested_nanos(claim)
    of_class = f"{claim.class_name}.storageclass.storage.k8s.io/"
    usage = {f"{_REQUESTS}storage": storage}
    if claim.class_name:
        usage |= {f"{of_class}persistentvolumeclaims": NANOS_PER_UNIT, f"{of_class}{_REQUESTS}storage": storage}
    return usage


def _usage_of_pod(pod: Pod) -> Nanos:
    usage = dict.fromkeys(_COUNTS, NANOS_PER_UNIT)
    for name, found in pod_requests(pod, RequestRules()).items():
        if name in _COMPUTE or name.startswith(HUGEPAGES_PREFIX):
            usage[name] = usage[f"{_REQUESTS}{name}"] = found
        elif not is_native(name):
            usage[f"{_REQUESTS}{name}"] = found
    return usage | {f"{_LIMITS}{name}": found for name, found in _limits_of(pod).items() if name in _COMPUTE}


def _limits_of(pod: Pod) -> Nanos:
    """The pod's limits, to which overhead is added where there are any."""
    total = summed(pod.spec, "limits")
    for name, raw in (pod.spec.overhead or {}).items():
        if total.get(name):
            total[name] += parse(raw)
    return total
