"""`kexplain snapshot`: the file, and what becomes of the one that was there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cli.command import kexplain
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses
from tests.load.snapshot.dumps import head_of, text_of


def test_a_snapshot_says_of_what_and_when_it_is(shell: Shell) -> None:
    ended = shell.kexplain("snapshot", "-o", "x.snapshot")
    assert (ended.code, ended.out) == (0, "")
    document = head_of((shell.directory / "x.snapshot").read_bytes())
    assert (document["serverVersion"], document["format"], document["redacted"]) == ("v1.36.1", 2, False)
    assert str(document["takenAt"]).startswith("20")


def test_a_redacted_snapshot_holds_no_names(shell: Shell) -> None:
    assert shell.kexplain("snapshot", "--redact", "-o", "x.snapshot").code == 0
    content = (shell.directory / "x.snapshot").read_bytes()
    assert head_of(content)["redacted"] is True
    assert b'"Node"' in text_of(content)
    assert b"worker" not in text_of(content)
    assert b"127.0.0.1" not in text_of(content)
    assert shell.kexplain("--cluster", "x.snapshot").code == 1


def test_a_snapshot_may_be_taken_of_files(shell: Shell, server: StandIn) -> None:
    shell.kexplain("snapshot", "-o", "first.snapshot")
    server.requests.clear()
    assert shell.kexplain("snapshot", "--cluster", "first.snapshot", "-o", "second.snapshot").code == 0
    first, second = ((shell.directory / name).read_bytes() for name in ("first.snapshot", "second.snapshot"))
    assert {**head_of(first), "takenAt": ""} == {**head_of(second), "takenAt": ""}
    assert text_of(first).partition(b"\n")[2] == text_of(second).partition(b"\n")[2]
    assert not server.requests


@pytest.fixture
def old(shell: Shell) -> Path:
    path = shell.directory / "x.snapshot"
    path.write_bytes(b"old")
    return path


def _is_untouched(old: Path) -> bool:
    return old.read_bytes() == b"old" and [path.name for path in old.parent.glob("*x.snapshot*")] == ["x.snapshot"]


def test_a_cluster_that_cannot_be_read_leaves_the_old_file(shell: Shell, server: StandIn, old: Path) -> None:
    server.always(refuses(401), "/api/v1/pods")
    assert shell.kexplain("snapshot", "-o", old).code == 3
    assert _is_untouched(old)


@pytest.mark.parametrize(
    ("error", "code"),
    [(OSError(28, "No space left on device"), 2), (KeyboardInterrupt(), 130)],
    ids=["full-disk", "interrupted"],
)
def test_a_run_that_fails_while_writing_leaves_the_old_file(
    shell: Shell, old: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fails(_: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fails)
    ended = shell.kexplain("snapshot", "-o", old, "-q")
    assert ended.code == code
    assert ended.err == (f"kexplain: {old}: cannot be written: No space left on device\n" if code == 2 else "")
    assert _is_untouched(old)


def test_a_snapshot_may_go_through_a_pipe(shell: Shell) -> None:
    done = kexplain("snapshot", "-o", "-", environment={"KUBECONFIG": str(shell.directory / "config")})
    assert (done.returncode, head_of(done.stdout)["serverVersion"]) == (0, "v1.36.1")
    (shell.directory / "x.snapshot").write_bytes(done.stdout)
    assert shell.kexplain("--cluster", "x.snapshot") == shell.kexplain()


def test_a_terminal_is_spared_a_snapshot(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    ended = shell.kexplain("snapshot", "-o", "-")
    assert (ended.code, ended.out) == (2, "")
    assert "a terminal cannot show a snapshot" in ended.err


def test_a_link_stays_a_link(shell: Shell, old: Path) -> None:
    link = shell.directory / "link"
    link.symlink_to(old)
    assert shell.kexplain("snapshot", "-o", link).code == 0
    assert link.is_symlink()
    assert old.read_bytes() != b"old"


def test_a_device_is_written_to_not_replaced(shell: Shell) -> None:
    assert shell.kexplain("snapshot", "-o", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["snapshot"], 2, "where should the snapshot go?"),
        (["snapshot", "-o", "no/such/directory"], 2, "cannot be written: No such file or directory"),
        (["snapshot", "-o", "x", "--kubeconfig", "missing"], 3, "there is no file missing"),
    ],
)
def test_wrong_usage_is_told(shell: Shell, words: list[str], code: int, says: str) -> None:
    ended = shell.kexplain(*words)
    assert ended.code == code
    assert says in ended.err


def test_without_any_configuration_there_is_nothing_to_take(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "missing")
    ended = shell.kexplain("snapshot", "-o", "x")
    assert ended.code == 2
    assert "there is no cluster to take a snapshot of" in ended.err
