"""What schedulers and controllers have said about pods and workloads, in files or in a live cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.case.case import Case
from kexplain.case.own_pods import with_complaints
from kexplain.case.records import OwnPods, PodToPlace
from kexplain.cluster.listers import claims_of
from kexplain.grouping import grouped
from kexplain.load import Loaded
from kexplain.objects.collection import Objects
from kexplain.objects.core import Pod
from kexplain.objects.events import PROVISIONING_REASONS, Event, made_by, said_of
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.pod_claims import pod_claims

if TYPE_CHECKING:
    from kexplain.load.live.cluster_reader import ClusterSource


#: Of so many workloads it is asked what was said of a pod that does not run.
_ASKED = 5


def with_live_events(case: Case, source: ClusterSource) -> Case:
    """The case with what schedulers have said about those of its pods that the cluster knows."""
    known = [placed.pod for placed in case.pods if placed.pod.metadata.uid]
    if not known:
        return case
    found = (claim for pod in known for claim in claims_of(pod, case.cluster.listers))
    claims = [(claim.namespace, claim.name) for claim in found if not claim.volume_name]
    events = source.events(((pod.namespace, pod.name) for pod in known), claims)
    return replace(case, pods=tuple(with_events(case.pods, events.objects)), notes=(*case.notes, *events.notes))


def with_messages(
    workloads: Iterable[OwnPods], objects: Iterable[KubernetesObject], source: ClusterSource | None
) -> tuple[tuple[OwnPods, ...], list[str]]:
    """The workloads with what their controllers say of pods that they cannot create, and notes on reading that."""
    workloads = list(workloads)
    said = Loaded()
    said.objects += (obj for obj in objects if isinstance(obj, Event))
    short = [controller for own in workloads if own.missing for controller in own.controllers]
    if source is not None and short:
        said = source.failures((each.kind, each.namespace, each.name) for each in short)
    for about in _said_of_idle(workloads, source) if source is not None else ():
        said.objects += about.objects
        said.notes += about.notes
    events = [obj for obj in said.objects if isinstance(obj, Event)]
    return tuple(with_complaints(own, events) for own in workloads), said.notes


def _said_of_idle(workloads: Iterable[OwnPods], source: ClusterSource) -> Iterator[Loaded]:
    """What was said of the first pod of each workload that has a node, and may not run there: it is explained."""
    idle = ([pod for pod in own.pods if pod.spec.node_name and pod.may_be_stopped] for own in workloads)
    for pods in [pods for pods in idle if pods][:_ASKED]:
        yield source.events([(pods[0].namespace, pods[0].name)])


def with_events(pods: Iterable[PodToPlace], objects: Iterable[KubernetesObject]) -> Iterator[PodToPlace]:
    """The pods with what anybody has said about each, its claims, nodes made for it, and siblings that made room.

    About one of a manifest nobody has said anything.
    """
    events = Objects.these(objects).of(Event)
    preempted = grouped((event.preempted_from, event) for event in events)
    events_by_pod = grouped(((event.namespace, event.subject.name or ""), event) for event in events)
    nodes = [event for event in events if event.is_of_launch]
    for placed in pods:
        if not events_by_pod or not placed.pod.metadata.uid:
            yield placed
            continue
        about = _about(placed.pod, events_by_pod)
        about += (each for each in nodes if each.is_named_by(about))
        about += (each for each in preempted.get(made_by(placed.pod), ()) if each not in about)
        yield replace(placed, events=tuple(about)) if about else placed


def _about(pod: Pod, events_by_subject: Mapping[tuple[str, str], Sequence[Event]]) -> list[Event]:
    """The events about it, and about its claims."""
    of_claims = (events_by_subject.get((pod.namespace, name), ()) for name in {each.name for each in pod_claims(pod)})
    own = events_by_subject.get((pod.namespace, pod.name), ())
    return [*said_of(pod, own), *(each for some in of_claims for each in some if each.reason in PROVISIONING_REASONS)]
