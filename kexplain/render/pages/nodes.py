"""Tables of nodes: what stopped each, how those that fit rank, how scores come about, and one node in full."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.explain.distance import rejections
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.objections.storage import VolumeOutOfReachFact, VolumeZoneFact
from kexplain.explain.records import NodeVerdict, Score, Verdict
from kexplain.explanation.records import Choice, PodExplanation
from kexplain.grouping import grouped
from kexplain.render.pages import NAMED, Column, Part, Prose, Sheet, Style, columns, numbers
from kexplain.render.pages.node_columns import STOPPED_BY, In, detail_of, for_people
from kexplain.render.pages.sentences import mean, node_lines, term_cells
from kexplain.render.pages.walks import walked_lines
from kexplain.render.view import DEFAULT_TOP, View
from kexplain.tables import table
from kexplain.words import some

#: So many nodes are enough to see how far off the pod is, unless more are asked for.
NEAREST = 5
#: What is not said in the word of the verdict.
_WORDS = {Verdict.NOT_EVALUATED: "not looked at", Verdict.EXCLUDED: "excluded by name"}
#: Whether it would help to evict pods, by the code of the status.
_EVICTION = {"Unschedulable": "may help"}
#: Column heads where the plugins' names do not fit.
SHORT_NAMES = table("short-plugin-names", dict[str, str])


def node_parts(pod: PodExplanation, view: View) -> Iterator[Part]:
    """The nodes that fit, ranked, and those that do not, where nothing fits or they are asked for."""
    yield from _feasible(NodeVerdicts.of(pod.node_verdicts).where(_fits), view)
    asks_for_more = view.all_failures or bool(view.plugin)
    if pod.choice is None or asks_for_more:
        yield from _rejected(pod, view, in_full=asks_for_more or view.is_detailed)


def _rejected(pod: PodExplanation, view: View, *, in_full: bool) -> Iterator[Part]:
    rejected = NodeVerdicts.of(pod.node_verdicts).where(
        lambda each: not _fits(each) and bool(each.stopped_by or each.also)
    )
    if rejected and in_full:
        title = "NODES" if pod.choice is None else "REJECTED"
        sheet = _every_objection if view.all_failures else _stopped
        yield sheet(view.limited(rejected), title, len(rejected), view)
    elif rejected and not _is_one_for_all(pod, rejected):
        yield from _nearest(pod, rejected, view)


def _fits(verdict: NodeVerdict) -> bool:
    return verdict.verdict is Verdict.FEASIBLE


def _nearest(pod: PodExplanation, rejected: NodeVerdicts, view: View) -> Iterator[Sheet]:
    """The nodes where the pod belongs, or all where it belongs nowhere, as far as it takes to see what is wrong."""
    candidates, own = _own_nodes(pod)
    found = rejected.among(own) or rejected
    if _are_told(found):
        return
    is_part = len(found) < len(rejected)
    title = "CANDIDATES, THE NEAREST FIRST" if is_part and candidates else "NODES, THE NEAREST FIRST"
    limit = NEAREST if view.top == DEFAULT_TOP else view.top or None
    sheet = _without_said(_stopped(found[:limit], title, len(found), view), pod)
    if len(sheet.rows) == 1 and not any(sheet.rows[0][2:]) and (view.width or NAMED) >= NAMED:
        # The table of causes has the names.
        return
    plugins = {each.sample.stopped_by.plugin for each in found.distinct if each.sample.stopped_by}
    yield _without_plugin(sheet, plugins.pop()) if len(plugins) == 1 else sheet


def _are_told(found: NodeVerdicts) -> bool:
    """Whether what stops the pod there is said of the causes: of one node, or where volumes and nodes are."""
    if len(found) == 1:
        return not found[0].also
    said = (by.facts for each in found.distinct for by in rejections(each.sample))
    return all(isinstance(fact, VolumeOutOfReachFact | VolumeZoneFact) for facts in said for fact in facts)


def _own_nodes(pod: PodExplanation) -> tuple[frozenset[str], frozenset[str]]:
    """The candidates, and those or else the nodes that the diagnosis is about."""
    candidates = frozenset(pod.circles.candidates if pod.circles else ())
    return candidates, candidates or frozenset(pod.diagnosis.nodes if pod.diagnosis else ())


def _without_said(sheet: Sheet, pod: PodExplanation) -> Sheet:
    """The table without details, where all of them are said of the causes, word for word."""
    said = {cause.text for cause in pod.causes}
    if not all(said.intersection(row) for row in sheet.rows):
        return sheet
    return replace(sheet, rows=[tuple("" if cell in said else cell for cell in row) for row in sheet.rows])


def _without_plugin(sheet: Sheet, plugin: str) -> Sheet:
    """The table with the one plugin that stops all in its title."""
    kept = [place for place, column in enumerate(sheet.columns) if column.head != STOPPED_BY]
    shown = tuple(sheet.columns[place] for place in kept)
    rows = [tuple(row[place] for place in kept) for row in sheet.rows]
    return replace(sheet, title=f"{sheet.title}: {plugin}", columns=shown, rows=rows)


def _is_one_for_all(pod: PodExplanation, rejected: Sequence[NodeVerdict]) -> bool:
    """Whether one cause stops the pod on all nodes, in the same words on each."""
    if len(pod.causes) != 1 or pod.causes[0].count < pod.nodes.total:
        return False
    return all(each.stopped_by and each.stopped_by.detail == pod.causes[0].text for each in rejected)


def _feasible(verdicts: Sequence[NodeVerdict], view: View) -> Iterator[Part]:
    if any(verdict.scores for verdict in verdicts):
        yield _ranked(view.limited(verdicts), "RANKED", len(verdicts), view)
        if view.is_detailed:
            yield from _arithmetic(view.limited(verdicts))
    elif view.all_failures and verdicts:
        yield Prose([some([verdict.node for verdict in verdicts], 20)], "FITS ON")


def _stopped(verdicts: Sequence[NodeVerdict], title: str, total: int, view: View) -> Sheet:
    """A row a node; nodes of which all other columns say the same share one."""
    found, rows = for_people(In.REJECTED, verdicts, view)
    names_by_cells = grouped((tuple(cells), name) for name, *cells in rows)
    merged = [(", ".join(who) if view.is_detailed else some(who, 3), *cells) for cells, who in names_by_cells.items()]
    return Sheet(title, tuple(found), merged, more=total - len(verdicts))


def _every_objection(verdicts: Sequence[NodeVerdict], title: str, total: int, view: View) -> Sheet:
    """A row an objection; the node is named on its first."""
    objecting = ((verdict.node, *each) for verdict in verdicts for each in enumerate(rejections(verdict)))
    rows = [
        ("" if index else node, each.plugin, detail_of(each, view), _EVICTION.get(each.code, "no help"))
        for node, index, each in objecting
    ]
    heads = (*columns("NODE", "PLUGIN", "DETAIL"), Column("EVICTION", Style.DIM))
    return Sheet(title, heads, rows, more=total - len(verdicts))


def _ranked(verdicts: Sequence[NodeVerdict], title: str, total: int, view: View) -> Sheet:
    """Scores by plugin; those that are the same everywhere decide nothing and share a line below."""
    plugins = [score.plugin for score in verdicts[0].scores]
    same = {} if view.is_detailed or len(verdicts) < 2 else _same_everywhere(verdicts, plugins)
    shown = [plugin for plugin in plugins if plugin not in same]
    found, rows = for_people(In.RANKED, verdicts, view)
    heads = [Column(plugin, is_number=True, short=SHORT_NAMES.get(plugin, "")) for plugin in shown]
    notes = ["raw / normalized / weighted"] if view.is_detailed else []
    if same:
        where = f"all {len(verdicts)} nodes shown" if len(verdicts) < total else "all nodes"
        notes.append(f"the same on {where}: " + ", ".join(f"{plugin} {points}" for plugin, points in same.items()))
    cells = [(*row, *_points(each, shown, view)) for row, each in zip(rows, verdicts, strict=True)]
    return Sheet(title, (*found, *heads), cells, notes=notes, more=total - len(verdicts), keys=len(found))


def _points(verdict: NodeVerdict, plugins: Sequence[str], view: View) -> Iterator[str]:
    by_plugin = {score.plugin: score for score in verdict.scores}
    return (_cell(by_plugin[plugin], detailed=view.is_detailed) for plugin in plugins)


def _arithmetic(verdicts: Sequence[NodeVerdict]) -> Iterator[Part]:
    """How scores come about: a row a resource, and their mean below; the sums of others only where nodes differ."""
    same = _same_everywhere(verdicts, [score.plugin for score in verdicts[0].scores]) if len(verdicts) > 1 else {}
    by_plugin = grouped((found.plugin, (each.node, found)) for each in verdicts for found in each.score_terms)
    heads = (*columns("NODE", "RESOURCE"), *numbers("WITH THE POD", "OF", "USED", "POINTS", "WEIGHT"))
    for plugin, scores in by_plugin.items():
        means, strategy = [f"{node}: {mean(found)}" for node, found in scores], scores[0][1].strategy
        if strategy:
            terms = ((node, *each) for node, found in scores for each in enumerate(found.terms))
            rows = [("" if place else node, *term_cells(term)) for node, place, term in terms]
            shape = ", ".join(f"{points} at {used}%" for used, points in scores[0][1].shape)
            notes = [f"points: {shape}, straight between", *means] if shape else means
            yield Sheet(f"HOW {plugin} SCORES ({strategy})", heads, rows, notes=notes, is_whole=True)
        elif plugin not in same:
            yield Prose(means, f"HOW {plugin} SCORES")


def _same_everywhere(verdicts: Sequence[NodeVerdict], plugins: Sequence[str]) -> dict[str, int]:
    points = grouped((score.plugin, score.weighted) for verdict in verdicts for score in verdict.scores)
    return {plugin: points[plugin][0] for plugin in plugins if len({*points.get(plugin, ())}) == 1}


def _cell(score: Score, *, detailed: bool) -> str:
    return f"{score.raw}/{score.normalized}/{score.weighted}" if detailed else str(score.weighted)


def _margin(verdict: NodeVerdict, choice: Choice | None) -> str:
    """How far a node is behind the best ones."""
    if choice is None or choice.total is None or verdict.total is None or verdict.node == choice.node:
        return ""
    fewer = choice.total - verdict.total
    return f", {fewer} fewer than {choice.node}" if fewer else f", as many as {choice.node}"


def one_node(pod: PodExplanation, view: View) -> Iterator[Part]:
    """The sections of a single node that was asked for: its verdict, its points and what it runs."""
    for each in pod.node_verdicts:
        ranked = f", rank {each.rank} with {each.total} points{_margin(each, pod.choice)}" if each.scores else ""
        facts = [f"{_WORDS.get(each.verdict, each.verdict.lower())}{ranked}"]
        if each.evicted_after_seconds is not None:
            facts.append(f"would evict the pod again after {each.evicted_after_seconds} s")
        if pod.walk is not None:
            facts += walked_lines(pod.walk)
        if pod.node_state is not None:
            facts += node_lines(pod.node_state)
        yield Prose(facts, f"NODE {each.node}")
        yield _every_objection([each], "OBJECTIONS", 1, view)
        if each.scores:
            yield _ranked([each], "SCORES", 1, View(verbose=True, width=view.width))
            yield from _arithmetic([each])
