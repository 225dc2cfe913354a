"""What helps against objections because of what a node has attached or mounted already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled
from kexplain.objects.core import Pod
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.claims import without_claims
from kexplain.remedies.moved_pods import MOST_MOVED, first_to_go, moving, named
from kexplain.remedies.proposal import Proposal


class AgainstDisksInUse(Against[DiskInUse]):
    """A pod on the node has the same disk mounted."""

    def by_hand(self, fact: DiskInUse) -> Proposal:
        return proposed("disk-in-use", fact)

    def at_node(self, node_info: NodeInfo, facts: Sequence[DiskInUse], home: Scene) -> Iterator[Proposal]:
        """Move the pods that have the disks mounted."""
        pods = named(list(dict.fromkeys(fact.pod for fact in facts)), home.cluster, [node_info])
        if pods:
            why = f" away from {node_info.name}, where {facts[0].disk} is mounted"
            yield moving([pod.key for pod in pods], why)


class AgainstDrivers(Against[DriverNotInstalled]):
    """The node does not have a driver of the pod's volumes."""

    def by_hand(self, fact: DriverNotInstalled) -> Proposal:
        return proposed("install-driver", fact)


class AgainstAttachLimits(Against[AttachLimitExceeded]):
    """The node cannot have as many volumes attached."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[AttachLimitExceeded]]) -> Iterator[Proposal]:
        yield from without_claims((), home)

    def by_hand(self, fact: AttachLimitExceeded) -> Proposal:
        surplus = fact.attached + fact.requested - fact.limit
        return proposed("detach-volumes", surplus, fact.driver, effort=surplus)

    def at_node(self, node_info: NodeInfo, facts: Sequence[AttachLimitExceeded], home: Scene) -> Iterator[Proposal]:
        """Move as many pods with volumes as there are volumes too many."""
        surplus = max(fact.attached + fact.requested - fact.limit for fact in facts)

        def has_volumes(pod: Pod) -> bool:
            return any(not volume.empty_dir for volume in pod.spec.volumes or ())

        for count in range(1, min(surplus, MOST_MOVED) + 1):
            pods = first_to_go(node_info, count, has_volumes, home.cluster)
            if pods:
                why = f" away from {node_info.name} to detach volumes of {facts[0].driver}"
                yield moving([pod.key for pod in pods], why)
