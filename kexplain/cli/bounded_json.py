"""Documents that are too long for a reader: whole JSON all the same, with what is left out named and to be had."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: How many items of each list stay, tried one after another.
_ITEMS = (100, 40, 20, 10, 6, 4, 3, 2, 1)
#: What comes first of a pod, the rest behind it as it was.
_FIRST = ("pod", "outcome", "message", "diagnosis", "remedies", "lastResorts", "held", "gatedBy", "causes")
#: What goes before anything else does, as each item of it says little.
_LAST = ("nodeVerdicts", "verdicts", "sharedVerdicts", "nodeNames", "plugins", "nodes", "circles", "weights", "retry")
_LEFT_OUT = "leftOut"


def bounded(document: Mapping[str, Any], longest: int) -> str:
    """The document as JSON of at most so many characters, if that can be: lists are cut, the longest first.

    `leftOut` has the path of each list that was cut, as `part` takes it, with the number of its items.
    """
    document = _in_order(document)
    text = _written(document)
    for items in _ITEMS if len(text) > longest else ():
        for least in (True, False):
            cut: dict[str, int] = {}
            text = _written({**_cut(document, items, "", cut, least=least), _LEFT_OUT: cut})
            if len(text) <= longest:
                return text
    if len(text) > longest:
        counts = {key: len(value) for key, value in document.items() if isinstance(value, dict | list)}
        plain = {key: value for key, value in document.items() if not isinstance(value, dict | list)}
        text = _written({**plain, _LEFT_OUT: counts})
    return text


def part(document: Mapping[str, Any], path: str, first: int, longest: int) -> str:
    """The items of a list from one on, or a value, at a path such as `pods.0.remedies`; as many as there is room for.

    Raises KeyError where there is nothing at the path.
    """
    found: Any = _in_order(document)
    for step in path.split("."):
        try:
            found = found[int(step)] if isinstance(found, list) else found[step]
        except (IndexError, ValueError, TypeError, KeyError):
            raise KeyError(path) from None
    if not isinstance(found, list):
        return bounded(found if isinstance(found, dict) else {"value": found}, longest)
    shown: list[Any] = []
    size = 200
    for item in found[first:]:
        text = _written(item)
        if size + len(text) > longest:
            break
        shown.append(item)
        size += len(text) + 2
    if not shown and found[first:]:
        return bounded(found[first] if isinstance(found[first], dict) else {"value": found[first]}, longest)
    following = first + len(shown)
    more = {"next": following} if following < len(found) else {}
    return _written({"path": path, "first": first, "of": len(found), **more, "items": shown})


def _in_order(document: Mapping[str, Any]) -> dict[str, Any]:
    pods = document.get("pods")
    return {**document, "pods": [*map(_pod_in_order, pods)]} if isinstance(pods, list) else {**document}


def _pod_in_order(pod: Any) -> Any:
    if not isinstance(pod, dict):
        return pod
    last = {key: pod[key] for key in _LAST if key in pod}
    return {key: value for key, value in _ordered(pod) if key not in last} | last


def _ordered(pod: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((key, pod[key]) for key in _FIRST if key in pod)
    yield from ((key, value) for key, value in pod.items() if key not in _FIRST)


def _cut(value: Any, items: int, path: str, cut: dict[str, int], *, least: bool) -> Any:
    """The value with so many items in each list; with `least` only in lists that say little."""
    if isinstance(value, dict):
        return {key: _cut(each, items, f"{path}{key}.", cut, least=least) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    kept: Sequence[Any] = value
    if len(value) > items and (not least or any(f".{key}." in f".{path}" for key in _LAST)):
        cut[path.rstrip(".")] = len(value)
        kept = value[:items]
    return [_cut(each, items, f"{path}{place}.", cut, least=least) for place, each in enumerate(kept)]


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
