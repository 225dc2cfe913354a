"""Nodes emptied together, and room made for pods, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from kexplain.explain.output import Output
from kexplain.explain.records import Document
from kexplain.report.drain_records import DrainedPod


class Staying(Output, frozen=True):
    """A node that is not emptied, why, and pods that are the reason."""

    node: str
    because: str
    pods: tuple[str, ...] = ()


class Saved(Output, frozen=True):
    """What goes with the nodes of a pool; `perHour` is null where the price of one is not known."""

    pool: str
    nodes: int
    of: int
    cpu_milli: int
    memory_bytes: int
    per_hour: float | None = None


class RoomFor(Output, frozen=True):
    """A pod for which room was to be made, and the node that takes it then; null where no moves are known."""

    pod: str
    node: str | None = None


class PackReport(Document, frozen=True, kw_only=True):
    """What can be carried out in this order, as `commands` do it, and what becomes of every pod that leaves.

    `emptied` nodes can go; `untried` ones were not looked at, as somebody or the time ended the search.
    """

    kind: str = "PackReport"
    kubernetes_version: str
    total: int
    keep: str = ""
    emptied: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    pods: tuple[DrainedPod, ...] = ()
    staying: tuple[Staying, ...] = ()
    untried: int = 0
    saved: tuple[Saved, ...] = ()
    #: The pods that had no node before, as `namespace/name`: they are left aside.
    pending_before: tuple[str, ...] = ()
    #: If that was asked for, in place of `emptied` nodes.
    room_for: tuple[RoomFor, ...] = ()
    #: What is taken for granted, as the input does not say it.
    rests_on: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_possible(self) -> bool:
        """Whether some node can go, or room can be made."""
        return bool(self.emptied) or (bool(self.room_for) and all(each.node for each in self.room_for))
