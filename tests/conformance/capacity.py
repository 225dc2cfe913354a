"""Clusters that were filled with replicas of a pod, and nodes that were drained."""

from __future__ import annotations

from itertools import islice

from msgspec import Raw
from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.load import Loaded
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.replica_capacity import fill, replicas_of
from kexplain.world.draining import Drain

from .corpora import Area, CorpusError
from .scenario import Recorded
from .scheduling import cluster_of, read
from .tally import Case, Tally


class Fits(Recorded, kw_only=True):
    """How many replicas fitted, where, and what was said about the first that did not."""

    fits: int
    by_node: dict[str, int]
    message: str | None


class FilledCluster(Recorded, kw_only=True):
    """A cluster to be filled with replicas of a pod, up to a limit."""

    id: str
    area: str
    objects: Raw
    pod: Raw
    limit: int
    start_node_index: int
    expected: Fits


class Landed(Recorded, kw_only=True):
    """What became of a pod that had to leave."""

    pod: str
    outcome: str
    node: str | None
    message: str | None


class DrainedNode(Recorded, kw_only=True):
    """A cluster, and the node of it that was drained."""

    id: str
    area: str
    objects: Raw
    node: str
    expected: list[Landed]


def run(area: Area, tally: Tally) -> None:
    """Fill and drain anew, and count what is as recorded. Raises CorpusError."""
    scheduler = build_scheduler(SchedulerSettings(kubernetes_version=area.corpus.release))
    match area.name:
        case "capacity":
            for filled in area.rows(FilledCluster):
                with tally.decision(filled.id) as case:
                    _compare_filled(filled, scheduler, case)
        case "drain":
            for drained in area.rows(DrainedNode):
                with tally.decision(drained.id) as case:
                    _compare_drained(drained, scheduler, case)
        case _:
            raise CorpusError(f"{area.file}: capacities are in capacity.jsonl.gz, drains in drain.jsonl.gz")


def _compare_filled(recorded: FilledCluster, scheduler: Scheduler, case: Case) -> None:
    (pod,) = read(b"[%b]" % bytes(recorded.pod))
    assert isinstance(pod, Pod)
    # As the pods of the recordings, which were to evict nobody.
    calm = replace(pod, spec=replace(pod.spec, preemption_policy="Never"))
    replicas = islice(replicas_of([calm]), recorded.limit)
    filled = fill(scheduler, cluster_of(read(recorded.objects), scheduler), replicas, recorded.start_node_index)
    expected = recorded.expected
    case.compare("fits", expected.fits, len(filled.placements))
    case.compare("byNode", expected.by_node, filled.by_node(0))
    case.compare("message", expected.message, filled.stopped_by.message if filled.stopped_by else None)


def _compare_drained(recorded: DrainedNode, scheduler: Scheduler, case: Case) -> None:
    objects = read(recorded.objects)
    builder = CaseBuilder(Contents(Loaded(), objects, scheduler))
    drain = Drain(builder, scheduler, cluster_of(objects, scheduler))
    got = {leaver.pod.key: leaver for leaver in drain.step([recorded.node])}
    case.compare("pods", sorted(landed.pod for landed in recorded.expected), sorted(got))
    for landed in recorded.expected:
        decision = got[landed.pod].decision
        case.compare("outcome", landed.outcome, decision.outcome.value if decision else None)
        case.compare("node", landed.node, (decision.host or None) if decision else None)
        case.compare("message", landed.message, (decision.message or None) if decision else None)
