"""Volumes where the pod cannot be: its claims made anew, which gives the data up where there is any."""

from collections.abc import Collection, Iterator, Sequence

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.early_volumes import early_volumes
from kexplain.diagnosis.places import known_otherwise
from kexplain.objects.changes import DELETE, JSON_PATCH, PATCH, Change
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import is_of_set
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies.against.claims import node_of
from kexplain.remedies.commands import commands
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import target_of
from kexplain.remedies.trials import Trials
from kexplain.shell import command
from kexplain.words import joined

#: What makes a class wait for a pod, and what a claim keeps of the volume that it had.
_LATE = ({"op": "add", "path": "/volumeBindingMode", "value": WAIT_FOR_FIRST_CONSUMER},)
_OF_VOLUME = ("/spec/volumeName", "/metadata/annotations/pv.kubernetes.io~1bind-completed")


def with_new_claims(trials: Trials, late: Collection[str]) -> Iterator[Remedy]:
    """The pod's claims made anew: those of classes that are to make volumes `late`, and those that are lost."""
    if late:
        yield from _of_late_classes(trials, late)
    yield from _of_lost(trials)


def _of_lost(trials: Trials) -> Iterator[Remedy]:
    """That the set makes the pod and its lost claims anew; a claim goes only with the pod that uses it."""
    pod = trials.decision.pod
    lost = dict(_lost(pod, trials.decision.cluster))
    names = [each.name for each in lost.values()]
    text = (
        f"if {joined([*lost])} does not come back, give up the data there: delete claim {joined(names)} and pod "
        f"{pod.name}, which StatefulSet {trials.workload.name} makes anew"
    )
    lines = (
        command("kubectl delete pvc", *names, namespace=pod.namespace, flags=["--wait=false"]),
        command("kubectl delete pod", pod.name, namespace=pod.namespace),
    )
    changes = [Change(target=target_of(each), verb=DELETE) for each in (*lost.values(), pod)]
    yield from _tried(trials, changes if lost else (), text, Rank.ADDS_NODES, lines)


def _of_late_classes(trials: Trials, classes: Collection[str]) -> Iterator[Remedy]:
    """The classes that made volumes before the pod had a place made to wait for it, and their claims made anew."""
    pod, cluster = trials.decision.pod, trials.decision.cluster
    early = [each for each in early_volumes(pod, cluster) if each.made_by.name in classes]
    claims, has_data = [each.claim for each in early], not all(each.is_unused for each in early)
    of_set = [claim for claim in claims if is_of_set(pod, claim.key)]
    unbound = [{"op": "remove", "path": path} for path in _OF_VOLUME]
    changes = [
        *(_recreated(each, _LATE) for each in {each.made_by.name: each.made_by for each in early}.values()),
        *(_recreated(claim, unbound) for claim in claims if claim not in of_set),
        *(Change(target=target_of(each), verb=DELETE) for each in (*of_set, *([pod] if of_set else []))),
    ]
    text = f"recreate StorageClass {joined([*classes])} with {_in_words(of_set, claims, pod, has_data=has_data)}"
    # Nobody should run what deletes data without a look.
    rank, lines = (Rank.ADDS_NODES, ()) if has_data else (Rank.MENDS, commands(changes, {}))
    yield from _tried(trials, changes, text, rank, lines)


def _in_words(of_set: Collection[object], claims: Sequence[PersistentVolumeClaim], pod: Pod, *, has_data: bool) -> str:
    claim, theirs = ("claims", "their volumes are") if claims[1:] else ("claim", "its volume is")
    return (
        f"volumeBindingMode: {WAIT_FOR_FIRST_CONSUMER} (a class cannot be edited), then "
        f"{f'delete pod {pod.name} and' if of_set else 'recreate'} {claim} {joined([each.name for each in claims])}, "
        f"{'once their data is saved, for example in snapshots' if has_data else 'which no pod has used yet'}, so that "
        f"{theirs} made where the pod goes"
    )


def _recreated(obj: KubernetesObject, patch: Sequence[dict[str, str]]) -> Change:
    return Change(target=target_of(obj), verb=PATCH, patch_type=JSON_PATCH, patch=[*patch], recreate=True)


def _tried(
    trials: Trials, changes: Sequence[Change], text: str, rank: Rank, lines: tuple[str, ...]
) -> Iterator[Remedy]:
    """The remedy of these changes if the pod has a place then."""
    done = trials.end_of(changes) if changes else None
    if done is not None and done.host and not done.evicts:
        made, told = tuple(changes), done.told(trials.pending)
        yield Remedy(action=Action.MAKE_ANEW, text=text, changes=made, commands=lines, rank=rank, **told)


def _lost(pod: Pod, cluster: Cluster) -> Iterator[tuple[str, PersistentVolumeClaim]]:
    """The claims that the set made with the pod whose volumes are on nodes that are gone, by the node."""
    for claim, volume in volumes_of(pod, cluster.listers):
        node = node_of(volume)
        is_gone = node and node not in cluster.names_by_label(HOSTNAME) and not known_otherwise(node, cluster)
        if is_gone and is_of_set(pod, claim.key):
            yield node, claim
