"""Schedulers that are configured: plugins off, weighted or with arguments, several profiles."""

from __future__ import annotations

from typing import Any

from tests.recorder.areas.mixed import wishes
from tests.recorder.draw import Draw
from tests.recorder.world import World

_FILTERS = ("TaintToleration", "NodeAffinity", "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity")
_SCORERS = ("NodeAffinity", "ImageLocality", "TaintToleration", "NodeResourcesFit", "PodTopologySpread")
_RESOURCES = ("cpu", "memory", "nvidia.com/gpu", "ephemeral-storage")
_PACKER = "packer"


def world(draw: Draw) -> World:
    """One or two profiles, and pods for either."""
    here = World(draw, nodes=(4, 14))
    here.run(3)
    profiles = [_profile(draw, "default-scheduler")]
    if draw.chance(0.4):
        profiles.append(_profile(draw, _PACKER))
    here.config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": profiles,
    }
    for _ in range(draw.number(1, 3)):
        name = draw.one([profile["schedulerName"] for profile in profiles])
        here.ask(schedulerName=name, **wishes(draw))
    return here


def _profile(draw: Draw, name: str) -> dict[str, Any]:
    profile: dict[str, Any] = {"schedulerName": name}
    plugins: dict[str, Any] = {}
    if draw.chance(0.4):
        off = draw.one((*_FILTERS, "DefaultPreemption"))
        plugins["disabled"] = [{"name": off}]
    elif draw.chance(0.5):
        plugins["enabled"] = [{"name": each, "weight": draw.number(1, 9)} for each in draw.some(_SCORERS, 2, 1)]
    if plugins:
        profile["plugins"] = {"multiPoint": plugins}
    if arguments := [make(draw) for make in draw.some(_ARGUMENTS, 2)]:
        profile["pluginConfig"] = arguments
    return profile


def _fit(draw: Draw) -> dict[str, Any]:
    strategy: dict[str, Any] = {
        "resources": _weighted(draw),
        "type": draw.one(("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")),
    }
    if strategy["type"] == "RequestedToCapacityRatio":
        shape = [{"score": 0, "utilization": 0}, {"score": draw.number(1, 10), "utilization": 100}]
        strategy["requestedToCapacityRatio"] = {"shape": shape}
    arguments: dict[str, Any] = {"scoringStrategy": strategy}
    if draw.chance(0.3):
        arguments["ignoredResources"] = ["nvidia.com/gpu"]
    return {"args": arguments, "name": "NodeResourcesFit"}


def _balanced(draw: Draw) -> dict[str, Any]:
    resources = [{"name": each["name"], "weight": 1} for each in _weighted(draw)]
    return {"args": {"resources": resources}, "name": "NodeResourcesBalancedAllocation"}


def _weighted(draw: Draw) -> list[dict[str, Any]]:
    return [{"name": name, "weight": draw.number(1, 5)} for name in draw.some(_RESOURCES, 3, 1)]


def _affinity(draw: Draw) -> dict[str, Any]:
    arguments = {"hardPodAffinityWeight": draw.number(0, 100), "ignorePreferredTermsOfExistingPods": draw.chance(0.5)}
    return {"args": arguments, "name": "InterPodAffinity"}


def _spread(draw: Draw) -> dict[str, Any]:
    constraint = {"maxSkew": draw.number(1, 3), "topologyKey": "topology.kubernetes.io/zone"}
    constraint["whenUnsatisfiable"] = draw.one(("ScheduleAnyway", "DoNotSchedule"))
    return {"args": {"defaultConstraints": [constraint], "defaultingType": "List"}, "name": "PodTopologySpread"}


def _added(draw: Draw) -> dict[str, Any]:
    expression = {"key": "disktype", "operator": "In", "values": [draw.one(("ssd", "hdd"))]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    arguments = {"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    return {"args": arguments, "name": "NodeAffinity"}


_ARGUMENTS = (_fit, _balanced, _affinity, _spread, _added)
