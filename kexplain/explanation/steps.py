"""The scheduling cycle of one pod in upstream's order: every extension point, who took part, and what came of it.

Source: scheduler `schedule_one.go` (`schedulingCycle`, `bindingCycle`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explanation.choices import choice
from kexplain.explanation.pre_filter_states import state_text
from kexplain.explanation.pre_filters import pre_filter_answers
from kexplain.framework.extender import ExtenderConfig, ExtenderVerb
from kexplain.framework.plugin import ExtensionPoint as Point
from kexplain.framework.plugin import PreFiltered, Skip
from kexplain.framework.postfilter import PostFiltered, Preemption
from kexplain.framework.profile import Profile
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision, GroupOutcome, Outcome, PluginScores
from kexplain.scheduler.cycle import Scheduler
from kexplain.tables import table
from kexplain.words import clauses, plural, some

#: By extension point and plugin, what a pod lacks for which the plugin has nothing to do.
_SKIPS = table("skips", dict[str, dict[str, str]])
SUCCESS, SKIP, NOT_RUN, NOT_EVALUATED = "Success", "Skip", "NotRun", "NotEvaluated"
#: The answers of PreFilter after which the next one is asked.
_GOES_ON = (SUCCESS, SKIP, "Unschedulable")
#: Beyond these there are steps of the scheduler itself.
_SELECT, _GROUP = "SelectHost", "PodGroup"
_BEHIND = (Point.RESERVE, Point.PERMIT, Point.PRE_BIND, Point.BIND, Point.POST_BIND)


class CycleStep(Output, frozen=True):
    """One plugin, extender or the scheduler itself (empty `plugin`) at an extension point.

    `answer` is upstream's code, Skip for one that has nothing to do with this pod, NotRun for one that was not asked,
    and NotEvaluated for one whose answer nobody here knows.
    `figures` are its numbers: asked and turnedDown for filters; lowest, highest and weight for scores; candidates for
    preemption, as many as it looks at.
    """

    extension_point: str
    plugin: str
    answer: str
    detail: str = ""
    figures: dict[str, int] = msgspec.field(default_factory=dict)


_Figures: TypeAlias = Mapping[str, int] | None


def cycle_steps(
    decision: Decision, scheduler: Scheduler, plugins: Collection[str] | None = None
) -> tuple[CycleStep, ...]:
    """All steps in order, or those of some plugins; none for a pod that this scheduler leaves alone."""
    profile = scheduler.profiles.get(decision.scheduler_name)
    if profile is None or decision.outcome is Outcome.DELETING:
        return ()
    unknown = {**profile.left_open(decision.pod), **decision.not_evaluated}
    return tuple(
        replace(each, answer=NOT_EVALUATED, detail=unknown[each.plugin], figures={}) if each.plugin in unknown else each
        for each in _steps(decision, profile, scheduler.extenders, plugins)
        if plugins is None or each.plugin in plugins
    )


def _steps(
    decision: Decision, profile: Profile, extenders: Sequence[ExtenderConfig], plugins: Collection[str] | None
) -> Iterator[CycleStep]:
    yield from _queueing(decision, profile)
    if decision.outcome is Outcome.GATED:
        return
    if (group := decision.group) is not None:
        failed = "Error" if group.is_error else "Unschedulable"
        tried = f"{plural(len(group.members), 'pod')} tried, in {plural(len(group.placements) or 1, 'placement')}"
        answer, said = (SUCCESS, tried) if group.is_scheduled else (failed, group.message)
        yield CycleStep(extension_point=_GROUP, plugin="", answer=answer, detail=said)
        yield from _placements(group, profile)
    yield from _pre_filters(decision, profile)
    yield from _filters(decision, profile)
    yield from _extenders(decision, extenders, Point.FILTER, ExtenderVerb.FILTER)
    for plugin, found in decision.post_filter:
        answer = found.status.code.value if found.status else SUCCESS
        said = ", ".join(found.status.reasons) if found.status else found.message
        yield _step(Point.POST_FILTER, plugin, answer, said or _nomination(found), _weighed(found.preemption))
    if decision.outcome is Outcome.SCHEDULED:
        yield from _scores(decision, profile, plugins)
        yield from _extenders(decision, extenders, Point.SCORE, ExtenderVerb.PRIORITIZE)
        if plugins is None:
            yield _selection(decision)
        yield from _binding(decision, profile)


def _nomination(found: PostFiltered) -> str:
    """Which node, whom that costs its place, out of how many, for which reason, and what is left to chance."""
    nominates, dry = f"nominates {found.nominated_node}", found.preemption
    if dry is None:
        return nominates
    decided = next((step.criterion for step in dry.ladder if len(step.remaining) == 1), "")
    early = f"the search starts at a random one of {dry.potential} nodes and stops at {dry.enough} candidates"
    evicts = [pod.key for each in dry.candidates if each.node_name == found.nominated_node for pod in each.victims]
    return clauses(
        f"{nominates}, one of {plural(len(dry.candidates), 'candidate')}, and evicts {some(evicts)}",
        f"chosen for: {decided}" if decided else "",
        f"equally good: {some(dry.best)}" if len(dry.best) > 1 else "",
        early if dry.stops_early else "",
    )


def _weighed(dry: Preemption | None) -> Mapping[str, int]:
    """At how many candidates for preemption the search stops."""
    return {"candidates": dry.enough if dry.stops_early else len(dry.candidates)} if dry and dry.candidates else {}


def _queueing(decision: Decision, profile: Profile) -> Iterator[CycleStep]:
    gated_by = decision.gated_by
    for plugin in _at(profile, Point.PRE_ENQUEUE):
        is_gate = plugin == gated_by
        answer = "UnschedulableAndUnresolvable" if is_gate else SUCCESS
        yield _step(Point.PRE_ENQUEUE, plugin, answer, decision.message if is_gate else "")
        if is_gate:
            return
    for plugin in _at(profile, Point.QUEUE_SORT):
        yield _step(Point.QUEUE_SORT, plugin, SUCCESS, f"priority {decision.pod.priority}")


def _placements(group: GroupOutcome, profile: Profile) -> Iterator[CycleStep]:
    """What only groups pass: where they are tried, where they can run, and what each of these places scores."""
    tried, can_run = group.placements, [each for each in group.placements if each.can_run]
    names = f"{plural(len(tried), 'placement')}: {some([each.name for each in tried])}" if tried else ""
    runs = f"{len(can_run)} of {plural(len(tried) or 1, 'placement')} can run"
    for point, detail in ((Point.PLACEMENT_GENERATE, names), (Point.PLACEMENT_FEASIBLE, runs)):
        yield from (_step(point, plugin, SUCCESS if detail else NOT_RUN, detail) for plugin in _at(profile, point))
    for plugin in _at(profile, Point.PLACEMENT_SCORE):
        points = {each.name: each.score.by_plugin[plugin].weighted for each in can_run if each.score}
        detail = ", ".join(f"{name} {count}" for name, count in points.items())
        yield _step(Point.PLACEMENT_SCORE, plugin, SUCCESS if points else NOT_RUN, detail)


def _pre_filters(decision: Decision, profile: Profile) -> Iterator[CycleStep]:
    """Who is behind a final rejection was not asked, whatever it would have said."""
    answers = {each.plugin: each for each in pre_filter_answers(decision)}
    left, is_over = None, False
    for plugin in _at(profile, Point.PRE_FILTER):
        said = None if is_over else answers.get(plugin)
        if said is not None and said.nodes is not None:
            left = {*said.nodes} if left is None else left & {*said.nodes}
        is_over = is_over or left == set() or (said is not None and said.status not in _GOES_ON)
        if said is None:
            yield _step(Point.PRE_FILTER, plugin, NOT_RUN)
            continue
        narrowed = "" if said.nodes is None else f"only {plural(len(said.nodes), 'node')} can fit"
        answer = decision.pre_filter[plugin]
        found = state_text(answer.state) if isinstance(answer, PreFiltered) else ""
        detail = said.message or "; ".join(filter(None, (found, narrowed)))
        yield _step(Point.PRE_FILTER, plugin, said.status, detail)


def _filters(decision: Decision, profile: Profile) -> Iterator[CycleStep]:
    """How many nodes each was asked about: those that nobody before it had turned down."""
    answers, feasible = decision.pre_filter, frozenset(decision.feasible)
    is_searched = not any(isinstance(answer, Status) for answer in answers.values())
    by_node = decision.statuses.by_node
    stopped = Counter(status.plugin for name, status in by_node.items() if name not in feasible)
    is_searched = is_searched and decision.outcome is not Outcome.ERROR
    left = len(feasible) + stopped.total() if is_searched else 0
    is_searched = left > 0
    for plugin in _at(profile, Point.FILTER):
        if is_searched and isinstance(answers.get(plugin), Skip):
            yield _step(Point.FILTER, plugin, SKIP)
        elif not left:
            yield _step(Point.FILTER, plugin, NOT_RUN)
        else:
            down = stopped[plugin]
            detail = f"{plural(left, 'node')} asked about, {down or 'none'} turned down"
            answer = "Unschedulable" if down else SUCCESS
            yield _step(Point.FILTER, plugin, answer, detail, {"asked": left, "turnedDown": down})
            left -= 0 if profile.runs_all_filters else down


def _extenders(
    decision: Decision, extenders: Sequence[ExtenderConfig], point: Point, verb: ExtenderVerb
) -> Iterator[CycleStep]:
    for config in extenders:
        if config.name in decision.not_evaluated and verb in config.asked_verbs:
            yield _step(point, config.name, NOT_RUN)
    for call in decision.extender_calls:
        if call.verb is verb:
            detail = call.error or f"{call.nodes_sent} sent, {call.nodes_kept} kept"
            figures = {"asked": call.nodes_sent, "turnedDown": call.nodes_sent - call.nodes_kept}
            yield _step(point, call.extender, "Error" if call.error else SUCCESS, detail, figures)


def _scores(decision: Decision, profile: Profile, plugins: Collection[str] | None) -> Iterator[CycleStep]:
    """What each plugin, or each of some, makes of the nodes that fit."""
    scored = decision.scores.by_plugin
    if not scored:
        yield _step(Point.SCORE, "", NOT_RUN, "only one node fits: nothing to rank")
        return
    if plugins is not None:
        scored = {name: points for name, points in scored.items() if name in plugins}
    for plugin in _at(profile, Point.PRE_SCORE, plugins):
        yield _step(Point.PRE_SCORE, plugin, SUCCESS if plugin in scored else SKIP)
    for plugin in _at(profile, Point.SCORE, plugins):
        if plugin in scored:
            yield _ranged(Point.SCORE.title_case, plugin, scored[plugin].raw)
        else:
            yield _step(Point.SCORE, plugin, SKIP)
    for plugin in filter(scored.__contains__, profile.normalizers):
        yield _ranged("NormalizeScore", plugin, scored[plugin].normalized)
    yield from (_weighted(plugin, scores) for plugin, scores in scored.items())


def _weighted(plugin: str, scores: PluginScores) -> CycleStep:
    weighted = {name: points * scores.weight for name, points in scores.normalized.items()}
    return _ranged("Weight", plugin, weighted, f" (weight {scores.weight})", {"weight": scores.weight})


def _ranged(point: str, plugin: str, points: Mapping[str, int], aside: str = "", figures: _Figures = None) -> CycleStep:
    lowest, highest = min(points.values()), max(points.values())
    detail = f"{lowest} on all nodes" if lowest == highest else f"{lowest} to {highest}"
    both = {"lowest": lowest, "highest": highest, **(figures or {})}
    return CycleStep(extension_point=point, plugin=plugin, answer=SUCCESS, detail=detail + aside, figures=both)


def _selection(decision: Decision) -> CycleStep:
    best, total = decision.best, decision.scores.total_by_node.get(decision.host)
    points = "" if total is None else f" with {total} points"
    ties = f", one of {len(best)} with as many: drawn at random, each as likely" if len(best) > 1 else ""
    found = choice(decision)
    if found and found.total is not None and found.runner_up_total is not None:
        ahead = ", ".join(f"{each.plugin} {each.weighted:+d}" for each in found.margins)
        points += f", {found.total - found.runner_up_total} more than {found.runner_up}: {ahead}"
    figures = {"tied": len(best)} if total is None else {"tied": len(best), "total": total}
    return CycleStep(
        extension_point=_SELECT, plugin="", answer=SUCCESS, detail=f"{decision.host}{points}{ties}", figures=figures
    )


def _binding(decision: Decision, profile: Profile) -> Iterator[CycleStep]:
    """What is behind the choice, of which nothing is done here."""
    does = {(step.extension_point, plugin): f"would {step.action}" for plugin, step in decision.binding}
    for point in _BEHIND:
        own = [plugin for of, plugin in does if of is point]
        for plugin in dict.fromkeys((*_at(profile, point), *own)):
            yield _step(point, plugin, SUCCESS, does.get((point, plugin), "nothing to do"))


def _at(profile: Profile, point: Point, plugins: Collection[str] | None = None) -> Iterable[str]:
    """The plugins at a point, or those of some that are there."""
    names = profile.at_point.get(point, ())
    return names if plugins is None else [name for name in names if name in plugins]


def _step(point: Point, plugin: str, answer: str, detail: str = "", figures: _Figures = None) -> CycleStep:
    detail = detail or (_SKIPS.get(point.title_case, {}).get(plugin, "") if answer == SKIP else "")
    return CycleStep(
        extension_point=point.title_case, plugin=plugin, answer=answer, detail=detail, figures=dict(figures or {})
    )
