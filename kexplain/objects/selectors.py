"""Label selectors, node selectors and tolerations: pure matching, exactly as Kubernetes matches.

Source: apimachinery `labels.Selector`, `metav1.LabelSelectorAsSelector`; component-helpers
`scheduling/corev1/nodeaffinity`; `corev1.Toleration.ToleratesTaint`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kexplain.objects.core import (
    Node,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PreferredSchedulingTerm,
    Taint,
    Toleration,
)
from kexplain.objects.meta import LabelSelector

NO_SCHEDULE = "NoSchedule"
NO_EXECUTE = "NoExecute"
PREFER_NO_SCHEDULE = "PreferNoSchedule"
#: The effects that keep a pod off a node; the third one only costs score.
REPELLING_EFFECTS = frozenset({NO_SCHEDULE, NO_EXECUTE})

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_LABEL_NAME = re.compile(_NAME)
_LABEL_VALUE = re.compile(f"({_NAME})?")
_DNS_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_NO_LABEL_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
_GO_ESCAPES = {
    '"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "\v": "\\v",
}  # fmt: skip
_GO_INT64 = re.compile(r"[+-]?0*(?P<digits>[0-9]*)(?<=[0-9])", re.ASCII)


class SelectorError(ValueError):
    """A selector that no API server would accept; upstream gives up on what holds it."""


def is_qualified_name(text: str) -> bool:
    """Whether `text` may be a label key: a name of at most 63 characters, perhaps behind a DNS prefix."""
    prefix, slash, name = text.rpartition("/")
    if slash and not (0 < len(prefix) <= 253 and _DNS_SUBDOMAIN.fullmatch(prefix)):
        return False
    return len(name) <= 63 and _LABEL_NAME.fullmatch(name) is not None


def is_label_value(text: str) -> bool:
    """Whether `text` may be a label's value: empty, or a name of at most 63 characters."""
    return len(text) <= 63 and _LABEL_VALUE.fullmatch(text) is not None


def parse_int64(text: str) -> int | None:
    """The integer that Go's `strconv.ParseInt(text, 10, 64)` reads, or None where it fails."""
    match = _GO_INT64.fullmatch(text)
    if match is None or len(match["digits"]) > 19:
        return None
    number = int(match["digits"] or 0) * (-1 if text.startswith("-") else 1)
    return number if -(2**63) <= number < 2**63 else None


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition on a set of labels; `operator` is spelled as in `matchExpressions`."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()
    bound: int = 0

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether `labels` meet the condition."""
        match self.operator:
            case "In":
                return labels.get(self.key) in self.values
            case "NotIn":
                return labels.get(self.key) not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels
            case _:
                number = parse_int64(labels.get(self.key, ""))
                if number is None:
                    return False
                return number > self.bound if self.operator == "Gt" else number < self.bound

    def __str__(self) -> str:
        values = ",".join(sorted(self.values))
        match self.operator:
            case "In":
                return f"{self.key}={values}" if len(self.values) == 1 else f"{self.key} in ({values})"
            case "NotIn":
                return f"{self.key}!={values}" if len(self.values) == 1 else f"{self.key} notin ({values})"
            case "Exists":
                return self.key
            case "DoesNotExist":
                return f"!{self.key}"
            case _:
                return f"{self.key}{'>' if self.operator == 'Gt' else '<'}{self.bound}"


def make_requirement(key: str, operator: str, values: Sequence[str]) -> Requirement:
    """A checked requirement.

    Raises SelectorError as `labels.NewRequirement` fails: unknown operator, wrong number of values,
    a bound that is no integer, or a key or value that no label can have.
    """
    if operator in ("In", "NotIn"):
        well_formed = len(values) > 0
    elif operator in ("Exists", "DoesNotExist"):
        well_formed = len(values) == 0
    else:
        well_formed = operator in ("Gt", "Lt") and len(values) == 1
        if well_formed and parse_int64(values[0]) is None:
            reason = "for 'Gt', 'Lt' operators, the value must be an integer"
            raise SelectorError(f'values[0]: Invalid value: "{values[0]}": {reason}')
    if not well_formed:
        raise SelectorError(f"{key} {operator} {list(values)} is no valid requirement")
    if not is_qualified_name(key) or not all(is_label_value(value) for value in values):
        raise SelectorError(f"{key} {operator} {list(values)}: not a label key or value")
    bound = int(values[0]) if operator in ("Gt", "Lt") else 0
    return Requirement(key, operator, frozenset(values), bound)


@dataclass(frozen=True, slots=True)
class Selector:
    """A parsed label selector: all requirements must hold. `None` as requirements matches nothing."""

    requirements: tuple[Requirement, ...] | None
    #: The requirements of the form key = value, checked first since they are the common ones.
    equal: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)
    _other: tuple[Requirement, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        requirements = self.requirements or ()
        equal = [r for r in requirements if r.operator == "In" and len(r.values) == 1]
        object.__setattr__(self, "equal", tuple((r.key, next(iter(r.values))) for r in equal))
        object.__setattr__(self, "_other", tuple(r for r in requirements if r not in equal))

    @property
    def is_empty(self) -> bool:
        """Whether everything matches (which a selector that matches nothing does not)."""
        return self.requirements == ()

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether `labels` meet every requirement."""
        if self.requirements is None:
            return False
        for key, value in self.equal:
            if labels.get(key) != value:
                return False
        for requirement in self._other:  # noqa: SIM110 (a generator costs more than the match itself)
            if not requirement.matches(labels):
                return False
        return True

    def and_also(self, requirements: Iterable[Requirement]) -> Selector:
        """This selector with further requirements; one that matches nothing stays so."""
        if self.requirements is None:
            return self
        return Selector((*self.requirements, *requirements))

    def __str__(self) -> str:
        if self.requirements is None:
            return "<none>"
        return ",".join(str(requirement) for requirement in self.requirements) or "<all>"


NOTHING = Selector(None)
EVERYTHING = Selector(())


def selector_from_labels(labels: Mapping[str, str]) -> Selector:
    """The selector of all these labels, unchecked. Source: `labels.SelectorFromSet`."""
    return Selector(tuple(Requirement(key, "In", frozenset({labels[key]})) for key in sorted(labels)))


def selector_from(label_selector: LabelSelector | None) -> Selector:
    """The parsed selector: None selects nothing, an empty one everything.

    Raises SelectorError where `metav1.LabelSelectorAsSelector` fails.
    """
    if label_selector is None:
        return NOTHING
    labels = label_selector.match_labels or {}
    requirements = [make_requirement(key, "In", (value,)) for key, value in labels.items()]
    for expression in label_selector.match_expressions or ():
        if expression.operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            raise SelectorError(f'"{expression.operator}" is not a valid label selector operator')
        requirements.append(make_requirement(expression.key, expression.operator, expression.values or ()))
    return Selector(tuple(requirements))


# --------------------------------------------------------------------------------------------- node selectors


def _label_requirement(expression: NodeSelectorRequirement) -> Requirement:
    return make_requirement(expression.key, expression.operator, expression.values or ())


def _field_requirement(expression: NodeSelectorRequirement) -> Requirement:
    """Fields know only In and NotIn with exactly one value."""
    values = expression.values or ()
    if expression.operator not in ("In", "NotIn") or len(values) != 1:
        raise SelectorError(f"matchFields: {expression.key} {expression.operator} {list(values)}")
    return Requirement(expression.key, expression.operator, frozenset(values))


@dataclass(frozen=True, slots=True)
class NodeTerm:
    """A parsed node selector term: labels and fields must both match."""

    labels: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]

    def matches(self, node: Node) -> bool:
        """Whether the node meets every expression."""
        return not self.unmet(node)

    def unmet(self, node: Node) -> tuple[Requirement, ...]:
        """The expressions that the node does not meet, in the order written."""
        unmet = [requirement for requirement in self.labels if not requirement.matches(node.labels)]
        if node.name:
            # A missing field reads as the empty string: fields.Set.Get does not report absence.
            unmet += [r for r in self.fields if not r.matches({r.key: _node_field(node, r.key)})]
        return tuple(unmet)

    def __str__(self) -> str:
        return ",".join(str(requirement) for requirement in (*self.labels, *self.fields))


def _node_field(node: Node, key: str) -> str:
    return node.name if key == "metadata.name" else ""


def parse_node_term(term: NodeSelectorTerm) -> NodeTerm:
    """The parsed term. Raises SelectorError on an expression that cannot be parsed."""
    return NodeTerm(
        tuple(_label_requirement(expression) for expression in term.match_expressions or ()),
        tuple(_field_requirement(expression) for expression in term.match_fields or ()),
    )


def is_empty_node_term(term: NodeSelectorTerm) -> bool:
    """Whether the term says nothing, and so matches no node."""
    return not term.match_expressions and not term.match_fields


@dataclass(frozen=True, slots=True)
class RequiredNodeAffinity:
    """`spec.nodeSelector` and the required node affinity of a pod, both of which must match.

    `terms` is None without required affinity; a term that cannot be parsed matches no node and is left out.
    Source: nodeaffinity `GetRequiredNodeAffinity`, whose parsing errors callers ignore too.
    """

    labels: tuple[Requirement, ...]
    terms: tuple[NodeTerm, ...] | None

    @classmethod
    def of(cls, pod: Pod) -> RequiredNodeAffinity:
        """What the pod requires of its node."""
        affinity = pod.spec.affinity and pod.spec.affinity.node_affinity
        required = affinity.required_during_scheduling_ignored_during_execution if affinity else None
        labels = selector_from_labels(pod.spec.node_selector or {}).requirements or ()
        return cls(labels, None if required is None else _parse_required(required))

    @classmethod
    def of_selector(cls, selector: NodeSelector) -> RequiredNodeAffinity:
        """A node selector outside a pod."""
        return cls((), _parse_required(selector))

    def matches(self, node: Node) -> bool:
        """Whether the pod may run on the node as far as labels and fields go."""
        for requirement in self.labels:
            if not requirement.matches(node.labels):
                return False
        return self.terms is None or any(term.matches(node) for term in self.terms)


def _parse_required(selector: NodeSelector) -> tuple[NodeTerm, ...]:
    parsed = []
    for term in selector.node_selector_terms or ():
        if not is_empty_node_term(term):
            try:
                parsed.append(parse_node_term(term))
            except SelectorError:
                continue
    return tuple(parsed)


@dataclass(frozen=True, slots=True)
class PreferredNodeTerm:
    """A parsed term with its weight."""

    weight: int
    term: NodeTerm


def parse_preferred_terms(
    terms: Iterable[PreferredSchedulingTerm], *, length_unit: str = "bytes"
) -> tuple[PreferredNodeTerm, ...]:
    """The parsed terms that can match: those of weight 0 and empty ones are left out.

    Raises SelectorError as nodeaffinity `NewPreferredSchedulingTerms` fails, with its text where an API server lets
    such a term pass: values that no label can have, and bounds that are no integers. `length_unit` is what the text
    counts the length of a value in.
    """
    parsed = []
    faults: list[str] = []
    for index, term in enumerate(terms):
        if term.weight == 0 or is_empty_node_term(term.preference):
            continue
        try:
            parsed.append(PreferredNodeTerm(term.weight, parse_node_term(term.preference)))
        except SelectorError as error:
            faults += list(_value_faults(term.preference, f"[{index}]", length_unit)) or [f"[{index}]: {error}"]
    if faults:
        distinct = list(dict.fromkeys(faults))
        raise SelectorError(distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]")
    return tuple(parsed)


def _value_faults(term: NodeSelectorTerm, path: str, length_unit: str) -> Iterator[str]:
    """What is wrong with the values of a term. Source: apimachinery `labels.NewRequirement`."""
    for place, expression in enumerate(term.match_expressions or ()):
        values = [
            (f"{path}.matchExpressions[{place}].values[{index}]", value)
            for index, value in enumerate(expression.values or ())
        ]
        for at, value in values:
            if expression.operator in ("Gt", "Lt") and parse_int64(value) is None:
                reason = "for 'Gt', 'Lt' operators, the value must be an integer"
                yield f"{at}: Invalid value: {go_quoted(value)}: {reason}"
        for at, value in values:
            reasons = []
            if len(value.encode()) > 63:
                reasons.append(f"must be no more than 63 {length_unit}")
            if not _LABEL_VALUE.fullmatch(value):
                reasons.append(_NO_LABEL_VALUE)
            if reasons:
                yield f"{at}[{expression.key}]: Invalid value: {go_quoted(value)}: {'; '.join(reasons)}"


def go_quoted(text: str) -> str:
    """The text as Go's `%q` prints it."""
    return f'"{"".join(_GO_ESCAPES.get(char) or (char if char.isprintable() else _escaped(char)) for char in text)}"'


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# ------------------------------------------------------------------------------------------------ tolerations


def tolerates(toleration: Toleration, taint: Taint, *, comparison_operators: bool = False) -> bool:
    """Whether the toleration tolerates the taint.

    `comparison_operators` is the gate TaintTolerationComparisonOperators, without which Lt and Gt match nothing.
    """
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator or "Equal":
        case "Equal":
            return (toleration.value or "") == (taint.value or "")
        case "Exists":
            return True
        case "Lt" | "Gt" as operator if comparison_operators:
            return _compare(operator, toleration.value or "", taint.value or "")
        case _:
            return False


def _compare(operator: str, bound: str, value: str) -> bool:
    limit, number = _decimal_integer(bound), _decimal_integer(value)
    if limit is None or number is None:
        return False
    return number < limit if operator == "Lt" else number > limit


def _decimal_integer(text: str) -> int | None:
    """Integers without plus sign or leading zeros, as the API server accepts them for tolerations."""
    number = parse_int64(text)
    return number if number is not None and str(number) == text else None


def untolerated_taints(
    taints: Iterable[Taint],
    tolerations: Sequence[Toleration],
    effects: Container[str],
    *,
    comparison_operators: bool = False,
) -> tuple[Taint, ...]:
    """The taints with one of these effects that no toleration tolerates, in the node's order."""
    return tuple(
        taint
        for taint in taints
        if taint.effect in effects
        and not any(tolerates(t, taint, comparison_operators=comparison_operators) for t in tolerations)
    )
