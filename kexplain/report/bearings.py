"""What settings that differ between two schedulers have to do with the pods that both were asked about."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
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
#: Where only groups come by, and what happens there.
_OF_GROUPS = {
    ExtensionPoint.PLACEMENT_GENERATE: "makes ", ExtensionPoint.PLACEMENT_SCORE: "gives ",
    ExtensionPoint.PLACEMENT_FEASIBLE: "",
}  # fmt: skip
#: Where pods are held back.
_HOLDING = {ExtensionPoint.PRE_ENQUEUE, ExtensionPoint.PERMIT}
_SCORES = {ExtensionPoint.PRE_SCORE, ExtensionPoint.SCORE}
#: All steps that decide, and the steps of what is only at some points.
_DECIDING = ("PreFilter", "Filter", "PostFilter", "PreScore", "Score", "NormalizeScore", "Weight")
_STEPS = (({ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER}, _DECIDING[:2]), (_SCORES, _DECIDING[3:]))
#: What plugins do, as the figures of their steps count it.
_COUNTS = ("turnedDown", "turns down", "node"), ("candidates", "evicts from the best of", "candidate")
#: So many texts are told of one setting.
_TEXTS = 2
_PODS = "{pods}"


class Bearing(Struct, frozen=True, array_like=True):
    """What a setting does for a pod, where `{pods}` stands for how many it does that for, and whether that is known."""

    text: str
    is_known: bool = True


class Bearings:
    """The settings that differ, and what each does for the pods, which are noted one by one."""

    def __init__(self, before: Scheduler, after: Scheduler) -> None:
        self._schedulers = before, after
        self._changes = [*scheduler_changes(listing(before), listing(after))]
        self._plugins = {each.plugin for each in self._changes}
        self._found: list[Counter[Bearing]] = [Counter() for _ in self._changes]
        self._noted = 0

    def of(self, before: Decision, after: Decision) -> tuple[Bearing | None, ...]:
        """What each setting does for a pod that fared like that on both sides; None for those of other profiles."""
        steps, unknown = [], dict[str, str]()
        for decision, scheduler in zip((before, after), self._schedulers, strict=True) if self._changes else ():
            steps.append(cycle_steps(decision, scheduler, self._plugins))
            profile = scheduler.profiles.get(decision.scheduler_name)
            unknown |= {**(profile.left_open(decision.pod) if profile else {}), **decision.not_evaluated}

        def one(change: SettingChange) -> Bearing | None:
            if change.profile not in ("", after.scheduler_name):
                return None
            if change.plugin in unknown:
                return Bearing(f"not evaluated: {unknown[change.plugin]}", is_known=False)
            own = [[each for each in of_side if each.plugin == change.plugin] for of_side in steps]
            return Bearing(_text(change, (before, after), own))

        return tuple(map(one, self._changes))

    def note(self, found: Sequence[Bearing | None]) -> None:
        """Count what is said of a pod."""
        self._noted += 1
        for each, counts in zip(found, self._found, strict=True):
            counts.update([each] if each else ())

    def told(self) -> tuple[SettingChange, ...]:
        """The settings with what each does for the pods that were noted."""
        pairs = zip(self._changes, self._found, strict=True)
        return tuple(
            replace(each, bearing=self._of(each, found), evaluated=all(bearing.is_known for bearing in found))
            for each, found in pairs
        )

    def _of(self, change: SettingChange, found: Counter[Bearing]) -> str:
        if change.profile and self._noted and not found:
            return "no pod asks for this profile"
        return "; ".join(_counted(each.text, count, found) for each, count in found.most_common(_TEXTS) if each.text)


def _counted(text: str, count: int, found: Collection[Bearing]) -> str:
    pods = plural(count, "pod")
    return text.replace(_PODS, pods) if _PODS in text or len(found) == 1 else f"{text} ({pods})"


def _text(change: SettingChange, sides: Sequence[Decision], steps: Sequence[Sequence[CycleStep]]) -> str:
    if not change.plugin:
        return _looked_at(change.what, sides)
    what = {*change.what.split(", ")}
    if what <= _TIMES:
        return "how long is waited decides nothing here"
    if what <= _SCORES and not any(each.scores for each in sides):
        return "no nodes are ranked"
    if what <= _HOLDING:
        return _waiting(change.plugin, sides)
    if what <= _OF_GROUPS.keys():
        return _for_groups(what, steps) if any(each.group for each in sides) else "no group is placed"
    at = next((steps for points, steps in _STEPS if what <= points), _DECIDING)
    return _bearing(*([each for each in of_side if each.extension_point in at] for of_side in steps))


def _waiting(plugin: str, sides: Sequence[Decision]) -> str:
    """Whether the pod waits before its turn or, with its group, behind it, on which side."""
    was, now = (each.gated_by == plugin or bool(each.group and not each.group.is_scheduled) for each in sides)
    if was == now:
        return f"{_PODS} wait on both sides" if was else "makes no pod wait"
    return f"{'makes' if now else 'no longer makes'} {_PODS} wait"


def _for_groups(what: Collection[str], steps: Sequence[Sequence[CycleStep]]) -> str:
    """What is done for the group as a whole."""
    does = [(point.title_case, words) for point, words in _OF_GROUPS.items() if point in what]
    done = (
        [
            f"{words}{each.detail}"
            for at, words in does
            for each in of_side
            if each.extension_point == at and each.detail
        ]
        for of_side in steps
    )
    was, now = (next(iter(each), "") for each in done)
    return now or (f"no longer {was}" if was else "has no placements to choose from")


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
