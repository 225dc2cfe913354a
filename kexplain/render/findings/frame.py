"""The lines around a finding with a mark below the place, as compilers draw them."""

from collections.abc import Iterator

from kexplain.lint.findings import Excerpt, Finding
from kexplain.render.blocks import Text, cell_len
from kexplain.render.harmless import printable

#: Columns of a frame where nothing limits the width, and the fewest that are of any use.
_WIDTH = 120
_WIDTH_MIN = 20
_TAB = "    "
_CUT = "…"


def frame(finding: Finding, width: int | None, style: str) -> Iterator[Text]:
    """Each line with its number, no wider than that; nothing without an excerpt."""
    excerpt = finding.excerpt
    if excerpt is None:
        return
    numbers = len(str(excerpt.first_line + len(excerpt.lines) - 1))
    yield _row(" " * numbers)
    start, length = _marked(excerpt, finding)
    room = max(min(width or _WIDTH, _WIDTH) - numbers - 3, _WIDTH_MIN)
    skipped = max(0, start - room // 2) if start + length > room else 0
    for number, line in enumerate(excerpt.lines, excerpt.first_line):
        yield _row(f"{number:>{numbers}}", _cut(_shown(line), skipped, room))
        if number == finding.line:
            yield _row(" " * numbers, " " * (start - skipped) + "^" * min(length, room - start + skipped), style)


def _row(number: str, content: str = "", style: str = "") -> Text:
    row = Text(f"{number} |", style="blue")
    if content:
        row.append_text(Text(" ")).append_text(Text(content, style or "default"))
    return row


def _marked(excerpt: Excerpt, finding: Finding) -> tuple[int, int]:
    """In columns of the line as it is shown, where the mark begins and how long it is."""
    line = excerpt.lines[finding.line - excerpt.first_line]
    at = finding.column - excerpt.first_column
    start = cell_len(_shown(line[:at]))
    return start, max(cell_len(_shown(line[at : at + finding.length])), 1)


def _shown(line: str) -> str:
    return printable(line.replace("\t", _TAB))


def _cut(line: str, skipped: int, room: int) -> str:
    """So many columns of a line, from one on; what is missing on either side is hinted at."""
    if not skipped and cell_len(line) <= room:
        return line
    shown, at = "", 0
    for character in line:
        wide = cell_len(character)
        if at >= skipped and at + wide <= skipped + room:
            # Half of a wide character is a blank.
            shown += character if shown or at == skipped else " " * (at - skipped) + character
        at += wide
    before = _CUT if skipped and shown else ""
    after = _CUT if at > skipped + room else ""
    return f"{before}{shown[len(before) : len(shown) - len(after)]}{after}"
