"""JSON Patch on plain values: what differs, and what it comes to. Source: RFC 6902, with the pointers of RFC 6901."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

#: One operation, as JSON has it.
Operation = Mapping[str, Any]
#: The dict or list that a value holds.
Inside = Callable[[Any], Any]


def steps_of(path: str) -> list[str]:
    """The steps of a pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def pointer(steps: Iterable[str | int]) -> str:
    """The pointer that takes these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


class PatchError(ValueError):
    """An operation that cannot be carried out."""


def operate(value: Any, operation: Operation, inside: Inside = lambda value: value) -> None:
    """Apply one operation in place: add, remove, replace or test.

    `inside` gives the dict or list that a value holds, where it is not the value. Raises PatchError.
    """
    name, path = operation.get("op"), operation.get("path")
    if not isinstance(path, str) or not path:
        raise PatchError("it names no field")
    *above, last = steps_of(path)
    held, new = inside(at(value, above, inside)), operation.get("value")
    if name == "add" and isinstance(held, list):
        held.insert(len(held) if last == "-" else _index(last, len(held), held), new)
    elif name == "add" and isinstance(held, dict):
        held[last] = new
    elif name == "remove":
        del held[_key(held, last)]
    elif name == "replace":
        held[_key(held, last)] = new
    elif name != "test":
        raise PatchError(f"there is nothing to {name or 'do'} at {path}")
    elif (there := held[_key(held, last)]) != new:
        raise PatchError(f"test of {path} fails, which is {there!r}")


def at(value: Any, steps: Iterable[str], inside: Inside = lambda value: value) -> Any:
    """What stands within a value. Raises PatchError."""
    for step in steps:
        held = inside(value)
        value = held[_key(held, step)]
    return value


def _key(held: Any, step: str) -> Any:
    if isinstance(held, list):
        return _index(step, len(held) - 1, held)
    if not isinstance(held, dict) or step not in held:
        raise PatchError(f"there is no {step}")
    return step


def _index(step: str, last: int, held: Sequence[Any]) -> int:
    if not step.isdecimal() or int(step) > last:
        raise PatchError(f"there is no item {step} of {len(held)}")
    return int(step)


def differences(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The operations that make the one value of the other, each about as little as possible."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in {**before, **after}:
            inner = path + pointer([key])
            if key not in after:
                yield {"op": "remove", "path": inner}
            elif key not in before:
                yield {"op": "add", "path": inner, "value": after[key]}
            else:
                yield from differences(before[key], after[key], inner)
    elif isinstance(before, list) and isinstance(after, list) and before:
        yield from _of_lists(before, after, path)
    else:
        # In a map, what is added replaces what is there, and does so too where the record has what the object has not.
        yield {"op": "replace" if path.rpartition("/")[2].isdecimal() else "add", "path": path, "value": after}


def _of_lists(before: Sequence[Any], after: Sequence[Any], path: str) -> Iterator[dict[str, Any]]:
    """Item by item; what is longer grew at its end, and what is shorter lost items from anywhere."""
    if len(after) < len(before):
        kept = list(after)
        gone = [index for index, item in enumerate(before) if not (kept and item == kept[0] and [kept.pop(0)])]
        if kept:
            yield {"op": "replace", "path": path, "value": list(after)}
            return
        yield from ({"op": "remove", "path": f"{path}/{index}"} for index in reversed(gone))
        return
    for index, item in enumerate(before):
        yield from differences(item, after[index], f"{path}/{index}")
    yield from ({"op": "add", "path": f"{path}/-", "value": item} for item in after[len(before) :])
