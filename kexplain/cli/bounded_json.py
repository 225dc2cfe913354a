"""Documents that are too long for a reader: whole JSON all the same, with what is left out named and to be had."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kexplain.patterns import regex

#: How many items of lists stay, tried one after another.
_ITEMS = (100, 60, 40, 30, 20, 15, 10, 8, 6, 5, 4, 3, 2, 1)
#: What comes first of a pod, the rest behind it as it was.
_FIRST = ("pod", "outcome", "message", "diagnosis", "remedies", "lastResorts", "held", "gatedBy", "causes")
#: What goes before anything else does, as each item of it says little.
_LAST = ("nodeVerdicts", "verdicts", "nodes", "circles", "weights", "retry", "preemption", "aloneOn", "newNodes")
#: Lists of which no more than a few items stay where there is no room for all.
_CUT = (*_LAST, "candidates", "reserved", "elsewhere", "outOfService", "notHelpful")
_LEFT_OUT = "leftOut"
#: What says no more than another field beside it, where that has the same, or has it within.
_TWICE = {"amounts": "detail", "aloneOn": "nodes", "after": "before"}
#: Where the server has files, what a sentence says as well, and what stands for names that are there themselves.
_OF_NO_USE = ("source", "line", "settings", "plugins", "wakeUps", "nodeNames", "sharedVerdicts")
#: Places of nodes, as in `0-3,8`.
_RANGES = regex(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*")
#: What has more keys is no record: it is cut, and its parts are read, as a list of pairs is.
_FIELDS = 64
#: So many items a page has at least, cut if need be.
_LEAST_ITEMS = 5
#: What is shorter stays, as names do.
_SHORT = 300


class _Limits(NamedTuple):
    """How many items stay: of lists that say little, of the pods, and of all other ones."""

    least: int
    pods: int = sys.maxsize
    others: int = sys.maxsize

    def of(self, path: str) -> int:
        """That of the list at a path that ends in a dot."""
        if f".{path}".split(".")[-2] in _CUT:
            return self.least
        return self.pods if path == "pods." else self.others


#: From the mildest on.
_LIMITS = (
    *(_Limits(items) for items in _ITEMS[:-1]),
    *(_Limits(2, items) for items in _ITEMS),
    *(_Limits(1, 1, items) for items in _ITEMS),
)


def bounded(document: Mapping[str, Any], longest: int) -> str:
    """The document as JSON of at most so many characters, if that can be: lists are cut, groups of pods last.

    `leftOut` has the path of each list that was cut, as `part` takes it, with the number of its items. A pod that
    fares like the first of its group has the place of that one instead, in `likePod`.
    """
    changes: dict[str, int] = {}
    document = _without_changes(_alike_once(_in_order(document)), "", changes)
    text = _written({**document, **({_LEFT_OUT: changes} if changes else {})})
    if len(text) <= longest:
        return text
    for limits in _LIMITS:
        cut = {**changes}
        text = _written({**_cut(document, limits, "", cut), _LEFT_OUT: cut})
        if len(text) <= longest:
            return text
    lists = {key: each for key, each in document.items() if isinstance(each, dict | list)}
    counts = {key: len(each) for key, each in lists.items() if len(_written(each)) > _SHORT}
    return _written({**{key: each for key, each in document.items() if key not in counts}, _LEFT_OUT: counts})


def part(document: Mapping[str, Any], path: str, first: int, longest: int) -> str:
    """The items of a list from one on, or a value, at a path such as `pods.0.remedies`; as many as there is room for.

    Where only few of them fit, more come cut, as `bounded` cuts. Raises KeyError where there is nothing
    at the path: with it, the step that leads nowhere, and those that do not; IndexError with the number of items where
    the list ends before.
    """
    found: Any = _in_order(document)
    note = {"note": document["note"]} if "note" in document else {}
    for step in path.split("."):
        try:
            found = found[int(step)] if isinstance(found, list) else found[step]
        except (IndexError, ValueError, TypeError, KeyError):
            raise KeyError(path, step, [*found] if isinstance(found, dict) else []) from None
    if isinstance(found, dict) and len(found) > _FIELDS:
        found = [*found.items()]
    if not isinstance(found, list):
        return bounded({**note, **(found if isinstance(found, dict) else {"value": found})}, longest)
    if found and first >= len(found):
        raise IndexError(len(found))
    written = _page(found[first:], longest - 400)
    following = first + len(written)
    more = {"next": following} if following < len(found) else {}
    page = _written({**note, "path": path, "first": first, "of": len(found), **more})
    return f'{page[:-1]},"items":[{",".join(written)}]}}'


def _page(items: list[Any], room: int) -> list[str]:
    """As many of the items as there is room for; where these are few, some of them cut."""
    written: list[str] = []
    size = 0
    for item in items:
        text = _written(item)
        size += len(text) + 2
        if size > room:
            break
        written.append(text)
    some = items[:_LEAST_ITEMS]
    if len(written) < len(some):
        least = room // len(some) - 2
        written = [bounded(item if isinstance(item, dict) else {"value": item}, least) for item in some]
    while len(written) > 1 and sum(map(len, written)) > room:
        written.pop()
    return written


def _in_order(document: Mapping[str, Any]) -> dict[str, Any]:
    """Groups before pods, whose fields have an order of their own."""
    pods = document.get("pods")
    if not isinstance(pods, list):
        return {**document}
    before = {key: value for key, value in document.items() if not isinstance(value, dict | list)}
    groups = {"groups": document["groups"]} if document.get("groups") else {}
    return {**before, **groups, **document, "pods": [*map(_pod_in_order, pods)]}


def _alike_once(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The report with all that is said of one pod of each group only."""
    every = (group["pods"] for group in document.get("groups", ()))
    likes = {place: places[0] for places in every for place in places[1:]}
    if not likes:
        return document
    pods = enumerate(document["pods"])
    return {**document, "pods": [{"pod": pod["pod"], "likePod": likes[at]} if at in likes else pod for at, pod in pods]}


def plain(value: Any, name: str = "") -> Any:
    """The value without what says nothing to whoever asks: what is null or empty, or is said beside it.

    Changes are as they are, so that they can be handed over again.
    """
    if isinstance(value, dict) and name != "changes":
        told = ((key, plain(each, key)) for key, each in value.items() if key not in _OF_NO_USE)
        said = {key: each for key, each in told if each not in (None, "", [], {})}
        return {key: each for key, each in said.items() if not _is_said(each, said.get(_TWICE.get(key, "")))}
    return [plain(each, name) for each in value] if isinstance(value, list) else value


def _is_said(value: Any, other: Any) -> bool:
    return value == other or (isinstance(value, str) and isinstance(other, str) and value in other)


def in_names(report: Mapping[str, Any]) -> dict[str, Any]:
    """A report as `plain` has it, with the names of nodes where it has their places, behind each verdict on them."""
    names = report.get("nodeNames") or ()
    known = [verdict for pod in report["pods"] for verdict in pod["verdicts"]] if names else []

    def named(nodes: Sequence[str]) -> list[str]:
        # Behind the places there are names of nodes that are gone.
        places, *gone = nodes if nodes and _RANGES.fullmatch(nodes[0]) else ("", *nodes)
        pairs = (each.partition("-") for each in places.split(",") if each)
        return [*(name for low, _, high in pairs for name in names[int(low) : int(high or low) + 1]), *gone]

    def of_pod(pod: Mapping[str, Any]) -> dict[str, Any]:
        every = ((each, {**known[each["verdict"]], "rank": each.get("rank")}) for each in pod["sharedVerdicts"])
        shared = [{**verdict, "nodes": named([each["nodes"]])} for each, verdict in every]
        circles = {key: named(nodes) for key, nodes in (pod["circles"] or {}).items()}
        diagnosis = pod["diagnosis"] and {**pod["diagnosis"], "nodes": named(pod["diagnosis"]["nodes"])}
        return {**pod, "verdicts": shared, "circles": circles, "diagnosis": diagnosis}

    if report.get("kind") == "Report":
        # Their pods have that, and no nodes are counted where a pod is named.
        groups = [{**each, "message": "", "schedulerName": ""} for each in report["groups"]]
        pods = [*map(of_pod, report["pods"])] if names else report["pods"]
        report = {**report, "groups": groups, "pods": pods, "nodes": report["nodes"] or None}
    found: dict[str, Any] = plain(report)
    return found


def _pod_in_order(pod: Any) -> Any:
    return {key: pod[key] for key in sorted(pod, key=_rank)} if isinstance(pod, dict) else pod


def _rank(key: str) -> int:
    return _FIRST.index(key) if key in _FIRST else len(_FIRST) + (key in _LAST)


def _without_changes(value: Any, path: str, cut: dict[str, int]) -> Any:
    """The value without changes that take long to write, such as whole nodes: the words beside them say as much."""
    if isinstance(value, list):
        return [_without_changes(each, f"{path}{place}.", cut) for place, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    long = [key for key, each in value.items() if key == "changes" and path and len(_written(each)) > _SHORT]
    cut.update({f"{path}{key}": len(value[key]) for key in long})
    return {key: _without_changes(each, f"{path}{key}.", cut) for key, each in value.items() if key not in long}


def _cut(value: Any, limits: _Limits, path: str, cut: dict[str, int]) -> Any:
    """The value with at most so many items in each list."""
    items = limits.of(path)
    if isinstance(value, dict):
        kept = [*value][: items if len(value) > _FIELDS else None]
        if len(kept) < len(value):
            cut[path.rstrip(".")] = len(value)
        return {key: _cut(value[key], limits, f"{path}{key}.", cut) for key in kept}
    if not isinstance(value, list):
        return value
    if len(value) > items:
        cut[path.rstrip(".")] = len(value)
    return [_cut(each, limits, f"{path}{place}.", cut) for place, each in enumerate(value[:items])]


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
