"""Which values of a label requirements leave, as Karpenter works it out for nodes that are not there yet.

Source: Karpenter `pkg/scheduling/requirement.go`, `requirements.go`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from kexplain.objects.core import NodeSelectorRequirement
from kexplain.objects.selectors import parse_int64
from kexplain.objects.well_known import CONTROL_PLANE, RENAMED_LABELS

_NEGATIONS = ("NotIn", "DoesNotExist")
_SHOWN = 5
#: Old names of labels that nodes have beside the new ones, with the same values.
_ALIASES = {old: new for old, new in RENAMED_LABELS.items() if new != CONTROL_PLANE}


class LabelValues(Struct, frozen=True):
    """The values that a label may have: these ones, or all but these if `is_open`, between `least` and `most`."""

    key: str
    values: frozenset[str] = frozenset()
    is_open: bool = False
    least: int | None = None
    most: int | None = None

    @classmethod
    def of(cls, requirement: NodeSelectorRequirement) -> LabelValues:
        """The values that one requirement allows."""
        key, values = _ALIASES.get(requirement.key, requirement.key), requirement.values or ()
        bound = (parse_int64(values[0]) or 0) if values else 0
        match requirement.operator:
            case "In":
                return cls(key, frozenset(values))
            case "NotIn":
                return cls(key, frozenset(values), is_open=True)
            case "DoesNotExist":
                return cls(key)
            case "Gt":
                return cls(key, is_open=True, least=bound + 1)
            case "Gte":
                return cls(key, is_open=True, least=bound)
            case "Lt":
                return cls(key, is_open=True, most=bound - 1)
            case "Lte":
                return cls(key, is_open=True, most=bound)
            case _:
                return cls(key, is_open=True)

    def __and__(self, other: LabelValues) -> LabelValues:
        least = max((each for each in (self.least, other.least) if each is not None), default=None)
        most = min((each for each in (self.most, other.most) if each is not None), default=None)
        if least is not None and most is not None and least > most:
            return LabelValues(self.key)
        if self.is_open and other.is_open:
            return LabelValues(self.key, self.values | other.values, is_open=True, least=least, most=most)
        if self.is_open:
            values = other.values - self.values
        else:
            values = self.values - other.values if other.is_open else self.values & other.values
        return LabelValues(self.key, frozenset(each for each in values if _is_within(each, least, most)))

    @property
    def operator(self) -> str:
        """The operator that says it, bounds aside."""
        if self.is_open:
            return "NotIn" if self.values else "Exists"
        return "In" if self.values else "DoesNotExist"

    def __str__(self) -> str:
        parts = [self.key, self.operator]
        if self.values:
            shown = sorted(self.values)[:_SHOWN]
            more = [f"and {len(self.values) - _SHOWN} others"] if len(self.values) > _SHOWN else []
            parts.append(f"[{' '.join([*shown, *more])}]")
        parts += [f">={self.least}"] if self.least is not None else []
        parts += [f"<={self.most}"] if self.most is not None else []
        return " ".join(parts)


def _is_within(value: str, least: int | None, most: int | None) -> bool:
    if least is None and most is None:
        return True
    number = parse_int64(value)
    return False if number is None else (least is None or number >= least) and (most is None or number <= most)


def narrowed(requirements: Iterable[LabelValues]) -> dict[str, LabelValues]:
    """The values by label, where every requirement has to hold."""
    by_key: dict[str, LabelValues] = {}
    for each in requirements:
        by_key[each.key] = each & by_key[each.key] if each.key in by_key else each
    return by_key


def conflicts(
    offered: Mapping[str, LabelValues], wanted: Mapping[str, LabelValues], may_be_undefined: Iterable[str]
) -> list[tuple[LabelValues | None, LabelValues]]:
    """What cannot be met at once, as offered and as wanted; None is offered where the label is not set at all.

    Labels that `may_be_undefined` are those that the cloud sets.
    """
    optional = frozenset(may_be_undefined)
    found: list[tuple[LabelValues | None, LabelValues]] = []
    for key, want in wanted.items():
        offer = offered.get(key)
        if offer is None:
            if key not in optional and want.operator not in _NEGATIONS:
                found.append((None, want))
        elif (offer & want).operator == "DoesNotExist" and not {offer.operator, want.operator} <= {*_NEGATIONS}:
            found.append((offer, want))
    return found
