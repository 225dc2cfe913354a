"""What is raised where a plugin fails: a fault of ours, named by plugin, pod and node, or one that upstream has too."""

from kexplain.errors import KexplainError, MissingLibraryError, PluginError
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError


class ScoreError(Exception):
    """Scoring fails as upstream's does, with this text."""


def score_error(plugin: str, message: str) -> ScoreError:
    """The error of a Score plugin."""
    return ScoreError(f'running Score plugins: plugin "{plugin}" failed with: {message}')


def plugin_error(plugin: str, pod: Pod, fault: Exception, node: str = "") -> KexplainError:
    """The error that a fault of a plugin is raised as; neither a library that is not there nor input is one of it."""
    if isinstance(fault, (MissingLibraryError, QuantityError)):
        return fault
    place = f" on node {node}" if node else ""
    return PluginError(f"{plugin} failed for pod {pod.key}{place}: {type(fault).__name__}: {fault}")
