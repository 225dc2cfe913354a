from __future__ import annotations

import re
from pathlib import Path

import pytest

from kexplain.messages import named_patterns
from kexplain.messages.named_patterns import NamedPatterns, sources

FOLDER = Path(named_patterns.__file__).parent


def test_files_of_patterns_are_read_as_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "patterns").mkdir()
    (tmp_path / "patterns" / "dates.txt").write_text(
        "# A remark.\nyear: \\d{4}\ndated: (?s)<<year>>-\\d\\d\n    -\\d\\d .*\n"
    )
    monkeypatch.setattr(named_patterns, "__file__", str(tmp_path / "named_patterns.py"))
    assert sources("dates") == {"year": r"\d{4}", "dated": r"(?s)\d{4}-\d\d-\d\d .*"}
    assert NamedPatterns("dates").dated.fullmatch("2026-01-02 first\nsecond")


PLACEHOLDERS = FOLDER / "patterns" / "placeholders.txt"


@pytest.mark.parametrize("path", sorted({*PLACEHOLDERS.parent.iterdir()} - {PLACEHOLDERS}), ids=lambda path: path.stem)
def test_every_pattern_is_used_and_every_one_that_is_used_is_there(path: Path) -> None:
    found = sources(path.stem)
    code = (FOLDER / f"{path.stem.replace('-', '_')}.py").read_text(encoding="utf-8")
    used = {*re.findall(r"(?<!ROW)_FORM\.(\w+)|\bFORM\.(\w+)", code)}
    named = {one or other for one, other in used} | {*re.findall(r"<<(\w+)>>", path.read_text(encoding="utf-8"))}
    assert named == {*found}
    assert all(map(re.compile, found.values()))


def test_every_placeholder_stands_in_a_sentence() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "tables").iterdir())
    assert {*sources(PLACEHOLDERS.stem)} <= {*re.findall(r"<([a-z_]+)>", texts)}
    assert all(map(re.compile, sources(PLACEHOLDERS.stem).values()))
