"""Corrections are written only to what was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.cli.corrections import diff, write_corrections
from kexplain.errors import KexplainError
from kexplain.lint.corrections import Correction


def test_nothing_is_written_if_one_file_has_changed(tmp_path: Path) -> None:
    paths = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    for path in paths:
        path.write_text("a: 1\n")
    found = [Correction(str(path), b"a: 1\n", b"a: 2\n", 1) for path in paths]
    paths[1].write_text("a: 3\n")
    with pytest.raises(KexplainError, match=r"b\.yaml: not corrected"):
        write_corrections(found)
    assert paths[0].read_text() == "a: 1\n"
    write_corrections(found[:1])
    assert paths[0].read_text() == "a: 2\n"


def test_a_diff_says_where_no_line_end_is() -> None:
    assert diff("a", "x\r\ny", "x\r\nz") == (
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\r\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"
    )
