"""Which changes wake a pod: equal to what the plugins of kube-scheduler 1.36 register, as recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kexplain.plugins.wakeups import ANY_CHANGE, EVENTS_BY_PLUGIN, WITHOUT_EVENTS, ClusterEvent, events_of

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "conformance" / "events-v1.36.json").read_text()
)
PLUGINS = [name for name in RECORDED if not name.startswith("_")]


def _events(recorded: list[dict[str, Any]]) -> set[ClusterEvent]:
    return {ClusterEvent(each["resource"], tuple(each["actions"]), each["hint"]) for each in recorded}


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_registers_what_was_recorded(plugin: str) -> None:
    assert set(EVENTS_BY_PLUGIN[plugin]) == _events(RECORDED[plugin]["events"])
    added = _events(RECORDED["_added"]["events"]) if plugin in RECORDED["_added"]["plugins"] else set()
    assert set(events_of(plugin)) == set(EVENTS_BY_PLUGIN[plugin]) | added


def test_no_plugin_is_missing_or_made_up() -> None:
    assert set(EVENTS_BY_PLUGIN) == set(PLUGINS)
    assert set(RECORDED["_none"]["plugins"]) == WITHOUT_EVENTS
    assert all(events_of(plugin) == () for plugin in WITHOUT_EVENTS)


def test_a_plugin_from_elsewhere_is_woken_by_any_change() -> None:
    assert set(events_of("FromElsewhere")) == set(ANY_CHANGE) == _events(RECORDED["_default"]["events"])
