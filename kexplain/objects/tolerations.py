"""Which taints a toleration tolerates. Source: `api/core/v1` `ToleratesTaint`."""

from collections.abc import Container, Iterable, Sequence

from kexplain.objects.core import Taint, Toleration
from kexplain.objects.selectors import parse_int64


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
