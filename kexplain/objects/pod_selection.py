"""Which pods to choose, in the words of `kubectl get pods`: label selectors and field selectors as text.

Source: apimachinery `labels.Parse` and `fields.ParseSelector`, and the pod fields that kube-apiserver knows.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct

from kexplain.errors import UsageError
from kexplain.objects.core import Pod
from kexplain.objects.selectors import EVERYTHING, Requirement, Selector, SelectorError, make_requirement
from kexplain.patterns import regex

Read = TypeVar("Read")
_TOKEN = regex(r"\s*(?:(?P<symbol>==|!=|[=!<>(),])|(?P<word>[^\s=!<>(),]+)|(?P<end>$))")
_OPERATORS = {"=": "In", "==": "In", "!=": "NotIn", "in": "In", "notin": "NotIn", ">": "Gt", "<": "Lt"}
#: A comma between two terms, and the sign within one: neither follows a backslash.
_FIELD_TERM = regex(r"(?:[^\\,]|\\.)+")
_FIELD_PARTS = regex(r"(?P<path>(?:[^\\=!]|\\.)*)(?P<operator>==|!=|=)(?P<value>(?:[^\\=]|\\[\\,=])*)")
_ESCAPED = regex(r"\\(.)")

_VALUE_BY_FIELD: Mapping[str, Callable[[Pod], str]] = {
    "metadata.name": lambda pod: pod.name,
    "metadata.namespace": lambda pod: pod.namespace,
    "spec.nodeName": lambda pod: pod.spec.node_name or "",
    "spec.schedulerName": lambda pod: pod.scheduler_name,
    "spec.hostNetwork": lambda pod: "true" if pod.spec.host_network else "false",
    "status.phase": lambda pod: pod.status.phase or "Pending",
    "status.nominatedNodeName": lambda pod: pod.status.nominated_node_name or "",
}


class FieldRequirement(Struct, frozen=True):
    """What a field of a pod has to be, or must not be."""

    field: str
    value: str
    is_equal: bool

    def matches(self, pod: Pod) -> bool:
        return (_VALUE_BY_FIELD[self.field](pod) == self.value) is self.is_equal


class PodSelection(Struct, frozen=True):
    """The pods of a namespace, or of all where it is empty, whose labels and fields are as asked for."""

    namespace: str = ""
    labels: Selector = EVERYTHING
    fields: tuple[FieldRequirement, ...] = ()

    @property
    def is_by_selector(self) -> bool:
        """Whether labels or fields choose at all."""
        return not self.labels.is_empty or bool(self.fields)

    @property
    def means_placed(self) -> bool:
        """Whether it names a node, or a phase that only pods with a node have."""
        return any(
            (each.field == "spec.nodeName" and bool(each.value) is each.is_equal)
            or (each.field == "status.phase" and (each.value == "Pending") is not each.is_equal)
            for each in self.fields
        )

    def matches(self, pod: Pod) -> bool:
        if self.namespace and pod.namespace != self.namespace:
            return False
        return self.labels.matches(pod.labels) and all(each.matches(pod) for each in self.fields)


EVERY_POD = PodSelection()


def asked(parse: Callable[[str], Read], text: str, option: str = "") -> Read:
    """What the selector asks for that a user wrote behind an option. Raises UsageError where it cannot be read."""
    try:
        return parse(text)
    except SelectorError as error:
        raise UsageError(f'{option}"{text}": {error}') from None


def parse_label_selector(text: str) -> Selector:
    """The selector of a text such as `app=web,tier in (a, b),!canary`; an empty one takes everything.

    Raises SelectorError on what kubectl does not take either.
    """
    tokens = _Tokens(text)
    requirements: list[Requirement] = []
    while tokens.next or requirements:
        requirements.append(_requirement(tokens))
        if not tokens.next:
            break
        tokens.take(",")
    return Selector(tuple(requirements))


class _Tokens:
    """The words and symbols of a label selector, looked at one by one; the end is empty."""

    def __init__(self, text: str) -> None:
        self._tokens = self._split(text)
        self.next, self.is_word = next(self._tokens)

    def take(self, *wanted: str) -> str:
        """The next one, which has to be one of these; without any, a word."""
        taken = self.next
        if taken not in wanted if wanted else not self.is_word:
            expected = " or ".join(f'"{each}"' for each in wanted) or "a name"
            found = f'"{taken}"' if taken else "the end"
            raise SelectorError(f"expected {expected}, found {found}")
        if taken:
            self.next, self.is_word = next(self._tokens)
        return taken

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, bool]]:
        for match in _TOKEN.finditer(text):
            yield match["symbol"] or match["word"] or "", match["word"] is not None
        yield "", False


def _requirement(tokens: _Tokens) -> Requirement:
    if tokens.next == "!":
        tokens.take("!")
        return make_requirement(tokens.take(), "DoesNotExist", ())
    key = tokens.take()
    if tokens.next in ("", ","):
        return make_requirement(key, "Exists", ())
    operator = tokens.take(*_OPERATORS)
    values = _values(tokens) if operator in ("in", "notin") else [tokens.take() if tokens.is_word else ""]
    return make_requirement(key, _OPERATORS[operator], values)


def _values(tokens: _Tokens) -> list[str]:
    """The values in brackets; one that is left out is empty."""
    tokens.take("(")
    values = []
    while True:
        values.append(tokens.take() if tokens.is_word else "")
        if tokens.take(",", ")") == ")":
            return values


def parse_field_selector(text: str) -> tuple[FieldRequirement, ...]:
    """The requirements of a text such as `spec.nodeName=,status.phase!=Running`.

    Raises SelectorError on what cannot be read, and on fields that pods cannot be selected by here.
    """
    requirements = []
    for term in _FIELD_TERM.findall(text):
        match = _FIELD_PARTS.fullmatch(term)
        if match is None:
            raise SelectorError(f'"{term}" is not one of FIELD=VALUE, FIELD==VALUE and FIELD!=VALUE')
        if match["path"] not in _VALUE_BY_FIELD:
            known = ", ".join(_VALUE_BY_FIELD)
            raise SelectorError(f'"{match["path"]}" is not a field to select by; there are {known}')
        value = _ESCAPED.sub(r"\1", match["value"])
        requirements.append(FieldRequirement(match["path"], value, match["operator"] != "!="))
    return tuple(requirements)
