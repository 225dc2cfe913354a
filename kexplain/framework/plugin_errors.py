"""What is raised where a plugin fails: a fault of ours, named by plugin, pod and node, or one that upstream has too."""

from msgspec import Struct

from kexplain.errors import MissingLibraryError, PluginError
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError


class ScoreError(Exception):
    """Scoring fails as upstream's does, with this text."""


def score_error(plugin: str, message: str) -> ScoreError:
    """The error of a Score plugin."""
    return ScoreError(f'running Score plugins: plugin "{plugin}" failed with: {message}')


#: What is no fault of a plugin: a library that is not there, or input. The others are said already.
_NO_FAULTS = (MissingLibraryError, QuantityError, ScoreError, PluginError)


class Asked(Struct, frozen=True, gc=False):
    """A plugin while it is asked about a pod: a fault of it is raised as PluginError."""

    plugin: str
    pod: Pod
    node: str = ""

    def __enter__(self) -> None:
        """Nothing happens yet."""

    def __exit__(self, _kind: object, fault: BaseException | None, _traceback: object) -> None:
        if isinstance(fault, Exception) and not isinstance(fault, _NO_FAULTS):
            place = f" on node {self.node}" if self.node else ""
            said = f"{self.plugin} failed for pod {self.pod.key}{place}: {type(fault).__name__}: {fault}"
            raise PluginError(said) from fault
