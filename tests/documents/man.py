"""Manual pages, made of the help of the command line and the topics: `python -m tests.documents.man DIRECTORY`."""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from kexplain import __version__
from kexplain.cli.app import SUMMARY
from kexplain.cli.manual.topics import TOPICS, markdown
from kexplain.cli.tree import CommandInfo, ParameterInfo, commands
from tests.documents.roff import as_roff, escaped


def pages() -> dict[str, str]:
    """All pages by their path in the directory of manual pages."""
    default, *others = commands()
    see = [*(f"kexplain-{command.name} (1)" for command in others), *(f"kexplain-{topic} (7)" for topic in TOPICS)]
    written = {
        "man1/kexplain.1": _page("kexplain", default, see, (Path(__file__).parent / "man-tail.roff").read_text())
    }
    for command in others:
        written[f"man1/kexplain-{command.name}.1"] = _page(f"kexplain {command.name}", command, ["kexplain (1)"])
    for topic, about in TOPICS.items():
        written[f"man7/kexplain-{topic}.7"] = _topic_page(topic, about)
    return written


def _topic_page(topic: str, about: str) -> str:
    name = f"kexplain-{topic}"
    head = [f'.TH {name.upper()} 7 "" "kexplain {__version__}" "Manual"', ".SH NAME", rf"{name} \- {escaped(about)}"]
    return "\n".join((*head, *as_roff(markdown(topic)), *_see_also(["kexplain (1)"])))


def _page(name: str, command: CommandInfo, see: list[str], tail: str = "") -> str:
    title = name.replace(" ", "-")
    lines = [
        f'.TH {title.upper()} 1 "" "kexplain {__version__}" "User Commands"',
        ".SH NAME",
        rf"{title} \- {escaped(_first_sentence(SUMMARY if tail else command.help))}",
        ".SH SYNOPSIS",
        f".B {name}",
        escaped(command.usage),
        ".SH DESCRIPTION",
        escaped(" ".join(command.help.split())),
        *_examples(command),
        ".SH OPTIONS",
        ".TP",
        r"\fB\-h\fR, \fB\-\-help\fR",
        "Show a summary and exit.",
    ]
    # Without a panel is what asks for help; it stands beside --help.
    ordered = sorted(command.parameters, key=lambda each: bool(each.panel))
    for panel, parameters in groupby(ordered, lambda each: each.panel):
        lines += [f".SS {escaped(panel)}"] if panel else []
        for parameter in parameters:
            lines += _parameter(parameter)
    return "\n".join(lines) + f"\n{tail}" + "\n".join(_see_also([*see, "kubectl (1)"]))


def _see_also(pages: list[str]) -> list[str]:
    return [".SH SEE ALSO", " ,\n".join(f".BR {page}" for page in pages), ""]


def _examples(command: CommandInfo) -> Iterator[str]:
    if command.examples:
        yield ".SH EXAMPLES"
    for words, purpose in command.examples:
        yield from (".TP", rf"\fB{escaped(words)}\fR", escaped(f"{purpose[0].upper()}{purpose[1:]}."))


def _parameter(parameter: ParameterInfo) -> list[str]:
    if parameter.is_argument:
        head = f".I {escaped(parameter.metavar)}"
    else:
        value = rf" \fI{escaped(parameter.metavar)}\fR" if parameter.metavar else ""
        head = ", ".join(rf"\fB{escaped(name)}\fR" for name in parameter.names) + value
    return [".TP", head, escaped(parameter.help)]


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def main() -> None:
    """Write every page into the directory named."""
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    for name, page in pages().items():
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
