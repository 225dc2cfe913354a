from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections import Counter
from html.parser import HTMLParser
from importlib.resources import files

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.case.records import Searched
from kexplain.cli.spelling import as_flag
from kexplain.explain.records import NodeVerdict
from kexplain.explanation.records import PodExplanation, PodReference
from kexplain.objects.core import Node, Pod
from kexplain.objects.well_known import ZONE
from kexplain.parameters import parameters_spelled
from kexplain.render import Kind, render
from kexplain.render.pages import Column, Sheet
from kexplain.render.pages.figures import REJECTING, SCORING, Colors
from kexplain.render.view import DRAWN_NODES, View
from kexplain.report.places import NodePlaces
from kexplain.report.records import Report
from tests.factories import cluster, node, pod

VOID = {"meta", "input"}
HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>{{ 7*7 }}\u202e\x1b[31m"


class Page(HTMLParser):
    """The elements of a page with their attributes and own text; everything that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        # Spans around names keep them on one line, and say nothing.
        if around := [tag for tag in self.open if tag != "span"]:
            self.texts.append((around[-1], data))

    def text(self, tag: str) -> str:
        return "".join(data for each, data in self.texts if each == tag)

    def names(self) -> list[str]:
        return [attributes["id"] or "" for _, attributes in self.elements if "id" in attributes]

    def counts(self) -> Counter[str]:
        return Counter(tag for tag, _ in self.elements)


def report(*pods: Pod, nodes: list[Node]) -> Report:
    return explain(Case(cluster(nodes), tuple(map(PodToPlace, pods))))


def nodes(count: int) -> list[Node]:
    """Some are tainted, some cordoned, and they differ in size."""
    return [
        node(
            f"worker-{number}",
            cpu=str(2 + number % 7),
            taints=["dedicated=batch:NoSchedule"] if number % 5 == 3 else [],
            cordoned=number % 11 == 4,
        )
        for number in range(count)
    ]


def many(found: Report, count: int) -> Report:
    """The report with its verdicts repeated under other names, in three zones and forty pools."""
    first = found.pods[0]
    verdicts = first.node_verdicts
    names = [f"node-{n}.example.internal" for n in range(count)]
    repeated = [replace(verdicts[n % len(verdicts)], node=name) for n, name in enumerate(names)]
    places = NodePlaces(
        zones={f"zone-{n}": tuple(names[n::3]) for n in range(3)},
        pools={f"pool-{n}": tuple(names[n::40]) for n in range(40)},
    )
    all_of_them = replace(first.nodes, total=count)
    return replace(found, pods=(replace(first, node_verdicts=tuple(repeated), nodes=all_of_them),), places=places)


def html(found: Report, view: View | None = None) -> str:
    rendered = render(Kind.EXPLANATION, "html", found, view or View())
    assert isinstance(rendered, str)
    return rendered


def test_what_a_pod_that_fits_shows() -> None:
    page = Page(html(report(pod("web", cpu="1"), nodes=nodes(12))))
    assert "default/web fits and lands on worker-6" in page.text("h1")
    said = page.text("caption") + page.text("h3")
    for title in ("Why worker-6", "Why not the others", "How 12 nodes fared", "Points of the best 9 nodes"):
        assert title in said
    assert "All 12 nodes" in said
    bars = [attributes["aria-label"] for tag, attributes in page.elements if tag == "svg"]
    assert any("NodeResourcesFit" in (label or "") for label in bars)
    assert all(attributes.get("scope") for tag, attributes in page.elements if tag == "th")
    assert page.counts()["caption"] == page.counts()["table"]


def test_what_a_pod_that_does_not_fit_shows() -> None:
    found = report(pod("web", cpu="20"), nodes=nodes(12))
    page = Page(html(found))
    assert "default/web does not fit on any of 12 nodes" in page.text("h1")
    assert page.text("blockquote") == found.pods[0].message
    cells = page.text("td")
    assert all(cause.text in cells for cause in found.pods[0].causes)
    assert all(remedy.text in page.text("li") for remedy in found.pods[0].remedies)
    assert found.pods[0].retry is not None
    assert found.pods[0].retry.text[1:] in page.text("p")


def test_what_would_help_comes_before_what_is_drawn() -> None:
    page = Page(html(report(pod("web", cpu="20"), nodes=nodes(12))))
    titles = [data.strip() for tag, data in page.texts if tag == "h3" and data.strip()]
    assert titles[:3] == ["What would help", "Why", "Nodes"]


def test_each_plugin_has_a_color_of_its_own() -> None:
    found = report(pod("web", cpu="1"), nodes=nodes(2))
    colors = Colors(found.plugins)
    style = re.sub("@media.*", "", files("kexplain.render.html").joinpath("templates", "style.css").read_text("utf-8"))
    fill = dict(re.findall(r"\.([kp]\d+) { --fill: (#\w+); }", style))
    assert len(fill) == len(set(fill.values())) == REJECTING + SCORING
    plugins = found.plugins["default-scheduler"]
    for points, color in ((plugins["filter"], colors.of), (plugins["score"], colors.of_points)):
        used = [fill[color(plugin)] for plugin in points]
        assert len(used) == len(set(used)) > 8


def test_rows_with_sentences_are_stacked_on_narrow_screens() -> None:
    sheet = Sheet("WHY", (Column("BECAUSE"),), [("a" * 60,)])
    assert not sheet.is_wordy
    assert replace(sheet, stacked_below=1).is_wordy
    assert replace(sheet, rows=[("a",), ("a" * 61,)]).is_wordy
    page = Page(html(report(pod("web", cpu="20"), nodes=nodes(12))))
    assert "sortable stack" in [attributes["class"] for tag, attributes in page.elements if tag == "table"]
    assert "Nodes" in [attributes["data-head"] for _, attributes in page.elements if "data-head" in attributes]


def test_no_page_names_a_flag_for_more() -> None:
    several = report(pod("web", cpu="20"), pod("api", cpu="1"), pod("db", cpu="1"), nodes=nodes(12))
    with parameters_spelled(as_flag):
        page = Page(html(several))
    assert not [data for _, data in page.texts if re.search(r"(?<![\w-])(-v|--top|--all-remedies)\b", data)]


def test_plugins_are_in_the_order_in_which_they_ran() -> None:
    found = report(pod("web", cpu="4"), nodes=nodes(40))
    page = Page(html(found))
    steps = [text for tag, text in page.texts if tag == "td" and text.startswith("stopped by ")]
    assert steps == [f"stopped by {name}" for name in ("NodeUnschedulable", "TaintToleration", "NodeResourcesFit")]
    assert found.pods[0].causes[0].plugin == "NodeResourcesFit"


def test_nodes_say_where_they_stand_if_there_is_more_than_one_place() -> None:
    zoned = [node(f"n{number}", labels={ZONE: f"z{number % 2}"}) for number in range(4)]
    case = Case(cluster(zoned), (PodToPlace(pod("web", cpu="9")),))
    page = Page(html(explain(case, with_places=True)))
    assert [a["data-zone"] for _, a in page.elements if "data-zone" in a] == ["z0", "z1", "z0", "z1"]
    assert not any("data-pool" in a for _, a in page.elements)
    assert page.text("option").startswith("zonenothing")
    assert not any("data-zone" in a for _, a in Page(html(explain(case))).elements)


def test_all_that_is_pending_is_a_table_first() -> None:
    case = Case(
        cluster([node("n1")]),
        (PodToPlace(pod("web", cpu="9")), PodToPlace(pod("gated", gates=["example.com/wait"]))),
        searched=Searched(pods=2, namespaces=1),
    )
    page = Page(html(explain(case)))
    assert "2 pods pending, for 2 reasons" in page.text("h1")
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert links == {f"#{name}" for name in page.names() if name.startswith("pod-")}
    assert "a scheduler" not in page.text("td")
    assert "default/web" in page.text("a")


def test_ties_are_marked() -> None:
    page = Page(html(report(pod(cpu="1"), nodes=[node("n1"), node("n2"), node("n3", cpu="2")])))
    assert page.text("td").count("tied") == 2
    assert page.text("td").count("lands here") == 1


def test_preemption_names_the_victims() -> None:
    running = [pod("small", cpu="3", node="n1", priority=1), pod("large", cpu="3", node="n2", priority=5)]
    case = Case(cluster([node("n1"), node("n2")], running), (PodToPlace(pod("web", cpu="2", priority=9)),))
    page = Page(html(explain(case)))
    assert "default/small (priority 1)" in page.text("td")
    assert page.text("td").count("would be nominated") == 1
    assert "chosen for: " in page.text("p")


def test_several_pods_have_an_index() -> None:
    page = Page(html(report(pod("web", cpu="1"), pod("big", cpu="20"), nodes=nodes(3))))
    assert page.text("h1") == "1 of 2 pods fit"
    links = {attributes["href"] for tag, attributes in page.elements if tag == "a"}
    assert links == {f"#{name}" for name in page.names() if name.startswith("pod-")}
    assert len(links) == 2


def test_nothing_can_be_fetched_or_run_but_our_own() -> None:
    text = html(report(pod("web", cpu="1"), nodes=nodes(3)))
    page = Page(text)
    (policy,) = (a["content"] or "" for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag in ("style", "script"):
        (own,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert rules[f"{tag}-src"] == f"'sha256-{base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()}'"
    attributes = [(name, value or "") for _, each in page.elements for name, value in each.items()]
    assert [name for name, _ in attributes if name in ("src", "srcset", "style") or name.startswith("on")] == []
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    assert "//" not in re.sub(r'<script type="application/gzip".*?</script>', "", text)


def test_names_with_markup_are_text() -> None:
    found = report(pod("web", cpu="20"), nodes=nodes(3))
    first = found.pods[0]
    against = [replace(each, node=HOSTILE, stopped_by=_hostile(each)) for each in first.node_verdicts]
    hostile = replace(
        first,
        pod=PodReference(namespace=HOSTILE, name=HOSTILE, priority=0, source=HOSTILE),
        message=HOSTILE,
        notes=(HOSTILE,),
        causes=tuple(replace(cause, text=HOSTILE, plugin=HOSTILE, nodes=(HOSTILE,)) for cause in first.causes),
        remedies=tuple(replace(remedy, text=HOSTILE, commands=(HOSTILE,)) for remedy in first.remedies),
        node_verdicts=tuple(against),
    )
    plain, page = Page(html(found)), Page(html(replace(found, pods=(hostile,), notes=(HOSTILE,))))
    assert page.counts()["script"] == plain.counts()["script"] == 2
    assert page.counts()["img"] == 0
    spelled = HOSTILE.replace("\u202e", r"\u202e").replace("\x1b", r"\x1b")
    assert page.text("blockquote") == spelled
    assert spelled in page.text("title")
    assert spelled in page.text("pre")


def _hostile(each: NodeVerdict) -> object:
    assert each.stopped_by is not None
    return replace(each.stopped_by, plugin=HOSTILE, detail=HOSTILE)


def test_the_json_inside_is_the_report() -> None:
    found = report(pod("web", cpu="1"), nodes=nodes(3))
    (packed,) = re.findall(r'<script type="application/gzip" id="report">(.*?)</script>', html(found))
    assert msgspec.json.decode(gzip.decompress(base64.b64decode(packed)), type=Report) == found
    assert json.loads(gzip.decompress(base64.b64decode(packed)))["kind"] == "Report"


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["1", "20"])
def test_five_thousand_nodes_are_a_small_page(cpu: str) -> None:
    text = html(many(report(pod("web", cpu=cpu), nodes=nodes(50)), 5_000))
    assert len(text.encode()) < 5_000_000
    assert text.count("<tr class=") == 5_000


@pytest.mark.slow
def test_nodes_are_drawn_for_the_first_pods_as_long_as_there_is_room() -> None:
    found = many(report(pod("web", cpu="20"), nodes=nodes(5)), DRAWN_NODES // 2)
    page = Page(html(replace(found, pods=tuple(replace(pod) for pod in found.pods * 3))))
    assert sum(attributes.get("class") == "map" for _, attributes in page.elements) == 2
    assert page.text("caption").count("Nodes") == 1


def test_of_a_large_report_the_first_pod_of_a_group_tells_of_the_nodes() -> None:
    found = report(pod("web-a", cpu="20"), pod("web-b", cpu="20"), nodes=nodes(5))
    assert [group.pods for group in found.groups] == [(0, 1)]
    large = [replace(each, nodes=replace(each.nodes, total=DRAWN_NODES)) for each in found.pods]
    (packed,) = re.findall(r'id="report">(.*?)</script>', html(replace(found, pods=tuple(large))))
    first, second = msgspec.json.decode(gzip.decompress(base64.b64decode(packed)), type=Report).pods
    assert first == large[0]
    assert (second.circles, second.causes, second.node_verdicts) == (None, (), ())
    assert second.diagnosis is not None
    assert (second.message, second.diagnosis.text, second.remedies) == (first.message, said(first), large[1].remedies)


def said(found: PodExplanation) -> str:
    return found.diagnosis.text if found.diagnosis else ""


def test_one_plugin_alone() -> None:
    found = report(pod("web", cpu="20"), nodes=nodes(12))
    page = Page(html(found, View(plugin="NodeUnschedulable")))
    assert "cordoned" in page.text("td")
    assert "NodeResourcesFit" not in page.text("td")
