from __future__ import annotations

from kexplain.framework.features import Features
from kexplain.framework.plugin import ScorePlugin
from kexplain.plugins.registry import DEFAULT_PLUGINS

ORDER = """
    SchedulingGates PrioritySort NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts NodeResourcesFit
    VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity DynamicResources
    DefaultPreemption NodeResourcesBalancedAllocation ImageLocality DefaultBinder NodeDeclaredFeatures
"""


def test_order() -> None:
    assert [make(Features()).name for make, _ in DEFAULT_PLUGINS] == ORDER.split()


def test_plugins_are_named_as_their_classes() -> None:
    for make, _ in DEFAULT_PLUGINS:
        plugin = make(Features())
        assert plugin.name == type(plugin).__name__


def test_weights() -> None:
    weights = {
        plugin.name: weight for make, weight in DEFAULT_PLUGINS if isinstance(plugin := make(Features()), ScorePlugin)
    }
    assert weights == {
        "TaintToleration": 3,
        "NodeAffinity": 2,
        "NodeResourcesFit": 1,
        "VolumeBinding": 1,
        "PodTopologySpread": 2,
        "InterPodAffinity": 2,
        "DynamicResources": 2,
        "NodeResourcesBalancedAllocation": 1,
        "ImageLocality": 1,
    }
