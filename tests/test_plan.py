"""The plan of the house in CONTRIBUTING.md is the one that import contracts and folders have."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tests.contributing.recipes import ROOT, section

PACKAGE = ROOT / "kexplain"
_ROOMS = re.compile(r"^- ((?:`\w+`(?:, )?)+):", re.MULTILINE)


def _layers() -> list[set[str]]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return [set(layer.split(" | ")) for layer in layers]


def _planned() -> list[set[str]]:
    return [set(re.findall(r"\w+", rooms)) for rooms in _ROOMS.findall(section("The house"))]


def _is_room(path: Path) -> bool:
    return (path / "__init__.py").is_file()


def test_the_plan_lists_the_layers_from_top_to_bottom() -> None:
    assert _planned() == _layers()


def test_every_room_on_disk_is_in_the_plan() -> None:
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    rooms = {path.name for path in PACKAGE.iterdir() if _is_room(path)}
    assert set().union(*_planned()) == modules | rooms


def test_the_plan_names_every_room_within_a_room() -> None:
    plan = section("The house").partition("\n\nThe real scheduler")[0]
    named = set(re.findall(r"`(\w+/\w+)`", plan))
    within = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.glob("*/*") if _is_room(path)}
    within.add("messages/tables")  # of texts, and no Python
    assert named == within
