"""What stands in for a plugin that kube-scheduler does not have in its tree."""

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.signing import NOTHING_READ, Signature
from kexplain.objects.core import Pod


class OutOfTreePlugin(Struct, frozen=True):
    """A plugin known by name only: what it would say of a pod is left open, and told."""

    name: str
    points: tuple[str, ...]
    has_args: bool = False
    #: Which plugin is likely meant, as a question.
    meant: str = ""

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Nothing: here it says nothing of any pod."""
        return NOTHING_READ

    def is_signed_upstream(self, pod: Pod) -> bool:
        """Nobody knows, so it is not."""
        return False

    def not_evaluated(self, pod: Pod) -> str:
        """Always something: where it would have had a say."""
        more = "; its arguments were not looked at" if self.has_args else ""
        more += f"; {self.meant}" if self.meant else ""
        points = ["any extension point" if point == "multiPoint" else point for point in self.points]
        return f"it is not part of kube-scheduler, and may have a say at {', '.join(points)}{more}"
