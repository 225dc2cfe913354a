"""What is on the page of a what-if."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import (
    Page,
    Part,
    Prose,
    Sheet,
    State,
    cluster_figures,
    columns,
    numbers,
    resting_on,
    settled,
    worded,
)
from kexplain.render.pages.causes import causes_of_groups
from kexplain.render.pages.difference import in_full_parts, is_moved, where
from kexplain.render.pages.held import standing_briefly
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.difference import Standing
from kexplain.report.groups import reasons
from kexplain.report.what_if import ChangedPod, Effect, WhatIfReport
from kexplain.report.workloads import RolloutReport
from kexplain.words import clauses, plural, some, verb

_SHOWN = 3
#: What one pod or several do, in the order of the page.
_VERBS = worded("effects", dict[Effect, tuple[str, str]])
_TITLES = {effect: several.removeprefix("are ").upper() for effect, (_, several) in _VERBS.items()}
#: What keeps old pods, or all of them, on purpose.
_KEPT = worded("old pods kept by", dict[str, str])


def page(report: WhatIfReport, view: View) -> Page:
    """What becomes pending first, with the causes, then all others by what happens to them, and last what stays so.

    In detail, pods that were tried on both sides, with another verdict or node, follow as in a comparison. Of those
    that would land where they would before there is nothing to say.
    """
    told = [pod for pod in report.pods if _is_told(pod, view)]
    by_effect = {effect: [pod for pod in told if pod.effect is effect] for effect in _TITLES}
    staying, changing = by_effect[Effect.STAYS_PENDING], [*_effects(by_effect)]
    sheets: list[Part] = [Prose(list(_sides(report))), _resized(report)]
    sheets += [_workloads(report), *changing] if report.is_worse else [*changing, _workloads(report)]
    moved = [*filter(is_moved, filter(None, (pod.difference for pod in told)))]
    sheets.append(_together("STAY PENDING", "BECAUSE", [(pod.pod, _reason(pod)) for pod in staying]))
    sheets += chain.from_iterable(map(in_full_parts, moved[: view.top or None] if view.verbose else ()))
    sheets += [*_settled(report), _elsewhere(report), *cluster_figures.parts(report.figures, view)]
    why = f"; {parameter('verbose')} shows why" if moved and not (view.verbose or view.draws) else ""
    aside = f"kubernetes {report.kubernetes_version}{why}"
    parts = [*resting_on(report.rests_on), *sheets]
    return Page(_headline(report, by_effect), State.of(not report.is_worse), aside, parts)


def _is_told(pod: ChangedPod, view: View) -> bool:
    """Whether there is something to say of it: not if it returns, unless it runs and is made anew."""
    is_remade = pod.before is not None and pod.before.running
    return view.verbose or pod.effect is not Effect.RETURNS or is_remade


def _settled(report: WhatIfReport) -> Iterator[Sheet]:
    if report.settled is not None:
        stopped = ((pod.pod, pod.stopped_by and pod.stopped_by.diagnosis) for pod in report.pods)
        yield from settled.sheets(report.settled, {key: wrong.text for key, wrong in stopped if wrong})


def _elsewhere(report: WhatIfReport) -> Sheet:
    rows = [(each.pod, each.node, some(each.best, 3)) for each in report.elsewhere or ()]
    return Sheet("WOULD LAND ELSEWHERE TODAY", columns("POD", "ON", "WOULD LAND ON"), rows)


def _resized(report: WhatIfReport) -> Sheet:
    """What becomes of pods that were to be resized where they run."""
    rows = [(each.pod, each.container, each.node, each.outcome.lower(), each.because) for each in report.resized]
    return Sheet("RESIZED IN PLACE", columns("POD", "CONTAINER", "ON", "WHAT", "BECAUSE"), rows)


def _workloads(report: WhatIfReport) -> Prose:
    """How far each workload gets that does not get there; of one that only waits for its pods to be ready, nothing."""
    short = (each for each in report.rollouts if not each.complete and (each.old or each.new < each.desired))
    return Prose([line for each in short for line in _rollout(each)], "WORKLOADS", is_apart=True)


def _is_stuck(rollout: RolloutReport) -> bool:
    """Whether pods are missing or wait, which nobody has asked for."""
    return not rollout.complete and bool(rollout.pending or rollout.not_created)


def _rollout(rollout: RolloutReport) -> Iterator[str]:
    name = f"{rollout.namespace}/{rollout.name} ({rollout.kind})"
    others = clauses(
        f"{plural(rollout.old, 'old pod')} left" if rollout.old else "",
        f"{rollout.pending} pending" if rollout.pending else "",
        f"{rollout.not_created} not created" if rollout.not_created else "",
    )
    if rollout.kept_old_by and not _is_stuck(rollout):
        yield f"{name} is {_KEPT.get(rollout.kept_old_by, rollout.kept_old_by)}: {rollout.new} of {rollout.desired} new"
    else:
        at = f"at {rollout.new} of {rollout.desired}"
        bounds = f" ({rollout.bounds})" if rollout.bounds else ""
        left = f": {others}" if others else ""
        yield f"{name} stalls {at} new{left}{bounds}" if rollout.old else f"{name} stops {at}{left}"
    yield from (f"  {each}" for each in rollout.refusals)


def _effects(by_effect: Mapping[Effect, Sequence[ChangedPod]]) -> Iterator[Sheet]:
    for effect, pods in by_effect.items():
        if effect is not Effect.STAYS_PENDING:
            yield _gone(pods) if effect is Effect.GOES else _sheet(effect, pods)
        if effect is Effect.BECOMES_PENDING:
            stopped = ((pod.pod, pod.stopped_by) for pod in pods if pod.stopped_by is not None)
            yield from causes_of_groups(((by.message, reasons(by.causes)), (name, by)) for name, by in stopped)


def _gone(pods: Sequence[ChangedPod]) -> Sheet:
    """Those of one node in a row, or all in one where each had a node of its own."""
    places = {_where(pod.before) for pod in pods}
    are_apart = _SHOWN < len(places) == len(pods)
    cells = [(pod.pod, f"on {len(places)} nodes" if are_apart else _where(pod.before)) for pod in pods]
    return _together(_TITLES[Effect.GOES], "BEFORE", cells)


def _reason(pod: ChangedPod) -> str:
    if pod.stopped_by is None:
        return _where(pod.after)
    return pod.stopped_by.diagnosis.text if pod.stopped_by.diagnosis else pod.stopped_by.message


def _together(title: str, head: str, cells: Iterable[tuple[str, str]]) -> Sheet:
    """Pods of which the same is said in a row."""
    pods_by_text = grouped((text, pod) for pod, text in cells)
    rows = [(str(len(pods)), some(pods, _SHOWN), text) for text, pods in pods_by_text.items()]
    return Sheet(title, (*numbers("PODS"), *columns("WHICH", head)), rows)


def _sides(report: WhatIfReport) -> Iterator[str]:
    yield "before  as it is"
    yield from (f"{'' if number else 'after':<7} {change}" for number, change in enumerate(report.changes))


def _headline(report: WhatIfReport, by_effect: dict[Effect, list[ChangedPod]]) -> str:
    counts = {effect: len(pods) for effect, pods in by_effect.items() if pods}
    parts = [f"{plural(count, 'pod')} {_VERBS[effect][count > 1]}" for effect, count in counts.items()]
    missing = sum(each.not_created for each in report.rollouts)
    if missing:
        parts.insert(0, f"{plural(missing, 'pod')} {verb(missing, 'is')} not created")
    resized = Counter(each.outcome for each in report.resized)
    parts[:0] = [f"{plural(count, 'resize')} {verb(count, 'is')} {each.lower()}" for each, count in resized.items()]
    if not by_effect[Effect.STAYS_PENDING]:
        so_far = ", as far as it is followed" if report.rests_on else ""
        return ", ".join(parts) or f"nothing changes for any pod{so_far}"
    return ", ".join(parts) if len(parts) > 1 else f"nothing changes: {parts[0]}"


def _sheet(effect: Effect, pods: Sequence[ChangedPod]) -> Sheet:
    has_victims = any(pod.preempts for pod in pods)
    # That all of them are new, or pending, is what the title says.
    sides = zip(*((pod.before, pod.after) for pod in pods), strict=True)
    is_told = [{*map(_where, side)} - {DASH, "pending"} for side in sides]
    cells = [
        (
            pod.pod,
            _where(pod.before, "waits, and fits on ") if is_told[0] else "",
            _where(pod.after) if is_told[1] else "",
            (some(pod.preempts, _SHOWN) or DASH) if has_victims else "",
        )
        for pod in pods
    ]
    return Sheet(_TITLES[effect], columns("POD", "BEFORE", "AFTER", "PREEMPTS"), cells)


def _where(standing: Standing | None, so_far: str = "") -> str:
    if standing is None:
        return DASH
    if not standing.node:
        return "pending" if standing.outcome is Outcome.UNSCHEDULABLE else standing.outcome.lower()
    if standing.held:
        return standing_briefly(standing.held)
    return f"runs on {standing.node}" if standing.running else f"{so_far}{where(standing)}"
