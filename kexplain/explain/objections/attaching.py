"""Objections because of what a node has attached or mounted already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.claims import ACTION, VOLUMES, without_claims
from kexplain.explain.objections.objection import Lift, Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.explain.room import first_to_go, moving, named
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled
from kexplain.objects.core import Pod


class DiskInUseFact(Fact, frozen=True, tag="DiskInUse"):
    """An in-line disk of the pod that a pod on the node has mounted."""

    volume: str
    disk: str
    pod: str


class DisksInUse(Objection[DiskInUse, DiskInUseFact]):
    """A pod on the node has the same disk mounted."""

    evidence = DiskInUse
    fact = DiskInUseFact
    fields = (VOLUMES,)

    def words(self, fact: DiskInUseFact) -> str:
        """The disk, and the pod."""
        return f"{fact.disk} (volume {fact.volume}) is mounted by {fact.pod}"

    def lift(self, fact: DiskInUseFact) -> Lift:
        """Keep the pods apart, or their disks."""
        return Lift(ACTION, f"move {fact.pod} to another node, or give each pod a disk of its own")

    def here(self, node_info: NodeInfo, facts: Sequence[DiskInUseFact], lookup: Lookup) -> Iterator[Proposal]:
        """Move the pods that have the disks mounted."""
        pods = named(list(dict.fromkeys(fact.pod for fact in facts)), lookup.cluster, [node_info])
        if pods:
            why = f" away from {node_info.name}, where {facts[0].disk} is mounted"
            yield moving([pod.key for pod in pods], why)


class DriverNotInstalledFact(Fact, frozen=True, tag="DriverNotInstalled"):
    """The node does not have the CSI driver, and the driver wants no pods there."""

    driver: str


class Drivers(Objection[DriverNotInstalled, DriverNotInstalledFact]):
    """The node does not have a driver of the pod's volumes."""

    evidence = DriverNotInstalled
    fact = DriverNotInstalledFact
    fields = (VOLUMES,)

    def words(self, fact: DriverNotInstalledFact) -> str:
        """The driver."""
        return f"CSI driver {fact.driver} is not installed"

    def lift(self, fact: DriverNotInstalledFact) -> Lift:
        """Install it."""
        return Lift(ACTION, f"install CSI driver {fact.driver} there")


class AttachLimitFact(Fact, frozen=True, tag="AttachLimitExceeded"):
    """The node would have more volumes of a driver attached than it can: `attached + requested > limit`."""

    driver: str
    requested: int
    attached: int
    limit: int


class AttachLimits(Objection[AttachLimitExceeded, AttachLimitFact]):
    """The node cannot have as many volumes attached."""

    evidence = AttachLimitExceeded
    fact = AttachLimitFact
    fields = (VOLUMES,)

    def words(self, fact: AttachLimitFact) -> str:
        """How many are attached, and how many can be."""
        return f"{fact.driver}: {fact.attached} of {fact.limit} volumes attached, needs {fact.requested} more"

    def key(self, fact: AttachLimitFact) -> str:
        """The driver."""
        return fact.driver

    def together(self, facts_by_node: Mapping[str, AttachLimitFact]) -> str:
        """The node that can have most more."""
        facts = facts_by_node.values()
        node, most = max(facts_by_node.items(), key=lambda item: item[1].limit - item[1].attached)
        where = ""
        if len(facts_by_node) > 1:
            is_same = len({(fact.attached, fact.limit) for fact in facts}) == 1
            where = " on each node" if is_same else f" on the node with most left ({node})"
        more = f"{most.requested} more volume{'' if most.requested == 1 else 's'} of {most.driver}"
        return f"cannot attach {more}: {most.attached} of {most.limit} in use{where}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[AttachLimitFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Start without volumes."""
        yield from without_claims((), pod)

    def lift(self, fact: AttachLimitFact) -> Lift:
        """Detach some."""
        surplus = fact.attached + fact.requested - fact.limit
        text = f"detach {surplus} volume{'' if surplus == 1 else 's'} of {fact.driver}, or add a node"
        return Lift(ACTION, text, effort=surplus)

    def here(self, node_info: NodeInfo, facts: Sequence[AttachLimitFact], lookup: Lookup) -> Iterator[Proposal]:
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
