"""What is recorded of which release, as a table for the README."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from kexplain.config.releases.release import RELEASES, UNRECORDED

from .corpora import Area, Kind

_HEAD = ("| Kubernetes | scheduling | what else |", "|---|---|---|")
#: What a recording of each kind is called, by the name of its area where that tells more.
_WORDS = {
    Kind.ADMISSION: "pods admitted or refused",
    Kind.CHANGES: "changes followed to their end",
    Kind.DEVICES: "searches for devices",
    Kind.GROUPS: "queues with groups of pods",
    Kind.KINDS: "manifests of {kinds} kinds",
    Kind.LIVE: "pods tried on a whole cluster",
    Kind.SETTLED: "queues left alone until nothing moved",
    "capacity": "clusters filled",
    "drain": "nodes drained",
    "workloads": "workloads followed to their end",
}


class _Results(msgspec.Struct):
    results: list[msgspec.Raw] = []


class _Scenario(msgspec.Struct):
    expected: _Results


class _Object(msgspec.Struct):
    kind: str


class _Manifest(msgspec.Struct):
    object: _Object


def as_markdown(areas: Iterable[Area]) -> Iterator[str]:
    """The table, newest release first: how many decisions of a scheduler there are, and what else."""
    by_release: dict[str, dict[object, Area]] = {}
    for area in areas:
        # Some areas are halves of one file.
        by_release.setdefault(area.corpus.release, {}).setdefault(area.file, area)
    yield from _HEAD
    for release in reversed(RELEASES):
        yield _row(release, list(by_release.get(release, {}).values()))


def _row(release: str, areas: list[Area]) -> str:
    if release in UNRECORDED:
        return f"| {release} | not recorded yet: decided as its source reads | |"
    scheduling = [area for area in areas if area.corpus.kind in {Kind.SCHEDULING, Kind.POLICY}]
    decisions = sum(len(row.expected.results) for area in scheduling for row in area.rows(_Scenario))
    if any(area.corpus.kind is Kind.POLICY for area in scheduling):
        scope = "with a Policy"
    else:
        scope = f"in {len(scheduling)} areas"
    kinds = {row.object.kind for area in areas if area.corpus.kind is Kind.KINDS for row in area.rows(_Manifest)}
    counts: Counter[str] = Counter()
    for area in areas:
        if area not in scheduling:
            words = _WORDS.get(area.corpus.kind) or _WORDS[area.name]
            counts[words.format(kinds=len(kinds))] += sum(1 for _ in area.rows(msgspec.Raw))
    others = ", ".join(f"{count:,} {words}" for words, count in counts.items())
    cells = f"| {release} | {decisions:,} decisions {scope} |"
    return f"{cells} {others} |" if others else f"{cells} |"
