"""Horizontal pod autoscalers.

Source: autoscaling/validation, `registry/autoscaling/horizontalpodautoscaler`, release 1.36 with its default feature
gates: HPAScaleToZero is off.
"""

from __future__ import annotations

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, choice
from kexplain.validation.rows import sub_tables

# ---------------------------------------------------------------------------------------------------- metrics


def _check_metric(metric: Field) -> None:
    kind, sources = metric.child("type"), sub_tables("autoscalers.sources")
    expected = f"{kind.string[:1].lower()}{kind.string[1:]}"
    if expected not in sources or kind.string == expected:
        kinds = choice(f"{source[0].upper()}{source[1:]}" for source in sources)
        kind.reject(f"{shown(kind.string)} is not a kind of metric: {kinds}")
    else:
        metric.child(expected).require_set(f"is required where the type is {kind.string}")
    present = [source for source in sources if metric.child(source).is_set]
    if present:
        sources[present[0]](metric.child(present[0]))
    for source in present if len(present) > 1 else ():
        metric.child(source).reject_if(source != expected, f"must be left out: the type is {kind.string}")
