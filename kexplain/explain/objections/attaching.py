"""Objections because of what a node has attached or mounted already."""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.explain.objections.claims import VOLUMES
from kexplain.explain.objections.objection import Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled


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
