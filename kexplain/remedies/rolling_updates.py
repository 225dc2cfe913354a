"""Rolling updates that are stuck: for want of a place beside old pods, or at a pod that is not replaced.

And earlier revisions of what has made a pod, with the way back to one.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.case.own_pods import maker_kind, read_maker
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import placed_siblings, siblings
from kexplain.diagnosis.components import maker_of
from kexplain.diagnosis.scene import Scene
from kexplain.framework.trace import Decision
from kexplain.objects.apps import (
    DaemonSet,
    Deployment,
    DeploymentStrategy,
    ReplicaSet,
    RollingUpdate,
    StatefulSet,
    is_recreated,
)
from kexplain.objects.changes import Change
from kexplain.objects.core import Container, Pod, PodSpec
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import is_of_set, pod_claims
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.remedies.advice import advice, proposed
from kexplain.remedies.change_sets import repair
from kexplain.remedies.makers import rolling_out, rolling_out_text
from kexplain.remedies.pod_edits import at
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import Step, change, deletion, of_pod, target_of
from kexplain.remedies.trials import Trials, Tried
from kexplain.words import joined
from kexplain.world.surge import deployment_bounds

#: So many nodes with an old pod are tried.
_NODES_TRIED = 2
_IN_PLACE = RollingUpdate(max_surge=0, max_unavailable=1)


def unstuck(trials: Trials, home: Scene) -> Iterator[tuple[Tried, list[Proposal]]]:
    """What gets a rollout going that is stuck: an old pod makes way first, or the earlier template comes back."""
    yield from filter(None, (one_goes_first(trials, home), _rolled_back(trials)))


def _rolled_back(trials: Trials) -> tuple[Tried, list[Proposal]] | None:
    """The newest earlier revision of which a pod fits, with the fields in which the current one differs from it."""
    pod = trials.decision.pod
    for each in islice(earlier_revisions(pod, trials.decision.cluster), _NODES_TRIED):
        fields = _differing(each.now, each.then)
        tried = trials.attempt([of_pod(at("spec", partial(replace, **fields)))]) if fields else None
        if tried is not None:
            names = [every.encode_name for every in structs.fields(PodSpec) if every.name in fields]
            back = each.undoing(pod, f"which differs in {joined(names)}")
            return replace(tried, commands=back.commands), [proposed("roll-back", back.text, order=3)]
    return None


def _differing(spec: PodSpec, before: PodSpec) -> dict[str, Any]:
    """The fields of what is made that are others in the earlier template, as they are there; images aside."""
    found = {name: getattr(before, name) for name in PodSpec.__struct_fields__}
    return {name: value for name, value in found.items() if _plain(value) != _plain(getattr(spec, name))}


def _plain(value: Any) -> Any:
    """The value without what schedulers do not care for in containers."""
    is_list = isinstance(value, tuple)
    return [replace(each, image=None) if isinstance(each, Container) else each for each in value] if is_list else value


def one_goes_first(trials: Trials, home: Scene) -> tuple[Tried, list[Proposal]] | None:
    """That a pod of an earlier template makes way first, if that is enough, alone or with what is wrong besides.

    On nodes that are full, room is enough as well.
    """
    proposals = list(islice(_proposals(trials.decision, trials.workload), _NODES_TRIED))
    for _, proposal in proposals:
        tried = trials.attempt(proposal.steps_to_try)
        if tried is not None:
            return tried, [proposal]
    repaired = (repair(trials, name, home, [replace(each, rank=Rank.MENDS)]) for name, each in proposals[:1])
    return next(filter(None, repaired), None)


def _proposals(decision: Decision, workload: KubernetesObject) -> Iterator[tuple[str, Proposal]]:
    """One for each node with an old pod, by its name; none where the update lets one go already."""
    if type(workload) is not Deployment or is_recreated(workload):
        return
    replicas = declared_replicas(workload) or 0
    if not replicas or deployment_bounds(workload, replicas).unavailable:
        return
    owner = decision.pod.metadata.controller
    seen = set()
    for old, node in placed_siblings(decision.pod, decision.cluster):
        if node.name in seen or old.metadata.controller == owner:
            continue
        seen.add(node.name)
        status = decision.statuses.by_node.get(node.name)
        is_full = status is not None and status.plugin == "NodeResourcesFit"
        steps = (
            Step(Deployment, workload.namespace, workload.name, in_place),
            replace(deletion(old.key), follows=True),
        )
        rank = Rank.LOOSENS if is_full else Rank.MENDS
        yield node.name, proposed("roll-in-place", workload.name, replicas == 1, rank=rank, order=0, steps=steps)


def made_anew(trials: Trials) -> Iterator[Remedy]:
    """That pods of an earlier template are made anew of the current one, which nobody does unasked, if they fit then.

    So is one whose claim is gone, as a set makes claims only for pods that it is about to create.

    Source: stateful set controller `updateStatefulSet`, which goes no further than the first pod that is not ready.
    """
    pod, workload = trials.decision.pod, trials.workload
    if isinstance(workload, StatefulSet) and (lost := _lost_claim(trials.decision)):
        yield _with_claim(trials, workload, lost)
        return
    let_go = rolling_out(workload, (pod, *trials.pending))
    held, gone = change(workload, let_go), _deleted(pod, workload)
    changes = tuple(filter(None, (held, gone)))
    is_deployment = isinstance(workload, Deployment)
    done = trials.end_of(changes) if gone or (held and is_deployment) else None
    if done is None or not done.host or done.evicts:
        return
    maker = "it" if is_deployment else f"StatefulSet {workload.name}"
    deleting = f"delete {pod.key}, which was made from an earlier template" if gone else ""
    words = joined([*filter(None, (rolling_out_text(workload, let_go), deleting))], "and")
    action = Action.RESUME if is_deployment else Action.MAKE_ANEW
    about = words, maker, gone is not None
    yield advice("make-new-pods", *about, action=action, changes=changes, **done.told(trials.pending))


def _with_claim(trials: Trials, workload: StatefulSet, claim: str) -> Remedy:
    """The pod deleted, to be made anew with its claim; untried where it then finds no node, or nobody can tell."""
    pod = trials.decision.pod
    gone = Change(target=target_of(pod), verb="delete")
    done = trials.end_of([gone])
    host = done.host if done and not done.evicts else ""
    nodes = (host,) if host else ()
    return advice("anew/with-claim", pod, workload.name, claim, changes=[gone], nodes=nodes, tried=bool(host))


def _lost_claim(decision: Decision) -> str:
    """The claim that is gone which a stateful set made for the pod before it; empty if there is none."""
    pod, listers = decision.pod, decision.cluster.listers
    known = (each.name for each in pod_claims(pod) if is_of_set(pod, f"{pod.namespace}/{each.name}"))
    gone = (name for name in known if listers.get(PersistentVolumeClaim, name, pod.namespace) is None)
    return next(gone, "") if pod.is_stored and listers.every(PersistentVolumeClaim) else ""


def _deleted(pod: Pod, workload: KubernetesObject) -> Change | None:
    """The end of a pod that its stateful set does not replace unasked, although it is of an earlier template."""
    is_old = isinstance(workload, StatefulSet) and workload.leaves_alone(pod.labels.get(CONTROLLER_REVISION_HASH))
    return Change(target=target_of(pod), verb="delete") if is_old else None


def in_place(deployment: Deployment) -> Deployment:
    """The same with an update in which an old pod makes way first."""
    strategy = replace(deployment.spec.strategy or DeploymentStrategy(), rolling_update=_IN_PLACE)
    return replace(deployment, spec=replace(deployment.spec, strategy=strategy))


# ------------------------------------------------------------------------------------------- the way back


class Earlier(Struct, frozen=True):
    """A revision: its number, 0 for that of a set; what is made now and was made then; how many of its pods serve."""

    number: int
    now: PodSpec
    then: PodSpec
    serving: int

    def undoing(self, pod: Pod, which: str) -> Remedy:
        """The way back, with `which` revision that is in words."""
        _, kind, name = maker_of(pod)
        about = which, str(kind).lower(), name, pod.namespace
        if self.number:
            return advice("roll-back/revision", *about, self.number)
        if kind == "DaemonSet":
            return advice("roll-back/daemons", *about)
        # A set goes no further than its first pod that is not ready.
        return advice("roll-back/set", *about, pod.name)


def earlier_revisions(pod: Pod, cluster: Cluster) -> Iterator[Earlier]:
    """Those of the pod's Deployment, the newest first, or the one of its set that other pods are of."""
    match read_maker(pod, cluster.listers):
        case StatefulSet() as made_by:
            yield from _of_set(pod, made_by.status.update_revision, siblings(pod, cluster))
        case DaemonSet():
            # As they would be for the node of this one.
            others = siblings(pod, cluster)
            others = [replace(each, spec=replace(each.spec, affinity=pod.spec.affinity)) for each in others]
            yield from _of_set(pod, pod.labels.get(CONTROLLER_REVISION_HASH), others)
        case ReplicaSet() as made_by if maker_kind(made_by) == "Deployment":
            owner, every = made_by.metadata.controller, cluster.listers.every(ReplicaSet)
            made = [each for each in every if (each.metadata.controller, each.namespace) == (owner, pod.namespace)]
            made_of = [read_maker(each, cluster.listers) for each in siblings(pod, cluster) if each.is_ready]
            for each in sorted(made, key=lambda each: each.revision, reverse=True):
                if 0 < each.revision < made_by.revision:
                    yield Earlier(each.revision, _spec(made_by), _spec(each), sum(one is each for one in made_of))


def _of_set(pod: Pod, newest: str | None, others: Sequence[Pod]) -> Iterator[Earlier]:
    """The revision of those of a set's pods that are not of the newest, as this one is."""
    before = [each for each in others if each.labels.get(CONTROLLER_REVISION_HASH) != newest]
    if before and newest and pod.labels.get(CONTROLLER_REVISION_HASH) == newest:
        # Of several earlier ones it is the last that comes back.
        last = max(before, key=lambda each: each.metadata.creation_timestamp or "")
        now, then = (replace(each.spec, node_name=None, volumes=None) for each in (pod, last))
        yield Earlier(0, now, then, sum(each.is_ready for each in before))


def _spec(replica_set: ReplicaSet) -> PodSpec:
    return replica_set.spec.template.spec if replica_set.spec.template else PodSpec()
