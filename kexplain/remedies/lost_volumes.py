"""Volumes where the pod cannot be: its claims made anew, which gives the data up where there is any."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.judges.storage import EarlyVolume, early_volumes
from kexplain.diagnosis.places import known_otherwise
from kexplain.objects.changes import DELETE, JSON_PATCH, PATCH, Change
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import is_of_set
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies.advice import advice
from kexplain.remedies.against.claims import node_of
from kexplain.remedies.records import Rank, Remedy
from kexplain.remedies.steps import target_of
from kexplain.remedies.trials import Trials

_WITH_DATA: dict[str, Any] = {"rank": Rank.ADDS_NODES, "commands": ()}
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
    changes = [Change(target=target_of(each), verb=DELETE) for each in (*lost.values(), pod)]
    about = ([*lost], [each.name for each in lost.values()], pod.name, trials.workload.name, pod.namespace)
    yield from _tried(trials, "volume/lost", about, changes if lost else ())


def _of_late_classes(trials: Trials, classes: Collection[str]) -> Iterator[Remedy]:
    """The classes that made volumes before the pod had a place made to wait for it, and their claims made anew."""
    pod, cluster = trials.decision.pod, trials.decision.cluster
    early = [each for each in early_volumes(pod, cluster) if each.made_by.name in classes]
    claims, has_data = [each.claim for each in early], not all(each.is_unused for each in early)
    of_set = [claim for claim in claims if is_of_set(pod, claim.key)]
    changes = [*_anew(early, of_set), *(Change(target=target_of(each), verb=DELETE) for each in of_set)]
    changes += [Change(target=target_of(pod), verb=DELETE)] if of_set else []
    about = ([*classes], [each.name for each in claims], pod.name if of_set else "", WAIT_FOR_FIRST_CONSUMER, has_data)
    # Nobody should run what deletes data without a look.
    yield from _tried(trials, "volume/late", about, changes, **(_WITH_DATA if has_data else {}))


def _anew(early: Sequence[EarlyVolume], of_set: Sequence[PersistentVolumeClaim]) -> Iterator[Change]:
    """The classes made late, and the claims that no set makes again made without their volumes."""
    for made_by in {each.made_by.name: each.made_by for each in early}.values():
        yield _recreated(made_by, _LATE)
    for claim in (each.claim for each in early if each.claim not in of_set):
        yield _recreated(claim, [{"op": "remove", "path": path} for path in _OF_VOLUME])


def _recreated(obj: KubernetesObject, patch: Sequence[dict[str, str]]) -> Change:
    return Change(target=target_of(obj), verb=PATCH, patch_type=JSON_PATCH, patch=[*patch], recreate=True)


def _tried(
    trials: Trials, name: str, about: Sequence[object], changes: Sequence[Change], **more: Any
) -> Iterator[Remedy]:
    """The remedy of these changes if the pod has a place then."""
    done = trials.end_of(changes) if changes else None
    if done is not None and done.host and not done.evicts:
        yield advice(name, *about, changes=changes, **done.told(trials.pending), **more)


def _lost(pod: Pod, cluster: Cluster) -> Iterator[tuple[str, PersistentVolumeClaim]]:
    """The claims that the set made with the pod whose volumes are on nodes that are gone, by the node."""
    for claim, volume in volumes_of(pod, cluster.listers):
        node = node_of(volume)
        is_gone = node and node not in cluster.names_by_label(HOSTNAME) and not known_otherwise(node, cluster)
        if is_gone and is_of_set(pod, claim.key):
            yield node, claim
