"""Objections because of what a node has attached or mounted already."""

from collections.abc import Mapping

from kexplain.explain.objections.claims import VOLUMES
from kexplain.explain.objections.objection import Objection
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled
from kexplain.words import plural


class DisksInUse(Objection[DiskInUse, DiskInUse]):
    """A pod on the node has the same disk mounted."""

    evidence = DiskInUse
    fields = (VOLUMES,)

    def words(self, fact: DiskInUse) -> str:
        return f"{fact.disk} (volume {fact.volume}) is mounted by {fact.pod}"


class Drivers(Objection[DriverNotInstalled, DriverNotInstalled]):
    """The node does not have a driver of the pod's volumes."""

    evidence = DriverNotInstalled
    fields = (VOLUMES,)

    def words(self, fact: DriverNotInstalled) -> str:
        return f"CSI driver {fact.driver} is not installed"


class AttachLimits(Objection[AttachLimitExceeded, AttachLimitExceeded]):
    """The node cannot have as many volumes attached."""

    evidence = AttachLimitExceeded
    fields = (VOLUMES,)

    def words(self, fact: AttachLimitExceeded) -> str:
        """How many are attached, and how many can be."""
        return f"{fact.driver}: {fact.attached} of {fact.limit} volumes attached, needs {fact.requested} more"

    def key(self, fact: AttachLimitExceeded) -> str:
        return fact.driver

    def words_for_all(self, facts_by_node: Mapping[str, AttachLimitExceeded]) -> str:
        facts = facts_by_node.values()
        node, most = max(facts_by_node.items(), key=lambda item: item[1].limit - item[1].attached)
        where = ""
        if len(facts_by_node) > 1:
            is_same = len({(fact.attached, fact.limit) for fact in facts}) == 1
            where = " on each node" if is_same else f" on the node with most left ({node})"
        more = f"{plural(most.requested, 'more volume')} of {most.driver}"
        return f"cannot attach {more}: {most.attached} of {most.limit} in use{where}"
