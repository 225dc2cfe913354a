"""Reports other than explanations as pages for a browser."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from kexplain.explain.output import Output
from kexplain.framework.trace import Outcome
from kexplain.lint.findings import Excerpt, Finding, Ignored, LintReport, Severity
from kexplain.render import Kind, formats, pages, render
from kexplain.render.html.findings import marked_lines
from kexplain.render.pages import as_title
from kexplain.render.view import View
from kexplain.report.capacity import CapacityReport, PodCapacity, StoppedBy
from kexplain.report.difference import Standing
from kexplain.report.drain_records import DrainedPod, DrainReport
from kexplain.report.what_if import ChangedPod, Effect, WhatIfReport
from tests.factories import pod
from tests.render.test_html import HOSTILE, Page
from tests.report.test_difference import FULL, ROOMY, compared, reported

MANIFEST = ("spec:", "  containers:", "  - resources: {requests: {cpu: half}}")


def lint_report(*, message: str = "no quantity", source: str = "web.yaml") -> LintReport:
    finding = Finding(
        rule="refused",
        severity=Severity.ERROR,
        message=message,
        source=source,
        line=5,
        column=MANIFEST[-1].index("half") + 1,
        length=4,
        object="Pod default/web",
        field="spec",
        excerpt=Excerpt(first_line=3, lines=MANIFEST),
    )
    ignored = Ignored(finding=finding, reason="known", by="kexplain.yaml")
    return LintReport(version="1", kubernetes_version="1.36", findings=(finding,), ignored=(ignored,), files=1)


def capacity_report(name: str = "default/web", nodes: int = 2) -> CapacityReport:
    by_node = {f"n{number}": number for number in range(nodes)}
    found = PodCapacity(pod=name, fits=nodes, limit=None, by_node=by_node, by_pool={}, stopped_by=None)
    return CapacityReport(kubernetes_version="1.36", pods=(found,))


def headroom_report(name: str = "default/web") -> CapacityReport:
    stopped_by = StoppedBy(message="0/2 nodes are available: 2 Too many pods.")
    pods = [
        PodCapacity(pod=f"{name}-{number}", fits=0, limit=None, by_node={}, by_pool={}, stopped_by=stopped_by)
        for number in range(2)
    ]
    return CapacityReport(kubernetes_version="1.36", pods=tuple(pods))


def drain_report(name: str = "default/web") -> DrainReport:
    moved = DrainedPod(pod=name, from_node="n1", outcome="Scheduled", node="n2", message=None)
    return DrainReport(kubernetes_version="1.36", nodes=("n1",), pods=(moved,), steps=())


def what_if_report(name: str = "default/web") -> WhatIfReport:
    after = Standing(outcome=Outcome.SCHEDULED, node="n2")
    changed = ChangedPod(pod=name, effect=Effect.FITS_NOW, before=Standing(outcome=Outcome.UNSCHEDULABLE), after=after)
    return WhatIfReport(kubernetes_version="1.36", changes=("a node more",), pods=(changed,))


def difference_report() -> Output:
    return compared(reported([FULL], pod("web", cpu="2")), reported([FULL, ROOMY], pod("web", cpu="2")))


REPORTS = {
    Kind.FINDINGS: lint_report(),
    Kind.CAPACITY: capacity_report(),
    Kind.DRAIN: drain_report(),
    Kind.WHAT_IF: what_if_report(),
    Kind.DIFFERENCE: difference_report(),
}


def html(kind: Kind, report: Output) -> str:
    rendered = render(kind, "html", report, View())
    assert isinstance(rendered, str)
    return rendered


@pytest.mark.parametrize(
    ("kind", "headline"),
    [
        (Kind.FINDINGS, "1 error, 1 ignored (1 file, 0 objects, 0 workloads)"),
        (Kind.CAPACITY, "default/web fits at least 2 times, on 2 nodes"),
        (Kind.DRAIN, "n1 can be drained: 1 pod moves"),
        (Kind.WHAT_IF, "1 pod fits now"),
        (Kind.DIFFERENCE, "1 of 1 pod gets another verdict"),
    ],
)
def test_each_kind_has_its_headline_and_closed_elements(kind: Kind, headline: str) -> None:
    page = Page(html(kind, REPORTS[kind]))
    assert page.text("h1").strip() == page.text("title") == headline
    assert page.counts()["caption"] == page.counts()["table"]
    assert all(attributes.get("scope") for tag, attributes in page.elements if tag == "th")


def test_what_differs_is_named() -> None:
    page = Page(html(Kind.DIFFERENCE, REPORTS[Kind.DIFFERENCE]))
    assert "default/web now fits, on roomy" in page.text("h3")
    assert "NodeResourcesFit: cpu 2 > 1 free" in page.text("td") or "does not exist" in page.text("td")


def test_lines_around_a_finding_have_the_place_marked() -> None:
    page = Page(html(Kind.FINDINGS, lint_report()))
    assert page.text("mark") == "half"
    assert page.text("i") == "345"
    assert "web.yaml" in page.text("h2")


def test_a_place_that_is_no_word_is_one_character() -> None:
    (finding,) = lint_report().findings
    lines = list(marked_lines(finding))
    assert lines[0] == (3, "spec:", "", "")
    assert lines[2][2] == "half"
    without = Finding(rule="r", severity=Severity.INFO, message="m", source="f", line=1, column=1)
    assert list(marked_lines(without)) == []


@pytest.mark.parametrize(
    ("kind", "report"),
    [
        (Kind.FINDINGS, lint_report(message=HOSTILE, source=HOSTILE)),
        (Kind.CAPACITY, capacity_report(HOSTILE)),
        (Kind.CAPACITY, headroom_report(HOSTILE)),
        (Kind.DRAIN, drain_report(HOSTILE)),
        (Kind.WHAT_IF, what_if_report(HOSTILE)),
    ],
)
def test_markup_is_text(kind: Kind, report: Output) -> None:
    page = Page(html(kind, report))
    assert page.counts()["img"] == 0
    assert page.counts()["script"] == 2
    spelled = HOSTILE.replace("\u202e", r"\u202e").replace("\x1b", r"\x1b")
    assert spelled in page.text("h1") + page.text("h3") + page.text("td")


def test_what_stops_the_next_one_stands_there_once() -> None:
    page = Page(html(Kind.CAPACITY, headroom_report()))
    assert page.text("dt") == "0/2 nodes are available: 2 Too many pods."
    assert [f"default/web-{number}" in page.text("dd") for number in range(3)] == [True, True, False]


def test_long_tables_can_be_searched() -> None:
    assert 'data-finds="' not in html(Kind.CAPACITY, capacity_report())
    assert 'data-finds="tbody tr"' in html(Kind.CAPACITY, capacity_report(nodes=30))


def test_every_kind_about_objects_has_a_page() -> None:
    kinds = {kind for kind in Kind if any(each.name == "html" for each in formats(kind))}
    assert kinds == {*REPORTS, Kind.EXPLANATION, Kind.STATUS, Kind.TRACE, Kind.FLEET, Kind.REPLAY, Kind.PACK}


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("WHAT STOPS THE NEXT ONE", "What stops the next one"),
        ("NODES OF default/Web-A", "Nodes of default/Web-A"),
        ("default/web moves from A to n2", "default/web moves from a to n2"),
    ],
)
def test_titles(title: str, shown: str) -> None:
    assert as_title(title) == shown


def test_a_difference_in_markdown_and_csv() -> None:
    report = REPORTS[Kind.DIFFERENCE]
    markdown, csv = (str(render(Kind.DIFFERENCE, name, report, View())) for name in ("markdown", "csv"))
    assert "**default/web now fits, on roomy**" in markdown
    assert csv.splitlines()[1].startswith('default/web,"verdict; ')


def test_what_templates_ask_of_pages_is_there() -> None:
    template = files("kexplain.render.html").joinpath("templates", "page.html").read_text("utf-8")
    asked = set(re.findall(r'(?:selectattr\(|attribute=)"(\w+)"', template))
    assert asked
    assert {name for name in asked if not hasattr(pages.Page(""), name)} == set()
