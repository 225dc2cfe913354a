"""A page of the manual for man."""

from collections.abc import Iterator, Sequence

from kexplain.cli.manual.blocks import Block, Definition, Heading, Listing, Paragraph, Run, blocks, plain


def escaped(text: str) -> str:
    """Text with what roff would read as a command made plain."""
    safe = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{safe}" if safe.startswith(".") else safe


def as_roff(markdown: str) -> Iterator[str]:
    """The lines of a page below its head; its title is left to the head."""
    for block in blocks(markdown):
        yield from _lines(block)


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield from () if level == 1 else (f".SH {escaped(text.upper())}",)
        case Paragraph(runs, is_item):
            yield from (r".IP \(bu 2" if is_item else ".PP", _marked(runs))
        case Listing(listed):
            yield from (".PP", ".RS 4", ".nf", *map(escaped, listed), ".fi", ".RE")
        case Definition(term, meaning):
            yield from (".TP", escaped(plain(term)) if _is_plain(term) else _marked(term), _marked(meaning))


def _is_plain(runs: Sequence[Run]) -> bool:
    return not any(run.is_code for run in runs)


def _marked(runs: Sequence[Run]) -> str:
    """One line, with code in bold."""
    text = "".join(rf"\fB{_word(run.text)}\fR" if run.is_code else _word(run.text) for run in runs)
    return rf"\&{text}" if text.startswith((".", "'")) else text


def _word(text: str) -> str:
    return escaped(text).removeprefix(r"\&")
