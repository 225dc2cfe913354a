from __future__ import annotations

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.features import Features
from kexplain.framework.status import Status
from kexplain.plugins.registry import IN_TREE_PLUGINS
from tests.factories import cluster, node, pod


def test_extension_points() -> None:
    made = default_profile()
    assert made.scheduler_name == "default-scheduler"
    assert made.percentage_of_nodes_to_score is None
    assert [plugin.name for plugin in made.pre_enqueue] == ["SchedulingGates", "DynamicResources"]
    assert [plugin.name for plugin in made.post_filter] == ["DynamicResources", "DefaultPreemption"]
    assert [plugin.name for plugin in made.filter] == [
        "NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
        "VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone", "PodTopologySpread",
        "InterPodAffinity", "DynamicResources", "NodeDeclaredFeatures",
    ]  # fmt: skip
    assert [plugin.name for plugin in made.score] == [
        "TaintToleration", "NodeAffinity", "NodeResourcesFit", "VolumeBinding", "PodTopologySpread",
        "InterPodAffinity", "DynamicResources", "NodeResourcesBalancedAllocation", "ImageLocality",
    ]  # fmt: skip


def test_weights() -> None:
    assert default_profile().weights == {
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


def test_its_name() -> None:
    made = default_profile(scheduler_name="mine")
    assert (made.scheduler_name, made.percentage_of_nodes_to_score) == ("mine", None)


def test_features_reach_the_plugins() -> None:
    made = default_profile(Features(untolerated_taint_is_named=True))
    tainted = cluster([node("n1", taints=["k=v:NoSchedule"])]).node_infos[0]
    verdicts = [plugin.filter(pod(), None, tainted) for plugin in made.filter if plugin.name == "TaintToleration"]
    assert isinstance(verdicts[0], Status)
    assert verdicts[0].reasons == ("node(s) had untolerated taint {k: v}",)


def test_every_plugin_in_the_tree_but_the_limits_of_old_is_in_it() -> None:
    made = default_profile()
    of_old = {"EBSLimits", "GCEPDLimits", "AzureDiskLimits", "CinderLimits"}
    of_groups = {"GangScheduling", "TopologyPlacementGenerator", "PodGroupPodsCount"}
    assert {name for names in made.at_point.values() for name in names} == IN_TREE_PLUGINS.keys() - of_old - of_groups
    assert made.not_evaluated == ()
