"""A regular expression that is wrong would be found by whoever is the first to use it, so all are used here."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages

import pytest

import kexplain
from kexplain.patterns import regex

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


@pytest.mark.parametrize("name", MODULES)
def test_all_can_be_compiled(name: str) -> None:
    found = [each for each in vars(import_module(name)).values() if type(each) is type(regex(""))]
    assert all(each.pattern is not None for each in found)
