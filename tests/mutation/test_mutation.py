"""Small faults are put where lines are new, and what no test notices is said."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from .__main__ import main
from .changed_lines import LATEST, changed_lines
from .mutants import mutant, places

MODULE = '''\
"""Rooms."""

from __future__ import annotations

LIMIT: int = 3


def fits(count: int, name: str = "a") -> bool:
    """Whether so many fit."""
    if count < LIMIT:
        print(name)
    return count <= LIMIT
'''
TEST = """\
from kexplain.hall.rooms import fits


def test_fits():
    assert fits(3)
    assert not fits(4)
"""


def _changes(text: str) -> list[tuple[str, str]]:
    made = (mutant(text, number) for number in range(len(places(text))))
    return [(each.before, each.after) for each in made]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a < b", ["a <= b"]),
        ("a is None", ["a is not None"]),
        ("a and b", ["a or b", "a", "b"]),
        ("not a", ["a"]),
        ("a + 1", ["a - 1", "2"]),
        ("f(x=True)", ["pass", "False"]),
        ("a = 'text'", ["''"]),
        ("a = f'{b} text'", ["''"]),
        ("a = 1 if b else c", ["1", "c", "2"]),
        ("a = max(b)", ["min(b)"]),
        ("a = sorted(b, key=c)", ["b"]),
        ("def f() -> int:\n    'Says.'\n    return a", ["return None"]),
        ("for a in b:\n    continue", ["pass"]),
        ("def f():\n    yield a", ["if False:\n    yield a"]),
        ("import a\nfrom b import c\na: int | None", []),
        ("@cache(maxsize=4)\nclass A(B, frozen=True):\n    '''Says.'''", []),
    ],
)  # fmt: skip
def test_what_could_stand_there_by_mistake(text: str, expected: list[str]) -> None:
    assert [after for _, after in _changes(text)] == expected


def test_each_mutant_differs_in_one_place() -> None:
    texts = {mutant(MODULE, number).text for number in range(len(places(MODULE)))}
    assert len(texts) == len(places(MODULE)) == len({*texts}) > 5
    for text in texts:
        compile(text, "rooms.py", "exec")
    assert places(MODULE, {10}) == [10 if line == 10 else 0 for line in places(MODULE)]


class Repository:
    """A package of one module, with its history."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for path, text in {
            "kexplain/__init__.py": "",
            "kexplain/hall/__init__.py": "",
            "kexplain/hall/rooms.py": MODULE,
            "tests/hall/test_rooms.py": TEST,
            "pyproject.toml": "[tool.pytest.ini_options]\nmarkers = ['slow']\n",
        }.items():
            self.write(path, text)
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "a")

    def git(self, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    (tmp_path / "repository").mkdir()
    return Repository(tmp_path / "repository")


def test_new_lines(repository: Repository, tmp_path: Path) -> None:
    assert changed_lines(repository.root) == {}
    repository.write("kexplain/hall/rooms.py", MODULE.replace("count <= LIMIT", "count < LIMIT + 1"))
    repository.write("kexplain/hall/page.md", "text")
    repository.commit()
    assert changed_lines(repository.root) == {"kexplain/hall/rooms.py": {12}}
    for _ in range(LATEST):
        repository.commit()
    assert changed_lines(repository.root) == {}
    assert changed_lines(repository.root, f"HEAD~{LATEST + 1}") == {"kexplain/hall/rooms.py": {12}}
    # A branch has changed what it has changed since it left main.
    repository.git("update-ref", "refs/remotes/origin/main", f"HEAD~{LATEST + 1}")
    assert changed_lines(repository.root) == {"kexplain/hall/rooms.py": {12}}
    assert changed_lines(tmp_path) == {}


def test_where_nothing_is_new_nothing_is_tried(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], repository.root) == 0
    assert capsys.readouterr().out == "mutation: no line of the package is new\n"


def test_what_nobody_notices_is_said(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "a", "kexplain/hall/rooms.py"], repository.root) == 1
    *survivors, last = capsys.readouterr().out.splitlines()
    assert last.startswith("mutation: 3 of 7 noticed, drawn from 7 by a")
    assert len(survivors) == 3 * 4
    said = survivors.index("  - print(name)")
    assert survivors[said - 1 : said + 2] == [
        "kexplain/hall/rooms.py:11: nobody notices",
        "  - print(name)",
        "  + pass",
    ]
    assert (repository.root / "kexplain/hall/rooms.py").read_text() == MODULE
    repository.write(
        "kexplain/hall/rooms.py", "LIMIT = 3\n\n\ndef fits(count: int) -> bool:\n    return count <= LIMIT\n"
    )
    assert main(["kexplain/hall"], repository.root) == 0
    assert capsys.readouterr().out.startswith("mutation: 3 of 3 noticed")
