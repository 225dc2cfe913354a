"""Groups of pods that are scheduled together, in words and in tables."""

from collections.abc import Iterator

from kexplain.explain.group_records import MemberState, SchedulingGroup
from kexplain.framework.trace import Outcome
from kexplain.render.pages import Column, Sheet, Style, columns, number_text, numbers, worded
from kexplain.render.pages.sentences import DASH
from kexplain.words import plural, some, verb

_STATES = worded("members of groups", dict[MemberState, str])


#: By whether a placement can.
_CAN = ("no", "yes")


def title(group: SchedulingGroup) -> str:
    """The group as a whole in a sentence."""
    name = f"group {group.namespace}/{group.name}"
    needs = f", which needs {plural(group.needs, 'pod')} at once," if group.needs is not None else ""
    match group.outcome:
        case Outcome.SCHEDULED:
            where = f" in {group.topology_key}={group.placement}" if group.placement else ""
            return f"{name}{needs} can run{where}"
        case None:
            exist = f"{group.exist} {verb(group.exist, 'exists')}"
            return f"{name}{needs} was not tried; {exist if group.there else 'it does not exist itself'}"
        case _ if group.awaits_preemption:
            return f"{name}{needs} can run once {some(group.evicted, 3)} {verb(len(group.evicted), 'has')} left"
        case _:
            because = group.message.removeprefix("pod group is unschedulable").removeprefix(", ")
            return f"{name}{needs} cannot run{': ' if because else ''}{because}"


def sheets(group: SchedulingGroup) -> Iterator[Sheet]:
    """Its pods, and the placements that were tried where there are several."""
    rows = [(each.pod, _STATES[each.state], each.node or DASH, each.because or DASH) for each in group.members]
    notes = []
    if group.evicted and not group.awaits_preemption and group.outcome is not Outcome.SCHEDULED:
        notes.append(f"{some(group.evicted, 3)} would still be evicted, for single pods of the group")
    heads = columns("POD", "STATE", "NODE", "BECAUSE")
    yield Sheet(f"GROUP {group.namespace}/{group.name}", heads, rows, [title(group), *notes])
    if group.nodes:
        yield _nodes(group)
    if len(group.placements) > 1:
        tried = [
            (each.name, *map(str, (each.nodes, each.fitting)), _CAN[each.can_run], number_text(each.total, DASH))
            for each in group.placements
        ]
        heads = (*columns(group.topology_key), *numbers("NODES", "PODS THAT FIT"))
        heads += (*columns("CAN RUN"), *numbers("POINTS"))
        yield Sheet(group.topology_key.upper(), heads, tried)


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
    fits = f"{plural(fit, 'pod')} of the group {verb(fit, 'fits')}" if fit else "no pod of the group fits"
    whole = plural(sum(each.count for each in group.nodes), "node")
    if most is None or len(used) >= most.count:
        return f"{fits}; the next one does not: the group itself uses up {len(used)} of {whole}, {some(used, 3)}"
    return f"{fits}; the next one does not: {most.plugin} turns down {most.count} of {whole}, {most.text}"
