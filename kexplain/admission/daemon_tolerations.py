"""The tolerations of daemon pods, which stay on nodes that other pods leave.

Source: `daemon/util.AddOrUpdateDaemonPodTolerations`, release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.objects.core import PodSpec, Toleration

_NO_EXECUTE_KEYS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_NO_SCHEDULE_KEYS = (
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/unschedulable",
)
#: Only pods on the host's network can do without the node's.
_HOST_NETWORK_KEY = "node.kubernetes.io/network-unavailable"


def with_daemon_tolerations(spec: PodSpec) -> PodSpec:
    """The spec with the tolerations that its DaemonSet's controller adds, behind its own.

    One that the template has already keeps its place, but no longer ends after some seconds.
    """
    tolerations = spec.tolerations or ()
    for added in _daemon_tolerations(on_host_network=bool(spec.host_network)):
        replaced = tuple(added if _matches(own, added) else own for own in tolerations)
        tolerations = replaced if any(_matches(own, added) for own in tolerations) else (*replaced, added)
    return replace(spec, tolerations=tolerations)


def _daemon_tolerations(*, on_host_network: bool) -> Iterator[Toleration]:
    for key in _NO_EXECUTE_KEYS:
        yield Toleration(key=key, operator="Exists", effect="NoExecute")
    for key in (*_NO_SCHEDULE_KEYS, *((_HOST_NETWORK_KEY,) if on_host_network else ())):
        yield Toleration(key=key, operator="Exists", effect="NoSchedule")


def _matches(own: Toleration, added: Toleration) -> bool:
    """Whether two tolerations differ in nothing but their seconds."""
    return not own.value and (own.key, own.operator, own.effect) == (added.key, added.operator, added.effect)
