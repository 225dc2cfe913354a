from __future__ import annotations

from typing import Any

import pytest

from kexplain.config.component.api_versions import API_VERSIONS
from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.config.component.default_profile import default_profile
from kexplain.config.releases.release import behaviour_of, features_of
from kexplain.errors import InputError
from kexplain.framework.extender import ExtenderConfig, ExtenderTls, ManagedResource
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.profile import Profile
from kexplain.framework.trace import Decision, Outcome
from kexplain.plugins.default_preemption import DefaultPreemption
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.plugins.pod_topology_spread import SYSTEM_DEFAULT_CONSTRAINTS, PodTopologySpread
from kexplain.plugins.resource_allocation import ResourceSpec
from kexplain.plugins.scoring_strategy import ScoringStrategy, ShapePoint
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate
from tests.factories import ZONE, cluster, node, pod, pod_group, service

DEFAULT = "default-scheduler"


def configured(version: str = "v1", release: str = "", **fields: Any) -> Scheduler:
    """The scheduler of a release, by default the newest that reads the version."""
    api_version = f"kubescheduler.config.k8s.io/{version}"
    release = release or API_VERSIONS[api_version].served[1] or DEFAULT_RELEASE
    manifest = {"apiVersion": api_version, "kind": "KubeSchedulerConfiguration", **fields}
    return scheduler_from(manifest, behaviour_of(release))


def profile(version: str = "v1", **fields: Any) -> Profile:
    return configured(version, profiles=[fields]).profiles[DEFAULT]


def plugin_config(name: str, **args: Any) -> list[dict[str, Any]]:
    return [{"name": name, "args": args}]


def found(made: Profile, kind: type[Any]) -> Any:
    return next(plugin for plugin in (*made.filter, *made.post_filter, *made.score) if isinstance(plugin, kind))


def faults(version: str = "v1", release: str = "", **fields: Any) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        configured(version, release, **fields)
    return {fault.path: fault.message for fault in caught.value.faults}


# ---------------------------------------------------------------------------------------------------- profiles


def test_empty_configuration_is_the_default_one() -> None:
    made = configured()
    assert list(made.profiles) == [DEFAULT]
    assert made.percentage_of_nodes_to_score == 0
    assert made.profiles[DEFAULT].at_point == default_profile().at_point
    assert made.profiles[DEFAULT].weights == default_profile().weights
    assert made.notes == ()


def test_percentages() -> None:
    made = configured(
        percentageOfNodesToScore=30,
        profiles=[{"schedulerName": DEFAULT}, {"schedulerName": "own", "percentageOfNodesToScore": 0}],
    )
    assert made.percentage_of_nodes_to_score == 30
    assert made.profiles[DEFAULT].percentage_of_nodes_to_score is None
    assert made.profiles["own"].percentage_of_nodes_to_score == 0
    assert made.profiles["own"].scheduler_name == "own"


def test_weights_of_a_point_go_before_those_of_multi_point() -> None:
    made = profile(
        plugins={
            "multiPoint": {"enabled": [{"name": "ImageLocality", "weight": 7}, {"name": "NodeAffinity", "weight": 9}]},
            "score": {"enabled": [{"name": "NodeAffinity", "weight": 4}]},
        }
    )
    assert (made.weights["ImageLocality"], made.weights["NodeAffinity"]) == (7, 4)


def test_disabled_at_one_point_only() -> None:
    made = profile(plugins={"score": {"disabled": [{"name": "NodeAffinity"}]}})
    assert "NodeAffinity" not in made.weights
    assert "NodeAffinity" in made.at_point[ExtensionPoint.FILTER]


def test_a_slip_in_what_is_disabled_is_an_error() -> None:
    plugins = {"multiPoint": {"disabled": [{"name": "NodeResourceBalancedAllocation"}]}}
    (path, message), *others = faults(profiles=[{"plugins": plugins}]).items()
    assert others == []
    assert path == "profiles[0].plugins.multiPoint.disabled[0].name"
    assert message == (
        '"NodeResourceBalancedAllocation" is no plugin, and turns nothing off; '
        "did you mean NodeResourcesBalancedAllocation?"
    )


@pytest.mark.parametrize("name", ["Coscheduling", "NodePorts", "*", "RequestedToCapacityRatio"])
def test_what_else_may_be_disabled(name: str) -> None:
    profile(plugins={"score": {"disabled": [{"name": name}]}})


def test_plugins_of_others_may_be_disabled() -> None:
    own = {"enabled": [{"name": "NodePort"}], "disabled": [{"name": "NodePort"}]}
    profile(plugins={"filter": own})


def test_all_disabled_at_a_point() -> None:
    made = profile(plugins={"score": {"disabled": [{"name": "*"}], "enabled": [{"name": "ImageLocality"}]}})
    assert made.weights == {"ImageLocality": 1}


def deciding(**disabled: str) -> Decision:
    """What becomes of a pod that fits on n2 if these plugins are off at these points."""
    plugins = {point: {"disabled": [{"name": name}]} for point, name in disabled.items()}
    asking = pod(cpu=1, ports=["80"])
    return configured(profiles=[{"plugins": plugins}]).schedule(
        asking, cluster([node("n1"), node("n2", cpu=8), node("n3", cpu=8)])
    )


@pytest.mark.parametrize(
    ("disabled", "message"),
    [
        pytest.param(
            {"preFilter": "NodePorts"},
            'running "NodePorts" filter plugin: reading "PreFilterNodePorts" from cycleState: not found', id="ports",
        ),
        pytest.param(
            {"preFilter": "NodeResourcesFit"},
            'running "NodeResourcesFit" filter plugin: error reading "PreFilterNodeResourcesFit" from cycleState: '
            "not found",
            id="resources",
        ),
        pytest.param(
            {"preFilter": "VolumeRestrictions"},
            'running "VolumeRestrictions" filter plugin: cannot read "PreFilterVolumeRestrictions" from cycleState',
            id="restrictions",
        ),
        pytest.param(
            {"preFilter": "VolumeBinding"}, 'running "VolumeBinding" filter plugin: not found', id="volumes",
        ),
        pytest.param(
            {"preFilter": "PodTopologySpread"},
            'running "PodTopologySpread" filter plugin: reading "PreFilterPodTopologySpread" from cycleState: '
            "not found",
            id="spread",
        ),
        pytest.param(
            {"preFilter": "InterPodAffinity"},
            'running "InterPodAffinity" filter plugin: error reading "PreFilterInterPodAffinity" from cycleState: '
            "not found",
            id="affinity",
        ),
        pytest.param(
            {"preFilter": "DynamicResources"}, 'running "DynamicResources" filter plugin: not found', id="devices",
        ),
        pytest.param(
            {"preFilter": "NodeDeclaredFeatures"},
            'running "NodeDeclaredFeatures" filter plugin: error reading "PreFilterNodeDeclaredFeatures" from '
            "cycle-state: not found",
            id="features",
        ),
        pytest.param(
            {"preScore": "TaintToleration"},
            'running Score plugins: plugin "TaintToleration" failed with: failed to read "PreScoreTaintToleration" '
            "from cycleState: not found",
            id="taints",
        ),
        pytest.param(
            {"preScore": "InterPodAffinity"},
            'running Score plugins: plugin "InterPodAffinity" failed with: failed to read "PreScoreInterPodAffinity" '
            "from cycleState: not found",
            id="affinity-scores",
        ),
        pytest.param(
            {"preScore": "PodTopologySpread"},
            'running Score plugins: plugin "PodTopologySpread" failed with: error reading "PreScorePodTopologySpread" '
            "from cycleState: not found",
            id="spread-scores",
        ),
        pytest.param(
            {"preFilter": "VolumeBinding", "filter": "VolumeBinding"},
            'running Reserve plugin "VolumeBinding": not found', id="reserving",
        ),
    ],
)  # fmt: skip
def test_plugins_fail_where_the_profile_does_not_prepare_them(disabled: dict[str, str], message: str) -> None:
    decision = deciding(**disabled)
    assert (decision.outcome, decision.message) == (Outcome.ERROR, message)


@pytest.mark.parametrize("point", ["preFilter", "preScore"])
@pytest.mark.parametrize("name", ["NodeAffinity", "NodeVolumeLimits", "VolumeZone", "NodeResourcesBalancedAllocation"])
def test_plugins_that_prepare_themselves_later(point: str, name: str) -> None:
    assert deciding(**{point: name}).host == deciding().host


def test_a_plugin_that_only_prepares_filters_nothing() -> None:
    assert deciding(filter="NodeResourcesFit").feasible == ("n1", "n2", "n3")


# --------------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("args", "keys"),
    [
        pytest.param({}, None, id="system-by-default"),
        pytest.param({"defaultingType": "System"}, None, id="system"),
        pytest.param({"defaultingType": "List"}, [], id="empty-list"),
        pytest.param(
            {
                "defaultingType": "List",
                "defaultConstraints": [{"topologyKey": ZONE, "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}],
            },
            [ZONE], id="list",
        ),
        pytest.param({"kind": "PodTopologySpreadArgs"}, None, id="with-kind"),
    ],
)  # fmt: skip
def test_spreading_defaults(args: dict[str, Any], keys: list[str] | None) -> None:
    made = profile(pluginConfig=plugin_config("PodTopologySpread", **args))
    constraints = found(made, PodTopologySpread).default_constraints
    if keys is None:
        assert constraints == SYSTEM_DEFAULT_CONSTRAINTS
    else:
        assert [constraint.topology_key for constraint in constraints] == keys


def test_scoring_strategy_with_defaults() -> None:
    strategy = {
        "type": "RequestedToCapacityRatio",
        "resources": [{"name": "example.com/gpu", "weight": 5}, {"name": "cpu"}],
        "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]},
    }
    made = profile(pluginConfig=plugin_config("NodeResourcesFit", scoringStrategy=strategy))
    assert found(made, NodeResourcesFit).strategy == ScoringStrategy(
        "RequestedToCapacityRatio",
        (ResourceSpec("example.com/gpu", 5), ResourceSpec("cpu", 1)),
        (ShapePoint(0, 0), ShapePoint(100, 100)),
    )


def test_preemption_arguments() -> None:
    made = profile(pluginConfig=plugin_config("DefaultPreemption", minCandidateNodesAbsolute=3))
    plugin = found(made, DefaultPreemption)
    assert (plugin.min_candidate_nodes_percentage, plugin.min_candidate_nodes_absolute) == (10, 3)


@pytest.mark.parametrize(
    ("config", "note"),
    [
        pytest.param("Coscheduling", "no such plugin is part of kube-scheduler", id="unknown"),
        pytest.param("NodeResourceFit", "none is enabled; did you mean NodeResourcesFit?", id="misspelt"),
        pytest.param("NodeName", "it takes none", id="takes-none"),
    ],
)
def test_arguments_without_effect_are_told(config: str, note: str) -> None:
    made = configured(profiles=[{"pluginConfig": plugin_config(config, some=1)}])
    assert [note in told for told in made.notes] == [True]


def test_unknown_plugins_stay_and_are_told() -> None:
    made = profile(
        plugins={"multiPoint": {"enabled": [{"name": "Coscheduling"}]}},
        pluginConfig=plugin_config("Coscheduling", permitWaitingTimeSeconds=10),
    )
    (unknown,) = made.not_evaluated
    told = unknown.not_evaluated(pod())
    assert unknown.name == "Coscheduling"
    assert told is not None
    assert "any extension point" in told
    assert "its arguments were not looked at" in told
    assert "did you mean" not in told


def test_a_plugin_whose_name_is_misspelt_is_asked_about() -> None:
    (unknown,) = profile(plugins={"score": {"enabled": [{"name": "NodeResourcesFitt"}]}}).not_evaluated
    assert unknown.not_evaluated(pod()) == (
        "it is not part of kube-scheduler, and may have a say at score; did you mean NodeResourcesFit?"
    )


# --------------------------------------------------------------------------------------------------- extenders


def test_extenders() -> None:
    made = configured(
        extenders=[
            {"urlPrefix": "http://a", "filterVerb": "f", "ignorable": True},
            {
                "urlPrefix": "https://b/",
                "prioritizeVerb": "p",
                "weight": 3,
                "enableHTTPS": True,
                "httpTimeout": "1m30s",
                "nodeCacheCapable": True,
                "tlsConfig": {"serverName": "b", "caData": "QUJD"},
                "managedResources": [{"name": "example.com/foo", "ignoredByScheduler": True}],
            },
        ]
    )
    assert made.extenders == (
        ExtenderConfig(url_prefix="http://a", filter_verb="f", ignorable=True),
        ExtenderConfig(
            url_prefix="https://b/",
            prioritize_verb="p",
            weight=3,
            enable_https=True,
            http_timeout="1m30s",
            node_cache_capable=True,
            tls_config=ExtenderTls(server_name="b", ca_data="QUJD"),
            managed_resources=(ManagedResource(name="example.com/foo", ignored_by_scheduler=True),),
        ),
    )


# ---------------------------------------------------------------------------------------------------- versions


@pytest.mark.parametrize(
    ("version", "weights"),
    [
        pytest.param(
            "v1beta1",
            {
                "NodeResourcesBalancedAllocation": 1, "ImageLocality": 1, "InterPodAffinity": 1,
                "NodeResourcesLeastAllocated": 1, "NodeAffinity": 1, "NodePreferAvoidPods": 10000,
                "PodTopologySpread": 2, "TaintToleration": 1,
            },
            id="v1beta1",
        ),
        pytest.param(
            "v1beta2",
            {
                "NodeResourcesBalancedAllocation": 1, "ImageLocality": 1, "InterPodAffinity": 1,
                "NodeResourcesFit": 1, "NodeAffinity": 1, "PodTopologySpread": 2, "TaintToleration": 1,
            },
            id="v1beta2",
        ),
        pytest.param("v1beta3", default_profile(features_of("1.28")).weights, id="v1beta3"),
    ],
)  # fmt: skip
def test_what_is_on_by_default_is_up_to_the_version(version: str, weights: dict[str, int]) -> None:
    made = configured(version)
    assert made.profiles[DEFAULT].weights == weights


@pytest.mark.parametrize(
    ("version", "release", "when"),
    [("v1beta1", "1.23", "last read by Kubernetes 1.22"), ("v1", "1.24", "first read by Kubernetes 1.25")],
)
def test_a_release_reads_its_own_versions_alone(version: str, release: str, when: str) -> None:
    instead = f"decide as that one with kubernetes_version={when[-4:]}"
    says = f"kubescheduler.config.k8s.io/{version} was {when}: kube-scheduler {release} refuses it; {instead}"
    assert faults(version, release) == {"apiVersion": says}


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2", "v1beta3", "v1"])
def test_every_version_decides(version: str) -> None:
    nodes = cluster([node("n1"), node("n2", cpu=8)])
    assert configured(version).schedule(pod(cpu=1), nodes).host == "n2"


def test_strategies_that_were_plugins() -> None:
    plugins = {"score": {"disabled": [{"name": "*"}], "enabled": [{"name": "NodeResourcesMostAllocated", "weight": 3}]}}
    made = configured("v1beta1", profiles=[{"plugins": plugins}])
    decision = made.schedule(pod(cpu=1), cluster([node("n1"), node("n2", cpu=8)]))
    assert decision.host == "n1"


def test_plugins_that_are_gone_decide_in_v1beta1() -> None:
    plugins = {
        "preFilter": {"enabled": [{"name": "ServiceAffinity"}]},
        "filter": {"enabled": [{"name": "NodeLabel"}, {"name": "ServiceAffinity"}]},
        "preScore": {"enabled": [{"name": "SelectorSpread"}]},
        "score": {"enabled": [{"name": "SelectorSpread", "weight": 1}]},
    }
    args = [
        {"name": "NodeLabel", "args": {"presentLabels": ["rack"]}},
        {"name": "ServiceAffinity", "args": {"affinityLabels": ["region"]}},
    ]
    made = configured("v1beta1", profiles=[{"plugins": plugins, "pluginConfig": args}])
    web, east, west = {"app": "web"}, {"region": "east", "rack": "r1"}, {"region": "west", "rack": "r2"}
    nodes = [node("bare", labels={"region": "east"}), node("east-1", labels=east), node("east-2", labels=east)]
    nodes.append(node("west", labels=west))
    there = pod("there", labels=web, node="east-1")
    decision = made.schedule(pod(labels=web), cluster(nodes, [there], service("web", web)))
    assert decision.host == "east-2"
    assert [decision.statuses.get(name).plugin for name in ("bare", "west")] == ["NodeLabel", "ServiceAffinity"]
    assert decision.not_evaluated == {}


def test_in_v1beta1_a_default_plugin_cannot_be_named_again() -> None:
    plugins = {"score": {"enabled": [{"name": "ImageLocality", "weight": 3}]}}
    assert faults("v1beta1", profiles=[{"plugins": plugins}]) == {
        "profiles[0].plugins.score.enabled[0].name": "plugin ImageLocality is enabled twice at score"
    }


# ------------------------------------------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("fields", "paths"),
    [
        pytest.param({"extender": []}, ["extender"], id="unknown-field"),
        pytest.param({"percentageOfNodesToScore": "10"}, ["percentageOfNodesToScore"], id="wrong-type"),
        pytest.param({"percentageOfNodesToScore": 101}, ["percentageOfNodesToScore"], id="percentage"),
        pytest.param({"parallelism": 0}, ["parallelism"], id="parallelism"),
        pytest.param({"podInitialBackoffSeconds": 11}, ["podMaxBackoffSeconds"], id="backoff"),
        pytest.param({"clientConnection": {"burst": -1}}, ["clientConnection.burst"], id="burst"),
        pytest.param(
            {"leaderElection": {"leaseDuration": "5s"}}, ["leaderElection.leaseDuration"], id="lease-too-short"
        ),
        pytest.param(
            {"leaderElection": {"retryPeriod": "2 s"}}, ["leaderElection.retryPeriod"], id="no-duration"
        ),
        pytest.param(
            {"leaderElection": {"resourceLock": "endpoints"}}, ["leaderElection.resourceLock"], id="lock"
        ),
        pytest.param({"profiles": [{"plugin": {}}]}, ["profiles[0].plugin"], id="unknown-field-of-a-profile"),
        pytest.param({"profiles": [{}, {}]}, [f"profiles[{i}].schedulerName" for i in (0, 1)], id="no-names"),
        pytest.param(
            {"profiles": [{"schedulerName": "a"}, {"schedulerName": "a"}]}, ["profiles[1].schedulerName"], id="names"
        ),
        pytest.param(
            {"profiles": [{"pluginConfig": plugin_config("PodTopologySpread", defaultingTipe="List")}]},
            ["profiles[0].pluginConfig[0].args.defaultingTipe"], id="unknown-argument",
        ),
        pytest.param(
            {"profiles": [{"pluginConfig": plugin_config("NodeName") * 2}]},
            ["profiles[0].pluginConfig[1].name"], id="arguments-twice",
        ),
        pytest.param(
            {"profiles": [{"plugins": {"bind": {"disabled": [{"name": "*"}]}}}]},
            ["profiles[0].plugins.bind"], id="nobody-binds",
        ),
        pytest.param(
            {"profiles": [{"plugins": {"score": {"enabled": [{"name": "NodeName"}]}}}]},
            ["profiles[0].plugins.score.enabled[0].name"], id="nothing-to-do-there",
        ),
        pytest.param(
            {"profiles": [{"schedulerName": "a"},
                          {"schedulerName": "b", "plugins": {"queueSort": {"enabled": [{"name": "PrioritySort"}]}}}]},
            ["profiles[1].plugins.queueSort"], id="two-queues",
        ),
        pytest.param(
            {"extenders": [{"urlPrefix": "http://a", "prioritizeVerb": "p"}]}, ["extenders[0].weight"], id="weight"
        ),
        pytest.param(
            {"extenders": [{"bindVerb": "b"}, {"bindVerb": "b"}]}, ["extenders[1].bindVerb"], id="two-binders"
        ),
        pytest.param(
            {"extenders": [{"managedResources": [{"name": "cpu"}]}]},
            ["extenders[0].managedResources[0].name"], id="managed-resource",
        ),
    ],
)  # fmt: skip
def test_faults(fields: dict[str, Any], paths: list[str]) -> None:
    assert list(faults(**fields)) == paths


ARGUMENT_FAULTS = [
    pytest.param("DefaultPreemption", {"minCandidateNodesPercentage": 101}, ["minCandidateNodesPercentage"], id="max"),
    pytest.param(
        "DefaultPreemption",
        {"minCandidateNodesPercentage": 0, "minCandidateNodesAbsolute": 0},
        ["minCandidateNodesPercentage", "minCandidateNodesAbsolute"], id="no-candidates",
    ),
    pytest.param("InterPodAffinity", {"hardPodAffinityWeight": 101}, ["hardPodAffinityWeight"], id="hard-weight"),
    pytest.param("NodeResourcesFit", {"ignoredResources": ["a b"]}, ["ignoredResources[0]"], id="ignored"),
    pytest.param("NodeResourcesFit", {"ignoredResourceGroups": ["a/b"]}, ["ignoredResourceGroups[0]"], id="group"),
    pytest.param(
        "NodeResourcesFit", {"scoringStrategy": {"type": "Most"}}, ["scoringStrategy.type"], id="strategy",
    ),
    pytest.param(
        "NodeResourcesFit",
        {"scoringStrategy": {"type": "MostAllocated", "resources": [{"name": "cpu", "weight": 101}]}},
        ["scoringStrategy.resources[0].weight"], id="resource-weight",
    ),
    pytest.param(
        "NodeResourcesFit", {"scoringStrategy": {"type": "RequestedToCapacityRatio"}},
        ["scoringStrategy.requestedToCapacityRatio"], id="no-shape",
    ),
    pytest.param(
        "NodeResourcesFit",
        {"scoringStrategy": {"type": "RequestedToCapacityRatio", "requestedToCapacityRatio": {"shape": [
            {"utilization": 50, "score": 11}, {"utilization": 50, "score": 0}, {"utilization": 101, "score": 0}]}}},
        [f"scoringStrategy.requestedToCapacityRatio.shape[{place}" for place in
         ("0].score", "1].utilization", "2].utilization")], id="shape",
    ),
    pytest.param(
        "NodeResourcesFit",
        {"scoringStrategy": {"type": "MostAllocated", "requestedToCapacityRatio": {"shape": []}}},
        ["scoringStrategy.requestedToCapacityRatio"], id="needless-shape",
    ),
    pytest.param(
        "NodeResourcesBalancedAllocation", {"resources": [{"name": "cpu", "weight": 2}, {"name": "cpu"}]},
        ["resources[0].weight", "resources[1].name"], id="balance",
    ),
    pytest.param(
        "PodTopologySpread", {"defaultConstraints": [{"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "X"}]},
        ["defaultingType", "defaultConstraints[0].whenUnsatisfiable"], id="spreading",
    ),
    pytest.param(
        "PodTopologySpread", {"defaultingType": "List", "defaultConstraints": [{"labelSelector": {}}]},
        [f"defaultConstraints[0].{name}" for name in ("maxSkew", "topologyKey", "whenUnsatisfiable", "labelSelector")],
        id="constraint",
    ),
    pytest.param(
        "NodeAffinity",
        {"addedAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [{"matchExpressions": [{"key": "a", "operator": "Is"}]}]}}},
        ["addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator"],
        id="affinity",
    ),
    pytest.param("VolumeBinding", {"bindTimeoutSeconds": -1}, ["bindTimeoutSeconds"], id="bind"),
    pytest.param("VolumeBinding", {"shape": []}, ["shape"], id="bind-shape"),
    pytest.param("VolumeBinding", {"shape": [{"utilization": 0, "score": 11}]}, ["shape[0].score"], id="bind-score"),
    pytest.param("DynamicResources", {"filterTimeout": "-1s", "bindingTimeout": "x"},
                 ["filterTimeout", "bindingTimeout"], id="devices"),
    pytest.param("VolumeBinding", {"kind": "NodeAffinityArgs"}, ["kind"], id="kind"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "paths"), ARGUMENT_FAULTS)
def test_faults_of_arguments(name: str, args: dict[str, Any], paths: list[str]) -> None:
    found_at = list(faults(profiles=[{"pluginConfig": plugin_config(name, **args)}]))
    assert found_at == [f"profiles[0].pluginConfig[0].args.{path}" for path in paths]


@pytest.mark.parametrize(
    ("version", "fields", "path"),
    [
        pytest.param("v1", {"healthzBindAddress": ""}, "healthzBindAddress", id="address"),
        pytest.param("v1beta3", {"profiles": [{"percentageOfNodesToScore": 1}]},
                     "profiles[0].percentageOfNodesToScore", id="percentage-of-a-profile"),
        pytest.param("v1beta3", {"profiles": [{"plugins": {"placementFeasible": {}}}]},
                     "profiles[0].plugins.placementFeasible", id="placement-feasible"),
        pytest.param("v1beta1", {"profiles": [{"plugins": {"multiPoint": {}}}]},
                     "profiles[0].plugins.multiPoint", id="multi-point"),
        pytest.param("v1beta1", {"profiles": [{"pluginConfig": plugin_config(
                     "NodeLabel", presentLabels=["a", "b"], absentLabels=["b"])}]},
                     "profiles[0].pluginConfig[0].args.presentLabels[1]", id="label-there-and-not"),
        pytest.param("v1beta2", {"profiles": [{"pluginConfig": plugin_config("NodeResourcesMostAllocated")}]},
                     "profiles[0].pluginConfig[0].name", id="plugin-that-is-gone"),
    ],
)  # fmt: skip
def test_what_a_version_does_not_have(version: str, fields: dict[str, Any], path: str) -> None:
    assert list(faults(version, **fields)) == [path]


@pytest.mark.parametrize(
    ("address", "is_right"),
    [
        ("0.0.0.0:10251", True), (":10251", True), ("127.0.0.1", True), ("[::1]:10251", True), ("::1", True),
        ("", False), ("localhost:10251", False), ("0.0.0.0:99999", False), ("0.0.0.0:x", False),
    ],
)  # fmt: skip
def test_addresses_of_v1beta2(address: str, is_right: bool) -> None:
    if is_right:
        assert configured("v1beta2", healthzBindAddress=address).profiles
    else:
        assert list(faults("v1beta2", healthzBindAddress=address)) == ["healthzBindAddress"]


def test_groups_have_points_of_their_own() -> None:
    groups = ("placementFeasible", "placementGenerate", "placementScore", "podGroupPostFilter")
    fields = {"plugins": {point: {"disabled": [{"name": "GangScheduling"}]} for point in groups}}
    assert configured(profiles=[fields]).profiles.keys() == {"default-scheduler"}


@pytest.mark.parametrize(
    ("release", "set_", "hosts"),
    [
        ("1.37", {}, ["", ""]),
        ("1.37", {"disabled": [{"name": "GangScheduling"}]}, ["", ""]),
        ("1.38", {}, ["", ""]),
        ("1.38", {"disabled": [{"name": "GangScheduling"}]}, ["n1", ""]),
        ("1.38", {"disabled": [{"name": "*"}], "enabled": [{"name": "GangScheduling"}]}, ["", ""]),
    ],
)
def test_groups_are_judged_at_a_point_that_can_be_configured_since_1_38(
    release: str, set_: dict[str, Any], hosts: list[str]
) -> None:
    """A gang of two for which there is room for one."""
    value = {"profiles": [{"plugins": {"placementFeasible": set_}}]}
    manifest = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **value}
    scheduler = scheduler_from(manifest, behaviour_of(release, {"GenericWorkload": True}))
    made = cluster([node("n1", cpu="2")], [], pod_group("g", 2))
    queue = [pod(name, cpu="2", group="g") for name in ("a", "b")]
    assert [each.host for each in simulate(scheduler, made, queue)] == hosts


def test_what_is_wrong_in_shape_does_not_hide_broken_rules() -> None:
    assert list(faults(parallelism="many", podInitialBackoffSeconds=0, profiles=[{"schedulerName": 7}])) == [
        "parallelism", "profiles[0].schedulerName", "podInitialBackoffSeconds",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [{}, [], None, {"kind": "KubeSchedulerConfiguration", "apiVersion": "v9"}])
def test_kind_and_version_are_needed(value: object) -> None:
    with pytest.raises(InputError):
        scheduler_from(value)
