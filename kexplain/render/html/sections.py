"""What the page says of pods that share a fate, arranged for drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from kexplain.explain.records import NodeVerdict, Verdict
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.render.pod_groups import Paragraph, event_lines, group_verdict, paragraphs
from kexplain.render.sentences import advice, counts, request_lines, verdict, warnings
from kexplain.render.view import View, objections
from kexplain.report.places import NodePlaces
from kexplain.report.records import Report

#: So many rows of nodes are drawn in all, the first pods' first: a page has to open at once.
ROWS = 20_000
#: So many colours there are, in the style sheet, for plugins and for totals.
COLORS = 12
LEVELS = 5
#: The length of the longest bar.
BAR_WIDTH = 400

_STATES = {Outcome.SCHEDULED: "fits", Outcome.GATED: "waits", Outcome.NO_PROFILE: "waits"}
_VERDICTS = {
    Verdict.FEASIBLE: "fits",
    Verdict.REJECTED: "rejected",
    Verdict.EXCLUDED: "excluded by name",
    Verdict.NOT_EVALUATED: "not looked at",
}


class Row(NamedTuple):
    """A node. `style` is a class of the style sheet, `kind` what the legend calls it."""

    verdict: NodeVerdict
    style: str
    kind: str
    detail: str
    also: str
    pool: str
    zone: str


class Part(NamedTuple):
    """A plugin's part of a bar."""

    plugin: str
    points: int
    start: float
    width: float
    style: str


class Bar(NamedTuple):
    """A node's total as a bar of its parts."""

    verdict: NodeVerdict
    parts: Sequence[Part]
    is_tied: bool
    is_chosen: bool


class NodeMap(Struct, frozen=True):
    """All nodes. `kinds` counts them by what the legend calls them, and `styles` gives each kind its class."""

    rows: Sequence[Row]
    plugins: Sequence[str]
    kinds: Mapping[str, int]
    styles: Mapping[str, str]
    has_also: bool
    #: What the map can be grouped by.
    groupings: Sequence[str]


class Section(Struct, frozen=True):
    """Pods that share a fate; `is_alike` is whether what is said of nodes holds for all of them."""

    anchor: str
    paragraph: Paragraph
    title: str
    state: str
    lines: Sequence[str]
    warnings: Sequence[str]
    requests: Sequence[str]
    stopped: Mapping[str, int]
    nodes: NodeMap | None
    bars: Sequence[Bar]

    @property
    def pod(self) -> PodExplanation:
        """The first pod, which stands for all."""
        return self.paragraph.pods[0]


def sections(report: Report, view: View) -> Iterator[Section]:
    """The pods of the report, those of one fate together, the largest group first."""
    room = ROWS
    places = _Places(report.places)
    for number, paragraph in enumerate(paragraphs(report), 1):
        pods, pod = paragraph.pods, paragraph.pods[0]
        is_drawn = paragraph.is_alike and 0 < len(pod.node_verdicts) <= room
        room -= len(pod.node_verdicts) if is_drawn else 0
        counted = counts(pod) if pod.nodes.total and pod.choice is not None else ""
        yield Section(
            anchor=f"part-{number}",
            paragraph=paragraph,
            title=verdict(pod) if len(pods) == 1 else group_verdict(pods),
            state=_STATES.get(pod.outcome, "fails"),
            lines=[line for line in (counted, *event_lines(paragraph), advice(pod)) if line],
            warnings=list(dict.fromkeys(line for each in pods for line in warnings(each))),
            requests=request_lines(pod),
            stopped=_stopped(pod, report.plugins.get(pod.scheduler_name, {}).get("filter", ())),
            nodes=_node_map(pod.node_verdicts, places) if is_drawn else None,
            bars=_bars(pod, view),
        )


class _Places:
    """The pool and the zone of each node, where there is more than one."""

    def __init__(self, places: NodePlaces | None) -> None:
        self.pools = _by_node(places.pools if places else {})
        self.zones = _by_node(places.zones if places else {})
        self.groupings = [name for name, found in (("pool", self.pools), ("zone", self.zones)) if found]


def _by_node(nodes_by_place: Mapping[str, Sequence[str]]) -> dict[str, str]:
    if len(nodes_by_place) < 2:
        return {}
    return {node: place for place, nodes in nodes_by_place.items() for node in nodes}


def _stopped(pod: PodExplanation, order: Sequence[str]) -> dict[str, int]:
    """How many nodes each plugin stopped, in the order in which they ran; extenders come last."""
    found: Counter[str] = Counter()
    for cause in pod.causes:
        found[cause.plugin] += cause.count
    places = {plugin: place for place, plugin in enumerate(order)}
    return dict(sorted(found.items(), key=lambda item: places.get(item[0], len(places))))


def _node_map(verdicts: Sequence[NodeVerdict], places: _Places) -> NodeMap:
    kinds = Counter(map(_kind, verdicts))
    plain = set(_VERDICTS.values())
    names = [kind for kind, _ in kinds.most_common() if kind not in plain]
    styles = {name: f"k{place % COLORS}" for place, name in enumerate(names)}
    totals = [each.total for each in verdicts if each.total is not None]
    lowest, highest = (min(totals), max(totals)) if totals else (0, 0)
    rows = [_row(each, styles, lowest, highest, places) for each in verdicts]
    return NodeMap(
        rows=rows,
        plugins=next(([score.plugin for score in each.scores] for each in verdicts if each.scores), []),
        kinds=dict(kinds.most_common()),
        styles={kind: styles.get(kind, "f4" if kind == _VERDICTS[Verdict.FEASIBLE] else "unseen") for kind in kinds},
        has_also=any(row.also for row in rows),
        groupings=places.groupings,
    )


def _kind(each: NodeVerdict) -> str:
    against = objections(each)
    return against[0].plugin if against and each.verdict is not Verdict.FEASIBLE else _VERDICTS[each.verdict]


def _row(each: NodeVerdict, styles: Mapping[str, str], lowest: int, highest: int, places: _Places) -> Row:
    against = objections(each)
    kind = _kind(each)
    style = styles.get(kind, "unseen")
    if each.verdict is Verdict.FEASIBLE:
        style = f"f{_level(each.total, lowest, highest)}"
    also = "; ".join(f"{other.plugin}: {other.detail}" for other in against[1:])
    detail = against[0].detail if against else ""
    return Row(each, style, kind, detail, also, places.pools.get(each.node, ""), places.zones.get(each.node, ""))


def _level(total: int | None, lowest: int, highest: int) -> int:
    """Where a total stands between the lowest and the highest."""
    if total is None or highest == lowest:
        return LEVELS - 1
    return (total - lowest) * (LEVELS - 1) // (highest - lowest)


def _bars(pod: PodExplanation, view: View) -> list[Bar]:
    scored = view.limited([each for each in pod.node_verdicts if each.scores])
    longest = max((sum(max(score.weighted, 0) for score in each.scores) for each in scored), default=0)
    best = pod.choice.best if pod.choice and len(pod.choice.best) > 1 else ()
    chosen = pod.choice.node if pod.choice else ""
    return [Bar(each, _parts(each, longest), each.node in best, each.node == chosen) for each in scored]


def _parts(each: NodeVerdict, longest: int) -> list[Part]:
    parts, start = [], 0.0
    for place, score in enumerate(each.scores):
        width = max(score.weighted, 0) * BAR_WIDTH / longest if longest else 0.0
        parts.append(Part(score.plugin, score.weighted, round(start, 1), round(width, 1), f"k{place % COLORS}"))
        start += width
    return parts
