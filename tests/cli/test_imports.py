"""What runs import: most of the time of a small one is spent on that, and one line too many goes unnoticed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.command import ROOT

FITS = ROOT / "fixtures" / "tie-between-nodes"
NOWHERE = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
#: Runs a command line in a process of its own, and writes to a file what is imported on the way.
PROGRAM = """
import json, sys
before = {*sys.modules}
from kexplain.cli.main import run
run(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    files = {name: getattr(sys.modules[name], "__file__", None) or "" for name in {*sys.modules} - before}
    json.dump(files, file)
"""
#: What typer and msgspec cannot do without.
COMMAND_LINE = ("annotated_doc", "msgspec", "shellingham", "typer", "typing_extensions")
YAML = ("yaml",)


def imported(directory: Path, *arguments: str | Path) -> dict[str, str]:
    """The files of all modules that are imported, by module."""
    out = directory / "modules.json"
    command = [sys.executable, "-c", PROGRAM, str(out), *map(str, arguments)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    found: dict[str, str] = json.loads(out.read_text())
    return found


@pytest.mark.parametrize(
    ("arguments", "packages", "most"),
    [
        pytest.param([FITS / "pod.yaml", "--cluster", FITS], (*COMMAND_LINE, *YAML), 338, id="fits"),
        pytest.param([NOWHERE / "pod.yaml", "--cluster", NOWHERE], (*COMMAND_LINE, *YAML), 456, id="fits nowhere"),
        pytest.param(["lint", FITS / "pod.yaml"], (*COMMAND_LINE, *YAML), 369, id="lint"),
        pytest.param(["nothing.yaml"], COMMAND_LINE, 288, id="a file that is not there"),
        pytest.param(["--help"], COMMAND_LINE, 25, id="help"),
        pytest.param(["completion", "bash"], COMMAND_LINE, 30, id="completion"),
    ],
)
def test_runs_import_little(tmp_path: Path, arguments: list[str | Path], packages: tuple[str, ...], most: int) -> None:
    files = imported(tmp_path, *arguments)
    own = [name for name in files if name.split(".")[0] == "kexplain"]
    others = {name.split(".")[0] for name, file in files.items() if "site-packages" in file}
    assert sorted(others - {"kexplain"}) == sorted(packages)
    rooms = Counter(name.split(".")[1] for name in own if "." in name)
    assert len(own) <= most, f"{len(own)} modules: {rooms.most_common()}"


def test_nothing_is_imported_before_an_interrupt_is_minded() -> None:
    program = "import sys; before = {*sys.modules}; import kexplain, kexplain.cli; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert {*done.stdout.split()} == {"__future__", "kexplain", "kexplain.cli"}
