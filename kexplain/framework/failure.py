"""What is raised where a plugin fails that should have answered: a fault of ours, named by plugin, pod and node."""

from __future__ import annotations

from kexplain.errors import PluginError
from kexplain.objects.core import Pod


def plugin_error(plugin: str, pod: Pod, fault: Exception, node: str = "") -> PluginError:
    """The error that a fault of a plugin is raised as."""
    place = f" on node {node}" if node else ""
    return PluginError(f"{plugin} failed for pod {pod.key}{place}: {type(fault).__name__}: {fault}")
