"""Why a pod that has a node does not run there, or not as it should."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from kexplain.bound.compared import with_other_nodes, with_reports
from kexplain.bound.ending import evicted, not_ready, preempted, refused_by_node, stuck_terminating, turned_away
from kexplain.bound.named_node import is_astray, on_no_node, past_the_scheduler
from kexplain.bound.phrases import with_source
from kexplain.bound.resizing import not_resized
from kexplain.bound.starting import initializing, not_attached, not_mounted, not_started, sandbox_failed, used_elsewhere
from kexplain.cluster import Cluster
from kexplain.diagnosis.beyond_templates import with_template
from kexplain.diagnosis.records import Held, Kind
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, said_of
from kexplain.tables import sections

_Judge: TypeAlias = Callable[[Pod, Sequence[Event], Cluster], Held | None]
#: What is over comes first, then what it waits for, the last step of starting first.
_JUDGES: tuple[_Judge, ...] = (
    stuck_terminating, preempted, evicted, turned_away, not_resized, on_no_node, past_the_scheduler, not_started,
    used_elsewhere, sandbox_failed, not_attached, not_mounted, initializing, refused_by_node, not_ready,
)  # fmt: skip

#: What another template may mend, or who makes what is missing.
_MENDED_BY_TEMPLATES = (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED, Kind.NOT_READY, Kind.VOLUME_NOT_MOUNTED)

#: What may be so on some nodes alone.
_OF_NODES = sections("finding-kinds")["of single nodes"]


def stopped(pod: Pod, events: Iterable[Event], cluster: Cluster) -> Held | None:
    """The first thing that is known to keep it from running; None for one that runs, or of which nothing is known.

    `pod` is as its cluster has it, and `events` are those about it.
    """
    if not (pod.may_be_stopped or is_astray(pod, cluster)):
        return None
    about = sorted(events, key=lambda event: event.last_seen, reverse=True)
    found = next(filter(None, (judge(pod, about, cluster) for judge in _JUDGES)), None)
    if found and found.kind in _MENDED_BY_TEMPLATES:
        found = with_template(found, pod, cluster)
        found = with_source(found, pod, cluster)
    is_of_node = found is not None and found.kind in _OF_NODES
    return with_reports(with_other_nodes(found, pod, cluster), pod, cluster) if found and is_of_node else found


def all_stopped(pods: Iterable[Pod], cluster: Cluster, events: Iterable[Event] = ()) -> Iterator[tuple[Pod, Held]]:
    """The pods that have a node and do not run, by what their status and these events say.

    One that was told to go, and is on its way, is none of them.
    """
    by_key = grouped(((event.namespace, event.subject.name), event) for event in events)
    for pod in pods:
        found = stopped(pod, said_of(pod, by_key.get((pod.namespace, pod.name), ())), cluster)
        if found is not None and not _is_leaving(pod, found):
            yield pod, found


def _is_leaving(pod: Pod, found: Held) -> bool:
    """Whether its kubelet is about to end it for whoever needs the room or the node."""
    is_told = found.kind in (Kind.EVICTED, Kind.PREEMPTED) and pod.status.phase != "Failed"
    return is_told and pod.metadata.deletion_timestamp is not None
