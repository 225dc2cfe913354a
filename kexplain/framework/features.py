"""What differs between releases, as plugins see it: named traits, never version numbers."""

from msgspec import Struct

#: The release whose defaults these are, and that is followed where nothing names another: the newest one of which
#: decisions of the real scheduler are recorded.
DEFAULT_RELEASE = "1.36"


class Features(Struct, frozen=True):
    """Feature gates and traits that plugins ask about; the defaults are those of 1.36.

    `config.releases.traits` says what each of them changes, and since when.
    """

    taint_toleration_comparison_operators: bool = False
    node_inclusion_policy: bool = True
    match_label_keys_in_spread: bool = True
    spread_min_domains: bool = True
    sidecar_containers: bool = True
    disabled_sidecars_are_rejected: bool = True
    disabled_sidecars_are_rejected_at_once: bool = True
    oversized_request_is_unresolvable: bool = True
    only_requested_resources_must_fit: bool = True
    only_requested_extended_resources_must_fit: bool = True
    overhead_scores_in_fit: bool = True
    best_effort_skips_balance: bool = True
    balance_by_improvement: bool = True
    untolerated_taint_is_named: bool = False
    untolerated_taint_is_called_so: bool = True
    returned_nodes_are_scored_bare: bool = True
    image_volumes_score: bool = True
    image_volumes_raise_the_ceiling: bool = False
    init_container_images_score: bool = True
    image_holders_are_kept_current: bool = True
    empty_spread_selectors_count_nothing: bool = True
    spread_scores_are_rounded: bool = True
    spread_counts_on_eligible_nodes_only: bool = True

    filters_are_skipped: bool = True
    further_filters_are_skipped: bool = True
    scores_are_skipped: bool = True
    further_scores_are_skipped: bool = True
    volume_zones_are_prepared: bool = True
    one_node_is_enough_without_scores: bool = True
    nominated_node_resets_round_robin: bool = False

    node_names_narrow: bool = True
    long_labels_are_told_in_bytes: bool = True
    one_conflicting_term_rejects: bool = False
    missing_named_nodes_fail: bool = False
    no_common_node_is_unresolvable: bool = True
    round_robin_goes_over_named_nodes: bool = False
    narrowed_out_nodes_are_evaluated: bool = False
    narrowed_out_nodes_are_told: bool = True
    unjudged_nodes_are_open_to_preemption: bool = False
    pre_filter_rejects_node_by_node: bool = False
    pre_filter_rejection_leaves_nodes_open: bool = False
    pre_filter_message_stands_alone: bool = True
    post_filter_is_told: bool = True
    post_filter_errors_are_told: bool = True
    post_filter_message_gets_full_stop: bool = False
    preemption_is_named: bool = True
    found_placement_is_told: bool = False
    idle_claims_are_told: bool = True
    nodes_without_victims_are_named: bool = False
    victims_are_sorted: bool = True
    only_preempted_pods_terminate: bool = True

    attachments_count: bool = True
    node_allocatable_limits_volumes: bool = False
    in_tree_volume_limits: bool = False
    csi_migration: bool = True
    aws_migration: bool = True
    azure_disk_migration: bool = True
    gce_migration: bool = True
    cinder_migration: bool = True
    portworx_migration: bool = True
    aws_and_azure_are_migrated_everywhere: bool = True
    gce_is_migrated_everywhere: bool = True
    cinder_is_migrated_everywhere: bool = True
    portworx_is_migrated_everywhere: bool = True
    inline_volumes_count_as_migrated: bool = True
    volume_claims_must_exist: bool = True
    missing_volume_claims_reject: bool = True
    ephemeral_volumes_are_limited: bool = True
    lost_claims_reject: bool = True
    ephemeral_claims_are_awaited: bool = True
    local_volumes_narrow: bool = False
    volume_attributes_classes: bool = True
    storage_capacity_scoring: bool = False
    volume_capacity_priority: bool = False
    volume_limit_scaling: bool = False
    missing_drivers_count_if_they_say_so: bool = True
    volume_conflict_is_named_affinity: bool = True
    beta_zones_match_current_labels: bool = True
    read_write_once_pod: bool = True
    claim_in_use_is_named_unavailable: bool = True

    node_declared_features: bool = True
    missing_features_are_named: bool = False
    host_network_user_namespaces_are_declared: bool = True

    dynamic_resources: bool = True
    dynamic_resources_score: bool = True
    device_search_has_timeout: bool = True
    invalid_pools_matter_last: bool = True
    device_pools_must_be_complete: bool = True
    device_gates_for_waiting_count_together: bool = True
    plain_claims_have_their_own_allocator: bool = False
    device_alternatives_have_their_own_all: bool = True
    device_counters_are_of_pools: bool = True
    shared_devices_draw_on_counters: bool = True
    waiting_device_slices_come_last: bool = False
    only_new_claims_are_scored: bool = False
    device_search_goes_by_gates: bool = True
    admin_access_is_gated: bool = True
    all_of_no_devices_is_too_little: bool = True
    search_ends_without_all_devices: bool = False
    all_devices_are_all_that_are_free: bool = False
    device_pools_are_checked: bool = True
    invalid_pools_matter_once_chosen: bool = False
    requests_for_devices_name_a_class_or_alternatives: bool = True
    alternatives_with_amounts_blame_their_request: bool = False
    distinct_attributes_are_compared: bool = True
    room_is_checked_by_place: bool = False
    one_request_can_share_with_itself: bool = False
    claim_owners_are_told_in_capitals: bool = True
    pods_without_claims_are_passed_over: bool = False
    device_alternatives_are_known: bool = True
    claims_can_have_controllers: bool = False
    device_controllers: bool = False
    device_alternatives: bool = True
    device_taints: bool = True
    device_taint_rules: bool = False
    fractional_capacity_ranges: bool = False
    failing_devices_are_named: bool = False
    counters_elsewhere_make_no_pool: bool = False
    derived_attributes: bool = False
    compatibility_groups: bool = False
    compatibility_groups_are_known: bool = False
    node_claims_have_overheads: bool = False
    list_attributes: bool = False
    lists_are_known: bool = False
    selectors_know_includes: bool = True
    partitionable_devices: bool = True
    consumable_capacity: bool = True
    device_binding_conditions: bool = True
    device_status: bool = True
    device_admin_access: bool = True
    extended_resources_of_classes: bool = True
    extended_resources_are_claimed_by_container: bool = False
    pod_scheduling_gates: bool = True
    alike_pods_may_share_a_ranking: bool = True
    pod_groups: bool = False
    gangs: bool = False
    group_placements: bool = False
    groups_preempt: bool = False
    groups_are_scheduled_at_once: bool = True
    group_preemption_policies: bool = False
    groups_are_counted_while_tried: bool = False
    groups_must_agree: bool = False
    groups_see_their_own_affinity: bool = False
    groups_preempt_where_they_fit: bool = False
    groups_are_victims: bool = False
    claims_of_groups: bool = False
    groups_stay_where_their_claims_are: bool = False
    gangs_wait_at_permit: bool = True
    violations_draw_on_one_budget: bool = False
    starting_pods_keep_their_order: bool = False
    group_texts_stand_alone: bool = False
    placement_feasible_is_configured: bool = False
    nominated_placements_come_first: bool = False
    claims_name_capacities_in_full: bool = False
    losing_classes_keep_their_names: bool = False
    one_repelling_term_wakes: bool = False
    distinct_values_are_all_remembered: bool = False
    failed_picks_leave_nothing: bool = False
    counters_go_by_driver: bool = False
    shares_without_amounts_draw_once: bool = False
    all_devices_need_room: bool = False

    empty_budget_selectors_protect_nothing: bool = True
    preemption_needs_victims: bool = True
    all_of_unusable_pools_is_an_error: bool = True
    shares_keep_devices_from_others: bool = False
    taint_rules_without_selector_taint_all: bool = True
    taint_rules_go_by_class: bool = False

    queueing_hints: bool = True
    preemption_is_waited_for: bool = True
    allocatable_wakes_for_devices: bool = True
    slices_are_looked_at: bool = False
    detached_volumes_are_looked_at: bool = True

    default_profile_is_that_of_v1beta2: bool = False


#: The features of the default release.
DEFAULT_FEATURES = Features()
