"""Running areas, whatever kind they are of."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import admission, capacity, changes, devices, kinds, live, scheduling, settled, text, workloads
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
        case Kind.CHANGES:
            changes.run(area, tally)
        case Kind.DEVICES:
            devices.run(area, tally)
        case Kind.KINDS:
            kinds.run(area, tally)
        case Kind.LIVE:
            live.run(area, tally)
        case Kind.GROUPS | Kind.SETTLED:
            settled.run(area, tally)
        case Kind.TEXT:
            text.run(area, tally)
        case Kind.WORKLOADS:
            workloads.run(area, tally)
    if tally.total == before:
        raise CorpusError(f"{area.file} holds no decisions of area {area.name}")


def run_all(areas: Sequence[Area], jobs: int) -> dict[str, dict[str, Tally]]:
    """The figures of all areas by corpus and name, in their order; those of one name are counted together.

    Areas are spread over processes, the largest first. Raises CorpusError as `run` does.
    """
    parts: dict[tuple[str, str], list[Area]] = {}
    for area in areas:
        parts.setdefault((area.corpus.name, area.name), []).append(area)
    tallies: dict[str, dict[str, Tally]] = {corpus: {} for corpus, _ in parts}
    if jobs == 1 or len(parts) == 1:
        for (corpus, name), part in parts.items():
            tallies[corpus][name] = _run_together(part)
        return tallies
    largest_first = sorted(parts.items(), key=lambda item: -sum(area.file.stat().st_size for area in item[1]))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found = dict(
            zip(
                (key for key, _ in largest_first),
                pool.map(_run_together, (part for _, part in largest_first)),
                strict=True,
            )
        )
    for corpus, name in parts:
        tallies[corpus][name] = found[corpus, name]
    return tallies


def _run_together(areas: Sequence[Area]) -> Tally:
    tally = Tally()
    for area in areas:
        run(area, tally)
    return tally
