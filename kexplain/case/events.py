"""What schedulers and controllers have said about pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.grouping import grouped
from kexplain.objects.collection import Objects
from kexplain.objects.core import Pod
from kexplain.objects.events import PROVISIONING_REASONS, Event, made_by, said_of
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.pod_claims import pod_claims


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
