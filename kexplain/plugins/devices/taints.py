"""Taints of devices."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.objects.resource import DeviceTaint, DeviceToleration

_PREVENTING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})


def is_tolerated(taints: Sequence[DeviceTaint], tolerations: Sequence[DeviceToleration]) -> bool:
    """Whether every taint that prevents allocation is tolerated."""
    return all(
        taint.effect not in _PREVENTING_EFFECTS or any(toleration.tolerates(taint) for toleration in tolerations)
        for taint in taints
    )
