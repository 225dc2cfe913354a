"""What each format makes of findings; goldens of whole reports are under fixtures/."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from kexplain.lint.findings import Finding, Ignored, LintReport, Severity
from kexplain.render import Kind, formats, render
from kexplain.render.json import schema
from kexplain.render.view import View

SCHEMA = json.loads(Path(__file__).with_name("sarif-schema-2.1.0.json").read_text())
HOSTILE = "a|b `c` <d> [e](f) # g %0A::error::x,y:z\x1b[31m\nnext & \"quoted\" 'too' \\ ✗"


def finding(severity: Severity = Severity.ERROR, **changes: object) -> Finding:
    fields: dict[str, object] = {
        "rule": "cpu-unit",
        "severity": severity,
        "message": "1000 are 1000 whole CPUs",
        "source": "charts/shop/my app.yaml",
        "line": 12,
        "column": 5,
        "object": "Deployment shop/web",
        "field": "spec.template.spec.containers[0].resources.requests.cpu",
        "fingerprint": "0123456789",
        **changes,
    }
    return Finding(**fields)  # type: ignore[arg-type]


def report(*findings: Finding, ignored: tuple[Ignored, ...] = ()) -> LintReport:
    return LintReport(
        version="1.2.3", kubernetes_version="1.36", findings=findings, ignored=ignored, files=1, objects=2, workloads=1
    )


FULL = report(
    finding(),
    finding(Severity.WARNING, rendered_from="shop/templates/web.yaml", source="<stdin>"),
    finding(Severity.INFO, message=HOSTILE, object="", field="", source="<stdin>"),
    ignored=(Ignored(finding=finding(), reason=HOSTILE, by="comment"),),
)


def text(output_format: str, shown: LintReport) -> str:
    return cast("str", render(Kind.FINDINGS, output_format, shown, View()))


@pytest.mark.parametrize("shown", [report(), FULL], ids=["nothing", "everything"])
def test_sarif_is_what_the_official_schema_says(shown: LintReport) -> None:
    document = json.loads(text("sarif", shown))
    jsonschema.Draft7Validator(SCHEMA).validate(document)


def test_the_schema_at_hand_refuses_what_is_no_sarif() -> None:
    document = json.loads(text("sarif", FULL))
    document["runs"][0]["results"][0]["message"] = "a text alone"
    assert not jsonschema.Draft7Validator(SCHEMA).is_valid(document)


def test_sarif_says_where_what_and_how_to_know_it_again() -> None:
    run = json.loads(text("sarif", FULL))["runs"][0]
    first, rendered, _, ignored = run["results"]
    location = first["locations"][0]["physicalLocation"]
    assert location == {
        "artifactLocation": {"uri": "charts/shop/my%20app.yaml"},
        "region": {"startLine": 12, "startColumn": 5},
    }
    assert first["partialFingerprints"] == {"kexplain/v1": "0123456789"}
    assert [each["level"] for each in run["results"]] == ["error", "warning", "note", "error"]
    assert rendered["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "shop/templates/web.yaml"}
    assert ignored["suppressions"] == [{"kind": "inSource", "justification": HOSTILE}]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "cpu-unit"
    assert "## Bad" in rule["help"]["markdown"]


def test_junit_counts_and_holds_what_any_text_says() -> None:
    root = ET.fromstring(text("junit", FULL))  # noqa: S314 (it is our own)
    assert (root.get("tests"), root.get("failures")) == ("3", "1")
    assert [case.find("failure") is not None for case in root.iter("testcase")] == [True, False, False]
    stricter = ET.fromstring(cast("str", render(Kind.FINDINGS, "junit", FULL, View(fail_on="warning"))))  # noqa: S314
    assert [case.find("failure") is not None for case in stricter.iter("testcase")] == [True, True, False]
    assert ET.fromstring(text("junit", report())).get("tests") == "1"  # noqa: S314


def test_github_commands_are_one_a_finding_whatever_they_say() -> None:
    lines = text("github", FULL).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::notice"]
    assert lines[0].startswith("::error file=charts/shop/my app.yaml,line=12,col=5,title=kexplain cpu-unit::1000 are")
    assert "line=" not in lines[1]
    assert all("\x1b" not in line and "%0A::error" not in line.partition("::notice")[2] for line in lines)
    assert "%250A" in lines[2]


def test_a_rendered_file_that_was_read_is_annotated_itself() -> None:
    """Only of what comes through a pipe is the template all that there is."""
    rendered = finding(source="rendered/web.yaml", rendered_from="shop/templates/web.yaml")
    assert f"file=rendered/web.yaml,line={rendered.line}," in text("github", report(rendered))
    location = json.loads(text("sarif", report(rendered)))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert (location["artifactLocation"]["uri"], location["region"]["startLine"]) == (
        "rendered/web.yaml",
        rendered.line,
    )
    piped = finding(source="<stdin>", rendered_from="shop/templates/web.yaml")
    assert "file=shop/templates/web.yaml,title=" in text("github", report(piped))


def test_tap_has_a_plan_and_escapes_what_would_be_a_directive() -> None:
    lines = text("tap", FULL).splitlines()
    assert lines[:2] == ["TAP version 14", "1..3"]
    assert sum(line.startswith("not ok ") for line in lines) == 3
    assert [bool(re.search(r" # TODO", line)) for line in lines if line.startswith("not ok")] == [False, True, True]
    assert text("tap", report()).splitlines()[1:] == ["1..1", "ok 1 - nothing found (1 file, 2 objects, 1 workload)"]


def test_markdown_is_never_what_a_manifest_makes_of_it() -> None:
    shown = text("markdown", FULL)
    assert len([line for line in shown.splitlines() if line.startswith("- 🔵")]) == 1
    rows = [line for line in shown.splitlines() if line.startswith("| `")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [5, 5, 5]
    assert "<d>" not in re.sub(r"\\<d\\>", "", shown)


def test_json_is_what_its_schema_says() -> None:
    jsonschema.Draft202012Validator(json.loads(schema(LintReport))).validate(json.loads(text("json", FULL)))


@pytest.mark.parametrize("output_format", [each.name for each in formats(Kind.FINDINGS)])
def test_no_format_lets_an_escape_sequence_through(output_format: str) -> None:
    shown = render(Kind.FINDINGS, output_format, FULL, View(verbose=True))
    if isinstance(shown, str):
        assert "\x1b" not in shown


def test_markdown_links_to_files_and_lines_where_there_are_any() -> None:
    shown = cast("str", render(Kind.FINDINGS, "markdown", FULL, View(link_base="https://host/shop/blob/c0ffee")))
    links = re.findall(r"(?<!\\)\]\((.*?)\)", shown)
    assert links == [
        "https://host/shop/blob/c0ffee/charts/shop/my%20app.yaml#L12",
        "https://host/shop/blob/c0ffee/shop/templates/web.yaml",
    ]


def test_gitlab_shows_each_finding_beside_its_line() -> None:
    issues = json.loads(text("gitlab", FULL))
    assert [(each["severity"], each["check_name"], each["fingerprint"]) for each in issues] == [
        ("critical", "cpu-unit", "0123456789"),
        ("minor", "cpu-unit", "0123456789"),
        ("info", "cpu-unit", "0123456789"),
    ]
    assert [each["location"] for each in issues] == [
        {"path": "charts/shop/my app.yaml", "lines": {"begin": 12}},
        {"path": "shop/templates/web.yaml", "lines": {"begin": 1}},
        {"path": "<stdin>", "lines": {"begin": 1}},
    ]
    assert issues[0]["description"] == "1000 are 1000 whole CPUs (Deployment shop/web)"
    (here,) = json.loads(text("gitlab", report(finding(source="./a/../web.yaml"))))
    assert here["location"]["path"] == "web.yaml"
    assert json.loads(text("gitlab", report())) == []


@pytest.mark.parametrize("output_format", ["github", "gitlab", "sarif"])
@pytest.mark.parametrize(
    ("source", "named"),
    [
        pytest.param("./a/web.yaml", "a/web.yaml", id="from here"),
        pytest.param("HERE/a/web.yaml", "a/web.yaml", id="from the root"),
        pytest.param("../web.yaml", "../web.yaml", id="beside"),
        pytest.param("/elsewhere/web.yaml", "/elsewhere/web.yaml", id="elsewhere"),
    ],
)
def test_code_hosts_get_paths_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output_format: str, source: str, named: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = text(output_format, report(finding(source=source.replace("HERE", str(tmp_path)))))
    assert f"file={named}," in shown or f'"{named}"' in shown
