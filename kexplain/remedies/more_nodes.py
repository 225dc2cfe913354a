"""One more node: what the newest member of each pool would be like, empty but for what runs on every node there."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.newcomers import newcomer_like
from kexplain.explain.karpenter import pool_objections
from kexplain.explain.pools import Pool, created
from kexplain.explain.wording import amount
from kexplain.objects.core import Node, Pod
from kexplain.objects.karpenter import NodePool
from kexplain.objects.node_pools import Newcomer, comes_along
from kexplain.objects.requests import CPU
from kexplain.objects.storage import CSINode
from kexplain.remedies.home import Home
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.steps import Step
from kexplain.words import joined


class OneMore(Struct, frozen=True):
    """A new node like `model`, which is of a pool with a name, or is only alike."""

    proposal: Proposal
    model: str
    is_named: bool

    @property
    def rank(self) -> Rank:
        return self.proposal.rank


def one_more(home: Home, most: int) -> Iterator[OneMore]:
    """A node more of each pool: those first where the pod belongs, then the largest."""
    for pool, own in home.members[:most]:
        model = pool.newest if not own or home.has(pool.newest.name) else max(own, key=created)
        text = f"add one more node like {model.name} ({pool}{_refused(pool, home.pod, home.cluster)})"
        new = newcomer_like(home.cluster.node_info_by_name[model.name], home.cluster)
        rank = Rank.ADDS_NODES if own else Rank.LAST_RESORT
        proposal = Proposal(Action.ADD_NODE, text, rank=rank, steps=tuple(_joining(new)))
        yield OneMore(proposal, model.name, bool(pool.name))


def one_larger(pod: Pod, home: Home, too_small: Collection[str]) -> Iterator[OneMore]:
    """A node like the largest, with as much of everything as the pod needs besides what runs on every node.

    It is like one of those that are `too_small` and nothing else, if there are any.
    """
    cluster = home.cluster
    if not cluster.node_infos:
        return
    own = [info for info in cluster.node_infos if home.has(info.name)] or cluster.node_infos
    own = [info for info in own if info.name in too_small] or own
    model = max(own, key=lambda info: info.allocatable.cpu_milli)
    daemons = [info.resource.requested for info in model.pods if comes_along(info.pod)]
    new = newcomer_like(model, cluster)
    allocatable = dict(new.node.status.allocatable or {})
    needed: list[str] = []
    for name, least in cluster.pod_info(pod).resource.requested.amounts().items():
        total = least + sum(each.amount(name) for each in daemons)
        if total > model.allocatable.amount(name):
            allocatable[name] = amount(name, total) if name == CPU else str(total)
            needed.append(f"{amount(name, total)} {name}")
    if needed:
        node = replace(new.node, status=replace(new.node.status, allocatable=allocatable))
        text = f"add a node like {model.name}, but with {joined(needed)}"
        steps = tuple(_joining(replace(new, node=node)))
        yield OneMore(Proposal(Action.ADD_NODE, text, rank=Rank.ADDS_NODES, order=3, steps=steps), model.name, False)


def _refused(pool: Pool, pod: Pod, cluster: Cluster) -> str:
    """That Karpenter would not add the node, and why."""
    node_pool = cluster.listers.get(NodePool, pool.name)
    objections = pool_objections(node_pool, pod, cluster, pool.nodes) if node_pool else ()
    return f"; Karpenter does not add it: {joined([each.text for each in objections])}" if objections else ""


def _joining(new: Newcomer) -> Iterator[Step]:
    """The node, and what comes by itself with it."""
    yield Step(Node, "", new.node.name, created=new.node)
    if new.driver is not None:
        yield Step(CSINode, "", new.driver.name, created=new.driver, follows=True)
    for pod in new.pods:
        yield Step(Pod, pod.namespace, pod.name, created=pod, follows=True)
