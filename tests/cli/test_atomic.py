from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from kexplain.cli.atomic import whole_file, write_atomically
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


def test_a_file_keeps_its_rights_and_its_links(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"a longer text than the new one")
    file.chmod(0o640)
    write_atomically(str(file), b"new")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"new", 0o640)
    os.link(file, link)
    before = file.stat()
    write_atomically(str(link), b"newer")
    assert (file.read_bytes(), file.stat().st_ino, file.stat().st_nlink) == (b"newer", before.st_ino, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"old")
    os.chown(file, 65534, 65534)
    write_atomically(str(file), b"new")
    assert (file.read_bytes(), file.stat().st_uid, file.stat().st_gid) == (b"new", 65534, 65534)


def test_what_cannot_be_replaced_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a longer text than the new one")

    def busy(_from: str, _to: str) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    inode = file.stat().st_ino
    write_atomically(str(file), b"new")
    assert (file.read_bytes(), file.stat().st_ino) == (b"new", inode)
    assert [*tmp_path.iterdir()] == [file]
    with pytest.raises(KexplainError, match="other: cannot be written: Device or resource busy"):
        write_atomically(str(tmp_path / "other"), b"new")
    assert [*tmp_path.iterdir()] == [file]


def test_a_new_file_has_the_rights_of_new_files(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_atomically(str(tmp_path / "report"), b"")
        write_atomically(str(tmp_path / "snapshot"), b"", mode=0o600)
    finally:
        os.umask(mask)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("report", "snapshot")] == [0o640, 0o600]


def test_an_open_file_is_not_replaced(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        write_atomically(f"/dev/fd/{file.fileno()}", b"new")
        assert os.fstat(file.fileno()).st_size == 3


def _write_half(path: Path) -> None:
    with whole_file(str(path)) as write:
        write(b"half" * (1 // 0 if write(b"half") is None else 1))


def test_a_report_that_ends_early_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "report"
    for found in (None, b"old"):
        if found:
            path.write_bytes(found)
        with pytest.raises(ZeroDivisionError):
            _write_half(path)
        assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == ({"report": found} if found else {})
