"""What is on the page of a what-if."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.render import settled
from kexplain.render.pages import Page, Rows, Sheet, causes_sheet
from kexplain.render.sentences import DASH
from kexplain.render.view import View
from kexplain.report.what_if import ChangedPod, Effect, PodState, WhatIfReport
from kexplain.words import plural, some

_PENDING = (Effect.BECOMES_PENDING, Effect.STAYS_PENDING)
_TITLES = {
    Effect.BECOMES_PENDING: "BECOME PENDING",
    Effect.FITS_NOW: "FIT NOW",
    Effect.MOVES: "MOVE",
    Effect.LANDS: "NEW, AND PLACED",
    Effect.STAYS_PENDING: "STAY PENDING",
    Effect.RETURNS: "LAND WHERE THEY WERE",
    Effect.GOES: "GO",
}
_VERBS = {
    Effect.BECOMES_PENDING: ("becomes pending", "become pending"),
    Effect.FITS_NOW: ("fits now", "fit now"),
    Effect.MOVES: ("moves", "move"),
    Effect.LANDS: ("is new and has a place", "are new and have a place"),
    Effect.STAYS_PENDING: ("stays pending", "stay pending"),
    Effect.RETURNS: ("lands where it was", "land where they were"),
    Effect.GOES: ("goes", "go"),
}
_SHOWN_CAUSES = 3


def page(report: WhatIfReport, view: View) -> Page:  # noqa: ARG001 (all of it is shown in any case)
    """What becomes pending first, with the causes, then all others by what happens to them."""
    by_effect = {effect: [pod for pod in report.pods if pod.effect is effect] for effect in _TITLES}
    sheets = []
    for effect, pods in by_effect.items():
        if pods:
            sheets.append(_sheet(effect, pods))
        if effect in _PENDING:
            sheets += _why(pods)
    if report.settled is not None:
        sheets += settled.sheets(report.settled)
    if report.elsewhere:
        rows = [(each.pod, each.node, some(each.best, 3)) for each in report.elsewhere]
        sheets.append(Sheet("RUN, AND WOULD LAND ELSEWHERE TODAY", ("POD", "RUNS ON", "WOULD LAND ON"), rows))
    is_good = not any(by_effect[effect] for effect in _PENDING)
    aside = f"kubernetes {report.kubernetes_version}"
    return Page(
        is_good, _headline(by_effect), aside, lines=[f"with {change}" for change in report.changes], sheets=sheets
    )


def rows(report: WhatIfReport) -> Rows:
    """A row a pod."""
    heads = ("pod", "effect", "outcomeBefore", "nodeBefore", "outcomeAfter", "nodeAfter", "preempts", "message")
    return Rows(
        heads,
        [
            (
                pod.pod,
                pod.effect.value,
                pod.before.outcome if pod.before else "",
                pod.before.node if pod.before else "",
                pod.after.outcome if pod.after else "",
                pod.after.node if pod.after else "",
                "; ".join(pod.preempts),
                pod.after.message if pod.after else "",
            )
            for pod in report.pods
        ],
    )


def _headline(by_effect: dict[Effect, list[ChangedPod]]) -> str:
    parts = [
        f"{plural(len(pods), 'pod')} {_VERBS[effect][len(pods) > 1]}" for effect, pods in by_effect.items() if pods
    ]
    return ", ".join(parts) or "nothing changes for any pod"


def _sheet(effect: Effect, pods: Sequence[ChangedPod]) -> Sheet:
    has_victims = any(pod.preempts for pod in pods)
    heads = ("POD", "BEFORE", "AFTER", *(["PREEMPTS"] if has_victims else []))
    cells = [
        (pod.pod, _where(pod.before), _where(pod.after), *([some(pod.preempts, 3) or DASH] if has_victims else []))
        for pod in pods
    ]
    return Sheet(_TITLES[effect], heads, cells)


def _where(state: PodState | None) -> str:
    if state is None:
        return DASH
    return state.node or ("pending" if state.outcome == "Unschedulable" else state.outcome.lower())


def _why(pods: Sequence[ChangedPod]) -> list[Sheet]:
    """The causes behind pending pods, those with one message together."""
    groups: dict[str, list[ChangedPod]] = {}
    for pod in pods:
        if pod.stopped_by is not None:
            groups.setdefault(pod.stopped_by.message, []).append(pod)
    largest = sorted(groups.items(), key=lambda group: -len(group[1]))[:_SHOWN_CAUSES]
    return [
        causes_sheet(f"WHY {some([pod.pod for pod in group], 2)}", group[0].stopped_by.causes, message)
        for message, group in largest
        if group[0].stopped_by
    ]
