"""Which snapshot is the nearest one."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kexplain.errors import UsageError
from kexplain.load.snapshot.times import nearest
from tests.load.snapshot.story import write_story


@pytest.mark.parametrize(
    ("when", "name", "wanted"),
    [
        ("03:00", "6.snapshot", "2026-11-20 03:00"),
        ("03:04", "6.snapshot", "2026-11-20 03:04"),
        ("03:05:01", "7.snapshot", "2026-11-20 03:05"),
        # Missed by less than an hour, and by more: that was the day before.
        ("04:30", "9.snapshot", "2026-11-20 04:30"),
        ("04:31", "0.snapshot", "2026-11-19 04:31"),
        ("04:00+01:00", "6.snapshot", "2026-11-20 03:00"),
        ("2026-11-20 02:21", "2.snapshot", "2026-11-20 02:21"),
        ("2026-11-20T03:21:00+01:00", "2.snapshot", "2026-11-20 02:21"),
        ("2020-01-01", "0.snapshot", "2020-01-01 00:00"),
        # Of two that are as near, the earlier one.
        ("02:05", "0.snapshot", "2026-11-20 02:05"),
    ],
)
def test_a_time_and_the_snapshot_that_is_nearest(when: str, name: str, wanted: str, tmp_path: Path) -> None:
    taken, meant = nearest([str(write_story(tmp_path))], when)
    assert (Path(taken.path).name, f"{meant.astimezone(UTC):%Y-%m-%d %H:%M}") == (name, wanted)


def test_how_far_it_is_from_what_was_asked_for(tmp_path: Path) -> None:
    taken, meant = nearest([str(write_story(tmp_path))], "03:04")
    told = f"the cluster is the one of 2026-11-20 03:00 UTC, 4 min before 2026-11-20 03:04 ({taken.path})"
    assert taken.told_at(meant) == told
    assert taken.told_at(taken.at) == f"the cluster is the one of 2026-11-20 03:00 UTC ({taken.path})"
    assert "26 min after 2026-11-20 02:34" in taken.told_at(datetime(2026, 11, 20, 2, 34, tzinfo=UTC))


def test_packed_ones_count_and_damaged_ones_do_not(tmp_path: Path) -> None:
    folder = write_story(tmp_path)
    middle = folder / "6.snapshot"
    packed = folder / "6.snapshot.gz"
    packed.write_bytes(gzip.compress(middle.read_bytes()))
    middle.write_bytes(middle.read_bytes().replace(b'"takenAt":"2026', b'"takenAt":"2O26'))
    (folder / "9.snapshot").write_bytes(packed.read_bytes()[:40])
    assert nearest([str(folder)], "03:00")[0].path == str(packed)


@pytest.mark.parametrize("when", ["25:00", "yesterday", "", "2026-13-01"])
def test_what_is_no_time(when: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"^{when} is no time$"):
        nearest([str(write_story(tmp_path))], when)


def test_without_a_snapshot(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no snapshot in"):
        nearest([str(tmp_path), str(tmp_path / "missing")], "03:00")
