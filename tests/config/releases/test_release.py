from __future__ import annotations

import ast
from pathlib import Path

import pytest
from msgspec.structs import replace

import kexplain
from kexplain.config.releases.release import (
    RELEASES,
    UNRECORDED,
    differing,
    features_of,
    known_release,
    minor_release,
    nearest_release,
    request_rules_of,
    traits,
    unbuilt_gates,
)
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import UsageError
from kexplain.framework.features import DEFAULT_RELEASE, Features
from kexplain.framework.traits import CHANGES, GATES
from kexplain.objects.core import PodResourceClaim
from kexplain.objects.requests import RequestRules
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod, volume

LOCKED = (
    "feature_gates: cannot set feature gate DynamicResourceAllocation to false, feature is locked to true in "
    "Kubernetes 1.36"
)


def test_newest_release_is_the_default() -> None:
    assert features_of() == features_of(DEFAULT_RELEASE) == Features()
    assert request_rules_of() == RequestRules()
    assert [release for release in RELEASES if release not in UNRECORDED][-1] == DEFAULT_RELEASE


def test_every_trait_is_told_by_exactly_one_row() -> None:
    told = [change.field for change in CHANGES] + [gate.field for gate in GATES if gate.field]
    known = [*Features.__struct_fields__, *RequestRules.__struct_fields__]
    assert sorted(told) == sorted(known)


def test_whatever_is_asked_of_features_is_a_trait() -> None:
    """No type checker knows them, as the rows of a table make them."""
    asked = set()
    for path in (Path(kexplain.__file__).parent).rglob("*.py"):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.Attribute) and ast.unparse(each.value).endswith("features"):
                asked.add(each.attr)
    # Those of other things that are called features.
    asked -= {"__struct_fields__", "add", "items", "strings"}
    assert len(asked) > 150
    assert asked <= {*Features.__struct_fields__}


@pytest.mark.parametrize(
    ("feature", "since", "until"),
    [
        ("in_tree_volume_limits", "", "1.31"),
        ("device_gates_for_waiting_count_together", "1.35", ""),
        ("selectors_know_includes", "1.36", ""),
        ("lists_are_known", "1.37", ""),
        ("extended_resources_are_claimed_by_container", "", "1.35"),
        ("plain_claims_have_their_own_allocator", "", "1.36"),
        ("device_alternatives_have_their_own_all", "1.36", ""),
        ("device_counters_are_of_pools", "1.35", ""),
        ("shared_devices_draw_on_counters", "1.36", ""),
        ("waiting_device_slices_come_last", "", "1.36"),
        ("only_new_claims_are_scored", "", "1.36"),
        ("device_search_goes_by_gates", "1.34", ""),
        ("admin_access_is_gated", "1.32", ""),
        ("all_of_no_devices_is_too_little", "1.33", ""),
        ("search_ends_without_all_devices", "", "1.33"),
        ("all_devices_are_all_that_are_free", "", "1.32"),
        ("device_pools_are_checked", "1.32", ""),
        ("invalid_pools_matter_once_chosen", "1.32", "1.33"),
        ("requests_for_devices_name_a_class_or_alternatives", "1.34", ""),
        ("alternatives_with_amounts_blame_their_request", "", "1.35"),
        ("distinct_attributes_are_compared", "1.35", ""),
        ("room_is_checked_by_place", "", "1.35"),
        ("one_request_can_share_with_itself", "", "1.36"),
        ("claim_owners_are_told_in_capitals", "1.35", ""),
        ("pods_without_claims_are_passed_over", "1.33", "1.34"),
        ("device_alternatives_are_known", "1.33", ""),
        ("claims_can_have_controllers", "1.31", "1.32"),
        ("device_controllers", "9.9", ""),
        ("missing_drivers_count_if_they_say_so", "1.36", ""),
        ("storage_capacity_scoring", "1.37", ""),
        ("volume_capacity_priority", "9.9", ""),
        ("volume_limit_scaling", "1.37", ""),
        ("image_volumes_raise_the_ceiling", "1.37", ""),
        ("device_taint_rules", "1.37", ""),
        ("queueing_hints", "1.32", ""),
        ("preemption_is_waited_for", "1.34", ""),
        ("allocatable_wakes_for_devices", "1.34", ""),
        ("slices_are_looked_at", "", "1.33"),
        ("detached_volumes_are_looked_at", "1.33", ""),
        ("fractional_capacity_ranges", "1.37", ""),
        ("failing_devices_are_named", "1.37", ""),
        ("counters_elsewhere_make_no_pool", "1.37", ""),
        ("found_placement_is_told", "1.37", ""),
        ("idle_claims_are_told", "", "1.37"),
        ("empty_budget_selectors_protect_nothing", "", "1.38"),
        ("preemption_needs_victims", "", "1.38"),
        ("all_of_unusable_pools_is_an_error", "", "1.38"),
        ("shares_keep_devices_from_others", "1.38", ""),
        ("taint_rules_without_selector_taint_all", "", "1.38"),
        ("losing_classes_keep_their_names", "1.38", ""),
        ("one_repelling_term_wakes", "1.37", ""),
        ("compatibility_groups_are_known", "1.37", ""),
        ("node_claims_have_overheads", "1.37", ""),
        ("placement_feasible_is_configured", "1.38", ""),
        ("compatibility_groups", "never", ""),
        ("untolerated_taint_is_called_so", "1.24", ""),
        ("only_requested_extended_resources_must_fit", "1.26", ""),
        ("only_requested_resources_must_fit", "1.28", ""),
        ("pre_filter_rejection_leaves_nodes_open", "1.26", "1.28"),
        ("post_filter_message_gets_full_stop", "1.26", "1.29"),
        ("filters_are_skipped", "1.27", ""),
        ("further_filters_are_skipped", "1.28", ""),
        ("gce_migration", "1.23", ""),
        ("read_write_once_pod", "1.27", ""),
        ("spread_min_domains", "1.27", ""),
        ("narrowed_out_nodes_are_evaluated", "1.30", "1.31"),
        ("narrowed_out_nodes_are_told", "1.32", ""),
        ("local_volumes_narrow", "1.27", "1.32"),
        ("node_allocatable_limits_volumes", "", "1.32"),
        ("attachments_count", "1.32", ""),
        ("victims_are_sorted", "1.32", ""),
        ("best_effort_skips_balance", "1.33", ""),
        ("volume_conflict_is_named_affinity", "1.33", ""),
        ("oversized_request_is_unresolvable", "1.34", ""),
        ("untolerated_taint_is_named", "", "1.35"),
        ("dynamic_resources_score", "1.35", ""),
        ("balance_by_improvement", "1.36", ""),
        ("dynamic_resources", "1.34", ""),
        ("node_declared_features", "1.36", ""),
        ("portworx_migration", "1.31", ""),
        ("volume_attributes_classes", "1.34", ""),
        ("node_inclusion_policy", "1.26", ""),
        ("taint_toleration_comparison_operators", "never", ""),
    ],
)
def test_features_come_and_go(feature: str, since: str, until: str) -> None:
    on = [release for release in RELEASES if getattr(features_of(release), feature)]
    assert on == [release for release in RELEASES if since <= release and (not until or release < until)]


@pytest.mark.parametrize(
    ("release", "rules"),
    [
        ("1.31", RequestRules(False, False, False, sidecars_count_in_scoring=False, sidecar_ports_count=False)),
        ("1.32", RequestRules(False, False, False, sidecar_ports_count=False)),
        ("1.33", RequestRules(False, True, False, sidecar_ports_count=False)),
        ("1.35", RequestRules(True, True, False)),
    ],
)
def test_request_rules(release: str, rules: RequestRules) -> None:
    assert request_rules_of(release) == rules


@pytest.mark.parametrize(
    ("release", "gates", "feature", "is_on"),
    [
        ("1.36", {"TaintTolerationComparisonOperators": True}, "taint_toleration_comparison_operators", True),
        ("1.36", {"AllAlpha": True}, "taint_toleration_comparison_operators", True),
        (
            "1.36", {"AllAlpha": True, "TaintTolerationComparisonOperators": False},
            "taint_toleration_comparison_operators", False,
        ),
        ("1.36", {"AllBeta": False}, "match_label_keys_in_spread", False),
        ("1.36", {"AllBeta": False}, "dynamic_resources", True),
        ("1.36", {"AllBeta": True}, "taint_toleration_comparison_operators", False),
        ("1.34", {"DynamicResourceAllocation": False}, "dynamic_resources", False),
        ("1.36", {"DynamicResourceAllocation": True}, "dynamic_resources", True),
        ("1.30", {"SidecarContainers": False}, "sidecar_containers", False),
    ],
)  # fmt: skip
def test_gates(release: str, gates: dict[str, bool], feature: str, is_on: bool) -> None:
    assert getattr(features_of(release, gates), feature) is is_on


@pytest.mark.parametrize(
    ("release", "gates", "message", "hint"),
    [
        ("1.21", {}, "Kubernetes 1.21 is not known here", "known are 1.22 to 1.38"),
        (
            "1.36", {"PodLevelResource": True},
            "feature_gates: PodLevelResource is not a feature gate of Kubernetes 1.36",
            "did you mean PodLevelResources?",
        ),
        (
            "1.33", {"GangScheduling": True},
            "feature_gates: GangScheduling is not a feature gate of Kubernetes 1.33",
            "it was added in 1.35 and removed in 1.37, where it is part of GenericWorkload",
        ),
        (
            "1.36", {"CSIMigrationPortworx": True},
            "feature_gates: CSIMigrationPortworx is not a feature gate of Kubernetes 1.36",
            "it was added in 1.23 and removed in 1.36",
        ),
        (
            "1.36", {"DynamicResourceAllocation": False},
            LOCKED,
            None,
        ),
    ],
    ids=["release", "slip", "too-early", "too-late", "locked"],
)  # fmt: skip
def test_what_cannot_be(release: str, gates: dict[str, bool], message: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as raised:
        features_of(release, gates)
    assert str(raised.value) == message
    if hint is not None:
        assert raised.value.hint == hint


def test_gates_without_effect_on_decisions_are_accepted() -> None:
    gates = {"SchedulerPopFromBackoffQ": False, "SchedulerAsyncPreemption": False, "HPAScaleToZero": True}
    assert features_of("1.33", gates) == features_of("1.33")
    assert unbuilt_gates("1.33", gates) == ()


@pytest.mark.parametrize(
    ("release", "gates", "names"),
    [
        ("1.36", {}, []),
        ("1.36", {"DRANodeAllocatableResources": True, "StorageCapacityScoring": True, "VolumeLimitScaling": True}, []),
        ("1.37", {"CompositePodGroup": True, "StorageCapacityScoring": True}, ["CompositePodGroup"]),
        ("1.37", {"CompositePodGroup": False}, []),
        ("1.35", {"GenericWorkload": True, "GangScheduling": True}, []),
        ("1.36", {"GenericWorkload": True, "GangScheduling": True, "WorkloadAwarePreemption": True}, []),
        ("1.30", {"DynamicResourceAllocation": True}, ["DynamicResourceAllocation"]),
        ("1.31", {"DynamicResourceAllocation": True}, []),
        ("1.31", {"DRAControlPlaneController": True}, ["DRAControlPlaneController"]),
        ("1.33", {"DRAPartitionableDevices": True, "DRADeviceTaints": True}, []),
        ("1.34", {"DRAConsumableCapacity": True}, []),
        ("1.34", {"DRAExtendedResource": True}, []),
        ("1.35", {"DRAConsumableCapacity": True}, []),
    ],
)
def test_gates_that_are_not_built(release: str, gates: dict[str, bool], names: list[str]) -> None:
    assert [gate.name for gate in unbuilt_gates(release, gates)] == names


def test_a_gate_that_is_not_built_is_told_with_every_decision() -> None:
    made = build_scheduler(SchedulerSettings(kubernetes_version="1.37", feature_gates={"CompositePodGroup": True}))
    decision = made.schedule(pod("p"), cluster([node("n1")]))
    told = "a feature gate that is on but not built here: Groups of pods can consist of groups"
    assert decision.not_evaluated == {"CompositePodGroup": told}


@pytest.mark.parametrize(
    ("release", "merged", "by_default"), [("1.36", False, False), ("1.37", True, False), ("1.38", True, True)]
)
def test_a_gate_that_was_merged_into_another_stands_like_that(release: str, merged: bool, by_default: bool) -> None:
    assert features_of(release).gangs is by_default
    assert not features_of(release, {"GenericWorkload": False}).gangs
    features = features_of(release, {"GenericWorkload": True})
    assert (features.pod_groups, features.gangs, features.groups_preempt) == (True, merged, merged)


def test_what_a_merged_gate_says_is_no_difference_where_both_are_on() -> None:
    old = {"GenericWorkload": True, "GangScheduling": True, "WorkloadAwarePreemption": True}
    found = {trait.name for trait in differing("1.36", "1.37", old, {"GenericWorkload": True})}
    assert found.isdisjoint(old)


def test_scheduler_of_a_release_knows_its_features() -> None:
    made = build_scheduler(SchedulerSettings(kubernetes_version="v1.34.1"))
    assert isinstance(made, Scheduler)
    assert (made.release, made.features) == ("1.34", features_of("1.34"))


def test_traits() -> None:
    by_name = {trait.name: trait for trait in traits("1.35", {"GangScheduling": True, "GenericWorkload": True})}
    gang, taint = by_name["GangScheduling"], by_name["untolerated_taint_is_named"]
    assert (gang.gate, gang.release, gang.maturity, gang.is_on, gang.is_built) == (
        "GangScheduling", "1.35", "alpha", True, True,
    )  # fmt: skip
    assert (taint.gate, taint.release, taint.is_on) == ("", "1.35", False)
    assert by_name["DynamicResourceAllocation"].is_locked
    assert by_name["balance_by_improvement"].release == "1.36"
    assert "DRAListTypeAttributes" not in by_name


@pytest.mark.parametrize("release", RELEASES)
def test_every_trait_says_what_it_changes(release: str) -> None:
    for trait in traits(release):
        assert trait.effect.endswith(".")
        assert trait.release


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("1.34", "1.34"),
        ("v1.34", "1.34"),
        ("1.34.1", "1.34"),
        ("v1.34.1-gke.1", "1.34"),
        ("1.34+", "1.34"),
        ("v1.31.9+k3s1", "1.31"),
        ("", ""),
        ("latest", ""),
        ("1", ""),
        ("1.x", ""),
    ],
)
def test_release_of_a_version(text: str, release: str) -> None:
    assert minor_release(text) == release


@pytest.mark.parametrize("text", ["1.21", "1.39", "2.0", "latest", ""])
def test_versions_that_cannot_be_asked_for(text: str) -> None:
    with pytest.raises(UsageError, match="is not known here"):
        known_release(text)


@pytest.mark.parametrize(
    ("release", "nearest"), [("1.9", "1.22"), ("1.22", "1.22"), ("1.35", "1.35"), ("1.38", "1.38"), ("2.0", "1.38")]
)
def test_nearest_release(release: str, nearest: str) -> None:
    assert nearest_release(release) == nearest


def test_all_that_1_37_has_on_is_built() -> None:
    assert unbuilt_gates("1.37") == ()


def test_what_is_not_built_is_told_to_pods_that_it_concerns() -> None:
    (unbuilt,) = unbuilt_gates("1.31", {"DRAControlPlaneController": True})
    with_volume = replace(pod("p"), spec=replace(pod("p").spec, volumes=(volume("data", claim="data"),)))
    assert unbuilt.not_evaluated(with_volume) is None
    with_claim = replace(pod("p"), spec=replace(pod("p").spec, resource_claims=(PodResourceClaim(name="gpu"),)))
    assert "Controllers of drivers" in (unbuilt.not_evaluated(with_claim) or "")
