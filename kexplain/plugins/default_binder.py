"""Binds the pod to its node. Source: `plugins/defaultbinder`."""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.framework.plugin import BindingStep, ExtensionPoint
from kexplain.objects.core import Pod


class DefaultBinder:
    """The last step; an explanation ends before it."""

    name = "DefaultBinder"
    binding_points = (ExtensionPoint.BIND,)

    def binding_steps(self, pod: Pod, state: None, cluster: Cluster, node_name: str) -> Sequence[BindingStep]:
        """The one call that settles it."""
        return [BindingStep(ExtensionPoint.BIND, f"bind {pod.key} to {node_name}")]
