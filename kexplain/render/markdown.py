"""Pages for issues, merge requests and chats."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.render.harmless import in_markdown, markdown_block
from kexplain.render.pages import (
    Glossary,
    Listing,
    Part,
    Prose,
    Sheet,
    State,
    Style,
    as_head,
    as_title,
    document_of,
    filled,
)
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View

_MARKS = {State.GOOD: "✅ ", State.BAD: "❌ ", State.WAITING: "⏸️ ", State.PASSED_OVER: "⏭️ ", State.NONE: ""}


def render(report: Output, view: View) -> str:
    """GitHub-flavoured Markdown, with everything in full."""
    document = document_of(report, replace(view, in_full=True))
    lines: list[str] = []
    for page in document.pages:
        if page.headline:
            lines += [f"### {_MARKS[page.state]}{in_markdown(page.headline)}", ""]
        for part in page.parts:
            lines += [*_part(part, view), ""]
    lines.append(f"<sub>{in_markdown(document.aside)}, by kexplain</sub>")
    return "\n".join(lines) + "\n"


def _part(part: Part, view: View) -> Iterator[str]:
    if isinstance(part, Sheet | Listing | Prose | Glossary) and part.title:
        yield from (f"**{in_markdown(as_title(part.title))}**", "")
    match part:
        case Sheet():
            yield from _sheet(part, view)
        case Listing():
            yield from _listing(part)
        case Glossary():
            for quote in part.quotes:
                said = [*quote.lines, *([f"→ {quote.check}"] if quote.check else [])]
                head = " ".join(filter(None, (quote.count, quote.text)))
                aside = f" ({in_markdown(quote.aside)})" if quote.aside else ""
                yield f"- **{in_markdown(head)}**{aside}: {in_markdown('; '.join(said))}"
        case Prose():
            yield from _prose(part)
            yield from _more(part.more)
        case _:
            return


def _prose(part: Prose) -> Iterator[str]:
    match part.style:
        case Style.COMMAND:
            yield from markdown_block([*part.lines])
        case Style.QUOTE:
            yield from (f"> {in_markdown(line)}" for line in part.lines)
        case Style.WARNING:
            yield from (f"- ⚠️ {in_markdown(line)}" for line in part.lines)
        case _ if len(part.lines) == 1:
            yield in_markdown(part.lines[0])
        case _:
            yield from (f"- {in_markdown(line)}" for line in part.lines)


def _listing(part: Listing) -> Iterator[str]:
    for number, entry in enumerate(part.entries, 1):
        aside = f" (`{entry.aside}`)" if entry.aside else ""
        yield f"{number}. {in_markdown(f'{entry.text}: {entry.effect}' if entry.effect else entry.text)}{aside}"
    if part.note:
        yield from ("", in_markdown(part.note))


def _sheet(sheet: Sheet, view: View) -> Iterator[str]:
    if sheet.quote:
        yield from (f"> {in_markdown(sheet.quote)}", "")
    for line in sheet.lines:
        yield from (in_markdown(line), "")
    columns, rows = filled(sheet, view.top)
    if rows:
        fillers = [DASH if column.style is Style.DIM else "" for column in columns]
        dashed = [[cell or filler for filler, cell in zip(fillers, row, strict=True)] for row in rows]
        yield from table([as_head(column.head) for column in columns], dashed)
    for note in sheet.notes:
        yield from ("", in_markdown(note))
    yield from _more(sheet.more + len(sheet.rows) - len(rows))


def _more(rows: int) -> Iterator[str]:
    if rows:
        yield from ("", f"… and {rows} more")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table with these heads, the cells escaped."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    yield from (f"| {' | '.join(in_markdown(cell) for cell in row)} |" for row in rows)
