"""The tolerations of daemon pods, which stay on nodes that other pods leave.

Source: `daemon/util.AddOrUpdateDaemonPodTolerations`, release 1.36.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.objects.core import PodSpec, Toleration
from kexplain.objects.well_known import (
    DISK_PRESSURE,
    MEMORY_PRESSURE,
    NETWORK_UNAVAILABLE,
    NOT_READY,
    PID_PRESSURE,
    UNREACHABLE,
    UNSCHEDULABLE,
)

_NO_EXECUTE_KEYS = (NOT_READY, UNREACHABLE)
_NO_SCHEDULE_KEYS = (DISK_PRESSURE, MEMORY_PRESSURE, PID_PRESSURE, UNSCHEDULABLE)


def with_daemon_tolerations(spec: PodSpec) -> PodSpec:
    """The spec with the tolerations that its DaemonSet's controller adds, behind its own.

    One that the template has already keeps its place, but no longer ends after some seconds.
    """
    tolerations = spec.tolerations or ()
    for added in _daemon_tolerations(on_host_network=bool(spec.host_network)):
        replaced = tuple(added if own.asked == added.asked else own for own in tolerations)
        tolerations = replaced if added in replaced else (*replaced, added)
    return replace(spec, tolerations=tolerations)


def _daemon_tolerations(*, on_host_network: bool) -> Iterator[Toleration]:
    yield from (Toleration(key=key, operator="Exists", effect="NoExecute") for key in _NO_EXECUTE_KEYS)
    for key in (*_NO_SCHEDULE_KEYS, *((NETWORK_UNAVAILABLE,) if on_host_network else ())):
        yield Toleration(key=key, operator="Exists", effect="NoSchedule")
