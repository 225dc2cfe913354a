"""What pods of a trace meet under several schedulers, as it is rendered and as JSON publishes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kexplain.explain.output import Output
from kexplain.explain.records import Document
from kexplain.tables import table

#: What decides how pods fare in a real cluster, and is left out.
NOT_MODELLED = table("replay-not-modelled", tuple[str, ...])


class ReplaySample(Output, frozen=True):
    """A stretch of time that begins at `time`: the most that were pending, and means of the rest.

    `used` are shares of what all nodes offer, `fragmented` the share of what is free that is of no use.
    """

    time: float
    pending: int
    running: float
    nodes_used: float
    used: Mapping[str, float]
    fragmented: float


class ReplayRun(Output, frozen=True):
    """One configuration and one order of arrivals; times in seconds, means over time but for those of the wait.

    The wait is that of pods which ran, up to when they first did. `pending` is the mean, `most_pending` the peak.
    """

    configuration: str
    seed: int
    kubernetes_version: str
    ran: int
    never_ran: int
    evictions: int
    waited: int
    mean_wait: float
    median_wait: float
    wait95: float
    longest_wait: float
    pending: float
    most_pending: int
    nodes_used: float
    most_nodes_used: int
    used: Mapping[str, float]
    fragmented: float
    ends_at: float
    samples: tuple[ReplaySample, ...]


class ReplayReport(Document, frozen=True, kw_only=True):
    """The runs in the order of configurations, those of one configuration by their seeds.

    `measured` is the resource whose fragments are counted. `shared_gpus` is how many pods take a whole GPU here of
    which the trace gives them a part.
    """

    kind: str = "ReplayReport"
    pods: int
    nodes: int
    first_arrival: float
    last_arrival: float
    measured: str
    shared_gpus: int
    runs: tuple[ReplayRun, ...]
    not_modelled: Sequence[str] = NOT_MODELLED
    notes: tuple[str, ...] = ()
