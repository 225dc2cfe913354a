"""Labels that nodes must or should have, or not, whatever the pod. Source: `plugins/nodelabel` of 1.22."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence.policies import LabelPresenceViolated
from kexplain.framework.plugin import MAX_NODE_SCORE
from kexplain.framework.signing import NOTHING_READ, Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod


class NodeLabel(Struct, frozen=True, kw_only=True):
    """Turns away nodes without labels, or with some, and ranks the others by further ones.

    Only whether a node has them counts, not their values.
    """

    name: ClassVar[str] = "NodeLabel"
    present: Sequence[str] = ()
    absent: Sequence[str] = ()
    preferably_present: Sequence[str] = ()
    preferably_absent: Sequence[str] = ()

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Nothing: it looks at nodes alone."""
        return NOTHING_READ

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if the node has all labels that it must have, and none that it must not."""
        labels = node_info.node.labels
        missing = tuple(key for key in self.present if key not in labels)
        unwanted = tuple(key for key in self.absent if key in labels)
        if not missing and not unwanted:
            return None
        return unresolvable("node(s) didn't have the requested labels", LabelPresenceViolated(missing, unwanted))

    def score(self, pod: Pod, state: None, node_info: NodeInfo) -> int:
        """The share of the preferences that hold, from 0 to 100."""
        labels = node_info.node.labels
        met = [key in labels for key in self.preferably_present]
        met += [key not in labels for key in self.preferably_absent]
        return MAX_NODE_SCORE * sum(met) // len(met) if met else 0
