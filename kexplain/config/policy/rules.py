"""The rules that a Policy must keep, beyond its shape: those that are more than a row of `scheduler-judgements.json`.

Source: scheduler `apis/config/validation` `ValidatePolicy`, `plugins/legacy_registry.go` and the arguments' validation
of 1.22.
"""

from collections.abc import Iterable

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
from kexplain.objects.problem import Problem
from kexplain.validation.field import Field
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import judge
from kexplain.words import did_you_mean

_PREDICATES = {*PLUGINS_BY_PREDICATE, *PREDICATE_ALIASES} - {LABEL_PRESENCE, SERVICE_AFFINITY}
_PRIORITIES = {*PLUGIN_BY_PRIORITY, *PRIORITY_ALIASES, EQUAL_PRIORITY} - {*OWN_PRIORITIES}


def broken_rules(policy: object) -> list[Problem]:
    """Everything in a plain value that breaks a rule, as far as it has the shape of a Policy."""
    problems: list[Problem] = []
    judge(Field(policy, problems), "config.policy.rules.policy")
    return problems


def predicate_name(text: str) -> str | None:
    """Predicates that are known."""
    return _unknown(text, _PREDICATES, "predicate", "labelsPresence or serviceAffinity")


def priority_name(text: str) -> str | None:
    """Priorities that are known."""
    arguments = "labelPreference, serviceAntiAffinity or requestedToCapacityRatioArguments"
    return _unknown(text, _PRIORITIES, "priority", arguments)


def _unknown(name: str, known: Iterable[str], kind: str, arguments: str) -> str | None:
    if name in known:
        return None
    return f"is not a {kind}; {did_you_mean(name, known) or f'one of your own needs an argument: {arguments}'}"


def check_arguments(priorities: Field) -> None:
    """Of those with the same kind of argument there is one, or they all weigh the same."""
    first_by_kind: dict[str, Field] = {}
    for each in priorities.items():
        kind, argument = next((pair for pair in each.child("argument").entries() if pair[1].is_set), ("", each))
        first = first_by_kind.setdefault(kind, each)
        name, other = first.child("name").string, first.child("weight").number()
        if first is each or not kind:
            continue
        if kind == "requestedToCapacityRatioArguments":
            argument.reject(f"{name} already has them, and only one priority may")
        elif (weight := each.child("weight")).number() != other:
            weight.reject(f"{weight.number()} differs from the {other} of {name}: all with {kind} weigh the same")


def check_presence(policy: Field) -> None:
    """No label is one that nodes must both have and not have, or had better."""
    for path in ("predicates[].argument.labelsPresence", "priorities[].argument.labelPreference"):
        presence_by_label: dict[str, bool] = {}
        for each in fields_at(policy, path):
            own = each.child("presence").flag
            for label in (*each.child("labels").items(), each.child("label")):
                presence = presence_by_label.setdefault(label.string, own) if label.is_set else own
                if presence is not own:
                    label.reject(f'"{label.string}" is asked for with presence {str(presence).lower()} too')
