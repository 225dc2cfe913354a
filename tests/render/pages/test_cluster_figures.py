from __future__ import annotations

from kexplain.render.pages import Bars, Rows, Sheet
from kexplain.render.pages.cluster_figures import parts, with_rows
from kexplain.render.view import View
from kexplain.report.cluster_figures import cluster_figures, compared_figures
from tests.factories import cluster, node, pod

NODES = [node("n1", cpu="4", memory="8Gi"), node("n2", cpu="4", memory="8Gi")]
BEFORE = cluster(NODES, [pod("a", node="n1", cpu="2")])
AFTER = cluster(NODES, [pod("a", node="n2", cpu="2")])


def lines(*sheets: object) -> dict[str, tuple[str, ...]]:
    (sheet,) = [each for each in sheets if isinstance(each, Sheet)]
    return {name: tuple(cells) for name, *cells in sheet.rows}


def test_both_sides_have_a_column() -> None:
    found = lines(*parts(compared_figures(BEFORE, AFTER, (0, 1)), View()))
    assert found["nodes used"] == ("1 of 2", "1 of 2")
    assert found["pods pending"] == ("0", "1")
    assert found["pods with another node"] == ("", "1")
    assert found["cpu, highest"] == ("50.0 % (n1)", "50.0 % (n2)")
    assert found["largest pod, 1 cpu : 2Gi"] == ("4 cpu, 8Gi (n2)", "4 cpu, 8Gi (n1)")


def test_one_cluster_has_one_column() -> None:
    assert lines(*parts(cluster_figures(BEFORE, 3), View()))["pods pending"] == ("3",)


def test_where_nothing_fits() -> None:
    found = lines(*parts(cluster_figures(cluster([node(cordoned=True)])), View()))
    assert found["largest pod, 1 cpu : 4Gi"] == ("none",)


def test_bars_are_drawn_where_they_can_be() -> None:
    assert not any(isinstance(each, Bars) for each in parts(cluster_figures(BEFORE), View()))
    (bars,) = [each for each in parts(cluster_figures(BEFORE), View(draws=True)) if isinstance(each, Bars)]
    cpu = bars.bars[0]
    assert (cpu.before, cpu.after) == (("cpu", "now"), ("25.0 %",))
    assert [(each.name, each.amount, each.start, each.width) for each in cpu.segments if each.amount] == [
        ("below 20 %", 1, 0.0, 50.0),
        ("50 to 80 %", 1, 50.0, 50.0),
    ]


def test_nothing_without_figures() -> None:
    rows = Rows(("pod",), [("a",)])
    assert [*parts(None, View())] == []
    assert with_rows(rows, None) is rows


def test_rows_are_numbers_behind_the_others() -> None:
    found = with_rows(Rows(("pod",), [("a",)]), compared_figures(BEFORE, AFTER, (0, 1)))
    assert found.heads == ("pod", "figure", "figureBefore", "figureAfter")
    assert found.rows[0] == ("a", "", "", "")
    assert ("", "pods pending", 0, 1) in found.rows
    assert ("", "cpu, highest", 50.0, 50.0) in found.rows
    assert ("", "largest pod, 1 cpu : 2Gi", 4000, 4000) in found.rows
    assert found.rows[-1] == ("", "pods with another node", "", 1)
