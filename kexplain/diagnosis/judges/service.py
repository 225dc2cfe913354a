"""Nodes that take no pods, whoever asks."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.findings.ways import workload
from kexplain.diagnosis.piled_up import evicted_for
from kexplain.diagnosis.pool_members import pool_members
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.grouping import grouped
from kexplain.objects.core import Node
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_service import Trouble
from kexplain.scheduler.draining import EvictionBudgets
from kexplain.words import plural, shortened, some, verb

#: The most of a kubelet's words.
_MOST = 200


def no_nodes(scene: Scene) -> Finding | None:
    """The cluster has no nodes at all."""
    return None if scene.cluster.node_infos else finding(Kind.NO_NODES, told("no-nodes"))


def out_of_service(scene: Scene) -> Finding | None:
    """None of the nodes where the pod belongs is in service."""
    lapsed = scene.circles.lapsed
    if scene.candidates or not lapsed:
        return None
    held = f"{scene.held}{'' if scene.zone else 's'}" if scene.circles.narrowed & Wish.VOLUME else ""
    kind = Kind.ZONE_OUT_OF_SERVICE if scene.zone else Kind.POOL_OUT_OF_SERVICE
    ailments = scene.places.ailments(lapsed)
    out = told("out-of-service", scene.place, ailments, held, said_by_kubelets(scene, lapsed))
    # The plugin that turns pods away from most of these nodes, as what ails them first has it.
    plugin = "NodeUnschedulable" if ailments.is_cordon else "TaintToleration"
    services = ((name, service) for name in lapsed if (service := scene.service(name)))
    found = grouped((each.value, name) for name, service in services for each in service.troubles[:1]).items()
    signs = [Sign(text=str(told("out-of-service-sign", each, len(names))), nodes=tuple(names)) for each, names in found]
    chain = [link(Relation.RUNS_ON, Node, name) for name in lapsed] if len(lapsed) == 1 else ()
    return scene.finding(kind, out, plugin, lapsed, evidence=signs, chain=chain)


def said_by_kubelets(scene: Scene, names: Sequence[str]) -> str:
    """Why these nodes are not ready, or have no network, where all say the same."""
    messages = {
        each.message or ""
        for info in scene.infos(names)
        for each in info.node.status.conditions or ()
        if (each.type, each.status) in (("Ready", "False"), ("NetworkUnavailable", "True"))
    }
    greedy = evicted_for(names, scene.cluster)
    message = messages.pop() if len(messages) == 1 else str(greedy or "")
    return shortened(message, _MOST).removesuffix(".")


class StuckDrain(Struct, frozen=True):
    """The pods that are left on the node by the budget that keeps most, what makes them, and what this waits for.

    So many further budgets keep `others`.
    """

    node: str
    pods: tuple[str, ...]
    maker: str
    budget: str
    unready: tuple[str, ...]
    further: int
    others: int

    def __str__(self) -> str:
        until = f" until {some(self.unready)} {'is' if len(self.unready) == 1 else 'are'} ready" if self.unready else ""
        more = f", and {plural(self.further, 'other budget')} {verb(self.further, 'keeps')} {self.others} more"
        kept = f"budget {self.budget} keeps {some(self.pods, 1)} there{until}"
        return f"the drain of {self.node} waits: {kept}{more if self.further else ''}"

    def help_beside(self, pod: str) -> str:
        """What would let it go on, other than that this pod runs; empty if it waits for nothing else."""
        others = [each for each in self.unready if each != pod]
        if others:
            return f"to let its drain go on instead, get {some(others)} ready, which budget {self.budget} waits for"
        more = f"run a replica more of {self.maker}, or have budget {self.budget} allow an eviction"
        return "" if self.unready else f"to let its drain go on instead, {more}"


def stuck_drain(node: str, cluster: Cluster) -> StuckDrain | None:
    """What a drain of the node waits for; None for one that is not cordoned, or has pods that may go."""
    member = pool_members(cluster).get(node)
    if member is None or member.service is None or member.service.troubles != (Trouble.CORDONED,):
        return None
    left = [info.pod for info in cluster.node_info_by_name[node].pods if not comes_along(info.pod)]
    budgets = EvictionBudgets(cluster)
    keeping = [[each for each in budgets.protecting(pod) if each.allowed <= 0] for pod in left]
    if not left or not all(keeping):
        return None
    kept = grouped((each[0].budget.key, (pod, each[0])) for pod, each in zip(left, keeping, strict=True))
    (pod, first), *others = max(kept.values(), key=len)
    pods = (pod.key, *(each.key for each, _ in others))
    unready = tuple(each.key for each in first.missed)
    makes = workload(maker(pod)) or pod.key
    return StuckDrain(node, pods, makes, first.budget.name, unready, len(kept) - 1, len(left) - len(pods))
