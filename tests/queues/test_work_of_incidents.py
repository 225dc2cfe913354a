"""What is said first, and what helps, of work that queues hold back in clusters as people had them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.golden.command_line import run

CASES = Path(__file__).parents[1] / "incidents" / "cases"
SAID = json.loads((Path(__file__).parent / "said_of_incidents.json").read_text())


def said(name: str, folder: Path) -> list[str]:
    """The first paragraph of the report, and its remedies."""
    content = json.loads(gzip.decompress((CASES / f"{name}.json.gz").read_bytes()))
    (folder / "dump.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": content["objects"]}))
    target = [*content["truth"]["target"], "--cluster", "dump.json", "--width", "1000"]
    lines = run(target, folder).stdout.splitlines()
    return [*lines[: lines.index("")], *(line for line in lines if "→" in line)]


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_work_that_waits(name: str, tmp_path: Path) -> None:
    assert said(name, tmp_path) == SAID[name]
