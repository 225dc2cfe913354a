"""When the scheduler tries a pod again that it could not place: after which changes, and after how long at the latest.

Source: scheduler `SchedulingQueue`: a pod is woken by the events that the plugins which rejected it have registered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kexplain.explain.output import Output
from kexplain.plugins.wakeups import LONGEST_WAIT_SECONDS, events_of

#: Each kind of change as people say it, in the order in which a line lists them.
_WORDS: Mapping[tuple[str, str], str] = {
    ("Pod", "Delete"): "a pod is deleted",
    ("Pod", "UpdatePodScaleDown"): "a pod's requests shrink",
    ("Pod", "Add"): "a pod is added",
    ("Pod", "UpdatePodLabel"): "a pod's labels change",
    ("Pod", "UpdatePodToleration"): "this pod gets a toleration",
    ("Pod", "UpdatePodSchedulingGatesEliminated"): "this pod's last scheduling gate is removed",
    ("Pod", "UpdatePodGeneratedResourceClaim"): "this pod's claims are created",
    ("Pod", "Update"): "a pod changes",
    ("Node", "Add"): "a node is added",
    ("Node", "Delete"): "a node is removed",
    ("Node", "Update"): "a node changes",
    ("Node", "UpdateNodeAllocatable"): "a node's allocatable changes",
    ("Node", "UpdateNodeLabel"): "a node's labels change",
    ("Node", "UpdateNodeTaint"): "a node's taints change",
    ("Node", "UpdateNodeDeclaredFeature"): "a node declares other features",
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


def retry(plugins: Iterable[str], *, is_queued: bool = True) -> Retry:
    """When a pod is tried again that these plugins have rejected."""
    waiting: dict[tuple[str, str], list[tuple[str, bool]]] = {}
    for plugin in dict.fromkeys(plugins):
        for event in events_of(plugin):
            for action in event.actions:
                waiting.setdefault((event.resource, action), []).append((plugin, event.has_hint))
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
    return Retry(text=_line(wake_ups, seconds), wake_ups=wake_ups, seconds=seconds)


def _order(event: tuple[str, str]) -> tuple[int, tuple[str, str]]:
    known = list(_WORDS)
    return (known.index(event) if event in known else len(known)), event


def _words(resource: str, action: str) -> str:
    kind = resource.rpartition("/")[2]
    article = "an" if kind[0] in "AEIOU" else "a"
    return _WORDS.get((resource, action)) or f"{article} {kind} is {_ACTIONS[action]}"


def _line(wake_ups: Iterable[WakeUp], seconds: int | None) -> str:
    changes = [wake_up.text for wake_up in wake_ups]
    latest = f"after {seconds // 60} minutes at the latest" if seconds is not None else ""
    if not changes:
        return f"tried again {latest}" if latest else "not tried again"
    listed = f"{', '.join(changes[:-1])} or {changes[-1]}" if len(changes) > 1 else changes[0]
    return f"tried again when {listed}{'; ' if latest else ''}{latest}"
