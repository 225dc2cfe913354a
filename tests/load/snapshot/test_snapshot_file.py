"""Snapshots: what is written is what is read, and what cannot be read is said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kexplain.errors import InputError
from kexplain.load import Loaded, load
from kexplain.load.snapshot.snapshot_file import FORMAT, encode_snapshot
from tests.load.live.cluster import objects
from tests.scenarios import FIXTURES, loaded_scenarios


@pytest.fixture
def loaded(tmp_path: Path) -> Loaded:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
    return load([str(path)])


def _read(content: bytes, directory: Path) -> Loaded:
    path = directory / "a.snapshot"
    path.write_bytes(content)
    return load([str(path)])


def _as_json(loaded: Loaded) -> list[str]:
    # Pods and nodes are compared by identity, so that their contents are.
    return [repr(obj) for obj in loaded.objects]


def test_what_is_written_is_what_is_read(loaded: Loaded, tmp_path: Path) -> None:
    loaded.notes.append("not permitted to list services")
    loaded.server_version = "v1.36.1"
    again = _read(encode_snapshot(loaded, taken_at="2026-11-21T10:00:00Z"), tmp_path)
    assert _as_json(again) == _as_json(loaded)
    assert (again.notes, again.server_version) == (loaded.notes, loaded.server_version)


def test_every_scenario_survives_a_snapshot(tmp_path: Path) -> None:
    for folder, loaded in loaded_scenarios():
        assert _as_json(_read(encode_snapshot(loaded, taken_at=""), tmp_path)) == _as_json(loaded), folder


def test_the_same_cluster_makes_the_same_bytes(loaded: Loaded) -> None:
    assert encode_snapshot(loaded, taken_at="now") == encode_snapshot(loaded, taken_at="now")


def test_a_snapshot_may_be_read_by_other_programs(loaded: Loaded, tmp_path: Path) -> None:
    document = json.loads(gzip.decompress(encode_snapshot(loaded, taken_at="2026-11-21T10:00:00Z")))
    assert (document["kind"], document["format"], document["takenAt"]) == ("Snapshot", FORMAT, "2026-11-21T10:00:00Z")
    indented = json.dumps(document, indent=2).encode()
    assert _as_json(_read(indented, tmp_path)) == _as_json(loaded)


def test_a_snapshot_of_format_1_is_read_for_ever() -> None:
    loaded = load([str(FIXTURES / "snapshot" / "shop.snapshot")])
    assert loaded.server_version == "v1.36.1"
    assert {type(obj).__name__ for obj in loaded.objects} >= {"Node", "Pod", "PersistentVolumeClaim", "CSINode"}


def _changed(loaded: Loaded, **fields: object) -> bytes:
    document = json.loads(gzip.decompress(encode_snapshot(loaded, taken_at="")))
    return gzip.compress(json.dumps({**document, **fields}).encode())


def test_an_unknown_format_is_refused(loaded: Loaded, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="a snapshot of format 2, written by a newer kexplain: this one reads format 1"
    ):
        _read(_changed(loaded, format=2, items="of another kind"), tmp_path)
    with pytest.raises(InputError, match="a snapshot of format 0, written by no kexplain"):
        _read(_changed(loaded, format=0), tmp_path)


def test_a_damaged_snapshot_is_refused(loaded: Loaded, tmp_path: Path) -> None:
    content = encode_snapshot(loaded, taken_at="")
    with pytest.raises(InputError, match="a damaged snapshot: Expected `array`"):
        _read(_changed(loaded, items={"kind": "Pod"}), tmp_path)
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
