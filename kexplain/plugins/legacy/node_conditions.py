"""Conditions of nodes as predicates looked at them before taints stood for them.

Source: `algorithm/predicates` of 1.11, the last release to have all of them.
"""

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import Cordoned, Evidence, UntoleratedTaints
from kexplain.framework.evidence.policies import NodeConditionUnmet
from kexplain.framework.signing import NOTHING_READ, Signature
from kexplain.framework.status import Code, Status, unresolvable
from kexplain.objects import quantity
from kexplain.objects.core import Pod
from kexplain.objects.requests import CPU, MEMORY
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.tolerations import untolerated_taints


def _condition(node_info: NodeInfo, kind: str) -> str | None:
    """The status of the condition; None if the node has none of that kind."""
    conditions = node_info.node.status.conditions or ()
    return next((condition.status for condition in conditions if condition.type == kind), None)


class CheckNodeCondition:
    """Turns away nodes that are not ready, out of disk, without network or cordoned; all reasons are told."""

    name = "CheckNodeCondition"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Nothing: it looks at nodes alone."""
        return NOTHING_READ

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if the node is fine, as far as it says anything of the kind."""
        found = (
            ("Ready", "True", "node(s) were not ready"),
            ("OutOfDisk", "False", "node(s) were out of disk space"),
            ("NetworkUnavailable", "False", "node(s) had unavailable network"),
        )
        reasons: list[str] = []
        evidence: list[Evidence] = []
        for kind, good, reason in found:
            status = _condition(node_info, kind)
            if status is not None and status != good:
                reasons.append(reason)
                evidence.append(NodeConditionUnmet(kind, status))
        if node_info.node.spec.unschedulable:
            reasons.append("node(s) were unschedulable")
            evidence.append(Cordoned())
        return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, tuple(reasons), tuple(evidence)) if reasons else None


class CheckNodePressure(Struct, frozen=True):
    """Turns away nodes that are short of something, perhaps only for pods that request nothing."""

    name: str
    condition: str
    reason: str
    only_best_effort: bool = False

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if the node is not short of it, or that does not matter for the pod."""
        if not self._matters(pod) or _condition(node_info, self.condition) != "True":
            return None
        return unresolvable(self.reason, NodeConditionUnmet(self.condition, "True"))

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """Whether it matters for the pod."""
        return Signature(self._matters(pod))

    def _matters(self, pod: Pod) -> bool:
        return not self.only_best_effort or is_best_effort(pod)


MEMORY_PRESSURE = CheckNodePressure(
    "CheckNodeMemoryPressure", "MemoryPressure", "node(s) had memory pressure", only_best_effort=True
)
DISK_PRESSURE = CheckNodePressure("CheckNodeDiskPressure", "DiskPressure", "node(s) had disk pressure")
PID_PRESSURE = CheckNodePressure("CheckNodePIDPressure", "PIDPressure", "node(s) had pid pressure")


class PodToleratesNodeNoExecuteTaints:
    """Turns away nodes with taints that would evict the pod."""

    name = "PodToleratesNodeNoExecuteTaints"

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(pod.spec.tolerations)

    def filter(self, pod: Pod, state: None, node_info: NodeInfo) -> Status | None:
        """None if every NoExecute taint is tolerated."""
        taints = node_info.node.spec.taints or ()
        untolerated = untolerated_taints(taints, pod.spec.tolerations or (), (NO_EXECUTE,))
        if not untolerated:
            return None
        return unresolvable("node(s) had taints that the pod didn't tolerate", UntoleratedTaints(untolerated))


def is_best_effort(pod: Pod) -> bool:
    """Whether no container requests or is limited in CPU or memory. Source: `qos.GetPodQOS` of 1.11."""
    lists = (amounts for each in pod.spec.containers or () for amounts in (each.requests, each.limits))
    return not any(quantity.parse(raw) > 0 for listed in lists for name, raw in listed.items() if name in (CPU, MEMORY))
