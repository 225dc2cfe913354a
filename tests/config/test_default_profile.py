from __future__ import annotations

from kexplain.config.default_profile import default_profile
from kexplain.framework.features import Features
from kexplain.framework.status import Status
from kexplain.plugins.node_affinity import NodeAffinity
from kexplain.plugins.registry import DEFAULT_PLUGINS
from tests.factories import cluster, exists, node, node_affinity, node_term, pod


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


def test_configured_plugin_takes_its_place() -> None:
    configured = NodeAffinity(node_affinity(node_term(exists("gpu"))))
    made = default_profile(configured=[configured], scheduler_name="mine", percentage_of_nodes_to_score=7)
    assert len(made.filter) == len(default_profile().filter)
    assert made.filter[3] is configured
    assert made.weights["NodeAffinity"] == 2
    assert (made.scheduler_name, made.percentage_of_nodes_to_score) == ("mine", 7)


def test_features_reach_the_plugins() -> None:
    made = default_profile(Features(untolerated_taint_is_named=True))
    tainted = cluster([node("n1", taints=["k=v:NoSchedule"])]).node_infos[0]
    verdicts = [plugin.filter(pod(), None, tainted) for plugin in made.filter if plugin.name == "TaintToleration"]
    assert isinstance(verdicts[0], Status)
    assert verdicts[0].reasons == ("node(s) had untolerated taint {k: v}",)


def test_every_registered_plugin_is_in_it() -> None:
    made = default_profile()
    groups = (
        made.pre_enqueue,
        (made.queue_sort,),
        made.pre_filter,
        made.filter,
        made.post_filter,
        made.pre_score,
        made.score,
    )
    in_use = {plugin.name for group in groups for plugin in group}
    assert {make(Features()).name for make, _ in DEFAULT_PLUGINS} - in_use == {"DefaultBinder"}
