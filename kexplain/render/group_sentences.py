"""How a pod stands that is scheduled with a group, in words."""

from __future__ import annotations

from kexplain.explain.group_records import GroupStanding
from kexplain.words import plural


def waits_for(group: GroupStanding) -> str:
    """How far the group is from running."""
    if not group.there:
        return f"group {group.group} does not exist"
    if group.missing:
        exist = "none exists" if not group.exist else f"only {group.exist} {'exists' if group.exist == 1 else 'exist'}"
        return f"group {group.group} needs {plural(group.needs or 0, 'pod')} at once, and {exist}"
    have = group.placed + group.fitting
    if group.needs is None:
        return f"{have} of {plural(group.exist, 'pod')} of group {group.group} fit"
    return f"{have} of the {plural(group.needs, 'pod')} that group {group.group} needs at once fit"


def enters_queue(group: GroupStanding) -> str:
    """What brings the pod into the queue, which nothing in a cluster says."""
    once = f"{plural(group.missing, 'more pod')} of the group {'exists' if group.missing == 1 else 'exist'}"
    return f"no event says so; the pod enters the queue once {once if group.there else 'that exists'}"
