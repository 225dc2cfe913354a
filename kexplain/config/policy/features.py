"""What 1.22, the last release that read Policies, does otherwise than later ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kexplain.config.releases.release import RELEASES, Behaviour, features_of, request_rules_of

POLICY_RELEASE = "1.22"

#: What has come, or changed, between 1.22 and the oldest release that is known otherwise.
FEATURES_OF_1_22: Mapping[str, bool] = {
    "untolerated_taint_is_called_so": False,
    "only_requested_resources_must_fit": False,
    "node_names_narrow": False,
    "init_container_images_score": False,
    "pre_filter_message_stands_alone": False,
    "post_filter_is_told": False,
    "one_node_is_enough_without_scores": False,
    "scores_are_skipped": False,
    "spread_scores_are_rounded": False,
    "spread_min_domains": False,
    "empty_spread_selectors_count_nothing": False,
    "image_holders_are_kept_current": False,
    "cloud_disks_are_migrated": False,
    "volume_claims_must_exist": False,
    "ephemeral_volumes_are_limited": False,
    "read_write_once_pod": False,
    "node_inclusion_policy": False,
    "match_label_keys_in_spread": False,
    "dynamic_resources": False,
}
#: The same of how requests are counted; there were no sidecars.
RULES_OF_1_22: Mapping[str, bool] = {"sidecars_run_on": False, "cpu_overhead_scores_in_millis": False}


def policy_behaviour() -> Behaviour:
    """The oldest release that is known otherwise, with what 1.22 did in place of later changes."""
    oldest = RELEASES[0]
    features = replace(features_of(oldest), **FEATURES_OF_1_22)
    return Behaviour(POLICY_RELEASE, features, replace(request_rules_of(oldest), **RULES_OF_1_22))
