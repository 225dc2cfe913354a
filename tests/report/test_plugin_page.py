"""A page for every plugin."""

from __future__ import annotations

import re

import pytest

from kexplain.api import build_scheduler
from kexplain.messages.subjects import LOOKS_AT
from kexplain.messages.texts import EVERY_TEXT
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.report.plugin_page import plugin_page

GAP = re.compile(r"\{[a-z_]+\}")
SCHEDULER = build_scheduler()


def test_every_plugin_has_a_page() -> None:
    assert set(IN_TREE_PLUGINS) <= set(LOOKS_AT)
    assert {text.source for text in EVERY_TEXT if text.source[:1].isupper()} <= set(LOOKS_AT)


@pytest.mark.parametrize("name", LOOKS_AT)
def test_a_page_has_no_gaps(name: str) -> None:
    page = plugin_page(name, SCHEDULER)
    assert page.looks_at.endswith(".")
    assert all(text.meaning and not GAP.search(text.meaning + text.check) for text in page.texts)
    assert (page.retry is None) == (not page.texts)


def test_the_part_in_a_profile() -> None:
    (part,) = plugin_page("TaintToleration", SCHEDULER).parts
    assert part.weight == 3
    assert part.extension_points == ("filter", "preScore", "score")
    assert plugin_page("SelectorSpread", SCHEDULER).parts == ()
