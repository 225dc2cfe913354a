"""A regular expression that is wrong would be found by whoever is the first to use it, so all are used here."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pkgutil import walk_packages

import pytest

import kexplain
from kexplain.errors import MissingLibraryError
from kexplain.patterns import PatternError, compiled, regex, whole

MODULES = [each.name for each in walk_packages(kexplain.__path__, "kexplain.") if not each.name.endswith("__main__")]


def test_it_is_what_it_is_compiled_to() -> None:
    lazy, compiled = regex(r"(?P<word>\w+)=", re.ASCII), re.compile(r"(?P<word>\w+)=", re.ASCII)
    assert [lazy.fullmatch("a="), lazy.fullmatch("a")] != [None, None]
    assert (lazy.pattern, lazy.flags, lazy.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)
    assert lazy.sub("-", "a=b=") == compiled.sub("-", "a=b=") == "--"


def test_an_error_comes_with_the_first_use() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("")


def test_all_can_be_compiled() -> None:
    lazy = type(regex(""))
    found = [each for name in MODULES for each in vars(import_module(name)).values() if type(each) is lazy]
    assert len(found) > 100
    assert all(each.pattern is not None for each in found)


#: As Go 1.27 judges them.
@pytest.mark.parametrize(
    "source",
    [
        *(
            "^(?i)(abort|warn)?$",
            r"\pN",
            r"\x{2603}",
            r"\Qa.b\E*",
            "(?U)a+",
            "(?<n>a)",
            "(?P<n>a)",
            r"[\d-z]",
            r"\p{L}",
        ),
        *("a{1000}", "a{", "x{1001", "(|a)", "[]a]", "[[:^alpha:]]", "(?iU-s:a)", r"\p{^Greek}", r"\A\z", r"\Q\C\E"),
        *(r"\p{Letter}", r"\p{lu}", r"\p{greek}", r"\pz", r"\p{Any}", "(" * 900 + ")" * 900, "a{,999999999}"),
    ],
)
def test_expressions_that_go_knows(source: str) -> None:
    compiled(source)


@pytest.mark.parametrize(
    "source",
    [
        *(
            "a{1001}",
            "a++",
            "(?#c)",
            r"\u0041",
            r"\p{L1}",
            r"\p{Klingon}",
            "(?=a)",
            "(?<!a)",
            r"\1",
            "(?>a)",
            r"\Z",
            "**",
        ),
        *("(?<é>a)", r"\C", "x{4294967296}", "x{0,4294967296}", "(a", "[a", "a{2,1}", r"\x{110000}"),
        *(r"\p{Any}++", r"[\p{LC}\p{Assigned}", r"\p{Cn}{2,1}"),
        *("((a{100}){100})", "(?x)a", "(" * 5000 + ")" * 5000, "\\"),
    ],
)
def test_expressions_that_go_does_not_know(source: str) -> None:
    with pytest.raises(PatternError):
        compiled(source)


def test_no_expression_takes_long() -> None:
    pattern = compiled("^(a+)+$")
    assert pattern is not None
    assert [pattern.search("a" * 100_000 + end) is None for end in ("", "!")] == [False, True]


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [("web", "web", True), ("web", "web-1", False), (".*", "", True), ("web|db", "db", True), ("we", "web", False)],
)
def test_the_whole_text_is_meant(source: str, text: str, *, expected: bool) -> None:
    assert whole(source)(text) is expected


def test_without_the_library_only_words_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    assert (whole("web")("web"), whole(".*")("x")) == (True, True)
    with pytest.raises(MissingLibraryError, match="google-re2, which is not installed"):
        whole("web-[0-9]{7}")
