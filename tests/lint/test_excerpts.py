"""The lines around findings: which, of which texts, and how they look."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from kexplain.case import scheduler_for
from kexplain.cli.corrections import diffs
from kexplain.cli.output import as_text
from kexplain.lint.corrections import corrections
from kexplain.lint.engine import lint
from kexplain.lint.findings import Excerpt, Finding, LintReport, Severity
from kexplain.lint.ignores import MARKER
from kexplain.lint.options import LintOptions
from kexplain.load.raw_manifests import load_written
from kexplain.render import Kind, render
from kexplain.render.view import View
from tests.lint.linting import linted

POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  nodeSelectr: {a: b}
  containers: [{name: web, image: web}]
"""
HIDDEN = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2}\ntyp: Opaque\n"


def frame(report: LintReport, width: int | None = None) -> list[str]:
    """The frames of a report, without their indentation."""
    shown = as_text(
        lambda view: render(Kind.FINDINGS, "text", report, view), View(width=width), color="never", terminal=False
    )
    return [line[2:] for line in shown.splitlines() if line.lstrip("0123456789 ").startswith("|")]


def test_the_key_is_marked_where_the_name_is_wrong() -> None:
    (finding,) = linted(POD).findings
    assert (finding.line, finding.column, finding.length) == (5, 3, len("nodeSelectr"))
    assert frame(linted(POD)) == [
        "  |",
        "3 | metadata: {name: web}",
        "4 | spec:",
        "5 |   nodeSelectr: {a: b}",
        "  |   ^^^^^^^^^^^",
        "6 |   containers: [{name: web, image: web}]",
    ]


@pytest.mark.parametrize("text", [HIDDEN, json.dumps({"apiVersion": "v1", "kind": "Secret", "typ": "Opaque"})])
def test_secrets_are_never_shown(text: str) -> None:
    found = linted(text).findings
    assert found
    assert all(finding.excerpt is None for finding in found)


BROKEN = "my-password-of-the-database"
FLAWED = f"""apiVersion: v1
kind: Secret
metadata: {{name: s, labels: {{a: 5}}}}
data: {{password: {BROKEN}}}
stringData: {{other: [{BROKEN}]}}
immutable: {BROKEN}
"""


@pytest.mark.parametrize(
    "text",
    [
        FLAWED,
        FLAWED.replace("Secret", '"\\x53ecret"'),
        FLAWED.replace("kind: Secret", "? kind\n: Secret"),
        FLAWED.replace("password: ", "password: !!binary "),
        FLAWED.replace("immutable:", "---: x\n---x: 1\nimmutable:"),
        json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Secret",
                    "metadata": {"name": "s"}, "data": {"a": BROKEN}, "immutable": BROKEN}]}),
    ],
    ids=["plain", "escaped", "explicit-key", "binary", "dashes", "list"],
)  # fmt: skip
@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "markdown", "html", "junit", "tap"])
def test_values_of_secrets_are_in_no_report(text: str, form: str) -> None:
    report = linted(text)
    assert report.findings
    shown = as_text(lambda view: render(Kind.FINDINGS, form, report, view), View(), color="never", terminal=False)
    assert BROKEN not in shown


def test_a_diff_shows_no_line_of_a_secret() -> None:
    pod = POD.replace("nodeSelectr: {a: b}", "nodeSelector: {a: 5}")
    scheduler = scheduler_for(None, ())
    for secret in (FLAWED, FLAWED.replace("Secret", '"\\x53ecret"')):
        written = load_written(["-"], MARKER, stdin=BytesIO(f"{secret}---\n{pod}---\n{secret}".encode()))
        found = lint(written, None, scheduler, LintOptions())
        made = corrections(found.findings, written, lambda other: lint(other, None, scheduler, LintOptions()))
        shown = diffs(made)
        assert '+  nodeSelector: {a: "5"}' in shown
        assert BROKEN not in shown


def test_an_excerpt_stays_within_its_document() -> None:
    first = "apiVersion: v1\nkind: Pod\nspe: {}\n"
    found = linted(f"{first}---\n{HIDDEN}").findings
    assert [finding.excerpt.lines for finding in found if finding.excerpt and finding.line == 3] == [
        ("apiVersion: v1", "kind: Pod", "spe: {}")
    ]


def test_line_ends_of_windows_and_tabs_keep_the_mark_in_place() -> None:
    text = POD.replace("nodeSelectr: {a: b}", 'nodeName: \t"n"').replace("\n", "\r\n")
    assert frame(linted(text))[3:5] == ['5 |   nodeName:     "n"', "  |                 ^^^"]


def test_wide_characters_take_two_columns_and_control_characters_are_spelled_out() -> None:
    line = "节点\x1b: x"
    finding = Finding(
        rule="refused", severity=Severity.ERROR, message="m", source="s", line=1, column=6, length=1,
        excerpt=Excerpt(first_line=1, lines=(line,)),
    )  # fmt: skip
    report = LintReport(version="1", kubernetes_version="1.36", findings=(finding,))
    assert frame(report) == ["  |", "1 | 节点\\x1b: x", "  |           ^"]


@pytest.mark.parametrize("padding", [0, 300, 5_000])
def test_of_long_lines_the_part_around_the_place_is_shown(padding: int) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web", "annotations": {"a": "x" * padding}},
        "spec": {"nodeName": "n1", "containers": [{"name": "web", "image": "web"}]},
    }
    *_, line, marks = frame(linted(json.dumps(pod)), width=60)
    assert len(line) <= 60
    at = marks.index("^")
    assert (line[at : at + 4], marks[at:]) == ('"n1"', "^^^^")


def test_what_a_link_leads_to_elsewhere_is_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "repository"
    here.mkdir()
    (tmp_path / "other.yaml").write_text(POD.replace("nodeSelectr: {a: b}", "nodeSelector: {a: 5}"))
    (here / "web.yaml").symlink_to("../other.yaml")
    monkeypatch.chdir(here)
    scheduler = scheduler_for(None, ())
    for path in ("web.yaml", str(here / "web.yaml")):
        written = load_written([path], MARKER)
        found = lint(written, None, scheduler, LintOptions())
        assert found.findings
        assert all(each.excerpt is None and each.instead is None for each in found.findings)
        assert not [*corrections(found.findings, written, lambda other: lint(other, None, scheduler, LintOptions()))]
    monkeypatch.chdir(tmp_path)
    found = lint(load_written(["repository/web.yaml"], MARKER), None, scheduler, LintOptions())
    assert any(each.excerpt for each in found.findings)
