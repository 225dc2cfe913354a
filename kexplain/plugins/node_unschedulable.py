"""Cordoned nodes take no pods. Source: `plugins/nodeunschedulable`."""

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import Cordoned
from kexplain.framework.features import Features
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod, Taint
from kexplain.objects.selectors import NO_SCHEDULE
from kexplain.objects.tolerations import tolerates
from kexplain.objects.well_known import UNSCHEDULABLE

#: The taint that stands for `spec.unschedulable`; a pod that tolerates it may run on a cordoned node.
UNSCHEDULABLE_TAINT = Taint(key=UNSCHEDULABLE, effect=NO_SCHEDULE)

_REJECTION = unresolvable("node(s) were unschedulable", Cordoned())


class NodeUnschedulable:
    """Turns away cordoned nodes unless the pod tolerates cordons."""

    name = "NodeUnschedulable"
    filters_by_pods_there = False

    def __init__(self, features: Features) -> None:
        self._features = features

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(pod.spec.tolerations)

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if the node is not cordoned or the pod does not mind."""
        if not node_info.node.spec.unschedulable:
            return None
        comparison = self._features.taint_toleration_comparison_operators
        for toleration in pod.spec.tolerations or ():
            if tolerates(toleration, UNSCHEDULABLE_TAINT, comparison_operators=comparison):
                return None
        return _REJECTION
