"""Running areas, whatever kind they are of."""

from __future__ import annotations

from . import admission, capacity, scheduling, settled, text
from .corpora import Area, CorpusError, Kind
from .tally import Tally


def run(area: Area, tally: Tally) -> None:
    """Add the figures of one area. Raises CorpusError if it cannot be read, or holds nothing."""
    before = tally.total
    match area.corpus.kind:
        case Kind.SCHEDULING | Kind.POLICY:
            scheduling.run(area, tally)
        case Kind.ADMISSION:
            admission.run(area, tally)
        case Kind.CAPACITY:
            capacity.run(area, tally)
        case Kind.SETTLED:
            settled.run(area, tally)
        case Kind.TEXT:
            text.run(area, tally)
    if tally.total == before:
        raise CorpusError(f"{area.file} holds no decisions of area {area.name}")
