"""A host port can be had once a node. Source: `plugins/nodeports`."""

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.host_ports import HostPort, conflicting_ports, host_ports
from kexplain.framework.evidence import PortInUse
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Code, Status
from kexplain.objects.core import Pod


class NodePorts:
    """Turns away nodes on which a host port that the pod wants is taken."""

    name = "NodePorts"
    missing_state = 'reading "PreFilterNodePorts" from cycleState: not found'
    filters_by_pods_there = True

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._skips = features.further_filters_are_skipped

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[tuple[HostPort, ...]] | Skip:
        """The host ports that the pod wants."""
        ports = host_ports(pod, cluster.rules)
        return PreFiltered(ports) if ports or not self._skips else SKIP

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The ports that the pod wants."""
        return Signature(host_ports(pod, cluster.rules))

    def filter(self, pod: Pod, state: tuple[HostPort, ...], node_info: NodeInfo) -> Status | None:
        """None if all the ports are free."""
        taken = conflicting_ports(state, node_info.used_ports)
        if not taken:
            return None
        said = "node(s) didn't have free ports for the requested pod ports"
        return Status(Code.UNSCHEDULABLE, (said,), tuple(PortInUse(port, in_use) for port, in_use in taken))

    def may_help(self, action: str, pod: PodInfo, gone: PodInfo, cluster: Cluster) -> bool:
        """Whether the pod that left held a port that this one wants."""
        return bool(conflicting_ports(pod.host_ports, frozenset(gone.host_ports)))
