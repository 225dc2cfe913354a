"""Node selectors and node affinity: pure matching, exactly as Kubernetes matches.

Source: component-helpers `scheduling/corev1/nodeaffinity`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from kexplain.objects.core import (
    Node,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PreferredSchedulingTerm,
)
from kexplain.objects.selectors import (
    LABEL_VALUE,
    Requirement,
    SelectorError,
    make_requirement,
    parse_int64,
    selector_from_labels,
)

_NO_LABEL_VALUE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
_GO_ESCAPES = {
    '"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "\v": "\\v",
}  # fmt: skip


def _field_requirement(expression: NodeSelectorRequirement) -> Requirement:
    """Fields know only In and NotIn with exactly one value."""
    values = expression.values or ()
    if expression.operator not in ("In", "NotIn") or len(values) != 1:
        raise SelectorError(f"matchFields: {expression.key} {expression.operator} {list(values)}")
    return Requirement(expression.key, expression.operator, frozenset(values))


class NodeTerm(Struct, frozen=True):
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
            unmet += [r for r in self.fields if not r.matches({r.key: node.name if r.key == "metadata.name" else ""})]
        return tuple(unmet)

    def __str__(self) -> str:
        return ",".join(str(requirement) for requirement in (*self.labels, *self.fields))


def parse_node_term(term: NodeSelectorTerm) -> NodeTerm:
    """The parsed term. Raises SelectorError on an expression that cannot be parsed."""
    return NodeTerm(
        tuple(make_requirement(each.key, each.operator, each.values or ()) for each in term.match_expressions or ()),
        tuple(_field_requirement(expression) for expression in term.match_fields or ()),
    )


def is_empty_node_term(term: NodeSelectorTerm) -> bool:
    """Whether the term says nothing, and so matches no node."""
    return not term.match_expressions and not term.match_fields


class RequiredNodeAffinity(Struct, frozen=True):
    """`spec.nodeSelector` and the required node affinity of a pod, both of which must match.

    `terms` is None without required affinity; a term that cannot be parsed matches no node and is left out.
    Source: nodeaffinity `GetRequiredNodeAffinity`, whose parsing errors callers ignore too.
    """

    labels: tuple[Requirement, ...]
    terms: tuple[NodeTerm, ...] | None

    @classmethod
    def of(cls, pod: Pod) -> RequiredNodeAffinity:
        """What the pod requires of its node."""
        required = pod.spec.required_nodes
        labels = selector_from_labels(pod.spec.node_selector or {}).requirements or ()
        return cls(labels, None if required is None else _parse_required(required))

    @classmethod
    def of_selector(cls, selector: NodeSelector) -> RequiredNodeAffinity:
        """A node selector outside a pod."""
        return cls((), _parse_required(selector))

    @property
    def only_excludes(self) -> bool:
        """Whether it says which nodes it may not be on, and of none that it should be."""
        every = [each for term in self.terms or () for each in (*term.labels, *term.fields)]
        return not self.labels and bool(every) and all(each.operator in ("NotIn", "DoesNotExist") for each in every)

    @property
    def names(self) -> list[str]:
        """The nodes that the terms name, in order: those of DaemonSets' pods name one."""
        fields = [field for term in self.terms or () for field in term.fields if field.operator == "In"]
        return sorted({value for field in fields for value in field.values})

    def unmet(self, node: Node) -> list[Requirement]:
        """What the node does not meet: labels, and of the terms, if none matches, the one that lacks least."""
        unmet = [each for each in self.labels if not each.matches(node.labels)]
        return [*unmet, *min((term.unmet(node) for term in self.terms or ()), key=len, default=())]

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


class PreferredNodeTerm(Struct, frozen=True):
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
            if not LABEL_VALUE.fullmatch(value):
                reasons.append(_NO_LABEL_VALUE)
            if reasons:
                yield f"{at}[{expression.key}]: Invalid value: {go_quoted(value)}: {'; '.join(reasons)}"


def go_quoted(text: str) -> str:
    """The text as Go's `%q` prints it."""
    return f'"{"".join(_GO_ESCAPES.get(char) or (char if char.isprintable() else _escaped(char)) for char in text)}"'


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def node_named_by(pod: Pod) -> NodeSelector | None:
    """The required node affinity of a pod that names its node, as that of a DaemonSet does; None if it names none."""
    return pod.spec.required_nodes if any(term.match_fields for term in pod.spec.required_node_terms) else None
