"""What Reserve, Permit, PreBind and Bind would do on the node picked. Source: `framework/runtime/framework.go`."""

from collections.abc import Iterable, Mapping
from typing import Any

from kexplain.cluster import Cluster
from kexplain.framework.plugin import BindingStep, ExtensionPoint, PreFiltered, PreFilterPlugin, Skip, offers
from kexplain.framework.plugin_errors import Asked
from kexplain.framework.pre_filtering import PreFilterResult
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status
from kexplain.objects.core import Pod


def reserve_failure(profile: Profile, pre_filter: PreFilterResult) -> str:
    """The error of the first plugin that cannot reserve anything, as the profile does not name it at preFilter."""
    for plugin in profile.reserve:
        if plugin.name not in pre_filter.by_plugin and offers(plugin, PreFilterPlugin):
            return f'running Reserve plugin "{plugin.name}": not found'
    return ""


def pre_bind_failure(steps: Iterable[tuple[str, BindingStep]]) -> str:
    """The error of the first plugin that is refused what it would write, which ends binding; empty if none is."""
    return next((f'running PreBind plugin "{name}": {step.failure}' for name, step in steps if step.failure), "")


def binding_steps(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    answers: Mapping[str, PreFiltered[Any] | Skip | Status],
    node_name: str,
) -> tuple[tuple[str, BindingStep], ...]:
    """What would be done once the pod is to go to that node: all of Reserve, then Permit, PreBind and Bind."""
    steps: list[tuple[str, BindingStep]] = []
    order = list(ExtensionPoint)
    for plugin in profile.binding:
        answer = answers.get(plugin.name)
        state = answer.state if isinstance(answer, PreFiltered) else None
        with Asked(plugin.name, pod, node_name):
            made = plugin.binding_steps(pod, state, cluster, node_name)
            steps += [(plugin.name, step) for step in made if plugin.name in profile.at_point[step.extension_point]]
    return tuple(sorted(steps, key=lambda step: order.index(step[1].extension_point)))
