"""What would let a pod start: what it refers to, or nodes like those of its siblings that run."""

from collections.abc import Iterator

from kexplain.bound.compared import platforms_apart
from kexplain.case.own_pods import read_maker
from kexplain.cluster import Cluster
from kexplain.diagnosis.components import maker_of
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.apps import DaemonSet, Deployment, StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.remedies.advice import advice
from kexplain.remedies.pod_edits import at
from kexplain.remedies.records import Remedy
from kexplain.remedies.rolling_updates import earlier_revisions
from kexplain.remedies.steps import change, edited
from kexplain.words import plural, verb

_KINDS = {each.__name__: each for each in (Deployment, StatefulSet, DaemonSet)}


def elsewhere(found: Held, pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """What is missing made, or the workload kept to the platform where it runs."""
    facts = found.facts
    if limit := facts.get("limit"):
        yield advice("memory-limit", facts["container"], limit)
    if absent := facts.get("secrets") or facts.get("name"):
        yield advice("absent-object", facts.get("kind", "Secret"), absent, pod.namespace)
    if found.kind in (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED):
        yield from _on_its_platform(pod, cluster)
    if found.kind in (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED, Kind.NOT_READY):
        yield from _rolled_back(pod, cluster)


def _rolled_back(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """To the template that serves: of a set the pod of the other one is deleted, which nobody replaces unasked."""
    of = read_maker(pod, cluster.listers)
    if isinstance(of, StatefulSet) and of.leaves_alone(pod.labels.get(CONTROLLER_REVISION_HASH)):
        yield advice("pod-of-earlier-template", pod, of.name, pod.name, pod.namespace)
    elif found := next((each for each in earlier_revisions(pod, cluster) if each.serving), None):
        which = f"of which {plural(found.serving, 'pod')} {verb(found.serving, 'serves')}"
        yield found.undoing(pod, which)


def _on_its_platform(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    apart, (namespace, kind, name) = platforms_apart(pod, cluster), maker_of(pod)
    workload = cluster.listers.get(_KINDS[kind], name, namespace) if kind in _KINDS else None
    if apart is None or workload is None:
        return
    label, value = apart.label, apart.value
    made = change(workload, edited(workload, at("spec.node_selector", lambda old: {**(old or {}), label: value})))
    yield advice("select-platform", label, value, workload, changes=[made])
