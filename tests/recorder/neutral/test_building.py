from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.conformance.corpora import DEFAULT
from tests.recorder.__main__ import main
from tests.sampling import some

from .building import HERE, RECORDED_FROM

READER = HERE / "reader.py"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of two releases, as all of them take a while."""
    folder = tmp_path_factory.mktemp("corpus")
    for release in ("v1.23", "v1.35"):
        (folder / release).symlink_to(DEFAULT / release)
    assert main(["corpus", str(folder), "-o", str(folder / "corpus.tar.gz")]) == 0
    return folder / "corpus.tar.gz"


def _rows(archive: Path) -> Iterator[dict[str, Any]]:
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name.endswith(".jsonl") and (file := tar.extractfile(member)):
                yield from map(json.loads, file.read().splitlines())


def _read(archive: Path) -> subprocess.CompletedProcess[str]:
    # Isolated, so that it finds nothing but Python's own modules.
    return subprocess.run([sys.executable, "-I", READER, archive], capture_output=True, text=True, check=False)


def test_every_line_is_as_the_schema_says(archive: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads((HERE / "schema.json").read_text()))
    assert [error.message for row in some(_rows(archive), 4) for error in validator.iter_errors(row)] == []


def test_nothing_is_lost(archive: Path) -> None:
    decisions = [decision for row in _rows(archive) for decision in row["decisions"]]
    assert len(decisions) == 491 + 914
    scored = [node for decision in decisions for node in decision["nodes"].values() if "scores" in node]
    assert scored
    assert all(sum(each["weighted"] for each in node["scores"].values()) == node["total"] for node in scored)
    assert any("preemption" in decision for decision in decisions)
    assert any("onlyNodes" in each for decision in decisions for each in decision.get("preFilter", {}).values())


def test_a_program_that_knows_nothing_of_kexplain_reads_it(archive: Path) -> None:
    assert "kexplain" not in READER.read_text()
    done = _read(archive)
    assert done.returncode == 0, done.stderr
    assert "1.35.3 Scheduled 591\n" in done.stdout


def test_the_reader_is_short() -> None:
    assert len(READER.read_text().splitlines()) <= 40


def test_damage_is_noticed(archive: Path, tmp_path: Path) -> None:
    with tarfile.open(archive) as whole, tarfile.open(tmp_path / "damaged.tar", "w") as damaged:
        for member in whole:
            file = whole.extractfile(member)
            if member.name.endswith("v1.35/taints.jsonl"):
                member.size -= 1
            damaged.addfile(member, file)
    assert "v1.35/taints.jsonl is damaged" in _read(tmp_path / "damaged.tar").stderr


def test_the_same_recordings_make_the_same_archive(archive: Path) -> None:
    again = archive.with_name("again.tar.gz")
    main(["corpus", str(archive.parent), "-o", str(again)])
    assert again.read_bytes() == archive.read_bytes()


def test_every_recorded_release_has_a_patch() -> None:
    folders = {each.name for each in DEFAULT.iterdir() if each.name.startswith("v1.")}
    assert {f"v{release}" for release in RECORDED_FROM} == folders
