"""The options that say which scheduler decides."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.errors import UsageError

_VALUES = {"true": True, "false": False}


def parse_feature_gates(texts: Sequence[str]) -> dict[str, bool]:
    """Gates by name, of texts such as `A=true,B=false`; of a gate named twice the last counts.

    Raises UsageError on anything else.
    """
    gates = {}
    for item in (item.strip() for text in texts for item in text.split(",") if item.strip()):
        name, _, value = item.partition("=")
        if value.lower() not in _VALUES:
            raise UsageError(f'--feature-gates: "{item}" is not GATE=true or GATE=false')
        gates[name.strip()] = _VALUES[value.lower()]
    return gates
