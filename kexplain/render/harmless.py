"""How text from the input is made harmless, for every format: nobody's names steer a terminal, a page or a build."""

import re

from kexplain.patterns import regex

#: What build servers take for commands anywhere in a line, as GitHub, Azure DevOps and TeamCity do: `##[error]`.
_COMMAND = regex(r"##(?=[\w.-]*\[)")
#: What GitHub takes for one at the beginning of a line, however far it is indented: `::error file=a::text`.
_COLONS = regex(r"::[\w-]+.*::")
#: Characters that no reader sees, and that steer how others are shown: DEL, C1, marks of direction, separators, tags.
_UNSEEN = regex(
    r"[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_MARKDOWN = regex(r"([\\`*_{}\[\]<>|~#&$^])")
#: What code hosts turn into a link or a mention also behind a backslash: a name, a number, an address.
_REFERENCE = regex(r"@|(?<=\\#)(?=\d)|(?<=!)(?=\d)")
_ADDRESS = regex(r"(?<=[A-Za-z])(?=://)|(?<=[wW]{3})(?=\.)|(?<=mailto)(?=:)|(?<=xmpp)(?=:)", re.IGNORECASE)
#: A blank without width, which Markdown takes for the end of such a thing.
_NOTHING = "&#8203;"
_FORMULAS = ("=", "+", "@", "-")
_NUMBER = regex(r"-?[0-9]+")


def printable(text: str) -> str:
    """The text with control characters spelled out, so that no manifest can steer a terminal, nor what reads a log."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
    return _COMMAND.sub(r"#\\x23", text) if "##" in text else text


def log_lines(text: str) -> str:
    """Lines of a report as a log may hold them: none of them begins like a command of a build server."""
    return "\n".join(map(_log_line, text.split("\n"))) if "::" in text else text


def _log_line(line: str) -> str:
    return line.replace("::", "\\x3a:", 1) if "::" in line and _COLONS.match(line.lstrip()) else line


def in_strings(text: str) -> str:
    """JSON, or YAML that quotes what is not plain, with all that is not seen escaped; it means the same."""
    if not text.isascii() or "\x7f" in text:
        text = _UNSEEN.sub(_escape, text)
    return _COMMAND.sub(r"#\\u0023", text) if "##" in text else text


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def in_markdown(text: str) -> str:
    """Text with nothing in it that Markdown, or a code host that shows it, would take for its own."""
    text = _MARKDOWN.sub(r"\\\1", printable(text))
    text = _REFERENCE.sub(lambda match: f"{match[0]}{_NOTHING}", text)
    return _ADDRESS.sub(_NOTHING, text) if ":" in text or "." in text else text


def in_markdown_code(text: str) -> str:
    """A word in the type of code, also within a table."""
    # There a bar ends the cell even in code, and a backtick ends the code.
    return f"`{printable(text).replace('|', chr(92) + '|').replace('`', chr(39))}`"


def markdown_block(lines: list[str]) -> list[str]:
    """Lines as they are, in a block of code that nothing in them ends."""
    shown = [printable(line) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}sh", *shown, fence]


def in_cell(text: str) -> str:
    """A field of CSV with nothing in it that a spreadsheet would run, quoted wherever some of them would part it."""
    text = printable(text)
    # What begins like a formula gets a quote before it.
    if text.startswith(_FORMULAS) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(letter in text for letter in ',;"') else text
