"""What a recipe is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from .recipes import Step, parse

TEXT = """\
1. Create `new/file.py` with one line:

   ```python
   x = 1
   ```
2. In `old.py`, after `def f`, at its place, add:

   ```python
   return x
   ```
3. At the end of `old.py`, add:

   ```python
   f()
   ```

Then run

```console
$ python old.py
```
"""


def test_steps_and_commands_are_read() -> None:
    found = parse("title", TEXT)
    assert found.steps == (
        Step("new/file.py", "create", "", "x = 1\n"),
        Step("old.py", "after", "def f", "return x\n"),
        Step("old.py", "end", "", "f()\n"),
    )
    assert found.commands == ("python old.py",)
    assert found.files == ("new/file.py", "old.py")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("end", "if a:\n    b\nc\nx\n"),
        ("after", "if a:\n    b\n    x\nc\n"),
        ("before", "if a:\n    x\n    b\nc\n"),
        ("replace", "if a:\n    x\nc\n"),
    ],
)
def test_edits_are_made_at_their_place(tmp_path: Path, where: str, expected: str) -> None:
    (tmp_path / "f").write_text("if a:\n    b\nc\n")
    Step("f", where, "b", "x\n").follow(tmp_path)
    assert (tmp_path / "f").read_text() == expected


@pytest.mark.parametrize("text", ["Some words:\n\n```\nx\n```\n", "In `file`, add:\n\n```\nx\n```\n"])
def test_block_without_a_place_is_an_error(text: str) -> None:
    with pytest.raises(AssertionError):
        parse("title", text)
