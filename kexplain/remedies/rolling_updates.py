"""Rolling updates that wait for a place beside the pods that they are to replace: one of these goes first instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import placed_siblings
from kexplain.explain.records import NodeVerdict
from kexplain.objects.apps import Deployment, DeploymentStrategy, RollingUpdate
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.steps import Step, deletion
from kexplain.remedies.trials import Trials, Tried
from kexplain.workloads.surge import deployment_bounds, is_recreated

#: So many nodes with an old pod are tried.
_NODES_TRIED = 2
_IN_PLACE = RollingUpdate(max_surge=0, max_unavailable=1)


def one_goes_first(trials: Trials, verdicts: Iterable[NodeVerdict]) -> tuple[Tried, Proposal] | None:
    """That a pod of an earlier template makes way first, if that is enough; on nodes that are full, room is as well."""
    full = {each.node for each in verdicts if each.stopped_by and each.stopped_by.plugin == "NodeResourcesFit"}
    decision = trials.decision
    for proposal in islice(_proposals(decision.pod, trials.workload, full, decision.cluster), _NODES_TRIED):
        tried = trials.attempt(proposal.steps_to_try)
        if tried is not None:
            return tried, proposal
    return None


def _proposals(pod: Pod, workload: KubernetesObject, full: Collection[str], cluster: Cluster) -> Iterator[Proposal]:
    """One for each node with an old pod; none where the update lets one go already."""
    if type(workload) is not Deployment or is_recreated(workload):
        return
    replicas = declared_replicas(workload) or 0
    if not replicas or deployment_bounds(workload, replicas).unavailable:
        return
    owner = pod.metadata.controller
    seen = set()
    for old, node in placed_siblings(pod, cluster):
        if node.name in seen or old.metadata.controller == owner:
            continue
        seen.add(node.name)
        price = ", although none serves meanwhile" if replicas == 1 else ""
        yield Proposal(
            Action.CHANGE_ROLLOUT,
            f"set maxSurge: 0 and maxUnavailable: 1 on Deployment {workload.name}, so that an old pod makes way "
            f"first{price}",
            rank=Rank.LOOSENS if node.name in full else Rank.MENDS,
            order=0,
            steps=(
                Step(Deployment, workload.namespace, workload.name, _in_place),
                replace(deletion(old.key), follows=True),
            ),
        )


def _in_place(deployment: Deployment) -> Deployment:
    strategy = replace(deployment.spec.strategy or DeploymentStrategy(), rolling_update=_IN_PLACE)
    return replace(deployment, spec=replace(deployment.spec, strategy=strategy))
