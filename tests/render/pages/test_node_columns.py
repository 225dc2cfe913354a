"""Each column of the tables of nodes is declared once, and stands in every format."""

from __future__ import annotations

from kexplain.api import Case, PodToPlace, explain
from kexplain.cluster import Cluster
from kexplain.render import Kind, render
from kexplain.render.pages.node_columns import COLUMNS
from kexplain.render.view import View
from tests.factories import cluster, node, pod


def shown(output_format: str, around: Cluster) -> str:
    """The report on a pod that is too large."""
    report = explain(Case(around, (PodToPlace(pod("web", cpu="9")),)))
    rendered = render(Kind.EXPLANATION, output_format, report, View(verbose=True))
    return rendered if isinstance(rendered, str) else "\n".join(line.plain for line in rendered.lines(200))


def test_programs_get_every_column_and_people_those_with_something_in_them() -> None:
    around = cluster([node("n1"), node("n2", cpu=2)])
    head = shown("csv", around).splitlines()[0].split(",")
    assert head[3:-1] == [column.name for column in COLUMNS]
    lines = [line.split() for line in shown("text", around).splitlines()]
    assert ["NODE", "STOPPED", "BY", "DETAIL"] in lines
    assert ["NODE", "STOPPED", "BY", "DETAIL", "ALSO"] not in lines
