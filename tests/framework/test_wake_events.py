"""Which changes wake a pod: equal to what the plugins of kube-scheduler 1.36 register, as recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kexplain.config.releases.release import features_of, request_rules_of
from kexplain.framework.wake_events import ANY_CHANGE, ClusterEvent, wakes
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS, events_of
from tests.factories import cluster, pod

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "conformance" / "events-v1.36.json").read_text()
)
PLUGINS = [name for name in RECORDED if not name.startswith("_")]
WITHOUT_EVENTS = RECORDED["_none"]["plugins"]
#: Plugins that are off by default, and of which nothing was recorded.
OF_GROUPS = {"GangScheduling", "TopologyPlacementGenerator", "PodGroupPodsCount"}

Told = set[tuple[str, str, bool]]


def told(events: Iterable[ClusterEvent]) -> Told:
    return {(event.resource, action, event.looks_closer) for event in events for action in event.actions}


def recorded(events: list[dict[str, Any]]) -> Told:
    return {(each["resource"], action, each["hint"]) for each in events for action in each["actions"]}


def of(plugin: str, release: str = "1.36", **gates: bool) -> Told:
    return told(events_of(plugin, features_of(release, gates), request_rules_of(release, gates)))


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_registers_what_was_recorded(plugin: str) -> None:
    added = recorded(RECORDED["_added"]["events"]) if plugin in RECORDED["_added"]["plugins"] else set()
    assert of(plugin) == recorded(RECORDED[plugin]["events"]) | added


def test_no_plugin_is_missing_or_made_up() -> None:
    assert set(IN_TREE_PLUGINS) == {*PLUGINS, *WITHOUT_EVENTS, *VOLUME_LIMIT_PLUGINS, *OF_GROUPS}
    assert all(of(plugin) == set() for plugin in WITHOUT_EVENTS)


def test_a_plugin_from_elsewhere_is_woken_by_any_change() -> None:
    assert of("FromElsewhere") == told(ANY_CHANGE) == recorded(RECORDED["_default"]["events"])


LABELS, TAINTS, ALLOCATABLE = (("Node", f"UpdateNode{what}", False) for what in ("Label", "Taint", "Allocatable"))
CSI_NODE = ("storage.k8s.io/CSINode", "Update", True)


@pytest.mark.parametrize(
    ("plugin", "newer", "older", "gained", "lost"),
    [
        pytest.param("DefaultPreemption", "1.34", "1.33", {("Pod", "Delete", True)}, set(), id="preemption-1.34"),
        pytest.param("DynamicResources", "1.34", "1.33", {ALLOCATABLE}, set(), id="devices-1.34"),
        pytest.param(
            "DynamicResources", "1.33", "1.32",
            {("resource.k8s.io/ResourceSlice", action, False) for action in ("Add", "Update")},
            {("resource.k8s.io/ResourceSlice", action, True) for action in ("Add", "Update")}, id="devices-1.33",
        ),
        pytest.param(
            "NodeResourcesFit", "1.33", "1.32", {("Pod", "UpdatePodScaleDown", True)}, set(), id="resizes-1.33",
        ),
        pytest.param(
            "NodeVolumeLimits", "1.33", "1.32", {CSI_NODE, ("storage.k8s.io/VolumeAttachment", "Delete", True)},
            {("storage.k8s.io/VolumeAttachment", "Delete", False)}, id="volumes-1.33",
        ),
        pytest.param("NodeAffinity", "1.36", "1.32", set(), set(), id="the-same"),
    ],
)  # fmt: skip
def test_what_releases_changed(plugin: str, newer: str, older: str, gained: Told, lost: Told) -> None:
    assert (of(plugin, newer) - of(plugin, older), of(plugin, older) - of(plugin, newer)) == (gained, lost)


def test_device_classes_wake_where_they_stand_for_resources() -> None:
    on = of("NodeResourcesFit", "1.35", DRAExtendedResource=True)
    gained = {("resource.k8s.io/DeviceClass", action, True) for action in ("Add", "Update")}
    assert on - of("NodeResourcesFit", "1.35") == gained


@pytest.mark.parametrize(
    ("plugin", "more"),
    [
        ("NodeName", {LABELS}), ("NodeAffinity", set()), ("NodeResourcesFit", {LABELS}), ("VolumeBinding", set()),
        ("PodTopologySpread", set()),
    ],
)  # fmt: skip
def test_without_queueing_hints_nobody_looks_closer(plugin: str, more: Told) -> None:
    """Plugins register for more changes of nodes then; taints always count."""
    off = of(plugin, "1.33", SchedulerQueueingHints=False)
    assert not any(looks_closer for _, _, looks_closer in off)
    with_hints = {(resource, action) for resource, action, _ in of(plugin, "1.33")}
    assert {event for event in off if event[:2] not in with_hints} == more


def test_events_without_hints_wake_whoever_registered() -> None:
    made, one, other = cluster([]), pod("one"), pod("other")
    infos = made.pod_info(one), made.pod_info(other)
    ports = events_of("NodePorts", features_of("1.33"), request_rules_of("1.33"))
    assert not wakes(ports, "Delete", *infos, made)
    gates = {"SchedulerQueueingHints": False}
    ports = events_of("NodePorts", features_of("1.33", gates), request_rules_of("1.33"))
    assert wakes(ports, "Delete", *infos, made)
    assert not wakes(ports, "Add", *infos, made)
