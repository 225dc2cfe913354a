"""Likely slips of the pen: names that nothing in the cluster has, and numbers in the wrong unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.cluster.resource import differ_in_size, is_extended_resource_name
from kexplain.cluster.siblings import asked_before
from kexplain.diagnosis.judges.full_nodes import most_of_any
from kexplain.diagnosis.meant_labels import digits, labels_added, meant_by, near_key, values_by_key
from kexplain.explain.records import RequestSum
from kexplain.objects.core import Pod
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.request_slips import requested_by_mistake
from kexplain.objects.selectors import EVERYTHING, Requirement
from kexplain.objects.well_known import HOSTNAME
from kexplain.plugins.devices.classes import class_by_resource
from kexplain.remedies import pod_edits
from kexplain.remedies.pod_edits import Edit
from kexplain.remedies.smaller_requests import requesting_amount, requesting_instead
from kexplain.words import ask, clauses, near, slip_of, some


class Slip(Struct, frozen=True):
    """What looks mistyped, as people would ask about it, and how to mend it where that can be guessed."""

    question: str
    mending: str = ""
    edit: Edit | None = None


def slips(pod: Pod, requests: Sequence[RequestSum], cluster: Cluster) -> tuple[Slip, ...]:
    """What looks mistyped, as far as the cluster tells, each once."""
    known = values_by_key(cluster)
    required = RequiredNodeAffinity.of(pod)
    found: list[Slip] = []
    alternatives = [_slips_of(term.labels, known) for term in required.terms or ()]
    # One term that some node may match is enough, so slips count only where every term has one.
    if all(alternatives):
        found += [slip for slips_of_term in alternatives for slip in slips_of_term]
    # What something else adds is not the pod's to change.
    added = labels_added(pod, cluster)
    found += _slips_of((each for each in required.labels if each.key not in added), known)
    found += [_unknown_key(key, known, pod) for key in _topology_keys(pod) if key not in known]
    found += _affinities(pod, cluster)
    found += _requests(pod, requests, cluster)
    return tuple({slip.question: slip for slip in found}.values())


def look_mistyped(labels: Mapping[str, str | None], cluster: Cluster) -> bool:
    """Whether any of these labels, which no node has, is close to one that nodes do have."""

    def search() -> bool:
        asked = (Requirement(key, "In", frozenset([value])) for key, value in labels.items() if value is not None)
        return any(slip.edit is not None for slip in _slips_of(asked, values_by_key(cluster)))

    return cluster.fact((look_mistyped, *labels.items()), search)


def _slips_of(requirements: Iterable[Requirement], known_by_key: dict[str, set[str]]) -> list[Slip]:
    asked = (requirement for requirement in requirements if requirement.operator in ("In", "Exists"))
    return [slip for requirement in asked if (slip := _slip(requirement, known_by_key))]


def _slip(requirement: Requirement, known_by_key: dict[str, set[str]]) -> Slip | None:
    key = requirement.key
    known = known_by_key.get(key)
    if known is None:
        return _unknown_key(key, known_by_key)
    if requirement.operator == "Exists" or known & requirement.values:
        return None
    wanted = " or ".join(sorted(requirement.values))
    close = [name for value in requirement.values for name in near(value, known)]
    there = f"no node has {key}={wanted}, only {some(sorted(known))}"
    is_alike = bool(meant_by(requirement, known_by_key)) and _stands_out(requirement, close[0], known)
    if not is_alike and close[:1] not in [[each.lower()] for each in requirement.values]:
        return Slip(there)
    mending = f"ask for {key}={close[0]}, as no node has {key}={wanted}"
    return Slip(clauses(there, ask(close[0])), mending, pod_edits.asking_for_value(key, close[0]))


def _stands_out(requirement: Requirement, close: str, known: set[str]) -> bool:
    """Whether a value is the one that was meant: zones, sizes, numbered names and machines of a cloud are all alike."""
    if requirement.key == HOSTNAME and not any(slip_of(each, known) for each in requirement.values):
        return False
    is_same_number = digits(close) in map(digits, requirement.values)
    return is_same_number or all(len(near(value, known, 2)) == 1 for value in requirement.values)


def _unknown_key(key: str, known_by_key: dict[str, set[str]], spread: Pod | None = None) -> Slip:
    there = f"no node has a label {key}"
    close = near_key(key, known_by_key)
    if not close:
        return Slip(there)
    values = some(sorted(filter(None, known_by_key[close[0]])))
    question = ask(f"{close[0]} ({values})" if values else close[0])
    mending = f"ask for label {close[0]} instead of {key}, which no node has"
    if spread and {key, close[0]} <= {*_spread_over(spread)}:
        mending = f"drop the constraint to spread over {key}, which no node has, as there is one over {close[0]}"
    return Slip(clauses(there, question), mending, pod_edits.asking_for_key(key, close[0]))


def _topology_keys(pod: Pod) -> list[str]:
    return [*_spread_over(pod), *(term.topology_key for term in pod.spec.required_affinity)]


def _spread_over(pod: Pod) -> list[str]:
    every = pod.spec.topology_spread_constraints or ()
    return [each.topology_key for each in every if each.when_unsatisfiable == "DoNotSchedule"]


def _affinities(pod: Pod, cluster: Cluster) -> Iterator[Slip]:
    """A label of pods to be near to that none has, close to one of the pod itself or of those beside it."""
    for term in pod.spec.required_affinity:
        if term.namespaces or term.namespace_selector or not term.label_selector:
            continue
        beside = cluster.placed_pods.matching(EVERYTHING, (pod.namespace,))
        idle = (each.labels for each in cluster.listers.every(Pod) if each.namespace == pod.namespace)
        labels = [pod.labels, *(info.pod.labels for info, _ in beside), *idle]
        for key, value in (term.label_selector.match_labels or {}).items():
            meant = _label_meant(value, pod.labels.get(key, ""), {each[key] for each in labels if key in each})
            if meant:
                there = f"no pod in namespace {pod.namespace} has {key}={value}"
                mending = f"ask to be near pods {key}={meant}, as none has {key}={value}"
                yield Slip(clauses(there, ask(meant)), mending, pod_edits.attracted_to(key, value, meant))


def _label_meant(value: str, own: str, known: Set[str]) -> str:
    """The pod's own label, if that begins alike, as it was the same once, or one that is close; else empty."""
    if value in known:
        return ""
    if own and (value.startswith(own) or own.startswith(value)):
        return own
    close = near(value, known)
    return close[0] if close and digits(close[0]) == digits(value) else ""


def _requests(pod: Pod, requests: Sequence[RequestSum], cluster: Cluster) -> Iterator[Slip]:
    by_class = class_by_resource(cluster)
    for each in requests:
        if each.resource in by_class:
            continue
        largest = most_of_any(each.resource, cluster)
        if largest == 0 and is_extended_resource_name(each.resource):
            yield _unknown_resource(each.resource, cluster)
        before = asked_before(pod, cluster, each.resource)
        for wrong, slip in requested_by_mistake(pod, each.resource, largest, before):
            mending = f"request {slip.instead} {each.resource}, as {slip.meaning}"
            edit = requesting_amount(each.resource, wrong, slip.instead) if slip.instead else None
            yield Slip(slip.message, mending, edit)


def _unknown_resource(name: str, cluster: Cluster) -> Slip:
    known = cluster.fact(_unknown_resource, lambda: _extended_resources(cluster))
    # Machines may name it and have none to give: then nothing is misspelt.
    shared = [each for each in known if each.startswith(f"{name}.")]
    vendor = name.partition("/")[0] + "/"
    others = [each for each in known if each.startswith(vendor) and most_of_any(each, cluster) > 0]
    close = shared or ([] if name in known else near(name, known)) or others
    if not close:
        return Slip(f"no node reports any {name}: is its device plugin running?")
    mending = f"request {close[0]} instead of {name}, which no node reports"
    if differ_in_size(name, close[0]) or close is others:
        mending = f"{mending}, if it is large enough"
    return Slip(clauses(f"no node reports any {name}", ask(close[0])), mending, requesting_instead(name, close[0]))


def _extended_resources(cluster: Cluster) -> list[str]:
    """The extended resources that nodes report."""
    names = {name for node_info in cluster.node_infos for name in node_info.allocatable.amounts()}
    return sorted(filter(is_extended_resource_name, names))
