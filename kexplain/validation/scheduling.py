"""What a pod says about where it wants to run.

Source: core/validation `validateAffinity`, `ValidateTolerations`, `validateTopologySpreadConstraints`,
`validateSchedulingGates`, release 1.36 with its default feature gates.
"""

from collections import Counter

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import label_key
from kexplain.validation.rows import judge

_TOLERATIONS_ANNOTATION = "scheduler.alpha.kubernetes.io/tolerations"


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
    judge(annotation.with_value(tolerations), "scheduling.tolerations")


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
