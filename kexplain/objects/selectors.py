"""Label selectors: pure matching, exactly as Kubernetes matches.

Source: apimachinery `labels.Selector`, `metav1.LabelSelectorAsSelector`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import force_setattr

from kexplain.grouping import grouped
from kexplain.objects.meta import LabelSelector
from kexplain.patterns import regex

NO_SCHEDULE = "NoSchedule"
NO_EXECUTE = "NoExecute"
PREFER_NO_SCHEDULE = "PreferNoSchedule"
#: The effects that keep a pod off a node; the third one only costs score.
REPELLING_EFFECTS = frozenset({NO_SCHEDULE, NO_EXECUTE})
_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_LABEL_NAME = regex(_NAME)
LABEL_VALUE = regex(f"({_NAME})?")
_DNS_LABEL = regex(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_DNS_SUBDOMAIN = regex(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_GO_INT64 = regex(r"[+-]?0*(?P<digits>[0-9]*)(?<=[0-9])", re.ASCII)


class SelectorError(ValueError):
    """A selector that no API server would accept; upstream gives up on what holds it."""


def is_qualified_name(text: str) -> bool:
    """Whether `text` may be a label key: a name of at most 63 characters, perhaps behind a DNS prefix."""
    prefix, slash, name = text.rpartition("/")
    if slash and not is_dns_subdomain(prefix):
        return False
    return len(name) <= 63 and _LABEL_NAME.fullmatch(name) is not None


def is_dns_label(text: str) -> bool:
    """Whether `text` may be the name of a namespace: lower case letters and digits, dashes inside."""
    return len(text) <= 63 and _DNS_LABEL.fullmatch(text) is not None


def is_dns_subdomain(text: str) -> bool:
    """Whether `text` may be the name of most objects, or the domain before a label key: labels with dots between."""
    return len(text) <= 253 and _DNS_SUBDOMAIN.fullmatch(text) is not None


def is_label_value(text: str) -> bool:
    """Whether `text` may be a label's value: empty, or a name of at most 63 characters."""
    return len(text) <= 63 and LABEL_VALUE.fullmatch(text) is not None


def parse_int64(text: str) -> int | None:
    """The integer that Go's `strconv.ParseInt(text, 10, 64)` reads, or None where it fails."""
    match = _GO_INT64.fullmatch(text)
    if match is None or len(match["digits"]) > 19:
        return None
    number = int(match["digits"] or 0) * (-1 if text.startswith("-") else 1)
    return number if -(2**63) <= number < 2**63 else None


def label_values(every: Iterable[Mapping[str, str]]) -> dict[str, set[str]]:
    """The values of each label in any of these sets of labels."""
    distinct = dict.fromkeys(chain.from_iterable(labels.items() for labels in every))
    return {key: {*values} for key, values in grouped(distinct).items()}


class Requirement(Struct, frozen=True):
    """One condition on a set of labels; `operator` is spelled as in `matchExpressions`."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()
    bound: int = 0

    def matches(self, labels: Mapping[str, str]) -> bool:
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
        raise SelectorError(f"{key} {operator} {list(values)} is not a valid requirement")
    if not is_qualified_name(key) or not all(is_label_value(value) for value in values):
        raise SelectorError(f"{key} {operator} {list(values)}: not a label key or value")
    bound = int(values[0]) if operator in ("Gt", "Lt") else 0
    return Requirement(key, operator, frozenset(values), bound)


class Selector(Struct, frozen=True):
    """A parsed label selector: all requirements must hold. `None` as requirements matches nothing."""

    requirements: tuple[Requirement, ...] | None
    #: Of these, the requirements of the form key = value, checked first since they are the common ones.
    equal: tuple[tuple[str, str], ...] = ()
    _other: tuple[Requirement, ...] = ()

    def __post_init__(self) -> None:
        requirements = self.requirements or ()
        equal = [r for r in requirements if r.operator == "In" and len(r.values) == 1]
        force_setattr(self, "equal", tuple((r.key, next(iter(r.values))) for r in equal))
        force_setattr(self, "_other", tuple(r for r in requirements if r not in equal))

    @property
    def is_empty(self) -> bool:
        """Whether everything matches (which a selector that matches nothing does not)."""
        return self.requirements == ()

    def matches(self, labels: Mapping[str, str]) -> bool:
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
        return self if self.requirements is None else Selector((*self.requirements, *requirements))

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
