"""How many pods there may be while a deployment changes.

Source: deployment/util `ResolveFenceposts`, `intstr.GetScaledValueFromIntOrPercent`, release 1.36.
"""

from __future__ import annotations

import re

from msgspec import Struct

from kexplain.objects.apps import Deployment, RollingUpdate
from kexplain.objects.meta import IntOrString
from kexplain.patterns import regex

_PERCENT = regex(r"(\d{1,9})%", re.ASCII)
_DEFAULT = "25%"


class Limits(Struct, frozen=True):
    """How many pods more than the replicas, and how many fewer."""

    surge: int
    unavailable: int


def limits(deployment: Deployment) -> Limits | None:
    """The bounds of a rolling update; None for Recreate, and for bounds that cannot be read."""
    strategy = deployment.spec.strategy
    if strategy is not None and strategy.type == "Recreate":
        return None
    rolling = strategy.rolling_update if strategy else None
    replicas = 1 if deployment.spec.replicas is None else deployment.spec.replicas
    rolling = rolling or RollingUpdate()
    surge = scaled(_or_default(rolling.max_surge), replicas, up=True)
    unavailable = scaled(_or_default(rolling.max_unavailable), replicas, up=False)
    if surge is None or unavailable is None:
        return None
    # With neither there would be no way forward; upstream takes one away then.
    return Limits(surge, unavailable if surge or unavailable else 1)


def _or_default(bound: IntOrString | None) -> IntOrString:
    return _DEFAULT if bound is None else bound


def scaled(bound: IntOrString, total: int, *, up: bool) -> int | None:
    """A number, or a share of a total rounded up or down; None if it is neither."""
    if isinstance(bound, int):
        return bound
    match = _PERCENT.fullmatch(bound)
    if match is None:
        return None
    percent = int(match[1])
    return -(-percent * total // 100) if up else percent * total // 100
