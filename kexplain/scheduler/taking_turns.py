"""Pods that evict each other for ever, as each takes what the other needs: a scheduler's queue would not end."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.objects.core import Pod

#: A pod that comes back and has to leave so often is left where it is.
MOST_EVICTIONS = 8


def take_turns(victims: Sequence[Pod], evicted: Sequence[Pod]) -> bool:
    """Whether one of the victims, or what came back in its place, was evicted time and again."""
    keys = [pod.key for pod in evicted] if victims else []
    return any(keys.count(pod.key) >= MOST_EVICTIONS for pod in victims)
