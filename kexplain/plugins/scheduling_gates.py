"""Pods with scheduling gates stay out of the queue. Source: `plugins/schedulinggates`."""

from kexplain.cluster import Cluster
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod


class SchedulingGates:
    """Holds back pods until all their gates are gone."""

    name = "SchedulingGates"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(tuple(gate.name for gate in pod.spec.scheduling_gates or ()))

    def pre_enqueue(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None without gates, else a rejection that lists them."""
        gates = [gate.name for gate in pod.spec.scheduling_gates or ()]
        return unresolvable(f"waiting for scheduling gates: [{' '.join(gates)}]") if gates else None
