"""Labels and selectors over them.

Source: `metav1/validation` (`ValidateLabels`, `ValidateLabelSelector`), core/validation `ValidateNodeSelector`,
release 1.36.
"""

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, choice
from kexplain.validation.names import dns_subdomain, label_key, label_value
from kexplain.validation.rows import judge, obeys

_NODE_NAME_FIELD = "metadata.name"
_SETS, _PRESENCE, _NUMBERS = ("In", "NotIn"), ("Exists", "DoesNotExist"), ("Gt", "Lt")


def check_labels(labels: Field) -> None:
    """A map of labels; an API server names the map, not the key."""
    for key, value in labels.entries():
        at = value.written(labels)
        at.judge(key, label_key)
        at.obey(label_value)


def check_label_selector(selector: Field) -> None:
    """A label selector, if there is one."""
    check_labels(selector.child("matchLabels"))
    for requirement in selector.child("matchExpressions").items():
        check_operator(requirement.child("operator"), requirement.child("values"))
        judge(requirement, "labels.label")


def check_node_selector(selector: Field) -> None:
    """The terms of which a node must meet one."""
    terms = selector.child("nodeSelectorTerms")
    if terms.require("needs at least one term"):
        for term in terms.items():
            check_node_selector_term(term, checks_values=True)


def check_node_selector_term(term: Field, *, checks_values: bool) -> None:
    """One term; what is only preferred may name values that no label can have."""
    for requirement in term.child("matchExpressions").items():
        _check_node_requirement(requirement, checks_values=checks_values)
    for requirement in term.child("matchFields").items():
        _check_node_field(requirement)


def _check_node_requirement(requirement: Field, *, checks_values: bool) -> None:
    check_operator(requirement.child("operator"), requirement.child("values"), _NUMBERS)
    judge(requirement, "labels.label" if checks_values else {"key": obeys(label_key)})


def _check_node_field(requirement: Field) -> None:
    operator, values, key = (requirement.child(name) for name in ("operator", "values", "key"))
    if operator.value not in _SETS:
        operator.reject(f"{shown(operator.string)} does not work on fields: use {choice(_SETS)}")
    elif len(values.items()) != 1:
        values.reject(f"needs exactly one value where the operator is {operator.value}")
    if key.value != _NODE_NAME_FIELD:
        key.reject(f"{shown(key.string)} is not a field that nodes are selected by: use {_NODE_NAME_FIELD}")
        return
    for value in values.items():
        value.obey(dns_subdomain)


def check_operator(operator: Field, values: Field, numbers: tuple[str, ...] = ()) -> None:
    """An operator on sets, on presence or, where they are given, on numbers; it says how many values there must be."""
    if operator.value in _SETS:
        values.require(f"needs at least one value where the operator is {operator.value}")
    elif operator.value in _PRESENCE:
        values.forbid_value(f"must be left out where the operator is {operator.value}")
    elif operator.value not in numbers:
        operator.reject(f"{shown(operator.string)} is not an operator: use {choice((*_SETS, *_PRESENCE, *numbers))}")
    elif len(values.items()) != 1:
        values.reject(f"needs exactly one value where the operator is {operator.value}")
