"""The rules that a Policy must keep, beyond its shape.

Source: scheduler `apis/config/validation` `ValidatePolicy`, `plugins/legacy_registry.go` and the arguments' validation
of 1.22.
"""

from collections.abc import Iterable, Sequence

from kexplain.config.component.argument_rules import Problems, out_of_range, shape_problems
from kexplain.config.component.validation import extender_problems
from kexplain.config.policy.names import (
    EQUAL_PRIORITY,
    LABEL_PRESENCE,
    OWN_PRIORITIES,
    PLUGIN_BY_PRIORITY,
    PLUGINS_BY_PREDICATE,
    PREDICATE_ALIASES,
    PRIORITY_ALIASES,
    SERVICE_AFFINITY,
)
from kexplain.config.policy.records import Policy, PredicatePolicy, PriorityPolicy, RequestedToCapacityRatioArguments
from kexplain.objects.meta import Record
from kexplain.objects.problem import Path, Problem
from kexplain.words import did_you_mean

API_VERSIONS = ("v1", "kubescheduler.config.k8s.io/v1")
KIND = "Policy"
#: Weights are held in 32 bits.
MAX_WEIGHT = 2**31 - 1

_PREDICATES = {*PLUGINS_BY_PREDICATE, *PREDICATE_ALIASES} - {LABEL_PRESENCE, SERVICE_AFFINITY}
_PRIORITIES = {*PLUGIN_BY_PRIORITY, *PRIORITY_ALIASES, EQUAL_PRIORITY} - {*OWN_PRIORITIES}


def problems(policy: Policy) -> Problems:
    """Everything that breaks a rule."""
    for index, predicate in enumerate(policy.predicates or ()):
        yield from (each.below("predicates", index) for each in _predicate_problems(predicate))
    yield from (each.below("priorities") for each in _priorities_problems(policy.priorities or ()))
    yield from _conflicts(policy)
    yield from (each.below("extenders") for each in extender_problems(policy.extenders))
    yield from out_of_range(("hardPodAffinitySymmetricWeight",), policy.hard_pod_affinity_symmetric_weight, 0, 100)


def _arguments(argument: Record | None) -> dict[str, Record]:
    """Those that are given, by the names of their fields."""
    if argument is None:
        return {}
    fields = zip(argument.__struct_fields__, argument.__struct_encode_fields__, strict=True)
    return {spelled: given for name, spelled in fields if (given := getattr(argument, name)) is not None}


def _argument_problems(argument: Record | None) -> Problems:
    """There must be exactly one, where there is any object for them."""
    if argument is None:
        return
    given = _arguments(argument)
    known = ", ".join(argument.__struct_encode_fields__)
    if not given:
        yield Problem(("argument",), f"is empty: give one of {known}, or remove it")
    elif len(given) > 1:
        yield Problem(("argument",), f"has {' and '.join(given)}: give only one of them")


def _name_problem(name: str, known: Iterable[str], kind: str, arguments: str) -> Problem:
    if not name:
        return Problem(("name",), "is needed")
    hint = did_you_mean(name, known) or f"one of your own needs an argument: {arguments}"
    return Problem(("name",), f'"{name}" is not a {kind}; {hint}')


def _predicate_problems(predicate: PredicatePolicy) -> Problems:
    yield from _argument_problems(predicate.argument)
    name = PREDICATE_ALIASES.get(predicate.name, predicate.name)
    if name in (LABEL_PRESENCE, SERVICE_AFFINITY):
        yield Problem(("name",), f"{name} takes no argument under this name: choose another name")
    elif name not in _PREDICATES and not predicate.argument:
        yield _name_problem(name, _PREDICATES, "predicate", "labelsPresence or serviceAffinity")


def _priorities_problems(priorities: Sequence[PriorityPolicy]) -> Problems:
    first_by_kind: dict[str, PriorityPolicy] = {}
    for index, priority in enumerate(priorities):
        yield from (each.below(index) for each in _priority_problems(priority))
        given = _arguments(priority.argument)
        kind = next(iter(given), "")
        first = first_by_kind.setdefault(kind, priority)
        if not kind or first is priority:
            continue
        if kind == "requestedToCapacityRatioArguments":
            yield Problem((index, "argument", kind), f"{first.name} already has them, and only one priority may")
        elif first.weight != priority.weight:
            message = (
                f"{priority.weight} differs from the {first.weight} of {first.name}: all with {kind} weigh the same"
            )
            yield Problem((index, "weight"), message)


def _priority_problems(priority: PriorityPolicy) -> Problems:
    if not 0 < priority.weight <= MAX_WEIGHT:
        yield Problem(("weight",), f"{priority.weight} is not between 1 and {MAX_WEIGHT}")
    yield from _argument_problems(priority.argument)
    name = PRIORITY_ALIASES.get(priority.name, priority.name)
    if name in OWN_PRIORITIES:
        yield Problem(("name",), f"{name} takes no argument under this name: choose another name")
    elif name not in _PRIORITIES and not priority.argument:
        arguments = "labelPreference, serviceAntiAffinity or requestedToCapacityRatioArguments"
        yield _name_problem(name, _PRIORITIES, "priority", arguments)
    ratio = priority.argument.requested_to_capacity_ratio_arguments if priority.argument else None
    if ratio is not None and name not in _PRIORITIES:
        yield from (each.below("argument", "requestedToCapacityRatioArguments") for each in _ratio_problems(ratio))


def _conflicts(policy: Policy) -> Problems:
    """Labels that nodes must both have and not have, or had better."""
    required: dict[str, bool] = {}
    for index, predicate in enumerate(policy.predicates or ()):
        presence = predicate.argument.labels_presence if predicate.argument else None
        for place, label in enumerate(presence.labels if presence else ()):
            if presence and required.setdefault(label, presence.presence) != presence.presence:
                path: Path = ("predicates", index, "argument", "labelsPresence", "labels", place)
                yield Problem(path, f'"{label}" is asked for with presence {_yaml(not presence.presence)} too')
    preferred: dict[str, bool] = {}
    for index, priority in enumerate(policy.priorities or ()):
        preference = priority.argument.label_preference if priority.argument else None
        if preference and preferred.setdefault(preference.label, preference.presence) != preference.presence:
            path = ("priorities", index, "argument", "labelPreference", "label")
            yield Problem(path, f'"{preference.label}" is asked for with presence {_yaml(not preference.presence)} too')


def _yaml(value: bool) -> str:
    return "true" if value else "false"


def _ratio_problems(ratio: RequestedToCapacityRatioArguments) -> Problems:
    yield from shape_problems(ratio.shape, ("shape",))
    for index, resource in enumerate(ratio.resources):
        if resource.weight < 1:
            yield Problem(("resources", index, "weight"), f"{resource.weight} is below 1")
