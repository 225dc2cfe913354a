r"""The patterns by which messages are found and taken apart, which files beside this module hold.

    # How a message ends that was too long.
    cut: \s*\.{3,}$|[,;]\s*$
    dated: (?s)<<year>>-\d\d
        -\d\d .*

A line that is indented goes on with the one before as it is, `<<year>>` is the pattern of that name further up, and `#`
begins a remark.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kexplain.patterns import regex

_REFERENCE = regex(r"<<(\w+)>>")


class NamedPatterns:
    """The patterns of one file, each an attribute that is compiled when it is first used."""

    def __init__(self, file: str) -> None:
        self._file = file

    def __getattr__(self, name: str) -> re.Pattern[str]:
        # What is set here is found without coming by again.
        pattern = re.compile(sources(self._file)[name])
        setattr(self, name, pattern)
        return pattern


@cache
def sources(file: str) -> Mapping[str, str]:
    """The patterns of a file by their names, as texts."""
    text = (Path(__file__).parent / "patterns" / f"{file}.txt").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for line in text.rstrip("\n").replace("\n    ", "").split("\n"):
        if not line.startswith("#"):
            name, _, source = line.partition(": ")
            found[name] = _REFERENCE.sub(lambda match: found[match[1]], source)
    return found
