"""A pod may name its node. Source: `plugins/nodename`."""

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import OtherNodeName
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod


class NodeName:
    """Turns away every node but the one that the pod names, if it names one."""

    name = "NodeName"
    filters_by_pods_there = False

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The node that the pod names."""
        return Signature(pod.spec.node_name)

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if the pod names this node or none."""
        wanted = pod.spec.node_name
        if not wanted or wanted == node_info.name:
            return None
        return unresolvable("node(s) didn't match the requested node name", OtherNodeName(wanted))
