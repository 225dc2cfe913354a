"""What differs between releases, as plugins see it: named traits, never version numbers."""

from __future__ import annotations

from dataclasses import dataclass

#: The release whose defaults these are.
DEFAULT_RELEASE = "1.36"


@dataclass(frozen=True, slots=True)
class Features:
    """Feature gates and traits that plugins ask about; the defaults are those of 1.36.

    What each of them changes, and since when it is so, is told by `config.traits`, but for the last ones.
    """

    taint_toleration_comparison_operators: bool = False
    node_inclusion_policy: bool = True
    match_label_keys_in_spread: bool = True
    sidecar_containers: bool = True
    oversized_request_is_unresolvable: bool = True
    best_effort_skips_balance: bool = True
    balance_by_improvement: bool = True
    untolerated_taint_is_named: bool = False
    returned_nodes_are_scored_bare: bool = True
    image_volumes_score: bool = True

    pre_filter_rejects_node_by_node: bool = False
    narrowed_out_nodes_are_evaluated: bool = False
    narrowed_out_nodes_are_told: bool = True
    victims_are_sorted: bool = True
    only_preempted_pods_terminate: bool = True

    attachments_count: bool = True
    node_allocatable_limits_volumes: bool = False
    in_tree_volume_limits: bool = False
    portworx_migration: bool = True
    portworx_is_migrated_everywhere: bool = True
    local_volumes_narrow: bool = False
    volume_attributes_classes: bool = True
    volume_conflict_is_named_affinity: bool = True
    claim_in_use_is_named_unavailable: bool = True

    node_declared_features: bool = True
    missing_features_are_named: bool = False
    host_network_user_namespaces_are_declared: bool = True

    dynamic_resources: bool = True
    dynamic_resources_score: bool = True
    device_search_has_timeout: bool = True
    invalid_pools_matter_last: bool = True
    device_pools_must_be_complete: bool = True
    device_alternatives: bool = True
    device_taints: bool = True
    partitionable_devices: bool = True
    consumable_capacity: bool = True
    device_binding_conditions: bool = True
    device_status: bool = True
    device_admin_access: bool = True
    extended_resources_of_classes: bool = True

    # Of these 1.22, which read Policies, has none, and every later release here all: see `config.policy_features`.
    untolerated_taint_is_called_so: bool = True
    only_requested_resources_must_fit: bool = True
    node_names_narrow: bool = True
    init_container_images_score: bool = True
    pre_filter_message_stands_alone: bool = True
    post_filter_is_told: bool = True
    one_node_is_enough_without_scores: bool = True
    scores_are_skipped: bool = True
    spread_scores_are_rounded: bool = True
    spread_min_domains: bool = True
    empty_spread_selectors_count_nothing: bool = True
    image_holders_are_kept_current: bool = True
    cloud_disks_are_migrated: bool = True
    volume_claims_must_exist: bool = True
    ephemeral_volumes_are_limited: bool = True
    read_write_once_pod: bool = True


#: The features of the newest release.
DEFAULT_FEATURES = Features()
