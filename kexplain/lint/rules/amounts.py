"""Requests and limits that are probably mistyped, or more than any node has."""

from collections.abc import Iterator

from kexplain.cluster.resource import Resource, is_extended_resource_name
from kexplain.explain.wording import amount
from kexplain.lint.rule import Rule
from kexplain.lint.rules.references import claim_specs
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.meta import RawQuantity, ResourceList
from kexplain.objects.problem import Path, Problem, WordEdit, slip_edit
from kexplain.objects.quantity import nanos_to_milli, parse
from kexplain.objects.request_slips import Slip, cpu_slip, memory_slip
from kexplain.objects.requests import CPU, MEMORY, RequestRules, pod_requests
from kexplain.objects.resource import DeviceClass
from kexplain.objects.well_known import DEVICE_CLASS_PREFIX
from kexplain.validation.field import nanos
from kexplain.words import clauses, did_you_mean

#: What machines with accelerators may have.
_WITH_DEVICES_MILLI = 512_000


def _amounts(workload: Workload, resource: str) -> Iterator[tuple[Path, RawQuantity]]:
    """Every request and limit of a resource; those that are no quantities are left out."""
    for path, listed in _lists(workload):
        if resource in listed and nanos(listed[resource]) is not None:
            yield (*path, resource), listed[resource]


def _lists(workload: Workload) -> Iterator[tuple[Path, ResourceList]]:
    """What containers request and are limited to, with where it says so."""
    for at, container in workload.spec.placed_containers():
        yield workload.at(*at, "resources", "requests"), container.requests
        yield workload.at(*at, "resources", "limits"), container.limits


def _cpu_unit(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    names = {name for each in workload.spec.every_container for name in (*each.requests, *each.limits)}
    # Machines with accelerators have hundreds.
    least = _WITH_DEVICES_MILLI if any(map(is_extended_resource_name, names)) else 0
    largest = max(around.largest.get(CPU, 0), least)
    for path, raw in _amounts(workload, CPU):
        if slip := cpu_slip(raw, nanos_to_milli(parse(raw)), largest):
            yield _found(path, slip)


def _memory_unit(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    for resource in (MEMORY, "ephemeral-storage"):
        for path, raw in _amounts(workload, resource):
            if slip := memory_slip(raw, parse(raw), around.largest.get(resource, 0)):
                yield _found(path, slip)


def _storage_unit(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """Volumes are as small as nobody wants them; whether gibibytes or mebibytes are meant, nobody knows."""
    for path, spec in claim_specs(subject):
        raw = ((spec.resources.requests if spec.resources else None) or {}).get("storage")
        if raw is not None and (size := nanos(raw)) is not None and (slip := memory_slip(raw, size)):
            yield Problem((*path, "resources", "requests", "storage"), clauses(slip.meaning, slip.question))


def _found(path: Path, slip: Slip) -> Problem:
    return Problem(path, slip.message, edit=WordEdit(slip.instead) if slip.instead else None)


def _limit_without_request(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """In a pod that requests less than its limits elsewhere, a request equal to its limit is probably an oversight."""
    if not _is_burstable(workload):
        return
    for at, container in workload.spec.placed_containers():
        requests, limits = container.requests, container.limits
        for resource in (CPU, MEMORY):
            if resource in limits and requests and resource not in requests:
                message = f"there is no {resource} request, so the limit, {limits[resource]}, is requested in full"
                yield Problem(workload.at(*at, "resources", "limits", resource), message)


def _is_burstable(workload: Workload) -> bool:
    """Whether some container requests less of something than its limit."""
    every = workload.spec.every_container
    return any(nanos(raw) != nanos(each.limits.get(name, "0")) for each in every for name, raw in each.requests.items())


# ---------------------------------------------------------------------------------------- against the nodes


def _larger_than_nodes(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    pod = around.admitted(workload)
    if pod is None:
        return
    wanted = Resource.of_nanos(pod_requests(pod, RequestRules())).amounts()
    most = around.largest
    for name, requested in wanted.items():
        if requested > most.get(name, 0) > 0 and not around.may_offer(name, requested):
            largest = f"the largest node has only {amount(name, most[name])}"
            yield Problem(blamed(workload, name), f"a pod requests {amount(name, requested)} {name}; {largest}")


def blamed(workload: Workload, resource: str) -> Path:
    """The largest request of a resource."""
    found = [(parse(raw), path) for path, raw in _amounts(workload, resource)]
    requests = [each for each in found if each[1][-2] == "requests"]
    return max(requests or found, default=(0, workload.at("containers")))[1]


def _unknown_resource(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    known = around.largest
    offered = [each for each in known if "/" in each]
    for path, listed in _lists(workload) if around.nodes else ():
        for name in listed:
            is_named = name in known or not is_extended_resource_name(name) or _is_backed(name, around)
            if not is_named and not around.may_offer(name, 1):
                message = clauses(f"no node has {name}", did_you_mean(name, offered))
                yield Problem((*path, name), message, is_about_key=True, edit=slip_edit(name, offered))


def _is_backed(name: str, around: Surroundings) -> bool:
    """Whether a device class stands for an extended resource."""
    classes = around.every(DeviceClass)
    return name.startswith(DEVICE_CLASS_PREFIX) or any(each.spec.extended_resource_name == name for each in classes)


RULES = (
    Rule("cpu-unit", _cpu_unit), Rule("memory-unit", _memory_unit, _storage_unit),
    Rule("limit-without-request", _limit_without_request), Rule("request-exceeds-every-node", _larger_than_nodes),
    Rule("unknown-resource", _unknown_resource),
)  # fmt: skip
