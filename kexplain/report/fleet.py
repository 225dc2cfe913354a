"""On which of several clusters pods fit, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from collections.abc import Iterable

from kexplain.explain.output import Output
from kexplain.explain.records import Document

#: No more copies are counted: whoever asks wants to know where there is room, not how much in all.
ROOM = 100


class FleetMember(Output, frozen=True):
    """One cluster: how many of the pods fit there by themselves, what stops the first of the others, what would help.

    `room` is how many copies of the first pod the cluster takes, counted up to 100; null where it was not looked at.
    A cluster that cannot be read has an `error` and nothing else.
    """

    cluster: str
    kubernetes_version: str = ""
    nodes: int = 0
    pods: int = 0
    fitting: int = 0
    room: int | None = None
    stopped_by: str = ""
    helps: str = ""
    error: str = ""

    @property
    def fits(self) -> bool:
        """Whether all pods do."""
        return 0 < self.pods == self.fitting


class FleetReport(Document, frozen=True, kw_only=True):
    """The clusters, first those that one would choose: where all fits, with most room."""

    kind: str = "FleetReport"
    clusters: tuple[FleetMember, ...]


def ranked(members: Iterable[FleetMember]) -> FleetReport:
    """The report on these clusters."""

    def place(each: FleetMember) -> tuple[bool, bool, float, int, str]:
        share = each.fitting / each.pods if each.pods else 0.0
        return bool(each.error), not each.fits, -share, -(each.room or 0), each.cluster

    return FleetReport(clusters=tuple(sorted(members, key=place)))
