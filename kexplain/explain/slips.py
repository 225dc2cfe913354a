"""Likely slips of the pen: names that nothing in the cluster has, and numbers in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from kexplain.cluster import Cluster
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.explain.records import Remedy, RequestSum
from kexplain.objects.core import Pod
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.requests import CPU
from kexplain.objects.selectors import Requirement
from kexplain.objects.slips import cpu_slip
from kexplain.plugins.devices.classes import class_by_resource
from kexplain.words import ask, clauses, near, some

ACTION = "check-manifest"


def slips(pod: Pod, requests: Sequence[RequestSum], cluster: Cluster) -> Iterator[Remedy]:
    """What looks mistyped, as far as the cluster tells."""
    values_by_key = cluster.fact(_values_by_key, lambda: _values_by_key(cluster))
    required = RequiredNodeAffinity.of(pod)
    texts: list[str] = []
    alternatives = [_slips_of(term.labels, values_by_key) for term in required.terms or ()]
    # One term that some node may match is enough, so slips count only where every term has one.
    if all(alternatives):
        texts += [text for found in alternatives for text in found]
    texts += _slips_of(required.labels, values_by_key)
    texts += [_unknown_key(key, values_by_key) for key in _topology_keys(pod) if key not in values_by_key]
    texts += _requests(requests, cluster)
    return (Remedy(action=ACTION, text=text) for text in dict.fromkeys(texts))


def _values_by_key(cluster: Cluster) -> dict[str, set[str]]:
    """The values of each label of nodes."""
    values_by_key: dict[str, set[str]] = {}
    for node_info in cluster.node_infos:
        for key, value in node_info.node.labels.items():
            values_by_key.setdefault(key, set()).add(value)
    return values_by_key


def _slips_of(requirements: Iterable[Requirement], values_by_key: dict[str, set[str]]) -> list[str]:
    asked = (requirement for requirement in requirements if requirement.operator in ("In", "Exists"))
    return [text for requirement in asked if (text := _slip(requirement, values_by_key))]


def _slip(requirement: Requirement, values_by_key: dict[str, set[str]]) -> str:
    known = values_by_key.get(requirement.key)
    if known is None:
        return _unknown_key(requirement.key, values_by_key)
    if requirement.operator == "Exists" or known & requirement.values:
        return ""
    wanted = " or ".join(sorted(requirement.values))
    close = [name for value in requirement.values for name in near(value, known)]
    # Zones and the like are all alike: only a name that stands out is worth a question.
    stands_out = len(close) == 1 and not any(char.isdigit() for char in close[0])
    there = f"no node has {requirement.key}={wanted}, only {some(sorted(known))}"
    return clauses(there, ask(close[0]) if stands_out else "")


def _unknown_key(key: str, values_by_key: dict[str, set[str]]) -> str:
    close = near(key, values_by_key)
    hint = ask(f"{close[0]} ({some(sorted(values_by_key[close[0]]))})") if close else ""
    return clauses(f"no node has a label {key}", hint)


def _topology_keys(pod: Pod) -> list[str]:
    keys = [
        constraint.topology_key
        for constraint in pod.spec.topology_spread_constraints or ()
        if constraint.when_unsatisfiable == "DoNotSchedule"
    ]
    near = pod.spec.affinity.pod_affinity if pod.spec.affinity else None
    if near is not None:
        keys += [term.topology_key for term in near.required_during_scheduling_ignored_during_execution or ()]
    return keys


def _requests(requests: Sequence[RequestSum], cluster: Cluster) -> Iterator[str]:
    by_class = class_by_resource(cluster)
    for each in requests:
        if each.resource in by_class:
            continue
        largest = cluster.fact((_largest, each.resource), partial(_largest, each.resource, cluster))
        if largest == 0 and is_extended_resource_name(each.resource):
            yield f"no node reports any {each.resource}: is its device plugin running?"
        if each.resource == CPU and largest and (slip := cpu_slip(each.requested // 1000, each.requested, largest)):
            yield slip.message


def _largest(resource: str, cluster: Cluster) -> int:
    """The most that any node offers of a resource."""
    return max((node_info.allocatable.amount(resource) for node_info in cluster.node_infos), default=0)
