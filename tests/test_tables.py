"""Tables are read section by section, and every file beside their reader is read by somebody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kexplain import tables
from kexplain.tables import sections, table, text, words

FOLDER = Path(tables.__file__).parent
PACKAGE = FOLDER.parent


def test_a_section_has_its_words_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some.txt").write_text("# a remark\nb a\n[x/y]\n\nc\n  d e\n[empty]\n")
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "__init__.py"))
    assert sections("some") == {"": ("b", "a"), "x/y": ("c", "d", "e"), "empty": ()}
    assert words("some") == {"a", "b"}
    assert text("some.txt").startswith("# a remark")


@pytest.mark.parametrize("file", sorted(each.name for each in FOLDER.iterdir() if each.suffix not in (".py", ".pyc")))
def test_every_table_is_read(file: str) -> None:
    if file == "__pycache__":
        return
    stem = file.removesuffix(".txt").removesuffix(".json")
    names = {stem, re.sub(r"\.(bash|zsh|fish)$", ".{shell}", file)}
    code = [each.read_text() for each in PACKAGE.rglob("*.py")]
    assert any(f'"{name}"' in each for name in names for each in code)


def test_no_table_says_anything_twice() -> None:
    for file in FOLDER.glob("*.txt"):
        for section, found in sections(file.stem).items():
            assert len(found) == len(set(found)), (file.name, section)


@pytest.mark.parametrize("path", ["README.md", "kexplain/cli/manual/cluster.md"])
def test_the_command_for_a_dump_is_the_same_everywhere(path: str) -> None:
    assert table("dump-command", str) in (PACKAGE.parent / path).read_text()
