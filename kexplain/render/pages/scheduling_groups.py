"""Groups of pods that are scheduled together, in words and in tables."""

from collections.abc import Iterator

from kexplain.explain.group_records import MemberState, SchedulingGroup
from kexplain.framework.trace import Outcome
from kexplain.render.pages import Column, Sheet, Style, columns, number_text, numbers, worded
from kexplain.render.pages.sentences import DASH
from kexplain.words import joined, plural, some, verb

#: How a pod of a group stands.
STATES = worded("members of groups", dict[MemberState, str])


#: By whether a placement can.
_CAN = ("no", "yes")


def title(group: SchedulingGroup) -> str:
    """The group as a whole in a sentence."""
    name = f"group {group.namespace}/{group.name}"
    needs = f", which needs {plural(group.needs, 'pod')} at once," if group.needs is not None else ""
    placed, fit = _places(group)
    match group.outcome:
        case Outcome.SCHEDULED if group.needs is not None and placed + fit < group.needs:
            return f"{name} asks for {group.needs} pods at once, to which it is not held here: {placed + fit} can run"
        case Outcome.SCHEDULED:
            where = f" in {group.topology_key}={group.placement}" if group.placement else ""
            return f"{name}{needs} can run{where}"
        case None:
            exist = f"{group.exist} {verb(group.exist, 'exists')}"
            return f"{name}{needs} was not tried; {exist if group.there else 'it does not exist itself'}"
        case _ if group.awaits_preemption:
            return f"{name}{needs} can run once {some(group.evicted, 3)} {verb(len(group.evicted), 'has')} left"
        case _:
            because = _why_not(group)
            return f"{name}{needs} cannot run{': ' if because else ''}{because}"


def _places(group: SchedulingGroup) -> tuple[int, int]:
    """How many of its pods have a node, and how many more fit, in the best of its placements."""
    states = [each.state for each in group.members]
    fitting = (each.fitting for each in group.placements)
    return states.count(MemberState.PLACED), max(fitting, default=states.count(MemberState.FITS))


def _why_not(group: SchedulingGroup) -> str:
    """How many of its pods there is room for; where that does not tell, what the scheduler says of the group."""
    placed, fit = _places(group)
    if placed + fit >= (group.needs or 0) or MemberState.DOES_NOT_FIT not in {each.state for each in group.members}:
        return group.message.removeprefix("pod group is unschedulable").removeprefix(", ")
    runs = f"{placed} {verb(placed, 'has')} a node, and " if placed else ""
    fits = f"{plural(fit, 'more pod') if placed else fit} {verb(fit, 'fits')}" if fit else "none fits"
    best = max(group.placements, key=lambda each: each.fitting, default=None)
    return f"{runs}{f'at most {fits} together, in {group.topology_key}={best.name}' if best and fit else fits}"


def sheets(group: SchedulingGroup) -> Iterator[Sheet]:
    """Its pods, the nodes where it waits, and the placements that were tried."""
    rows = [(each.pod, STATES[each.state], each.node or DASH, each.because or DASH) for each in group.members]
    notes = []
    if group.evicted and not group.awaits_preemption and group.outcome is not Outcome.SCHEDULED:
        notes.append(f"{some(group.evicted, 3)} would still be evicted, for single pods of the group")
    heads = columns("POD", "STATE", "NODE", "BECAUSE")
    yield Sheet(f"GROUP {group.namespace}/{group.name}", heads, rows, [title(group), *notes])
    yield from details(group)


def details(group: SchedulingGroup) -> Iterator[Sheet]:
    """What keeps it waiting, node by node, and the placements that were tried where there are several."""
    if group.nodes:
        yield _nodes(group)
    if len(group.placements) > 1:
        yield _placements(group)


def _placements(group: SchedulingGroup) -> Sheet:
    """Where the group was tried, how it fared there, and why it goes where it goes."""
    plugins = dict.fromkeys(score.plugin for each in group.placements for score in each.scores)
    rows = []
    for each in group.placements:
        counts = (*map(str, (each.nodes, each.fitting)), _CAN[each.can_run], number_text(each.total, DASH))
        points = {score.plugin: f"{score.raw}/{score.normalized}/{score.weighted}" for score in each.scores}
        rows.append((each.name, *counts, *(points.get(plugin, "") for plugin in plugins), each.because))
    heads = (*columns(group.topology_key), *numbers("NODES", "PODS THAT FIT"), *columns("CAN RUN"))
    heads += (*numbers("POINTS", *plugins), Column("WHY NOT", Style.DIM))
    notes = ["points of plugins: raw / normalized / weighted"] if plugins else []
    return Sheet(group.topology_key.upper(), heads, rows, [_choice(group)], notes=notes)


def _choice(group: SchedulingGroup) -> str:
    """Which placement was picked, and why that one."""
    if not group.placement:
        return f"the group can run in none; its pods are shown as in {group.placements[0].name}, which was tried first"
    ranked = sorted((each for each in group.placements if each.can_run), key=lambda each: -(each.total or 0))
    best, *others = ranked
    if not others:
        return f"{group.placement} is picked, the only one where the group can run"
    if equals := [each.name for each in others if each.total == best.total]:
        return f"{joined([best.name, *equals])} have the most points, {best.total}: one of them is drawn at random"
    ahead = {one.plugin: one.weighted - two.weighted for one, two in zip(best.scores, others[0].scores, strict=True)}
    margins = ", ".join(f"{plugin} {points:+d}" for plugin, points in ahead.items() if points)
    leads = f"{(best.total or 0) - (others[0].total or 0)} points before {others[0].name}"
    return f"{best.name} is picked, {leads}: {margins}"


def _nodes(group: SchedulingGroup) -> Sheet:
    """Which nodes take how many pods of the group, and why no more."""
    cells = [
        (
            str(each.count),
            str(sum(each.takes.values()) or DASH),
            "used up by the group" if each.used_up else "turned down",
            each.plugin,
            each.text,
            some([f"{name} ({each.takes[name]})" if name in each.takes else name for name in each.nodes], 3),
        )
        for each in group.nodes
    ]
    heads = (*numbers("NODES", "TAKE"), *columns("WHY NO MORE", "STOPPED BY", "BECAUSE"), Column("WHICH", Style.DIM))
    return Sheet(f"NODES FOR GROUP {group.namespace}/{group.name}", heads, cells, [_dominant(group)])


def _dominant(group: SchedulingGroup) -> str:
    """What keeps the next pod of the group out: of all things the one that stops it on the most nodes."""
    fit = sum(each.state is MemberState.FITS for each in group.members)
    used = [name for each in group.nodes if each.used_up for name in each.nodes]
    most = max((each for each in group.nodes if not each.used_up), key=lambda each: each.count, default=None)
    next_one = next((each.pod for each in group.members if each.state is MemberState.DOES_NOT_FIT), "the next one")
    some_fit = f"{plural(fit, 'pod')} of the group {verb(fit, 'fits')}; {next_one} does not"
    fits = some_fit if fit else "no pod of the group fits"
    whole = plural(sum(each.count for each in group.nodes), "node")
    if most is None or len(used) >= most.count:
        return f"{fits}: the group itself uses up {len(used)} of {whole}, {some(used, 3)}"
    return f"{fits}: {most.plugin} turns down {most.count} of {whole}, {most.text}"
