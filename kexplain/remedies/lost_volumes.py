"""Pods of sets whose volumes were on nodes that are gone: made anew with their claims, which gives the data up."""

from collections.abc import Iterator

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.places import known_otherwise
from kexplain.objects.changes import DELETE, Change
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import is_of_set
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies.against.claims import node_of
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import target_of
from kexplain.remedies.trials import Trials
from kexplain.shell import command
from kexplain.words import joined


def with_new_claims(trials: Trials) -> Iterator[Remedy]:
    """That the set makes the pod and its lost claims anew; a claim goes only with the pod that uses it."""
    pod = trials.decision.pod
    lost = dict(_lost(pod, trials.decision.cluster))
    gone = [*lost.values()]
    changes = tuple(Change(target=target_of(each), verb=DELETE) for each in (*gone, pod))
    done = trials.end_of(changes) if gone else None
    if done is None or not done.host or done.evicts:
        return
    names = [each.name for each in gone]
    text = (
        f"if {joined([*lost])} does not come back, give up the data there: delete claim {joined(names)} and pod "
        f"{pod.name}, which StatefulSet {trials.workload.name} makes anew"
    )
    lines = (
        command("kubectl delete pvc", *names, namespace=pod.namespace, flags=["--wait=false"]),
        command("kubectl delete pod", pod.name, namespace=pod.namespace),
    )
    yield Remedy(
        action=Action.MAKE_ANEW,
        text=text,
        nodes=(done.host,),
        tried=True,
        changes=changes,
        commands=lines,
        rank=Rank.ADDS_NODES,
    )


def _lost(pod: Pod, cluster: Cluster) -> Iterator[tuple[str, PersistentVolumeClaim]]:
    """The claims that the set made with the pod whose volumes are on nodes that are gone, by the node."""
    for claim, volume in volumes_of(pod, cluster.listers):
        node = node_of(volume)
        is_gone = node and node not in cluster.names_by_label(HOSTNAME) and not known_otherwise(node, cluster)
        if is_gone and is_of_set(pod, claim.key):
            yield node, claim
