"""Objections because of what a node has attached or mounted already."""

from collections.abc import Mapping

from kexplain.explain.objections.claims import OfVolumes
from kexplain.framework.evidence.storage import AttachLimitExceeded, DiskInUse, DriverNotInstalled
from kexplain.words import plural


class DisksInUse(OfVolumes[DiskInUse, DiskInUse]):
    """A pod on the node has the same disk mounted."""

    text = "{0.disk} (volume {0.volume}) is mounted by {0.pod}"


class Drivers(OfVolumes[DriverNotInstalled, DriverNotInstalled]):
    """The node does not have a driver of the pod's volumes."""

    text = "CSI driver {0.driver} is not installed"


class AttachLimits(OfVolumes[AttachLimitExceeded, AttachLimitExceeded]):
    """The node cannot have as many volumes attached."""

    same = ("driver",)
    text = "{0.driver}: {0.attached} of {0.limit} volumes attached, needs {0.requested} more"

    def words_for_all(self, facts_by_node: Mapping[str, AttachLimitExceeded]) -> str:
        facts = facts_by_node.values()
        node, most = max(facts_by_node.items(), key=lambda item: item[1].limit - item[1].attached)
        where = ""
        if len(facts_by_node) > 1:
            is_same = len({(fact.attached, fact.limit) for fact in facts}) == 1
            where = " on each node" if is_same else f" on the node with most left ({node})"
        more = f"{plural(most.requested, 'more volume')} of {most.driver}"
        return f"cannot attach {more}: {most.attached} of {most.limit} in use{where}"
