"""A case: the pods to place, and the cluster to place them in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder
from kexplain.case.records import NotCreated, OwnPods, PodToPlace, Searched
from kexplain.cluster import Cluster
from kexplain.cluster.departing import departed
from kexplain.config.releases.detection import ReleaseChoice
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.scheduler.cycle import Scheduler


class Case(Struct, frozen=True):
    """A cluster, the pods to place in it in the order read, the scheduler that places them, and notes on the reading.

    `searched` is set where no pod was named, but all pending ones were asked for. `workloads` were named without a
    number of pods to place, so that their own pods are meant: those that are pending are among `pods`.
    """

    cluster: Cluster
    pods: tuple[PodToPlace, ...]
    notes: tuple[str, ...] = ()
    scheduler: Scheduler = msgspec.field(default_factory=build_scheduler)
    searched: Searched | None = None
    workloads: tuple[OwnPods, ...] = ()
    #: Where pods were searched for: those that have a node, and may not run there.
    stopped: tuple[Pod, ...] = ()
    #: What was said of these.
    stopped_events: tuple[Event, ...] = ()
    #: The release that the cluster lets on, for settings that name none.
    observed: ReleaseChoice = ReleaseChoice()
    #: What is not created, though it was asked for.
    not_created: tuple[NotCreated, ...] = ()
    #: Knows what else an API server would make of the pods and their workloads.
    builder: CaseBuilder | None = None


def running_anew(case: Case, places: Iterable[int] | None = None) -> Iterator[Case]:
    """A case for each pod that runs, or for those at these places: the cluster without it, and the pod to be placed."""
    running = running_pods(case)
    for pod in running if places is None else map(running.__getitem__, places):
        anew = PodToPlace(replace(pod, spec=replace(pod.spec, node_name=None)), running=pod)
        yield replace(case, cluster=departed(case.cluster, [pod]), pods=(anew,), notes=())


def running_pods(case: Case) -> list[Pod]:
    """The pods that run, each at its place."""
    return [*case.cluster.pods]


def places_by_workload(case: Case) -> list[int]:
    """The places of the pods that run, those of one workload in a row: what is found out about one serves the next."""
    workloads = [
        (pod.namespace, (by.name or "") if (by := pod.metadata.controller) else "") for pod in running_pods(case)
    ]
    return sorted(range(len(workloads)), key=workloads.__getitem__)
