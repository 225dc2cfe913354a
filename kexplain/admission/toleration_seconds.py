"""Admission plugin DefaultTolerationSeconds: how long a pod stays on a node that fails.

Source: `defaulttolerationseconds.Plugin.Admit`, release 1.36, with its default of 300 seconds.
"""

from msgspec.structs import replace

from kexplain.objects.core import PodSpec, Toleration
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.well_known import NOT_READY, UNREACHABLE

TOLERATION_SECONDS = 300


def with_default_tolerations(spec: PodSpec) -> PodSpec:
    """The spec that tolerates for a while, behind its own tolerations, a node not ready or unreachable."""
    tolerations = spec.tolerations or ()
    added = tuple(
        Toleration(key=key, operator="Exists", effect=NO_EXECUTE, toleration_seconds=TOLERATION_SECONDS)
        for key in (NOT_READY, UNREACHABLE)
        # Neither their operator nor their value is looked at.
        if not any(each.key in (None, "", key) and each.effect in (None, "", NO_EXECUTE) for each in tolerations)
    )
    return replace(spec, tolerations=tolerations + added) if added else spec
