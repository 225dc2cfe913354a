"""Tables at some width: what is broken, and where."""

from __future__ import annotations

import pytest

from kexplain.render.blocks import Block, Command, Group, Indented, Item, Text
from kexplain.render.fitting_table import FittingTable


def drawn(block: Block, width: int) -> list[str]:
    return [line.plain.rstrip() for line in block.lines(width)]


def rows(*cells: tuple[str, ...], heads: tuple[str, ...], width: int) -> list[str]:
    table = FittingTable(heads)
    for row in cells:
        table.add_row(*map(Text, row))
    return drawn(table, width)


def test_what_fits_is_as_wide_as_it_takes() -> None:
    assert rows(("n1", "4"), ("worker-2", "12"), heads=("NODE", "CPU"), width=80) == [
        "NODE      CPU",
        "n1        4",
        "worker-2  12",
    ]


def test_text_gives_way_before_names() -> None:
    name = "payment-gateway-worker-x7k2p"
    found = rows((name, "cpu: needs 2; at most 1.93 free on one node"), heads=("POD", "BECAUSE"), width=60)
    assert found[1].startswith(f"{name}  cpu: needs 2;")
    assert len(found) == 3


def test_names_are_broken_between_their_parts() -> None:
    name = "checkout-production/payment-gateway-worker-6f9c7d8b54-x7k2p"
    found = rows((name, name), heads=("POD", "OTHER"), width=50)
    assert max(map(len, found)) <= 50
    assert all(line.split()[0].endswith(("-", "/", "x7k2p")) for line in found[1:])
    assert "".join(line.split()[0] for line in found[1:]) == name


@pytest.mark.parametrize("width", [80, 60, 44])
def test_heads_are_never_broken_inside_a_word(width: int) -> None:
    heads = ("POOL", "NODES", "RESOURCE", "LARGEST PIECE", "FOR LACK OF")
    found = rows(("general-purpose-2024", "6", "cpu", "4.41 (ip-10-0-27-9)", "memory"), heads=heads, width=width)
    words = {word for line in found for word in line.split()}
    assert {word for head in heads for word in head.split()} <= words


def test_without_any_room_it_is_drawn_all_the_same() -> None:
    assert rows(("abc", "def"), heads=("A", "B"), width=4)


def test_several_lines_in_a_cell_are_folded_too() -> None:
    table = FittingTable(["A"])
    table.add_row(Group(Text("one-two"), Text("three-four")))
    assert drawn(table, 6) == ["A", "one-", "two", "three-", "four"]


def test_commands_stay_whole() -> None:
    command = "kubectl get nodes -o custom-columns=NAME:.metadata.name"
    assert drawn(Indented(Indented(Command(command))), 20) == [f"    {command}"]


def test_items_go_on_below_their_text() -> None:
    assert drawn(Indented(Item(Text("10 → "), Text("one two three"))), 14) == ["  10 → one two", "       three"]
