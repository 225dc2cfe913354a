"""Permit: the last word before a pod is bound. Source: `framework/runtime/framework.go`, `RunPermitPlugins`."""

from kexplain.cluster import Cluster
from kexplain.framework.plugin_errors import Asked
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error
from kexplain.objects.core import Pod

_ASKED_TO_WAIT = "one or more plugins asked to wait and no plugin rejected pod"


def run_permits(profile: Profile, pod: Pod, cluster: Cluster) -> Status | None:
    """None if the pod may be bound, which has its node in that cluster; a rejection ends it, and so does an error."""
    waits: Status | None = None
    for plugin in profile.permit:
        with Asked(plugin.name, pod):
            status = plugin.permit(pod, cluster)
        if status is None:
            continue
        if status.is_rejection:
            return status.by(plugin.name)
        if status.code is not Code.WAIT:
            return error(f'running Permit plugin "{plugin.name}": {status.message}').by(plugin.name)
        waits = Status(Code.WAIT, (*status.reasons, _ASKED_TO_WAIT), status.evidence, plugin.name)
    return waits
