from __future__ import annotations

import os
from pathlib import Path

import pytest

from kexplain.cli.atomic import write_atomically
from kexplain.errors import KexplainError


def test_a_file_is_replaced_where_its_link_leads(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_atomically(str(tmp_path / "link"), b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_what_cannot_be_finished_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KexplainError, match="file: cannot be written: No space left on device"):
        write_atomically(str(tmp_path / "file"), b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


def test_devices_are_written_to() -> None:
    write_atomically(os.devnull, b"anything")
    assert not Path(os.devnull).is_file()
