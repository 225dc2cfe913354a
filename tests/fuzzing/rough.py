"""What is done to files: values replaced, moved, spliced between objects, doubled and gone; and bytes changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import yaml

Steps = tuple[str | int, ...]

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**30, 10**400, 1.5, 1e308, float("nan"), float("inf")),
    *(
        "",
        "x",
        "1",
        "-1",
        "1e9999",
        "9" * 400,
        "NaN",
        "٣",
        "\x00",
        "😀",
        "a" * 5000,
        "{{x}}",
        "[b]x[/b]",
        "%s{0}",
        "../..",
    ),
    *("500m", "1Gi", "0.0000001", "NoSchedule", "Exists", "In", "2026-01-01T00:00:00Z", "9999-99-99", "a/b/c", "/"),
    *([], {}, [[]], [None], {"": None}, [1, "a", {}], {"a": {"b": [1]}}, [[[[[[[[[1]]]]]]]]]),
    *(
        "^(a+)+$",
        "(",
        "x{4294967296}",
        "self.all(x, x.all(y, y == x))",
        "device.driver == ''",
        "[" * 200,
        "a=b,c in (d)",
    ),
)
NAMES = ("spec", "metadata", "kind", "apiVersion", "name", "namespace", "items", "x", "", "operator", "key", "uid")
FRAGMENTS = (
    *(b"\t", b": ", b"- ", b"&a ", b"*a ", b"[", b"{", b'"', b"'", b"|", b">", b"!!binary ", b"\r\n", b"---\n"),
    *(b"\xff\xfe", b"<<: ", b"#", b"\xed\xa0\x80", b"\x00", b"{a:}", b"\x1f\x8b", b"{{ .Values.x }}"),
)
_MOST_REPEATED = 300


def changed(text: bytes, others: Sequence[bytes], chance: Random) -> bytes:
    """The text after some changes; subtrees of the others may be put into it."""
    if chance.random() < 0.25:
        return _bytes_changed(text, chance)
    try:
        documents = [*yaml.load_all(text, yaml.CSafeLoader)]
        donors = [*yaml.load_all(chance.choice(others), yaml.CSafeLoader)] if others else documents
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            _change(documents, donors, chance)
        return _written(documents, chance)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError):
        return _bytes_changed(text, chance)


def _written(documents: list[Any], chance: Random) -> bytes:
    if chance.random() < 0.6:
        return yaml.dump_all(documents, Dumper=yaml.CSafeDumper, allow_unicode=True).encode("utf-8", "replace")
    one = documents[0] if len(documents) == 1 else {"kind": "List", "apiVersion": "v1", "items": documents}
    return json.dumps(one, default=str).encode()


def _paths(value: Any, path: Steps = ()) -> Iterator[Steps]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _paths(inner, (*path, key))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _change(documents: list[Any], donors: list[Any], chance: Random) -> None:
    paths = [*_paths(documents)]
    if not paths:
        return
    path = chance.choice(paths)
    holder: Any = _at(documents, path[:-1])
    last: Any = path[-1]
    what = chance.random()
    if what < 0.35:
        holder[last] = deepcopy(chance.choice(ODD))
    elif what < 0.45:
        del holder[last]
    elif what < 0.7:
        # A value of another object, at the same field where it has one.
        donated = [*_paths(donors)]
        alike = [each for each in donated if each[-1] == last]
        if donated:
            holder[last] = deepcopy(_at(donors, chance.choice(alike if alike and chance.random() < 0.5 else donated)))
    elif what < 0.8 and isinstance(holder, list):
        count = chance.choice((1, 2, _MOST_REPEATED))
        holder += [deepcopy(holder[last]) for _ in range(count if len(str(holder[last])) < 1000 else 1)]
    elif what < 0.9:
        holder[last] = deepcopy(_at(documents, chance.choice(paths)))
    elif isinstance(holder, dict):
        holder[chance.choice(NAMES)] = holder.pop(last)


def _bytes_changed(text: bytes, chance: Random) -> bytes:
    data = bytearray(text)
    for _ in range(chance.randrange(1, 6)):
        if not data:
            break
        at, what = chance.randrange(len(data)), chance.random()
        if what < 0.3:
            data[at] = chance.randrange(256)
        elif what < 0.6:
            del data[at : at + chance.randrange(1, 20)]
        elif what < 0.8:
            data[at:at] = chance.choice(FRAGMENTS)
        else:
            start = chance.randrange(len(data))
            data[at:at] = data[start : start + 50]
    return bytes(data)


def spoiled(files: Mapping[str, bytes], others: Sequence[bytes], chance: Random) -> dict[str, bytes]:
    """The files of a scenario, one or two of them changed."""
    targets = set(chance.sample(sorted(files), min(len(files), chance.choice((1, 1, 2)))))
    return {name: changed(text, others, chance) if name in targets else text for name, text in files.items()}
