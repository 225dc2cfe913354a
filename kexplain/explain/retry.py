"""When the scheduler tries a pod again that it could not place: after which changes, and after how long at the latest.

Source: scheduler `SchedulingQueue`: a pod is woken by the events that the plugins which rejected it have registered.
"""

from collections.abc import Collection, Iterator, Mapping, Set
from itertools import chain
from operator import attrgetter

from kexplain.explain.output import Output
from kexplain.framework.trace import Decision, Outcome
from kexplain.framework.wake_events import ANY_CHANGE, BEHIND_NEW_NODES, LONGEST_WAIT_SECONDS, ClusterEvent
from kexplain.grouping import grouped
from kexplain.tables import table
from kexplain.words import joined

#: Each kind of change as people say it, in the order in which a line lists them.
_WORDS = {(kind, action): said for kind, action, said in table("wake-words", list[tuple[str, str, str]])}
#: The same for a line that has to be short.
_OF_A_NODE = table("changes-of-nodes", dict[str, str])
_STORAGE, _DEVICES = "claims, volumes or storage classes change", "devices or their claims change"
_FAMILIES = {
    "Pod": "Pod",
    "Node": "Node",
    **{f"resource.k8s.io/{kind}": _DEVICES for kind in ("DeviceClass", "ResourceClaim", "ResourceSlice")},
}
_ACTIONS = {"Add": "added", "Update": "changed", "Delete": "deleted"}


class WakeUp(Output, frozen=True):
    """A change after which the pod is tried again, and the plugins that wait for it.

    With `onlyIfItMayHelp` the scheduler looks at each such change, and passes over those that cannot help this pod.
    """

    resource: str
    action: str
    text: str
    plugins: tuple[str, ...]
    only_if_it_may_help: bool


class Retry(Output, frozen=True):
    """When the pod is tried again: after any of these changes, and after so many seconds at the latest.

    `seconds` is null for a pod that is not in the queue: only a change of the pod itself brings it there.
    """

    text: str
    wake_ups: tuple[WakeUp, ...]
    seconds: int | None = LONGEST_WAIT_SECONDS


def retry(events_by_plugin: Mapping[str, Collection[ClusterEvent]], *, is_queued: bool = True) -> Retry:
    """When a pod is tried again that these plugins have rejected, by what they have registered."""
    every = ((plugin, event) for plugin, events in events_by_plugin.items() for event in events)
    waiting = grouped(
        ((event.resource, action), (plugin, event.looks_closer)) for plugin, event in every for action in event.actions
    )
    wake_ups = tuple(
        WakeUp(
            resource=resource,
            action=action,
            text=_words(resource, action),
            plugins=tuple(dict.fromkeys(plugin for plugin, _ in found)),
            only_if_it_may_help=all(has_hint for _, has_hint in found),
        )
        for (resource, action), found in sorted(waiting.items(), key=lambda item: _order(item[0]))
    )
    seconds = LONGEST_WAIT_SECONDS if is_queued else None
    return Retry(text=_line(events_by_plugin, seconds), wake_ups=wake_ups, seconds=seconds)


def _order(event: tuple[str, str]) -> tuple[int, tuple[str, str]]:
    known = list(_WORDS)
    return (known.index(event) if event in known else len(known)), event


def _words(resource: str, action: str) -> str:
    kind = resource.rpartition("/")[2]
    article = "an" if kind[0] in "AEIOU" else "a"
    return _WORDS.get((resource, action)) or f"{article} {kind} is {_ACTIONS[action]}"


def _line(events_by_plugin: Mapping[str, Collection[ClusterEvent]], seconds: int | None) -> str:
    """The changes that matter most, in a few words; what comes only with a new node is left out."""
    events = (each for events in events_by_plugin.values() for each in events if each is not BEHIND_NEW_NODES)
    of_families = grouped((_FAMILIES.get(each.resource, _STORAGE), each.actions) for each in events)
    actions = {family: {*chain.from_iterable(of_each)} for family, of_each in of_families.items()}
    if "DynamicResources" not in events_by_plugin:
        actions.pop(_DEVICES, None)
    changes = [*_of_pods(actions.pop("Pod", set())), *_of_nodes(actions.pop("Node", set())), *sorted(actions)]
    latest = f"every {seconds // 60} minutes" if seconds is not None else ""
    if not changes:
        return f"the scheduler tries again {latest}"
    return f"the scheduler tries again when {', or '.join(changes)}{'; otherwise ' if latest else ''}{latest}"


def _of_pods(actions: Set[str]) -> Iterator[str]:
    if "UpdatePodSchedulingGatesEliminated" in actions:
        yield _WORDS["Pod", "UpdatePodSchedulingGatesEliminated"]
    if {"Add", "Delete"} <= actions:
        yield "pods come or go"
    elif "Delete" in actions:
        yield "a pod is deleted"


def _of_nodes(actions: Set[str]) -> Iterator[str]:
    if "Delete" in actions:
        yield "nodes come, go or change"
    elif "Add" in actions:
        changing = [words for action, words in _OF_A_NODE.items() if action in actions]
        changes = f" or its {joined(changing, 'or')} change" if changing else ""
        yield f"a node is added{changes}"


def retry_of(decision: Decision) -> Retry | None:
    """When the scheduler tries the pod again; None if it has a node, or if this scheduler leaves it alone."""
    if decision.outcome is Outcome.GATED and decision.gated_by == "GangScheduling":
        return None
    if decision.outcome is Outcome.GATED:
        return retry({decision.gated_by: decision.events_of(decision.gated_by)}, is_queued=False)
    if decision.outcome is not Outcome.UNSCHEDULABLE:
        return None
    statuses = (*decision.statuses.by_node.values(), decision.statuses.absent)
    waiting_for = dict.fromkeys(filter(None, map(attrgetter("plugin"), statuses)))
    if decision.group is not None:
        # Whatever happens wakes the pods of a group that was rejected as a whole, and they take the others along.
        return retry({"GangScheduling": ANY_CHANGE})
    if decision.nominated_node:
        waiting_for["DefaultPreemption"] = None
    return retry({plugin: decision.events_of(plugin) for plugin in waiting_for})
