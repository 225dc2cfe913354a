"""A case: the pods to place, and the cluster to place them in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from itertools import islice

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.scheduler.cycle import Scheduler


@dataclass(frozen=True, slots=True)
class PodToPlace:
    """A pod to place, as admitted; where it was read from; and what had to be assumed about it.

    `events` are what schedulers have said about it, and `running` is the pod as it runs, if it does.
    """

    pod: Pod
    source: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()
    #: What the pod was made of: a workload, or the pod as it was read.
    made_of: KubernetesObject | None = None
    events: tuple[Event, ...] = ()
    running: Pod | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """How many pods were searched for those without a node, in how many namespaces; by which name, if any."""

    pods: int
    namespaces: int
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster, the pods to place in it in the order read, the scheduler that places them, and notes on the reading.

    `searched` is set where no pod was named, but all pending ones were asked for.
    """

    cluster: Cluster
    pods: tuple[PodToPlace, ...]
    notes: tuple[str, ...] = ()
    scheduler: Scheduler = field(default_factory=build_scheduler)
    searched: Searched | None = None


def running_anew(case: Case, share: tuple[int, int] = (0, 1)) -> Iterator[Case]:
    """A case for each pod that runs: the cluster without it, and the pod to be placed again.

    A share such as (1, 4) has those from the second on that are four apart.
    """
    running = (pod_info.pod for node_info in case.cluster.node_infos for pod_info in node_info.pods)
    first, step = share
    for pod in islice(running, first, None, step):
        anew = PodToPlace(replace(pod, spec=replace(pod.spec, node_name=None)))
        yield replaced(case, cluster=case.cluster.without([pod]), pods=(anew,), notes=())
