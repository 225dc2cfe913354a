"""What settings that differ between two schedulers have to do with the pods that both were asked about."""

from collections import Counter
from collections.abc import Iterable, Sequence

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
_SCORES = {ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE}
#: All steps that decide, and the steps of what is only at some points.
_DECIDING = ("PreFilter", "Filter", "PostFilter", "PreScore", "Score", "NormalizeScore", "Weight")
_STEPS = (({ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER}, _DECIDING[:2]), (_SCORES, _DECIDING[3:]))
#: What plugins do, as the figures of their steps count it.
_COUNTS = ("turnedDown", "turns down", "node"), ("candidates", "evicts from the best of", "candidate")
#: So many texts are told of one setting.
_TEXTS = 2


class Bearings:
    """The settings that differ, and what each does for the pods, which are noted one by one."""

    def __init__(self, before: Scheduler, after: Scheduler) -> None:
        self._schedulers = before, after
        self._changes = [*scheduler_changes(listing(before), listing(after))]
        self._texts: list[Counter[str]] = [Counter() for _ in self._changes]
        self._noted = 0
        self._unknown: dict[str, str] = {}

    def note(self, before: Decision, after: Decision) -> None:
        """Note how a pod fared on both sides."""
        self._noted += 1
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
        if change.profile and self._noted and not texts:
            return "no pod asks for this profile"
        if len(texts) == 1:
            return next(iter(texts))
        return "; ".join(f"{text} ({plural(count, 'pod')})" for text, count in texts.most_common(_TEXTS) if text)

    def _text(self, change: SettingChange, sides: Sequence[Decision], steps: Sequence[Sequence[CycleStep]]) -> str:
        if not change.plugin:
            return _looked_at(change.what, sides)
        if change.plugin in self._unknown:
            return f"not evaluated: {self._unknown[change.plugin]}"
        what = {*change.what.split(", ")}
        if what <= _TIMES:
            return "how long is waited decides nothing here"
        if what <= _OF_GROUPS:
            return "" if any(each.group for each in sides) else "no group is placed"
        if what <= _SCORES and not any(each.scores for each in sides):
            return "no nodes are ranked"
        at = next((steps for points, steps in _STEPS if what <= points), _DECIDING)
        return _bearing(*([each for each in of_side if each.extension_point in at] for of_side in steps))


def _looked_at(what: str, sides: Iterable[Decision]) -> str:
    """How many nodes are looked at, if that is what the setting is about."""
    if what != "percentageOfNodesToScore":
        return ""
    counts = [f"{each.sampling.evaluated} of {plural(len(each.nodes), 'node')}" for each in sides]
    return f"{', then '.join(dict.fromkeys(counts))} looked at"


def _bearing(before: Sequence[CycleStep], after: Sequence[CycleStep]) -> str:
    """What a plugin, by its steps on both sides, does for a pod, and whether it does the same."""
    ran = [each for each in (*before, *after) if each.answer not in (SKIP, NOT_RUN)]
    if not ran:
        details = [each.detail for each in (*before, *after) if each.detail]
        return ": ".join(("nothing to do", *details[:1]))
    if before == after:
        return "says the same on both sides"
    for name, does, kind in _COUNTS:
        was, now = (sum(_figures(of_side, name)) for of_side in (before, after))
        if was != now:
            return f"{does} {plural(was, kind)}, then {now}"
    if lowest := _figures(ran, "lowest"):
        return "the same for all nodes" if lowest == _figures(ran, "highest") else "gives other points"
    return "says otherwise" if {each.answer for each in ran} != {SUCCESS} else "turns no node down"


def _figures(steps: Iterable[CycleStep], name: str) -> Sequence[int]:
    return [each.figures[name] for each in steps if name in each.figures]
