"""JSON Patch on plain values: what differs, and what it comes to. Source: RFC 6902, with the pointers of RFC 6901."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

#: One operation, as JSON has it.
Operation = Mapping[str, Any]


def steps_of(path: str) -> list[str]:
    """The steps of a pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def pointer(steps: Iterable[str | int]) -> str:
    """The pointer that takes these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def operate(value: Any, operation: Operation) -> None:
    """Apply one operation in place: add, remove, replace or test.

    Raises LookupError, TypeError or ValueError where it cannot be applied.
    """
    *steps, last = steps_of(operation["path"])
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    key: Any = (len(value) if last == "-" else int(last)) if isinstance(value, list) else last
    match operation["op"]:
        case "remove":
            del value[key]
        case "add" if isinstance(value, list):
            value.insert(key, operation["value"])
        case "add":
            value[key] = operation["value"]
        case "replace":
            value[key]  # It has to be there.
            value[key] = operation["value"]
        case "test":
            if value[key] != operation["value"]:
                raise ValueError(f"{operation['path']}, which is {value[key]!r}")
        case other:
            raise ValueError(f"op {other}")


def differences(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The operations that make the one value of the other, each about as little as possible."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _of_maps(before, after, path)
    elif isinstance(before, list) and isinstance(after, list) and before:
        yield from _of_lists(before, after, path)
    else:
        # In a map, what is added replaces what is there, and does so too where the record has what the object has not.
        yield {"op": "replace" if path.rpartition("/")[2].isdecimal() else "add", "path": path, "value": after}


def _of_maps(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> Iterator[dict[str, Any]]:
    for key in {**before, **after}:
        inner = path + pointer([key])
        if key not in after:
            yield {"op": "remove", "path": inner}
        elif key not in before:
            yield {"op": "add", "path": inner, "value": after[key]}
        else:
            yield from differences(before[key], after[key], inner)


def _of_lists(before: Sequence[Any], after: Sequence[Any], path: str) -> Iterator[dict[str, Any]]:
    """Item by item; what is longer grew at its end, and what is shorter lost items from anywhere."""
    if len(after) < len(before):
        kept = list(after)
        gone = [index for index, item in enumerate(before) if not (kept and item == kept[0] and [kept.pop(0)])]
        if kept:
            yield {"op": "replace", "path": path, "value": list(after)}
            return
        for index in reversed(gone):
            yield {"op": "remove", "path": f"{path}/{index}"}
        return
    for index, item in enumerate(before):
        yield from differences(item, after[index], f"{path}/{index}")
    for item in after[len(before) :]:
        yield {"op": "add", "path": f"{path}/-", "value": item}
