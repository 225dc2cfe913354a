"""The texts and numbers of a release, tried in a copy of what they are read from."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TAG = "v1.2.3"
SARIF = "kexplain/render/findings/sarif.py"
COPIED = (SARIF, ".krew.yaml", "CHANGELOG.md", "README.md", "pyproject.toml", "kexplain/__init__.py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in (*COPIED, ".github/release/release.py", ".github/release/kexplain.rb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for words in (["init", "--quiet"], ["add", "--all"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def _release(copy: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(copy / ".github/release/release.py")]
    return subprocess.run([*script, *map(str, words)], capture_output=True, text=True, encoding="utf-8", check=False)


def test_a_release_is_made_of_what_is_unreleased(copy: Path) -> None:
    assert "0.9 is not a tag" in _release(copy, "start", "0.9").stderr
    assert _release(copy, "own", "alice/kexplain").returncode == 0
    assert "has another version" in _release(copy, "check", TAG, "alice/kexplain").stderr
    assert _release(copy, "start", "1.2.3").returncode == 0
    assert _release(copy, "check", TAG, "alice/kexplain").stderr == ""
    assert "pyproject.toml says alice/kexplain" in _release(copy, "check", TAG, "bob/kexplain").stderr
    assert "a section on 1.2.3 already" in _release(copy, "start", "1.2.3").stderr
    changelog = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    (copy / "CHANGELOG.md").write_text(
        changelog.replace("## Unreleased\n", "## Unreleased\n\n- One.\n"), encoding="utf-8"
    )
    assert "lines under Unreleased" in _release(copy, "check", TAG, "alice/kexplain").stderr


def test_a_release_of_nobody_is_refused(copy: Path) -> None:
    _release(copy, "own", "OWNER/kexplain")
    _release(copy, "start", "1.2.3")
    assert "belongs to nobody yet" in _release(copy, "check", TAG, "OWNER/kexplain").stderr


def test_notes_are_the_section_of_that_version(copy: Path) -> None:
    changelog = "# Changelog\n\n## Unreleased\n\n- Three.\n\n## 1.2.3\n\n- Two.\n\n## 1.0.0\n\n- One.\n"
    (copy / "CHANGELOG.md").write_text(changelog)
    assert _release(copy, "notes", TAG).stdout == "- Two.\n"
    assert "says nothing of v1.2.4" in _release(copy, "notes", "v1.2.4").stderr


def test_one_place_decides_whose_repository_it_is(copy: Path) -> None:
    assert _release(copy, "own", "alice/pods").returncode == 0
    urls = tomllib.loads((copy / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Repository"] == "https://github.com/alice/pods"
    assert "github.com/alice/pods" in (copy / "README.md").read_text(encoding="utf-8")
    assert "https://alice.github.io/pods/rules" in (copy / SARIF).read_text(encoding="utf-8")
    assert "is not of the form" in _release(copy, "own", "alice").stderr


def test_every_text_names_that_repository() -> None:
    decided = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Repository"]
    place = decided.removeprefix("https://github.com/")
    shown = [*(ROOT / "kexplain" / "cli" / "manual").glob("*.md"), ROOT / "README.md", ROOT / ".krew.yaml"]
    named = {
        name
        for path in shown
        for name in re.findall(r"[\w.-]+/kexplain(?=\b[^-/\w]|/\.github|/releases)", path.read_text(encoding="utf-8"))
    }
    assert place in named
    assert {each for each in named if each.split("/")[0] not in {"bin", "opt", "kexplain", ".gitlab"}} == {place}


def _archives(folder: Path) -> list[str]:
    names = re.findall(r"kubectl-kexplain-[\w-]+\.(?:tar\.gz|zip)", (ROOT / ".krew.yaml").read_text())
    for name in names:
        (folder / name).write_text(name)
    return names


def test_manifests_name_every_archive_with_its_checksum(copy: Path, tmp_path: Path) -> None:
    names = _archives(tmp_path)
    matrix = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["archives"]["strategy"][
        "matrix"
    ]
    assert {re.split(r"[.]", name.removeprefix("kubectl-kexplain-"))[0] for name in names} == {
        row["platform"] for row in matrix["include"]
    }
    done = _release(copy, "fill", TAG, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    krew = yaml.safe_load((tmp_path / "kexplain.yaml").read_text())["spec"]
    formula = (tmp_path / "kexplain.rb").read_text()
    assert krew["version"] == TAG
    for name, platform in zip(names, krew["platforms"], strict=True):
        assert platform["uri"].endswith(f"/releases/download/{TAG}/{name}")
        assert platform["sha256"] == hashlib.sha256(name.encode()).hexdigest()
        labels = platform["selector"]["matchLabels"]
        assert f"-{labels['os']}-{labels['arch']}." in name
        assert name.endswith(".zip") or f'url "{platform["uri"]}"\n      sha256 "{platform["sha256"]}"' in formula


def test_a_missing_archive_is_named(copy: Path, tmp_path: Path) -> None:
    (missing, *_) = _archives(tmp_path)
    (tmp_path / missing).unlink()
    assert f"{missing}: there is none" in _release(copy, "fill", TAG, tmp_path).stderr
