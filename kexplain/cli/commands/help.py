"""`kexplain help`: the manual."""

import sys
from collections.abc import Mapping
from functools import partial
from shutil import get_terminal_size
from textwrap import wrap

from kexplain.cli.app import command
from kexplain.cli.manual.terminal import as_text
from kexplain.cli.manual.topics import TOPICS, markdown
from kexplain.cli.requests.help import Request
from kexplain.cli.tree import commands
from kexplain.errors import UsageError
from kexplain.patterns import regex
from kexplain.words import did_you_mean

#: Lines longer than this are hard to read.
_WIDEST = 100
_FIRST_SENTENCE = regex(r"(?<=[.?])\s")


def run(request: Request) -> int:
    """Always 0: an unknown page is raised."""
    topic, width = request.topic, request.width or min(get_terminal_size().columns, _WIDEST)
    by_name = {command.name: _FIRST_SENTENCE.split(command.help)[0].rstrip(".") for command in commands()}
    if topic in TOPICS:
        sys.stdout.write(as_text(markdown(topic), width))
    elif topic in by_name:
        command(topic).main(["--help-all"], prog_name=f"kexplain {topic}", standalone_mode=False)
    elif topic:
        instead = did_you_mean(topic, (*TOPICS, *by_name)) or "kexplain help lists all pages"
        raise UsageError(f"there is no page on {topic}", instead)
    else:
        sys.stdout.write(_listing("Topics", TOPICS, width) + "\n" + _listing("Commands", by_name, width))
    return 0


def _listing(title: str, about_by_name: Mapping[str, str], width: int) -> str:
    wrapped = partial(wrap, width=width, subsequent_indent=" " * 14)
    lines = [line for name, about in about_by_name.items() for line in wrapped(about, initial_indent=f"  {name:<12}")]
    return "\n".join((f"{title}: kexplain help NAME", *lines)) + "\n"
