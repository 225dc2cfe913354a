"""What settings that differ between two schedulers have to do with the pods that both were asked about."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from kexplain.explanation.steps import NOT_RUN, SKIP, SUCCESS, CycleStep, cycle_steps
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.trace import Decision
from kexplain.report.listing import listing
from kexplain.report.scheduler_changes import SettingChange, scheduler_changes
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import plural

#: Arguments that say how long is waited.
_TIMES = {"bindTimeoutSeconds", "filterTimeout", "bindingTimeout"}
#: Where only groups come by.
_OF_GROUPS = {ExtensionPoint.PLACEMENT_GENERATE, ExtensionPoint.PLACEMENT_SCORE, ExtensionPoint.PLACEMENT_FEASIBLE}
_FILTERS, _SCORES = (
    {ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER},
    {ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE},
)
#: The steps of a plugin at these points, and all that decide.
_FILTERING, _SCORING = ("PreFilter", "Filter"), ("PreScore", "Score", "NormalizeScore", "Weight")
_DECIDING = (*_FILTERING, *_SCORING, "PostFilter")
#: So many texts are told of one setting.
_TEXTS = 2


class Bearings:
    """The settings that differ, and what each does for the pods, which are noted one by one."""

    def __init__(self, before: Scheduler, after: Scheduler) -> None:
        self._schedulers = before, after
        self._changes = [*scheduler_changes(listing(before), listing(after))]
        self._texts: list[Counter[str]] = [Counter() for _ in self._changes]
        self._is_any_noted = False
        self._unknown: dict[str, str] = {}

    def note(self, before: Decision, after: Decision) -> None:
        """Note how a pod fared on both sides."""
        self._is_any_noted = True
        sides = before, after
        steps = []
        for decision, scheduler in zip(sides, self._schedulers, strict=True) if self._changes else ():
            steps.append(cycle_steps(decision, scheduler))
            profile = scheduler.profiles.get(decision.scheduler_name)
            self._unknown |= {**(profile.left_open(decision.pod) if profile else {}), **decision.not_evaluated}
        for change, texts in zip(self._changes, self._texts, strict=True):
            if change.profile in ("", after.scheduler_name):
                told = [[each for each in of_side if each.plugin == change.plugin] for of_side in steps]
                texts[self._text(change, sides, told)] += 1

    def told(self) -> tuple[SettingChange, ...]:
        """The settings with what each does for the pods that were noted."""
        pairs = zip(self._changes, self._texts, strict=True)
        return tuple(
            replace(each, bearing=self._of(each, texts), evaluated=each.plugin not in self._unknown)
            for each, texts in pairs
        )

    def _of(self, change: SettingChange, texts: Counter[str]) -> str:
        if change.profile and self._is_any_noted and not texts:
            return "no pod asks for this profile"
        if len(texts) < 2:
            return next(iter(texts), "")
        return "; ".join(f"{text} ({plural(count, 'pod')})" for text, count in texts.most_common(_TEXTS) if text)

    def _text(self, change: SettingChange, sides: Sequence[Decision], steps: Sequence[Sequence[CycleStep]]) -> str:
        if not change.plugin:
            return _looked_at(sides) if change.what == "percentageOfNodesToScore" else ""
        if change.plugin in self._unknown:
            return f"not evaluated: {self._unknown[change.plugin]}"
        what = {*change.what.split(", ")}
        if what <= _TIMES:
            return "how long is waited decides nothing here"
        if what <= _OF_GROUPS:
            return "" if any(each.group for each in sides) else "no group is placed"
        if what <= _SCORES and not any(each.scores for each in sides):
            return "no nodes are ranked"
        at = _FILTERING if what <= _FILTERS else _SCORING if what <= _SCORES else _DECIDING
        return _bearing(*(_steps(of_side, at) for of_side in steps))


def _steps(steps: Sequence[CycleStep], at: Sequence[str]) -> Sequence[CycleStep]:
    return [each for each in steps if each.extension_point in at]


def _looked_at(sides: Iterable[Decision]) -> str:
    counts = [f"{each.sampling.evaluated} of {plural(len(each.nodes), 'node')}" for each in sides]
    one, other = counts
    return f"{one} looked at on both sides" if one == other else f"{one} looked at, and {other}"


def _bearing(before: Sequence[CycleStep], after: Sequence[CycleStep]) -> str:
    """What a plugin, by its steps on both sides, does for a pod, and whether it does the same."""
    ran = [each for each in (*before, *after) if each.answer not in (SKIP, NOT_RUN)]
    if not ran:
        details = [each.detail for each in (*before, *after) if each.answer == SKIP and each.detail]
        return f"nothing to do: {details[0]}" if details else "nothing to do"
    was, now = map(_turned_down, (before, after))
    if was != now:
        return f"turns down {plural(was, 'node')}, then {now}"
    if before == after:
        return "says the same on both sides"
    figures = [each.figures for each in ran if "lowest" in each.figures]
    if figures:
        return "gives other points" if any(map(_sets_apart, figures)) else "the same for all nodes"
    return "says otherwise" if was or {each.answer for each in ran} != {SUCCESS} else "turns no node down"


def _sets_apart(figures: Mapping[str, int]) -> bool:
    return figures["lowest"] != figures["highest"]


def _turned_down(steps: Iterable[CycleStep]) -> int:
    return sum(each.figures.get("turnedDown", 0) for each in steps)
