"""A page of the manual as plain text."""

from collections.abc import Iterator
from textwrap import wrap

from kexplain.cli.manual.blocks import Block, Definition, Heading, Listing, Paragraph, blocks, plain

_INDENT = "  "


def as_text(markdown: str, width: int) -> str:
    """The page, wrapped; listings keep their lines, however long they are."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks(markdown):
        if before is not None and not _belong_together(before, block):
            lines.append("")
        lines += _lines(block, width)
        before = block
    return "".join(f"{line}\n" for line in lines)


def _belong_together(before: Block, after: Block) -> bool:
    """Whether no blank line stands between them: definitions of one table, items of one list."""
    if isinstance(before, Paragraph) and isinstance(after, Paragraph):
        return before.is_item and after.is_item
    return isinstance(before, Definition) and isinstance(after, Definition)


def _lines(block: Block, width: int) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield text if level == 1 else text.upper()
        case Paragraph(runs, is_item):
            first, rest = (f"{_INDENT}- ", f"{_INDENT}  ") if is_item else (_INDENT, _INDENT)
            yield from _wrapped(plain(runs), width, first, rest)
        case Listing(listed):
            yield from (f"{_INDENT * 2}{line}".rstrip() for line in listed)
        case Definition(term, meaning):
            yield from _wrapped(plain(term), width, _INDENT, _INDENT)
            yield from _wrapped(plain(meaning), width, _INDENT * 3, _INDENT * 3)


def _wrapped(text: str, width: int, first: str, rest: str) -> list[str]:
    return wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
