"""The manifests that a release fills in."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILL = ROOT / ".github" / "release" / "fill.py"
PLATFORMS = ("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64")
URL = "https://example.com/releases/v1.2.3"


def _fill(tag: str, folder: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(FILL), tag, URL, str(folder), str(folder)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


@pytest.fixture
def archives(tmp_path: Path) -> Path:
    for platform in PLATFORMS:
        (tmp_path / f"kubectl-kexplain-{platform}.tar.gz").write_text(platform)
    return tmp_path


def test_both_are_filled_with_the_checksum_of_each_platform(archives: Path) -> None:
    done = _fill("v1.2.3", archives)
    assert (done.returncode, done.stderr) == (0, "")
    krew = yaml.safe_load((archives / "kexplain.yaml").read_text())
    formula = (archives / "kexplain.rb").read_text()
    assert krew["spec"]["version"] == "v1.2.3"
    assert 'version "1.2.3"' in formula
    for platform, entry in zip(PLATFORMS, krew["spec"]["platforms"], strict=True):
        labels = entry["selector"]["matchLabels"]
        assert f"{labels['os']}-{labels['arch']}" == platform
        assert entry["uri"] == f"{URL}/kubectl-kexplain-{platform}.tar.gz"
        assert entry["sha256"] == hashlib.sha256(platform.encode()).hexdigest()
        assert f'url "{entry["uri"]}"\n      sha256 "{entry["sha256"]}"' in formula
    assert "{{" not in formula


def test_a_missing_archive_and_a_tag_that_is_none_are_refused(archives: Path) -> None:
    (archives / "kubectl-kexplain-linux-arm64.tar.gz").unlink()
    assert "sha256 linux-arm64" in _fill("v1.2.3", archives).stderr
    assert "1.2 is not a tag" in _fill("1.2", archives).stderr


def test_workflows_pin_every_action_by_commit() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        jobs = yaml.safe_load(path.read_text())["jobs"]
        used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
        assert used
        assert all(len(each.partition("@")[2]) == 40 for each in used)
