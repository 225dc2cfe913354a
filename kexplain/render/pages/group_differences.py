"""Groups of pods that are scheduled together, before and after a change."""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from kexplain.explain.group_records import SchedulingGroup
from kexplain.render.pages import Part, Sheet, columns, number_text
from kexplain.render.pages.scheduling_groups import STATES, details, title
from kexplain.render.pages.sentences import DASH
from kexplain.report.difference import GroupDifference, PodDifference, Standing
from kexplain.words import plural, some, verb


def parts(group: GroupDifference, pods: Sequence[PodDifference]) -> Iterator[Part]:
    """What changes for the group, then for each of its pods, and what keeps them waiting."""
    before, after = group.before, group.after
    lines = [
        f"before: {_side(before, [pod.before for pod in pods])}",
        f"after: {_side(after, [pod.after for pod in pods])}",
    ]
    why = {each.pod: each.because for each in after.members} if after else {}
    rows = [
        (pod.pod.name, _fate(pod.before, before, pod), _fate(pod.after, after, pod), why.get(pod.pod.name) or DASH)
        for pod in pods
    ]
    heads = columns("POD", "BEFORE", "AFTER", "BECAUSE")
    yield Sheet(f"group {group.scheduling_group} {what_happens(pods)}", heads, rows, lines)
    label, shown = ("AFTER", after) if after else ("BEFORE", before)
    yield from (replace(each, title=f"{each.title}, {label}") for each in (details(shown) if shown else ()))


def what_happens(pods: Sequence[PodDifference]) -> str:
    """The change behind the name of the group of these pods: none of them has a node where it has to wait."""
    ran, runs = sum(bool(pod.before.node) for pod in pods), sum(bool(pod.after.node) for pod in pods)
    evicting = evicts([pod.before for pod in pods], [pod.after for pod in pods])
    if evicting and not (ran or runs):
        return evicting
    if not (ran and runs):
        return "can run now" if runs else "has to wait now" if ran else "still has to wait"
    return "runs elsewhere now" if ran == runs else f"runs with {plural(runs, 'pod')} now, with {ran} before"


def evicts(before: Sequence[Standing], after: Sequence[Standing]) -> str:
    """Whom pods that do not fit evict now, and whom before; empty where that is the same."""
    then, now = map(evicted, (before, after))
    if then == now:
        return ""
    return f"evicts {now} now{f'; before it was {then}' if then else ''}" if now else f"no longer evicts {then}"


def evicted(standings: Sequence[Standing]) -> str:
    """Whom these pods evict; of one by itself, from which node, and from which others it may be as well."""
    pods = some(list(dict.fromkeys(chain(*(each.evicts for each in standings)))), 3)
    node, *others = (len(standings) == 1 and standings[0].nominees) or ("",)
    return f"{pods or 'nobody'} from {node}{f', or others from {some(others, 3)}' if others else ''}" if node else pods


def _side(group: SchedulingGroup | None, standings: Sequence[Standing]) -> str:
    if group is not None:
        return title(group)
    fit = sum(bool(each.node) for each in standings)
    return f"each pod is placed by itself: {fit} of {plural(len(standings), 'pod')} {verb(fit, 'fits')}"


def _fate(standing: Standing, group: SchedulingGroup | None, pod: PodDifference) -> str:
    """Where the pod lands, or how it stands in a group that cannot run."""
    if standing.node:
        return f"lands on {standing.node}{f' ({number_text(standing.total)})' if standing.total is not None else ''}"
    member = next((each for each in group.members if each.pod == pod.pod.name), None) if group else None
    if member is None:
        return standing.outcome.lower()
    return f"{STATES[member.state]}{f' on {member.node}, and waits' if member.node else ''}"
