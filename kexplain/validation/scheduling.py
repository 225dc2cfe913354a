"""What a pod says about where it wants to run.

Source: core/validation `validateAffinity`, `ValidateTolerations`, `validateTopologySpreadConstraints`,
`validateSchedulingGates`, release 1.36 with its default feature gates.
"""

from collections import Counter

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, choice, reject_repeated
from kexplain.validation.labels import check_node_selector_term
from kexplain.validation.names import dns_label, label_key, label_value
from kexplain.validation.rows import judge

TAINT_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")

_TOLERATIONS_ANNOTATION = "scheduler.alpha.kubernetes.io/tolerations"
_OPERATORS = ("Equal", "Exists")
_BEHIND_A_GATE = ("Lt", "Gt")


def _check_namespaces(term: Field) -> None:
    for namespace in term.child("namespaces").items():
        namespace.written(f"{term.text}.namespace").obey(dns_label)


def _check_preference(term: Field) -> None:
    check_node_selector_term(term, checks_values=False)


def check_label_keys(term: Field, *names: str) -> None:
    """Keys whose values the pod brings along, once these have been written into the selector.

    Source: `ValidateMatchLabelKeysAndMismatchLabelKeys`.
    """
    selector = term.child("labelSelector")
    for keys in map(term.child, names):
        if keys.items() and not selector.is_set:
            keys.reject("must be left out where there is no labelSelector")
            continue
        for key in keys.items():
            key.obey(label_key)
    match, mismatch = term.child("matchLabelKeys"), term.child("mismatchLabelKeys")
    position_by_key = {key: index for index, key in enumerate(match.strings)}
    known = set(selector.child("matchLabels").mapping)
    for requirement in selector.child("matchExpressions").items():
        name = requirement.child("key").string
        if name in position_by_key and name in known:
            at = match.items()[position_by_key[name]].written(f"{term.text}[{position_by_key[name]}]")
            at.reject(f"{shown(name)} is in matchLabelKeys and in labelSelector; one of them is enough")
        known.add(name)
    for item in match.items():
        if item.string in mismatch.strings:
            item.reject(f"{shown(item.string)} is in matchLabelKeys and in mismatchLabelKeys, which exclude each other")


def check_tolerations(tolerations: Field) -> None:
    """A list of tolerations."""
    for toleration in tolerations.items():
        judge(toleration, "scheduling.toleration")


def _check_operator(toleration: Field) -> None:
    operator, value = toleration.child("operator"), toleration.child("value")
    at = value.written(operator)
    if operator.string in ("", "Equal"):
        at.obey(label_value)
    elif operator.string == "Exists":
        at.forbid_value(f"the value {shown(value.string)} must be left out where the operator is Exists")
    elif operator.string in _BEHIND_A_GATE:
        operator.reject(f"needs the feature gate TaintTolerationComparisonOperators: use {choice(_OPERATORS)}")
    else:
        operator.one_of(*_OPERATORS)


def check_annotated_tolerations(annotations: Field) -> None:
    """Tolerations as they were written before there was a field for them."""
    annotation = annotations.child(_TOLERATIONS_ANNOTATION)
    if not annotation.string:
        return
    import json  # noqa: PLC0415 (nobody has written them so for long)

    try:
        tolerations = json.loads(annotation.string)
    except ValueError as error:
        annotation.written(annotations).reject(f"{_TOLERATIONS_ANNOTATION} is not JSON: {error}")
        return
    if tolerations is not None and not isinstance(tolerations, list):
        annotation.written(annotations).reject(f"{_TOLERATIONS_ANNOTATION} is not a list of tolerations")
        return
    check_tolerations(annotation.with_value(tolerations))


def check_spread_constraints(constraints: Field) -> None:
    """How pods are to be spread."""
    to_come = Counter(map(_identity, constraints.items()))
    for constraint in constraints.items():
        to_come[_identity(constraint)] -= 1
        if to_come[_identity(constraint)]:
            at = constraint.written(f"{constraint.text}.{{topologyKey, whenUnsatisfiable}}")
            at.reject("there is another constraint on {} with {}".format(*_identity(constraint)))
        judge(constraint, "scheduling.constraint")


def _identity(constraint: Field) -> tuple[str, str]:
    return constraint.child("topologyKey").string, constraint.child("whenUnsatisfiable").string


def check_gates(gates: Field) -> None:
    """Scheduling gates: each once, named like a label key."""
    names = [gate.child("name").written(gate) for gate in gates.items()]
    for name in names:
        name.obey(label_key)
    reject_repeated((name.string, name) for name in names)
