"""What helps against objections because of what a node has attached or mounted already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled
from kexplain.objects.core import Pod
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.claims import ACTION, without_claims
from kexplain.remedies.proposal import Lift, Proposal
from kexplain.remedies.room import first_to_go, moving, named


class AgainstDisksInUse(Against[DiskInUse]):
    """A pod on the node has the same disk mounted."""

    fact = DiskInUse

    def lift(self, fact: DiskInUse) -> Lift:
        """Keep the pods apart, or their disks."""
        return Lift(ACTION, f"move {fact.pod} to another node, or give each pod a disk of its own")

    def here(self, node_info: NodeInfo, facts: Sequence[DiskInUse], lookup: Lookup) -> Iterator[Proposal]:
        """Move the pods that have the disks mounted."""
        pods = named(list(dict.fromkeys(fact.pod for fact in facts)), lookup.cluster, [node_info])
        if pods:
            why = f" away from {node_info.name}, where {facts[0].disk} is mounted"
            yield moving([pod.key for pod in pods], why)


class AgainstDrivers(Against[DriverNotInstalled]):
    """The node does not have a driver of the pod's volumes."""

    fact = DriverNotInstalled

    def lift(self, fact: DriverNotInstalled) -> Lift:
        """Install it."""
        return Lift(ACTION, f"install CSI driver {fact.driver} there")


class AgainstAttachLimits(Against[AttachLimitExceeded]):
    """The node cannot have as many volumes attached."""

    fact = AttachLimitExceeded

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[AttachLimitExceeded]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Start without volumes."""
        yield from without_claims((), pod)

    def lift(self, fact: AttachLimitExceeded) -> Lift:
        """Detach some."""
        surplus = fact.attached + fact.requested - fact.limit
        text = f"detach {surplus} volume{'' if surplus == 1 else 's'} of {fact.driver}, or add a node"
        return Lift(ACTION, text, effort=surplus)

    def here(self, node_info: NodeInfo, facts: Sequence[AttachLimitExceeded], lookup: Lookup) -> Iterator[Proposal]:
        """Move as many pods with volumes as there are volumes too many."""
        surplus = max(fact.attached + fact.requested - fact.limit for fact in facts)

        def has_volumes(pod: Pod) -> bool:
            volumes = pod.spec.volumes or ()
            return any(not volume.empty_dir for volume in volumes)

        for count in range(1, surplus + 1):
            pods = first_to_go(node_info, count, has_volumes, lookup.cluster)
            if pods:
                why = f" away from {node_info.name} to detach volumes of {facts[0].driver}"
                yield moving([pod.key for pod in pods], why)
