"""Snapshots: what is written is what is read, and what cannot be read is said."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import Wanted, explain, load_case
from kexplain.errors import InputError, UsageError
from kexplain.load import Loaded, load
from kexplain.load.snapshot.snapshot_file import CHECKSUM_SIZE, FORMAT, checksum, encode_snapshot
from kexplain.objects.core import Pod
from kexplain.render import Kind, render
from kexplain.render.view import View
from tests.load.live.cluster import objects
from tests.load.snapshot.dumps import as_in_a_cluster, dumps, in_first_format, objects_in, read
from tests.objects.test_queues import KUBERNETES, KUEUE
from tests.sampling import some

#: Written by the tree that this format came with.
SECOND = Path(__file__).with_name("format-2.snapshot")


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
    return load([str(path)])


def _read(content: bytes, directory: Path) -> Loaded:
    path = directory / "a.snapshot"
    path.write_bytes(content)
    return load([str(path)])


def test_what_is_written_is_what_is_read(loaded: Loaded, tmp_path: Path) -> None:
    loaded.notes.append("not permitted to list services")
    loaded.server_version = "v1.36.1"
    again = _read(encode_snapshot(loaded, taken_at="2026-11-21T10:00:00Z"), tmp_path)
    assert objects_in(again) == objects_in(loaded)
    assert (again.notes, again.server_version) == (loaded.notes, loaded.server_version)


def test_every_dump_survives_a_snapshot() -> None:
    for name, dump in dumps():
        loaded = read(dump)
        assert objects_in(read(encode_snapshot(loaded, taken_at=""))) == objects_in(loaded), name


def _answer(content: bytes, path: Path) -> Any:
    """What is said of all that is pending, but for lines, which only a text has, and what is said by them."""
    path.write_bytes(content)
    try:
        report = explain(load_case((), [str(path)], Wanted(may_be_empty=True, strict=None)))
    except UsageError as error:
        return str(error)
    found = json.loads(str(render(Kind.EXPLANATION, "json", report, View())))
    del found["notes"]
    for each in found["pods"]:
        each["pod"].pop("line", None)
    return found


def test_a_dump_and_its_snapshots_of_either_format_answer_alike(tmp_path: Path) -> None:
    path, asked, unmade = tmp_path / "cluster", 0, 0
    # That all of them survive is another test; this one takes the longest.
    for name, written in some(dumps(), 8):
        dump = as_in_a_cluster(written)
        loaded = read(dump)
        snapshot = encode_snapshot(loaded, taken_at="")
        answer = _answer(dump, path)
        assert _answer(snapshot, path) == answer, name
        assert _answer(in_first_format(loaded), path) == answer, name
        asked += isinstance(answer, dict) and bool(answer["pods"])
        stored = read(snapshot).objects.stored
        unmade += stored is not None and len(stored.loose) < len(stored.rows)
    assert (asked > 20, unmade > 20) == (True, True)


def test_the_same_cluster_makes_the_same_bytes(loaded: Loaded) -> None:
    assert encode_snapshot(loaded, taken_at="now") == encode_snapshot(loaded, taken_at="now")


def test_the_first_line_says_what_a_snapshot_is(loaded: Loaded) -> None:
    head = json.loads(encode_snapshot(loaded, taken_at="2026-11-21T10:00:00Z").partition(b"\n")[0])
    assert (head["kind"], head["format"], head["takenAt"]) == ("Snapshot", FORMAT, "2026-11-21T10:00:00Z")
    assert {table["kind"]: table["count"] for table in head["tables"]}["Pod"] == 4


def test_objects_of_queues_keep_their_place(tmp_path: Path) -> None:
    loaded = read(json.dumps({"apiVersion": "v1", "kind": "List", "items": [KUEUE, *objects(), KUBERNETES]}).encode())
    again = _read(encode_snapshot(loaded, taken_at=""), tmp_path)
    assert objects_in(again) == objects_in(loaded)
    assert [*map(type, again.objects)] == [*map(type, loaded.objects)]


def test_a_snapshot_of_format_2_is_read_for_ever() -> None:
    loaded = load([str(SECOND)])
    assert (loaded.server_version, loaded.notes) == ("v1.36.1", ["not permitted to list services"])
    of_format_1 = load([str(SECOND.with_name("format-1.snapshot"))])
    assert objects_in(loaded) == objects_in(of_format_1)


def _changed(loaded: Loaded, change: Callable[[dict[str, Any]], object], *, format_1: bool = False) -> bytes:
    """A snapshot with another head."""
    content = in_first_format(loaded) if format_1 else encode_snapshot(loaded, taken_at="")[:-CHECKSUM_SIZE]
    head, line_end, body = content.partition(b"\n")
    document = json.loads(head)
    change(document)
    changed = json.dumps(document).encode() + line_end + body
    return changed if format_1 else changed + checksum(changed)


def test_an_unknown_format_is_refused(loaded: Loaded, tmp_path: Path) -> None:
    refusal = "a snapshot of format {}, written by {}: this one reads formats 1 and 2"
    for number, writer in ((3, "a newer kexplain"), (0, "no kexplain")):
        with pytest.raises(InputError, match=refusal.format(number, writer)):
            _read(_changed(loaded, partial(_set_format, number)), tmp_path)


def _set_format(number: int, head: dict[str, Any]) -> None:
    head["format"] = number


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda head: head.update(tables="none"), "Expected `array`", id="other-type"),
        pytest.param(lambda head: head.pop("tables"), "missing required field", id="no-tables"),
        pytest.param(lambda head: head["tables"].pop(), "it was cut off, or something follows", id="one-table-less"),
        pytest.param(lambda head: head.update(order=[4, -1]), "Expected `int` >= 0", id="below-zero"),
        pytest.param(
            lambda head: head["order"].__setitem__(1, 1 << 40), r"more than 1024 MiB, unpacked", id="much-unpacked"
        ),
        pytest.param(lambda head: head["order"].__setitem__(1, 3), "does not become the 3 bytes", id="bomb"),
        pytest.param(lambda head: head["tables"].reverse(), "a damaged snapshot: ", id="other-order"),
        pytest.param(
            lambda head: head["tables"][0].update(count=1 << 40), "do not hold as many objects", id="many-objects"
        ),
    ],
)
def test_a_damaged_head_is_refused(
    change: Callable[[dict[str, Any]], object], message: str, loaded: Loaded, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=f"a damaged snapshot: .*{message}|{message}"):
        _read(_changed(loaded, change), tmp_path)


def test_what_a_later_kexplain_adds_is_passed_over(loaded: Loaded, tmp_path: Path) -> None:
    def rename(head: dict[str, Any]) -> None:
        table = next(each for each in head["tables"] if each["kind"] == "Pod")
        next(each for each in table["columns"] if each["field"] == "spec.nodeName")["field"] = "spec.tidiness"
        next(each for each in head["tables"] if each["kind"] == "Service")["kind"] = "Tidiness"

    again = _read(_changed(loaded, rename), tmp_path)
    assert again.passed_over == {"v1/Tidiness": 1}
    assert [pod.spec.node_name for pod in again.objects if isinstance(pod, Pod)] == [None] * 4


def test_a_damaged_body_is_refused_wherever_it_is_damaged(loaded: Loaded, tmp_path: Path) -> None:
    content = encode_snapshot(loaded, taken_at="")
    start = content.index(b"\n") + 1
    for at in range(len(b'{"apiVersion":"kexplain/v1","kind":"Snapshot","format":2'), len(content), 7):
        damaged = content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]
        with pytest.raises(InputError, match=r"a\.snapshot: a damaged snapshot: "):
            _read(damaged, tmp_path)
    for end in (start - 1, start, start + 30, len(content) - 1):
        with pytest.raises(InputError, match=r"a\.snapshot: a damaged snapshot: "):
            _read(content[:end], tmp_path)
    with pytest.raises(InputError, match="it was cut off, or something follows it"):
        _read(content + b"more", tmp_path)


def test_a_damaged_snapshot_of_format_1_is_refused(loaded: Loaded, tmp_path: Path) -> None:
    content = gzip.compress(in_first_format(loaded))
    with pytest.raises(InputError, match="a damaged snapshot: Expected `array`"):
        _read(_changed(loaded, lambda document: document.update(items={}), format_1=True), tmp_path)
    with pytest.raises(InputError, match=r"a\.snapshot: it was cut off"):
        _read(content[:-20], tmp_path)
    with pytest.raises(InputError, match=r"a\.snapshot: it is damaged"):
        _read(content[:200] + b"\xff" * 20 + content[220:], tmp_path)


def test_any_input_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "dump.json.gz"
    path.write_bytes(gzip.compress(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}).encode()))
    assert len(load([str(path)]).objects) == len(objects())


def test_every_member_of_a_compressed_file_counts(tmp_path: Path) -> None:
    members = [gzip.compress(f"apiVersion: v1\nkind: Node\nmetadata: {{name: n{n}}}\n---\n".encode()) for n in range(3)]
    assert [node.name for node in _read(b"".join(members), tmp_path).objects] == ["n0", "n1", "n2"]
    # Tape drives and tar pad with zeros.
    assert len(_read(b"".join(members) + bytes(512), tmp_path).objects) == 3
    for rest in (b"kind: Pod", members[0][:-4], members[0][:9]):
        with pytest.raises(InputError, match=r"a\.snapshot: it (was cut off|is damaged, or something follows)"):
            _read(b"".join(members) + rest, tmp_path)


def test_what_unpacks_to_too_much_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kexplain.load.text.source.YAML_LIMIT", 1 << 20)
    bomb = gzip.compress(b"#" * (1 << 26), 9)
    with pytest.raises(InputError, match="more than 1 MiB of YAML"):
        _read(bomb, tmp_path)
    with pytest.raises(InputError, match="more than 1 MiB of YAML"):
        _read(gzip.compress(b"#" * (1 << 19), 9) * 3, tmp_path)
