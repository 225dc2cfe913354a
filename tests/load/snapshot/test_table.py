"""Tables: objects come back as they were, whatever they share, and few bytes never become many."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.load.snapshot.table import Column, DamagedError, Rows, Section, Table, pack, unpack, write_table
from kexplain.objects.core import Container, ContainerImage, Node, NodeStatus, Pod, ResourceRequirements
from kexplain.objects.meta import KubernetesObject
from tests.factories import node, pod


def _table(objects: list[KubernetesObject]) -> tuple[Table, memoryview]:
    body: list[bytes] = []
    table = write_table(type(objects[0]), "v1", objects, body)
    return table, memoryview(b"".join(body))


def _again(objects: list[KubernetesObject]) -> list[str]:
    return [repr(each) for each in Rows(type(objects[0]), *_table(objects))]


@pytest.mark.parametrize("count", [1, 2, 255, 256, 257, 70_000])
def test_rows_are_as_they_were(count: int) -> None:
    pods: list[KubernetesObject] = [pod(f"p{n}", cpu=n % (count // 2 + 1), node=f"n{n % 7}") for n in range(count)]
    pods[-1] = replace(pods[-1], api_version=None)
    assert _again(pods) == [repr(each) for each in pods]


def test_numbers_of_any_size_stay() -> None:
    requests: dict[str, str | int | float] = {"a": 10**30, "b": 1.5, "c": -1, "d": "1e3"}
    containers = (Container(resources=ResourceRequirements(requests=requests)),)
    whole = pod("p")
    assert _again([replace(whole, spec=replace(whole.spec, containers=containers))])[0].count(str(10**30)) == 1


def _holding(name: str, *images: str) -> Node:
    whole = node(name)
    return replace(whole, status=NodeStatus(images=tuple(ContainerImage(names=(each,)) for each in images)))


def test_items_that_recur_are_written_once() -> None:
    nodes: list[KubernetesObject] = [
        _holding(f"n{n}", *(f"image-{(n + k) % 50}" for k in range(20))) for n in range(99)
    ]
    nodes += [_holding("none"), node("unknown")]
    table, _ = _table(nodes)
    images = next(each for each in table.columns if each.field == "status.images")
    assert images.items is not None
    assert images.items.unpacked < 50 * len('{"names":["image-99"]},')
    assert _again(nodes) == [repr(each) for each in nodes]


def test_an_object_is_made_once() -> None:
    rows = Rows(Pod, *_table([pod("p"), pod("q")]))
    assert rows[1] is [*rows][1]
    assert len(rows) == 2


def _rows(count: int, **contents: Any) -> Rows:
    """Pods with names, and the sections of one more column."""
    body: list[bytes] = []
    name = Column("metadata.name", pack(b"[%b]" % b",".join([b'"p"'] * count), body))
    other = Column("status.conditions", **{part: pack(content, body) for part, content in contents.items()})
    return Rows(Pod, Table("v1", "Pod", count, [name, other]), memoryview(b"".join(body)))


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        pytest.param({"values": b"[null"}, "truncated", id="no-json"),
        pytest.param({"values": b"[1]"}, "Expected `array", id="other-type"),
        pytest.param({"values": b"[null,null]"}, "2 values of status.conditions for 3 objects", id="two-of-three"),
        pytest.param({"values": b"[null]", "places": b"\0\0"}, "2 bytes for 3 places", id="two-places"),
        pytest.param({"values": b"[null]", "places": bytes(9)}, "9 bytes for 3 places", id="odd-places"),
        pytest.param({"values": b"[null]", "places": b"\0\0\1"}, "a value that is not there", id="no-value"),
        pytest.param({"values": b"[]", "places": bytes(3)}, "a value that is not there", id="no-value-at-all"),
        pytest.param({"values": b"[[0]]", "items": b"[]"}, "an item that is not there", id="no-item"),
        pytest.param({"values": b"[[-1]]", "items": b"[{}]"}, "Expected `int` >= 0", id="below-zero"),
    ],
)
def test_what_is_damaged_is_refused_when_it_is_asked_for(contents: dict[str, bytes], message: str) -> None:
    rows = _rows(3, **contents)
    with pytest.raises(DamagedError, match=message):
        rows[0]


def test_no_section_becomes_more_than_it_says() -> None:
    packed = zlib.compress(bytes(1 << 24))
    with pytest.raises(DamagedError, match="does not become the 10 bytes"):
        unpack(Section(len(packed), 10), memoryview(packed))
    with pytest.raises(DamagedError, match="does not become"):
        unpack(Section(len(packed) - 9, 1 << 24), memoryview(packed)[:-9])
