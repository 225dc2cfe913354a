"""The page of nodes that can go together: what is said, in order, and what is left out where there is nothing."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.render import Kind, render
from kexplain.render.pages import Prose, Sheet, document_of
from kexplain.render.pages.pack import page
from kexplain.render.view import View
from kexplain.report.drain_records import DrainedPod
from kexplain.report.pack_records import PackReport, RoomFor, Saved, Staying

WHOLE = PackReport(
    kubernetes_version="1.36",
    total=6,
    keep="N+1",
    emptied=("a", "b"),
    commands=("kubectl cordon a b", "kubectl drain a --ignore-daemonsets"),
    pods=(DrainedPod(pod="shop/web", outcome="Scheduled", from_node="a", node="c", round=1, message=""),),
    staying=(Staying("d", "it runs the control plane"), Staying("c", "no room", ("shop/db",))),
    untried=2,
    saved=(Saved("general", 2, 3, 8000, 2**34, 0.25), Saved("batch", 1, 1, 500, 2**30)),
)


def parts(report: PackReport) -> list[tuple[str, list[object]]]:
    """The title of each part, and what it holds."""
    found: list[tuple[str, list[object]]] = []
    for part in document_of(report, View()).pages[0].parts:
        assert isinstance(part, Prose | Sheet)
        found.append((part.title, [*part.rows] if isinstance(part, Sheet) else [*part.lines]))
    return found


def test_everything_is_said_in_order() -> None:
    assert page(WHOLE, View()).headline == "2 of 6 nodes can go, keeping N+1: a, b; 1 pod moves"
    assert parts(WHOLE) == [
        ("", ["2 nodes not tried, as the search was stopped; within lets it take longer"]),
        (
            "WHAT IS SAVED",
            [("general", "2 of 3", "8", "16Gi", "0.25 an hour, 182 a month"), ("batch", "1 of 1", "500m", "1Gi", "")],
        ),
        ("IN THIS ORDER", ["kubectl cordon a b", "kubectl drain a --ignore-daemonsets"]),
        ("MOVE", [("shop/web", "a", "c", "at once")]),
        ("WHY OTHERS STAY", [("1", "d", "it runs the control plane", ""), ("1", "c", "no room", "shop/db")]),
    ]


def test_columns_have_heads() -> None:
    sheets = [part for part in document_of(WHOLE, View()).pages[0].parts if isinstance(part, Sheet)]
    assert [[column.head for column in sheet.columns] for sheet in sheets] == [
        ["POOL", "NODES", "CPU", "MEMORY", "PRICE"],
        ["POD", "FROM", "TO", "WHEN"],
        ["NODES", "WHICH", "BECAUSE", "PODS"],
    ]


def test_where_nothing_can_go_there_is_no_plan() -> None:
    report = PackReport(kubernetes_version="1.36", total=1, staying=(Staying("a", "no room", ("shop/db",)),))
    assert page(report, View()).headline == "none of 1 node can go"
    assert parts(report) == [("WHY OTHERS STAY", [("1", "a", "no room", "shop/db")])]
    at_rest = PackReport(kubernetes_version="1.36", total=2, emptied=("a",))
    assert page(at_rest, View()).headline == "1 of 2 nodes can go: a; no pod has to move"


def test_a_row_says_what_becomes_of_a_pod_or_a_node() -> None:
    assert str(render(Kind.PACK, "csv", WHOLE, View())).split() == [
        "what,pod,fromNode,node,round,heldUpBy,because",
        "moves,shop/web,a,c,1,,",
        "emptied,,a,,,,",
        "emptied,,b,,,,",
        "stays,,d,,,,it", "runs", "the", "control", "plane",
        "stays,shop/db,c,,,,no", "room",
    ]  # fmt: skip


def test_who_is_lost_does_not_move() -> None:
    gone = DrainedPod(pod="shop/debug", outcome="Gone", from_node="b", node=None, message=None)
    report = replace(WHOLE, pods=(*WHOLE.pods, gone))
    assert page(report, View()).headline.endswith("; 1 pod moves, and shop/debug does not come back")
    assert dict(parts(report))["MOVE"][1] == ("shop/debug", "b", "—", "does not come back")


def test_room_for_some_is_told_before_who_has_none() -> None:
    moved = DrainedPod(pod="shop/a", outcome="Scheduled", from_node="n1", node="n2", message=None)
    report = PackReport(
        kubernetes_version="1.36",
        total=3,
        pods=(moved,),
        room_for=(RoomFor("shop/new-0", "n1"), RoomFor("shop/new-1")),
        notes=("up to 4 moves were tried for shop/new-1",),
    )
    assert page(report, View()).headline == (
        "1 move makes room for shop/new-0 alone; found no moves that make room for shop/new-1: "
        "up to 4 moves were tried for shop/new-1"
    )


def test_who_waits_already_is_said() -> None:
    report = replace(WHOLE, pending_before=("shop/late", "shop/later"))
    said = "2 pods were already pending: shop/late, shop/later"
    assert parts(report)[1] == ("", [said])
