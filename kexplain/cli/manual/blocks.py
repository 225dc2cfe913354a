"""A page read into the few shapes that the manual uses."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct


class Run(Struct, frozen=True):
    """Text within a line. `is_code` is what one types, or reads in a file."""

    text: str
    is_code: bool = False


class Heading(Struct, frozen=True):
    """A title: of the page at level 1, of a section at 2."""

    level: int
    text: str


class Paragraph(Struct, frozen=True):
    """Text that is wrapped, or an item of a list."""

    runs: tuple[Run, ...]
    is_item: bool = False


class Listing(Struct, frozen=True):
    """Lines that keep their breaks."""

    lines: tuple[str, ...]


class Definition(Struct, frozen=True):
    """A row of a table with two columns, or of one that is too wide for a listing."""

    term: tuple[Run, ...]
    meaning: tuple[Run, ...]


Block = Heading | Paragraph | Listing | Definition
#: Wider tables are definitions, too: a listing is never wrapped.
_WIDEST_TABLE = 100


def blocks(text: str) -> Iterator[Block]:
    """The page in order. Tables of two columns are definitions, those of more listings. ValueError for other shapes."""
    for node in SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text)).children:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1]), plain(_runs(node)))
            case "paragraph":
                yield Paragraph(_runs(node))
            case "bullet_list":
                yield from (Paragraph(_runs(item.children[0]), is_item=True) for item in node.children)
            case "fence":
                yield Listing(tuple(node.content.splitlines()))
            case "table":
                yield from _table(node)
            case "html_block":
                # Marks for tests that write part of a page.
                continue
            case _:
                raise ValueError(f"the manual has no {node.type}")


def plain(runs: Sequence[Run]) -> str:
    """The text without its marks."""
    return "".join(run.text for run in runs)


def _table(node: SyntaxTreeNode) -> Iterator[Block]:
    rows = [[_runs(cell) for cell in row.children] for part in node.children for row in part.children]
    if all(len(row) == 2 for row in rows):
        # What the columns are called is plain where there are two.
        yield from (Definition(term, meaning) for term, meaning in rows[1:])
        return
    words = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*words, strict=True)]
    lines = tuple("  ".join(map(str.ljust, row, widths)).rstrip() for row in words)
    if max(map(len, lines)) <= _WIDEST_TABLE:
        yield Listing(lines)
        return
    for (term, *_), (_, *others) in zip(rows[1:], words[1:], strict=True):
        yield Definition(term, (Run("; ".join(filter(None, others))),))


def _runs(node: SyntaxTreeNode) -> tuple[Run, ...]:
    return tuple(run for child in node.children for run in _inline(child))


def _inline(node: SyntaxTreeNode) -> Iterator[Run]:
    match node.type:
        case "inline" | "strong" | "em":
            yield from _runs(node)
        case "link":
            yield from _runs(node)
            yield Run(f" <{node.attrs['href']}>")
        case "text":
            yield Run(node.content)
        case "code_inline":
            yield Run(node.content, is_code=True)
        case "softbreak":
            yield Run(" ")
        case _:
            raise ValueError(f"the manual has no {node.type}")
