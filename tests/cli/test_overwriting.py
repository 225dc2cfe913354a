"""A report never takes the place of what it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.cli.main import run

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: main, image: web}]}\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "pod.yaml").write_text(POD)
    (tmp_path / "link.yaml").symlink_to("pod.yaml")
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "nodes.yaml").write_text(NODE)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["pod.yaml", "--cluster", "base", "-o", "json=pod.yaml"], "pod.yaml"),
        (["pod.yaml", "--cluster", "base", "-o", "json=./base/../pod.yaml"], "./base/../pod.yaml"),
        (["pod.yaml", "--cluster", "base", "-o", "json=link.yaml"], "link.yaml"),
        (["link.yaml", "--cluster", "base", "-o", "json=pod.yaml"], "pod.yaml"),
        (["-f", "pod.yaml", "--cluster", "base", "-o", "json=base/nodes.yaml"], "base/nodes.yaml"),
        (["pod.yaml", "--nodes", "base/nodes.yaml", "-o", "text", "-o", "yaml=base/nodes.yaml"], "base/nodes.yaml"),
        (["lint", ".", "-R", "-o", "sarif=pod.yaml"], "pod.yaml"),
        (["lint", "pod.yaml", "--write-baseline", "pod.yaml"], "pod.yaml"),
        (["snapshot", "--cluster", "base/nodes.yaml", "-o", "base/nodes.yaml"], "base/nodes.yaml"),
        (["what-if", "--apply", "pod.yaml", "--cluster", "base", "-o", "json=pod.yaml"], "pod.yaml"),
        (["event", "pod.yaml", "-o", "json=pod.yaml"], "pod.yaml"),
    ],
)
def test_an_input_is_not_written(here: Path, capsys: pytest.CaptureFixture[str], words: list[str], output: str) -> None:
    assert run(words) == 2
    assert f"kexplain: {output} is read, so it is not written" in capsys.readouterr().err
    assert (here / "pod.yaml").read_text() == POD
    assert (here / "base" / "nodes.yaml").read_text() == NODE


@pytest.mark.parametrize("name", ["report.json", "report.yaml", "report.md", "report.sarif"])
@pytest.mark.parametrize("form", ["json", "yaml", "markdown", "html"])
def test_a_report_may_be_written_again(here: Path, capsys: pytest.CaptureFixture[str], name: str, form: str) -> None:
    for _ in range(2):
        assert run(["pod.yaml", "--cluster", "base", "-o", f"{form}={name}"]) == 0
    for _ in range(2):
        assert run(["lint", ".", "-o", f"json=lint-{name}", "--exit-zero"]) == 0, capsys.readouterr().err
    assert (here / f"lint-{name}").stat().st_size


def test_a_baseline_may_be_written_again(here: Path) -> None:
    for _ in range(2):
        assert run(["lint", "pod.yaml", "--write-baseline", "baseline.json"]) == 0
    words = ["lint", "pod.yaml", "--baseline", "baseline.json", "--write-baseline", "baseline.json"]
    assert run(words) == 0
    assert "findings" in (here / "baseline.json").read_text()
