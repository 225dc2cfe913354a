"""What would let a pod start: what it refers to, or nodes like those of its siblings that run."""

from collections.abc import Iterator

from kexplain.bound.compared import platforms_apart
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.components import maker_of
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.apps import DaemonSet, Deployment, StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.remedies.commands import changing
from kexplain.remedies.pod_edits import at
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.rolling_updates import made_by
from kexplain.remedies.steps import change, edited
from kexplain.shell import command
from kexplain.words import plural, verb

_KINDS = {each.__name__: each for each in (Deployment, StatefulSet, DaemonSet)}


def elsewhere(found: Held, pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """What is missing made, or the workload kept to the platform where it runs."""
    facts, listing = found.facts, command("kubectl get configmaps,secrets", namespace=pod.namespace)
    if limit := facts.get("limit"):
        text = f"raise limits.memory of container {facts['container']} (now {limit}), or see why it uses more"
        yield Remedy(action=Action.CHECK_MANIFEST, text=text, rank=Rank.MENDS)
    if absent := facts.get("secrets") or facts.get("name"):
        text = f"create {facts.get('kind', 'Secret')} {absent} in namespace {pod.namespace}, or correct its name"
        yield Remedy(action=Action.CHECK_MANIFEST, text=text, rank=Rank.MENDS, commands=(listing,))
    if found.kind in (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED):
        yield from _on_its_platform(pod, cluster)
    if found.kind in (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED, Kind.NOT_READY):
        yield from _rolled_back(pod, cluster)
        yield from _of_set(pod, cluster)


def _of_set(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """To the template that serves, and the pod of the other one deleted, which its set does not replace by itself."""
    namespace, kind, name = maker_of(pod)
    of = cluster.listers.get(StatefulSet, name, namespace) if kind == StatefulSet.__name__ else None
    if of is None or not (own := pod.labels.get(CONTROLLER_REVISION_HASH)):
        return
    deleting = command("kubectl delete pod", pod.name, namespace=namespace)
    if of.leaves_alone(own):
        text = f"delete {pod.key}, which was made from an earlier template, so that StatefulSet {name} makes it anew"
        yield Remedy(action=Action.MAKE_ANEW, text=text, rank=Rank.MENDS, commands=(deleting,))
        return
    others = [each for each, _ in placed_siblings(pod, cluster) if each.labels.get(CONTROLLER_REVISION_HASH) != own]
    count = sum(each.is_ready for each in others) if own == of.status.update_revision else 0
    if count:
        which = f"of which {plural(count, 'pod')} {verb(count, 'serves')}"
        text = f"roll back to the earlier revision (kubectl rollout undo), {which}, and delete {pod.name} then"
        undoing = command("kubectl rollout undo statefulset", name, namespace=namespace)
        yield Remedy(action=Action.CHANGE_ROLLOUT, text=text, rank=Rank.MENDS, commands=(undoing, deleting))


def _rolled_back(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """To an earlier revision of the Deployment whose pods serve beside those of the newest, which do not."""
    own = made_by(pod, cluster)
    serving = [each for each, _ in placed_siblings(pod, cluster) if each.is_ready] if own else []
    sets = [made for each in serving if (made := made_by(each, cluster)) and own and 0 < made.revision < own.revision]
    if not sets:
        return
    best, (_, _, name) = max(sets, key=lambda each: each.revision), maker_of(pod)
    count, flags = sum(each is best for each in sets), [f"--to-revision={best.revision}"]
    line = command("kubectl rollout undo deployment", name, namespace=pod.namespace, flags=flags)
    which = f"of which {plural(count, 'pod')} {verb(count, 'serves')}"
    text = f"roll back to revision {best.revision} (kubectl rollout undo), {which}"
    yield Remedy(action=Action.CHANGE_ROLLOUT, text=text, rank=Rank.MENDS, commands=(line,))


def _on_its_platform(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    apart, (namespace, kind, name) = platforms_apart(pod, cluster), maker_of(pod)
    workload = cluster.listers.get(_KINDS[kind], name, namespace) if kind in _KINDS else None
    if apart is None or workload is None:
        return
    label, value = apart.label, apart.value
    made = change(workload, edited(workload, at("spec.node_selector", lambda old: {**(old or {}), label: value})))
    text = f"select {label}={value} in {workload.kind} {workload.name}, whose pods run on such nodes alone"
    yield changing(Action.CHECK_MANIFEST, text, [made], Rank.MENDS)
