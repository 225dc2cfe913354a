"""What tells the releases of Kubernetes apart, one row each: feature gates, and changes that no gate governs.

Source: `pkg/features/kube_features.go` and `pkg/scheduler` of the releases from 1.22 to 1.36; for 1.37 and the alphas
of 1.38 the gates of their schedulers, their release notes and the pull requests behind them.
"""

from enum import StrEnum

from msgspec import Struct


class Maturity(StrEnum):
    """How far a gate has come."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"
    DEPRECATED = "deprecated"


class Concern(StrEnum):
    """The pods that a gate can make a difference for."""

    EVERY_POD = "every pod"
    CLAIMS = "pods that ask for devices"


class GateStage(Struct, frozen=True):
    """How a gate stands from a release on, until its next stage. A locked gate cannot be set otherwise."""

    release: str
    maturity: Maturity
    is_on: bool = False
    is_locked: bool = False


def _alpha(release: str) -> GateStage:
    return GateStage(release, Maturity.ALPHA)


def _beta(release: str, *, is_on: bool = True) -> GateStage:
    return GateStage(release, Maturity.BETA, is_on)


def _ga(release: str, *, is_locked: bool = True) -> GateStage:
    return GateStage(release, Maturity.GA, is_on=True, is_locked=is_locked)


class Gate(Struct, frozen=True):
    """A feature gate that bears on decisions.

    `field` is what it sets, of Features or RequestRules; without one, it is built only as `stages` has it by default.
    `until` is the release that no longer knows it; then it stands like the gate that it is `merged_into`, if any.
    `built_since` is the first whose behaviour with the gate on is built. What is not built may concern only some pods.
    """

    name: str
    stages: tuple[GateStage, ...]
    effect: str
    field: str = ""
    until: str = ""
    merged_into: str = ""
    built_since: str = ""
    concerns: Concern = Concern.EVERY_POD


class Change(Struct, frozen=True):
    """A change of behaviour that no gate governs.

    `field`, of Features or RequestRules, is on from `since` on, and off again from `until` on.
    """

    field: str
    effect: str
    since: str = ""
    until: str = ""


# Tables, a row each.
# fmt: off

CHANGES = (
    Change("groups_are_scheduled_at_once", since="1.36", effect="All pods of a group are tried before any of them is "
           "placed; before, each waits for the others on its node."),
    Change("default_profile_is_that_of_v1beta2", until="1.23", effect="Without a configuration, plugins are on and "
           "weigh as in v1beta2, most of them with weight 1."),
    Change("volume_claims_must_exist", since="1.23", effect="A claim that is not there counts against attach limits as "
           "an error; before, it counts for nothing."),
    Change("ephemeral_volumes_are_limited", since="1.23", effect="Generic ephemeral volumes count against attach "
           "limits."),
    Change("lost_claims_reject", since="1.23", effect="A claim that has lost its volume rejects the pod."),
    Change("ephemeral_claims_are_awaited", since="1.23", effect="The message for a generic ephemeral volume says that "
           "its claim is yet to be made, or not the pod's."),
    Change("untolerated_taint_is_called_so", since="1.24", effect="The message speaks of an untolerated taint, not of "
           "a taint that the pod didn't tolerate."),
    Change("node_names_narrow", since="1.24", effect="NodeAffinity names the nodes of matchFields at PreFilter, so "
           "that no other node is looked at."),
    Change("spread_scores_are_rounded", since="1.24", effect="PodTopologySpread rounds its raw score; before, it cuts "
           "the score off."),
    Change("spread_counts_on_eligible_nodes_only", since="1.24", effect="PodTopologySpread counts pods only on nodes "
           "that the pod's node affinity allows; before, on all nodes of a domain that has such a node."),
    Change("post_filter_is_told", since="1.24", effect="The message says what came of preemption."),
    Change("nodes_without_victims_are_named", until="1.24", effect="What preemption reports of a node without victims "
           "names the node and the pod."),
    Change("overhead_scores_in_fit", since="1.24", effect="A pod's overhead counts in the score of NodeResourcesFit."),
    Change("preemption_is_named", since="1.24", effect="What preemption reports begins with its name."),
    Change("cinder_is_migrated_everywhere", since="1.24", effect="Cinder volumes count as CSI volumes on every node "
           "with a CSINode, whatever its annotation says."),
    Change("inline_volumes_count_as_migrated", since="1.25", effect="In-line volumes of migrated plugins count against "
           "the attach limits of the CSI driver."),
    Change("nominated_node_resets_round_robin", until="1.25", effect="Trying the nominated node first sets the round "
           "robin back to the first node."),
    Change("pre_filter_message_stands_alone", since="1.26", effect="A rejection at PreFilter is the message, rather "
           "than the verdict on each node."),
    Change("only_requested_extended_resources_must_fit", since="1.26", effect="Extended resources that are requested "
           "with amount 0 are not looked at."),
    Change("pre_filter_rejection_leaves_nodes_open", since="1.26", until="1.28", effect="A rejection at PreFilter is "
           "not held against any node, so that preemption is tried on all of them."),
    Change("post_filter_message_gets_full_stop", since="1.26", until="1.29", effect="The message adds a full stop to "
           "what came of preemption, which has one already."),
    Change("requests_are_summed_exactly", since="1.27", effect="Requests are rounded up once they are summed; before, "
           "container by container."),
    Change("cpu_overhead_scores_in_millis", since="1.27", effect="Scores count a pod's CPU overhead in thousandths; "
           "before, they take whole CPUs for thousandths."),
    Change("one_conflicting_term_rejects", until="1.27", effect="A pod is rejected if any term of its node affinity "
           "names nodes that contradict each other."),
    Change("empty_spread_selectors_count_nothing", since="1.27", until="1.38", effect="A spread constraint with an "
           "empty selector counts no pods; before and after, it counts all."),
    Change("post_filter_errors_are_told", since="1.27", effect="The message says where preemption failed with an "
           "error."),
    Change("volume_zones_are_prepared", since="1.27", effect="VolumeZone looks the volumes up at PreFilter; before, "
           "for every node that has zone labels."),
    Change("filters_are_skipped", since="1.27", effect="NodeAffinity, InterPodAffinity, VolumeBinding and VolumeZone "
           "do not filter for pods that do not concern them."),
    Change("aws_and_azure_are_migrated_everywhere", since="1.27", effect="EBS and Azure disks count as CSI volumes on "
           "every node with a CSINode, whatever its annotation says."),
    Change("gce_is_migrated_everywhere", since="1.28", effect="GCE disks count as CSI volumes on every node with a "
           "CSINode, whatever its annotation says."),
    Change("only_requested_resources_must_fit", since="1.28", effect="Only what a pod requests must be left on a node; "
           "before, CPU, memory and ephemeral storage must not be overcommitted where the pod requests anything."),
    Change("further_filters_are_skipped", since="1.28", effect="NodePorts, PodTopologySpread and VolumeRestrictions do "
           "not filter for pods that do not concern them."),
    Change("scores_are_skipped", since="1.28", effect="PodTopologySpread and InterPodAffinity do not score for pods "
           "that do not concern them."),
    Change("sidecars_run_on", since="1.28", effect="Init containers that restart always count beside the containers; "
           "before, they are like any other."),
    Change("disabled_sidecars_are_rejected", since="1.28", effect="Pods with sidecars are turned away where gate "
           "SidecarContainers is off."),
    Change("image_holders_are_kept_current", since="1.23", effect="ImageLocality counts all nodes that hold an image, "
           "as a scheduler that has run for a while does even before 1.29; 1.22 is taken to have just started, and "
           "counts those that held it when the node came."),
    Change("beta_zones_match_current_labels", since="1.29", effect="Volumes with beta labels for zone or region match "
           "nodes with the current ones."),
    Change("init_container_images_score", since="1.30", effect="ImageLocality counts the images of init containers."),
    Change("further_scores_are_skipped", since="1.30", effect="NodeAffinity and VolumeBinding do not score for pods "
           "that do not concern them."),
    Change("disabled_sidecars_are_rejected_at_once", since="1.30", effect="Where gate SidecarContainers is off, pods "
           "with sidecars are turned away at PreFilter; before, node by node."),
    Change("missing_volume_claims_reject", since="1.30", effect="A claim that is not there rejects the pod where "
           "volumes are counted; before, that is an error."),
    Change("one_node_is_enough_without_scores", since="1.30", effect="Without plugins or extenders that score, the "
           "search ends at the first node that fits."),
    Change("no_common_node_is_unresolvable", since="1.30", effect="Where PreFilter plugins name no node in common, "
           "preemption is not tried."),
    Change("missing_named_nodes_fail", since="1.24", until="1.30", effect="A node that a PreFilter plugin names and "
           "that is not there is an error."),
    Change("unjudged_nodes_are_open_to_preemption", until="1.31", effect="Preemption is tried on nodes without a "
           "verdict: those that a PreFilter plugin ruled out by name (up to 1.29), and those that an extender dropped "
           "without a word."),
    Change("in_tree_volume_limits", until="1.31", effect="EBSLimits (39, on some instance types 25), GCEPDLimits (16) "
           "and AzureDiskLimits (16) limit how many in-tree disks a node without a CSINode has attached."),
    Change("round_robin_goes_over_named_nodes", until="1.31", effect="Where PreFilter plugins name nodes, the round "
           "robin goes on among these only."),
    Change("narrowed_out_nodes_are_evaluated", since="1.30", until="1.31", effect="Nodes that a PreFilter plugin rules "
           "out count as evaluated, and as rejected by the prefilter result."),
    Change("narrowed_out_nodes_are_told", since="1.32", effect="The message names the plugins that ruled nodes out at "
           "PreFilter; 1.31 does not mention such nodes."),
    Change("local_volumes_narrow", since="1.27", until="1.32", effect="VolumeBinding names the nodes of bound local "
           "volumes at PreFilter, so that no other node is looked at."),
    Change("pre_filter_rejects_node_by_node", until="1.32", effect="A rejection at PreFilter goes on record for every "
           "node, and all count as evaluated."),
    Change("sidecars_count_in_scoring", since="1.32", effect="What sidecars of running pods request counts in "
           "NodeResourcesFit's score beside the containers."),
    Change("node_allocatable_limits_volumes", until="1.32", effect="Attach limits are read from a node's allocatable "
           "attachable-volumes-* too."),
    Change("attachments_count", since="1.32", effect="VolumeAttachments count against attach limits, whether or not a "
           "pod on the node uses the volume."),
    Change("victims_are_sorted", since="1.32", effect="Victims that a budget protects and others are listed together "
           "by importance, so that the most important victim of a candidate counts in the choice even if its budget "
           "allows its eviction."),
    Change("best_effort_skips_balance", since="1.33", effect="Pods that request nothing are not scored by "
           "NodeResourcesBalancedAllocation."),
    Change("returned_nodes_are_scored_bare", since="1.33", effect="Nodes that an extender hands back whole are scored "
           "as they come back, without any pods."),
    Change("volume_conflict_is_named_affinity", since="1.33", effect="The message for volumes out of reach speaks of "
           "the PersistentVolume's node affinity, not of a volume node affinity conflict."),
    Change("sidecar_ports_count", since="1.34", effect="NodePorts counts the host ports of sidecars."),
    Change("oversized_request_is_unresolvable", since="1.34", effect="Where a pod requests more than a node has in "
           "all, preemption is not tried on that node."),
    Change("claim_in_use_is_named_unavailable", since="1.34", effect="The message for a ReadWriteOncePod claim in use "
           "says that nodes are unavailable."),
    Change("untolerated_taint_is_named", until="1.35", effect="The message names the first taint that is not "
           "tolerated."),
    Change("long_labels_are_told_in_bytes", since="1.35", effect="The message for a preferred term with a value that "
           "is too long counts bytes, not characters."),
    Change("dynamic_resources_score", since="1.35", effect="DynamicResources scores nodes, weight 2: the earlier the "
           "alternative that a request gets, the more."),
    Change("missing_features_are_named", until="1.36", effect="The message of NodeDeclaredFeatures lists the features "
           "that a node does not declare."),
    Change("host_network_user_namespaces_are_declared", since="1.36", effect="Pods with user namespaces in the host "
           "network need nodes that declare it."),
    Change("balance_by_improvement", since="1.36", effect="NodeResourcesBalancedAllocation scores how much a pod "
           "improves a node's balance, no longer the balance that results."),
    Change("image_volumes_score", since="1.36", effect="ImageLocality counts the images of image volumes too."),
    Change("image_volumes_raise_the_ceiling", since="1.37", effect="For ImageLocality, image volumes raise what images "
           "can come to, as containers do."),
    Change("found_placement_is_told", since="1.37", effect="The message says on which node preemption makes room, and "
           "how many pods it evicts."),
    Change("extended_resources_are_claimed_by_container", until="1.35", effect="With gate DRAExtendedResource, every "
           "container has devices of its own, init containers too, also for what the node reports itself where it "
           "lacks another; a resource of which a node reports 0 is not looked for among devices, none is known by the "
           "name of its class, and none scores."),
    Change("idle_claims_are_told", until="1.37", effect="The message says so where DynamicResources has no claim to "
           "take back."),
    Change("resizes_count_in_sum", since="1.37", effect="Pods that are being resized count with the most of what all "
           "their containers ask, were given and were promised; before, the most of these was taken container by "
           "container."),
    Change("failing_devices_are_named", since="1.37", effect="The message about a device selector that fails names the "
           "device, and what to do about missing keys."),
    Change("counters_elsewhere_make_no_pool", since="1.37", effect="A pool of devices is looked at only where the node "
           "can use a device or counters of it; before, counters for any node were enough."),
    Change("selectors_know_includes", since="1.36", effect="Selectors can ask with includes() what an attribute is or "
           "has."),
    Change("lists_are_known", since="1.37", effect="Selectors read attributes that are lists, whatever the gate says, "
           "and with gate DRAListTypeAttributes constraints compare them, too; before, selectors read them with the "
           "gate, and constraints never."),
    Change("groups_are_counted_while_tried", since="1.37", effect="A group's attempt ends once too few of its pods can "
           "still get a node, which the message counts, and its pods preempt nobody by themselves; before, all are "
           "tried, and wait for each other on their nodes."),
    Change("groups_must_agree", since="1.37", effect="A group whose pods differ in priority from it, or in their "
           "preemption policy, fails with an error."),
    Change("groups_see_their_own_affinity", since="1.37", effect="Pods of a group see the affinity that others of it "
           "bring to a node, and which ReadWriteOncePod claims these use."),
    Change("groups_preempt_where_they_fit", since="1.37", effect="A group preempts what stands in its way where it "
           "fits once all that may leave has left, under a topology, too; before, each pod spared meant trying the "
           "whole group anew, and a topology ruled it out."),
    Change("one_repelling_term_wakes", since="1.37", effect="A pod that leaves wakes those that any term of "
           "anti-affinity kept from it; before, all terms of either must name the other."),
    Change("groups_are_victims", since="1.37", effect="Where there are groups, pods of one are preempted by the "
           "group's priority, and all together where it is disrupted as a whole."),
    Change("groups_stay_where_their_claims_are", since="1.37", effect="Pods of a group that share a claim go to nodes "
           "from which its devices are available; before, only the first of them does where the claim is new, and the "
           "others are tried again as binding them fails."),
    Change("violations_draw_on_one_budget", since="1.37", effect="A pod whose eviction violates a disruption budget "
           "draws on no further budget; before, it drew on all that protect it."),
    Change("starting_pods_keep_their_order", since="1.37", effect="Of pods that have not started, preemption evicts "
           "those last that stand first on their node; before, which of them mattered more hung on how they were "
           "compared."),
    Change("distinct_values_are_all_remembered", since="1.37", effect="Devices that must have different values of an "
           "attribute are compared with all picked before; before, with the latest of each request."),
    Change("failed_picks_leave_nothing", since="1.37", effect="A device that turns out not to do while devices are "
           "searched gives back the counters it drew on."),
    Change("counters_go_by_driver", since="1.37", effect="Pools of the same name have counters of their own if they "
           "are of different drivers."),
    Change("shares_without_amounts_draw_once", since="1.37", effect="A shared device draws on counters once, also "
           "where its shares name no amounts."),
    Change("all_devices_need_room", since="1.37", effect="A request for all devices is not met where one that it "
           "selects has no room left; before, it was met with the others."),
    Change("node_claims_have_overheads", since="1.37", effect="With gate DRANodeAllocatableResources, devices say in "
           "nodeAllocatableResources what they are and take of a node, and claims allocated before count; before, in "
           "nodeAllocatableResourceMappings, and a container has to use the claim."),
    Change("compatibility_groups_are_known", since="1.37", effect="Slices with devices in compatibility groups are "
           "passed over unless gate DRADeviceCompatibilityGroups is on; before, such groups do not count."),
    Change("gangs_wait_at_permit", until="1.38", effect="GangScheduling has a say at Permit."),
    Change("placement_feasible_is_configured", since="1.38", effect="Whether a group that is tried can still run is "
           "judged at placementFeasible, which a configuration can leave plugins out of."),
    Change("group_texts_stand_alone", since="1.38", effect="The message about a group says only why it cannot run; "
           "before, it first says that it cannot."),
    Change("nominated_placements_come_first", since="1.38", effect="A group is tried first in the placement that most "
           "of its pods are nominated to, and stays there if it can run."),
    Change("claims_name_capacities_in_full", since="1.38", effect="A claim may ask for a capacity by its name with or "
           "without the driver's domain, however the driver publishes it; before, only as published."),
    Change("losing_classes_keep_their_names", since="1.38", effect="A device class whose extended resource goes to "
           "another class is still found under its own name; before, it is not if it comes after the other one."),
    Change("empty_budget_selectors_protect_nothing", until="1.38", effect="A disruption budget with an empty selector "
           "keeps preemption from no pod, nor does any from one without labels."),
    Change("preemption_needs_victims", until="1.38", effect="Where only extenders object to a node, preemption ends "
           "with an error; after, those that preempt are asked for victims there, and without one the node has none."),
    Change("all_of_unusable_pools_is_an_error", until="1.38", effect="A request for all devices fails on every node "
           "where one has a pool that is being updated, or invalid; after, it passes over that node."),
    Change("shares_keep_devices_from_others", since="1.38", effect="A device that can no longer be shared is given to "
           "nobody while somebody holds a share."),
    Change("taint_rules_without_selector_taint_all", until="1.38", effect="A DeviceTaintRule without a selector taints "
           "every device; after, it taints none."),
    Change("taint_rules_go_by_class", until="1.35", effect="DeviceTaintRules come with gate DRADeviceTaints, and may "
           "select devices by class and expression; after, they have a gate of their own, and select by names."),
    Change("portworx_is_migrated_everywhere", since="1.36", effect="Portworx volumes count as CSI volumes on every "
           "node with a CSINode, whatever its annotation says."),
    Change("invalid_pools_matter_last", since="1.35", effect="A pool of devices that is not valid is passed over, and "
           "named only where no other will do; before, meeting one was an error."),
    Change("device_pools_must_be_complete", since="1.35", effect="Devices are taken only of pools all slices of which "
           "are there, whichever nodes they are for."),
    Change("device_gates_for_waiting_count_together", since="1.35", effect="DRADeviceBindingConditions and "
           "DRAResourceClaimDeviceStatus call for the newest search for devices only together; before, each of them "
           "did."),
    Change("plain_claims_have_their_own_allocator", until="1.36", effect="Where every gate for devices is off, the "
           "search for devices gives up an alternative that would need too many devices without saying so."),
    Change("device_alternatives_have_their_own_all", since="1.36", effect="An alternative for all devices is matched "
           "by its own selectors; before, by those of the one before it where these had been looked at."),
    Change("device_counters_are_of_pools", since="1.35", effect="Devices draw on the counters of all slices of their "
           "pool; before, on those of their own slice."),
    Change("shared_devices_draw_on_counters", since="1.36", effect="A device that several claims share draws on "
           "counters as soon as one of them has it."),
    Change("waiting_device_slices_come_last", until="1.36", effect="Within a pool, slices with devices that are made "
           "ready before a pod is bound come last."),
    Change("missing_drivers_count_if_they_say_so", since="1.36", effect="With gate VolumeLimitScaling, nodes without a "
           "CSI driver are turned away only if its CSIDriver says so with preventPodSchedulingIfMissing."),
    Change("device_search_goes_by_gates", since="1.34", effect="Which of several searches for devices answers depends "
           "on the gates; before, there was one, which gives devices to administrators whoever has them, and keeps all "
           "devices that it has picked in vain."),
    Change("admin_access_is_gated", since="1.32", effect="Administrative access to devices needs a gate, and leaves "
           "them to others."),
    Change("all_of_no_devices_is_too_little", since="1.33", effect="A request for all devices is not met where there "
           "are none."),
    Change("search_ends_without_all_devices", until="1.33", effect="Where a request for all devices cannot have one of "
           "them, no other devices are tried for the requests before it."),
    Change("all_devices_are_all_that_are_free", until="1.32", effect="A request for all devices gets those that are "
           "free, of whatever class."),
    Change("device_pools_are_checked", since="1.32", effect="A pool that has two devices of one name is not valid; "
           "before, nothing was checked, and the first slice of a newer generation counted twice."),
    Change("invalid_pools_matter_once_chosen", since="1.32", until="1.33", effect="A pool of devices that is not valid "
           "is an error where one of its devices would be given; from 1.33 on, where the search comes by."),
    Change("requests_for_devices_name_a_class_or_alternatives", since="1.34", effect="A request for devices that has "
           "neither a class nor alternatives rejects the pod; before, that is an error."),
    Change("alternatives_with_amounts_blame_their_request", until="1.35", effect="Where alternatives may not ask for "
           "amounts of capacity, the message names their request."),
    Change("distinct_attributes_are_compared", since="1.35", effect="Devices that must have different values of an "
           "attribute do; before, it is enough that they have it."),
    Change("room_is_checked_by_place", until="1.35", effect="Whether a device has the amounts left that a claim asks "
           "for is asked a second time, of another device of the slice: as a request's second device, of the second."),
    Change("one_request_can_share_with_itself", until="1.36", effect="A request for several devices can be given one "
           "that is shared several times."),
    Change("claim_owners_are_told_in_capitals", since="1.35", effect="The message about a claim that was made for "
           "another pod writes Pod, not pod."),
    Change("device_alternatives_are_known", since="1.33", effect="Requests for devices can have alternatives, which "
           "the message about a disabled gate speaks of; before, an API server drops them."),
    Change("claims_can_have_controllers", since="1.31", until="1.32", effect="A pod with a claim that names a "
           "controller is rejected where gate DRAControlPlaneController is off."),
    Change("pods_without_claims_are_passed_over", since="1.33", until="1.34", effect="DynamicResources says nothing "
           "about preemption for pods without claims."),
    Change("only_new_claims_are_scored", until="1.36", effect="DynamicResources fails to score a pod some of whose "
           "claims are allocated already and others are not."),
    Change("preemption_is_waited_for", since="1.34", effect="A pod that preempted is tried again when its victims are "
           "gone."),
    Change("allocatable_wakes_for_devices", since="1.34", effect="Pods that wait for devices are tried again when what "
           "a node has allocatable changes."),
    Change("slices_are_looked_at", until="1.33", effect="Of changes of ResourceSlices, only those that may help wake a "
           "pod."),
    Change("detached_volumes_are_looked_at", since="1.33", effect="Pods that wait for room for volumes are tried again "
           "when a CSINode changes; volumes that are detached wake only pods that this may help."),
)

GATES = (
    Gate("CSIMigration", (_beta("1.17"), _ga("1.25")), "In-tree volumes can count as CSI volumes, plugin by plugin.",
         field="csi_migration", until="1.27"),
    Gate("CSIMigrationAWS", (_beta("1.17", is_on=False), _beta("1.23"), _ga("1.25")), "EBS volumes can count as CSI "
         "volumes.", field="aws_migration", until="1.27"),
    Gate("CSIMigrationAzureDisk",
         (_beta("1.19", is_on=False), _beta("1.23"), _ga("1.24", is_locked=False), _ga("1.25")), "Azure disks can "
         "count as CSI volumes.", field="azure_disk_migration", until="1.27"),
    Gate("CSIMigrationGCE", (_beta("1.17", is_on=False), _beta("1.23"), _ga("1.25")), "GCE disks can count as CSI "
         "volumes.", field="gce_migration", until="1.28"),
    Gate("CSIMigrationOpenStack", (_beta("1.18"), _ga("1.24")), "Cinder volumes can count as CSI volumes.",
         field="cinder_migration", until="1.26"),
    Gate("CSIMigrationPortworx", (_alpha("1.23"), _beta("1.25", is_on=False), _beta("1.31"), _ga("1.33")), "Portworx "
         "volumes can count as CSI volumes.", field="portworx_migration", until="1.36"),
    Gate("CSIMigrationRBD", (_alpha("1.23"), GateStage("1.28", Maturity.DEPRECATED)), "RBD volumes can count as CSI "
         "volumes.", until="1.31"),
    Gate("CompositePodGroup", (_alpha("1.37"),), "Groups of pods can consist of groups."),
    Gate("CSIStorageCapacity", (_beta("1.21"), _ga("1.24")), "VolumeBinding looks at the capacity that CSI drivers "
         "publish.", until="1.28"),
    Gate("DRAAdminAccess", (_alpha("1.32"), _beta("1.34"), _ga("1.36")), "Claims can ask for devices with "
         "administrative access, taken or not.", field="device_admin_access"),
    Gate("DRAConsumableCapacity", (_alpha("1.34"), _beta("1.36")), "Several claims can share a device by its capacity.",
         field="consumable_capacity"),
    Gate("DRAControlPlaneController", (_alpha("1.31"),), "Controllers of drivers allocate devices to claims that name "
         "them, node by node in a PodSchedulingContext.", field="device_controllers", until="1.32", built_since="1.32",
         concerns=Concern.CLAIMS),
    Gate("DRADeviceBindingConditions", (_alpha("1.34"), _beta("1.36")), "Devices can be made ready before a pod is "
         "bound.", field="device_binding_conditions"),
    Gate("DRADeviceTaintRules", (_alpha("1.35"), _beta("1.36", is_on=False), _ga("1.37", is_locked=False), _ga("1.38")),
         "DeviceTaintRules taint devices.", field="device_taint_rules"),
    Gate("DRADeviceTaints", (_alpha("1.33"), _beta("1.36"), _ga("1.37", is_locked=False), _ga("1.38")), "Taints of "
         "devices keep claims from getting them.", field="device_taints"),
    Gate("DRAExtendedResource", (_alpha("1.34"), _beta("1.36"), _ga("1.37")), "Device classes can stand for extended "
         "resources.", field="extended_resources_of_classes"),
    Gate("DRADerivedAttributes", (_alpha("1.37"),), "Claims can derive attributes of devices by expressions.",
         field="derived_attributes"),
    Gate("DRADeviceCompatibilityGroups", (_alpha("1.37"),), "Devices that draw on the same counters must be of a "
         "common group.", field="compatibility_groups"),
    Gate("DRAFractionalCapacityRange", (_beta("1.37"),), "The range of capacities that a device lets claims ask for "
         "can be of thousandths.", field="fractional_capacity_ranges"),
    Gate("DRAListTypeAttributes", (_alpha("1.36"),), "Attributes of devices can be lists.", field="list_attributes"),
    Gate("DRANodeAllocatableResources", (_alpha("1.36"),), "Claims for CPU and memory count against what a node has "
         "allocatable.", field="node_allocatable_claims"),
    Gate("DRAPartitionableDevices", (_alpha("1.33"), _beta("1.36")), "Devices can draw on counters that they share.",
         field="partitionable_devices"),
    Gate("DRAPrioritizedList", (_alpha("1.33"), _beta("1.34"), _ga("1.36", is_locked=False), _ga("1.37")), "Requests "
         "for devices can name alternatives.", field="device_alternatives"),
    Gate("DRAResourceClaimDeviceStatus", (_alpha("1.32"), _beta("1.33"), _ga("1.37")), "What drivers report of "
         "allocated devices counts.", field="device_status"),
    Gate("DRASchedulerFilterTimeout", (_beta("1.34"),), "The search for devices for a node ends after some seconds; "
         "here it is never cut short.", field="device_search_has_timeout"),
    Gate("DRAWorkloadResourceClaims", (_alpha("1.36"), _beta("1.37", is_on=False)), "Claims can belong to a group of "
         "pods.", field="claims_of_groups"),
    Gate("DefaultPodTopologySpread", (_beta("1.20"), _ga("1.24")), "PodTopologySpread spreads pods by default, in "
         "place of SelectorSpread.", until="1.26"),
    Gate("DynamicResourceAllocation",
         (_alpha("1.26"), _beta("1.32", is_on=False), _ga("1.34", is_locked=False), _ga("1.35")), "DynamicResources is "
         "on, and allocates devices to claims.", field="dynamic_resources", until="1.38", built_since="1.31"),
    Gate("GangScheduling", (_alpha("1.35"),), "GangScheduling is on: pods of a gang wait until enough of them can run.",
         field="gangs", until="1.37", merged_into="GenericWorkload"),
    Gate("GenericEphemeralVolume", (_beta("1.21"), _ga("1.23")), "Pods can have generic ephemeral volumes.",
         until="1.25"),
    Gate("GenericWorkload", (_alpha("1.35"), _beta("1.37", is_on=False)), "Pods can belong to a group.",
         field="pod_groups"),
    Gate("InPlacePodLevelResourcesVerticalScaling", (_alpha("1.35"), _beta("1.36")), "A resize of what a pod requests "
         "as a whole counts until the kubelet has carried it out.", field="in_place_pod_level_vertical_scaling"),
    Gate("InPlacePodVerticalScaling", (_alpha("1.27"), _beta("1.33"), _ga("1.35")), "A resize of running containers "
         "counts until the kubelet has carried it out.", field="in_place_vertical_scaling", built_since="1.33"),
    Gate("InPlacePodVerticalScalingSchedulerPreemption", (_alpha("1.37"),), "Pods are evicted to make room for the "
         "resize of another."),
    Gate("LocalStorageCapacityIsolation", (_beta("1.10"), _ga("1.25")), "Requests for ephemeral storage count.",
         until="1.27"),
    Gate("MatchLabelKeysInPodTopologySpread", (_alpha("1.25"), _beta("1.27")), "matchLabelKeys of spread constraints "
         "count.", field="match_label_keys_in_spread", built_since="1.27"),
    Gate("MinDomainsInPodTopologySpread", (_alpha("1.24"), _beta("1.25", is_on=False), _beta("1.27"), _ga("1.30")),
         "minDomains of spread constraints counts.", field="spread_min_domains", until="1.32"),
    Gate("NodeDeclaredFeatures", (_alpha("1.35"), _beta("1.36"), _ga("1.37")), "NodeDeclaredFeatures is on: pods that "
         "use new kubelet features need nodes that declare them.", field="node_declared_features"),
    Gate("NodeInclusionPolicyInPodTopologySpread", (_alpha("1.25"), _beta("1.26"), _ga("1.33")), "nodeAffinityPolicy "
         "and nodeTaintsPolicy of spread constraints count.", field="node_inclusion_policy", built_since="1.26"),
    Gate("NonPreemptingPriority", (_beta("1.19"), _ga("1.24")), "Pods can have a preemption policy of Never.",
         until="1.26"),
    Gate("PodAffinityNamespaceSelector", (_beta("1.22"), _ga("1.24")), "namespaceSelector of pod affinity terms "
         "counts.", until="1.26"),
    Gate("PodDisruptionConditions", (_beta("1.27"), _ga("1.31")), "While a pod waits for its nominated node, only pods "
         "that were preempted there keep it from preempting others, not all that are terminating.",
         field="only_preempted_pods_terminate", until="1.34"),
    Gate("OpportunisticBatching", (_beta("1.35"),), "A pod may get the node that was second best for the identical pod "
         "before it; here each is ranked anew.", field="alike_pods_may_share_a_ranking"),
    Gate("PodGroupPreemptionPolicy", (_alpha("1.37"),), "Whether a group may preempt is said by the group, no longer "
         "by its pods.", field="group_preemption_policies"),
    Gate("PodOverhead", (_beta("1.18"), _ga("1.24")), "What a runtime class adds to a pod counts.", until="1.26"),
    Gate("PodSchedulingReadiness", (_alpha("1.26"), _beta("1.27"), _ga("1.30")), "Pods with scheduling gates wait.",
         field="pod_scheduling_gates", until="1.38"),
    Gate("PreferNominatedNode", (_beta("1.22"), _ga("1.24")), "The nominated node of a pod is tried first.",
         until="1.26"),
    Gate("ReadWriteOncePod", (_alpha("1.22"), _beta("1.27"), _ga("1.29")), "Claims of access mode ReadWriteOncePod are "
         "for one pod at a time.", field="read_write_once_pod", until="1.31", built_since="1.27"),
    Gate("PodLevelResources", (_alpha("1.32"), _beta("1.34")), "What a pod requests as a whole counts.",
         field="pod_level_resources"),
    Gate("SchedulerQueueingHints", (_beta("1.28", is_on=False), _beta("1.32"), _ga("1.34")), "Plugins look closer at "
         "changes, so that only those that may help wake a pod; 1.28.0 itself had it on.",
         field="queueing_hints", until="1.37"),
    Gate("SidecarContainers", (_alpha("1.28"), _beta("1.29"), _ga("1.33")), "Pods with sidecars, init containers that "
         "restart always, can be scheduled.", field="sidecar_containers", until="1.37"),
    Gate("StorageCapacityScoring", (_alpha("1.33"), _beta("1.37")), "VolumeBinding scores nodes by the storage that "
         "they have left.", field="storage_capacity_scoring"),
    Gate("TaintTolerationComparisonOperators", (_alpha("1.35"),), "Tolerations can compare numbers, with Lt and Gt.",
         field="taint_toleration_comparison_operators"),
    Gate("TopologyAwareWorkloadScheduling", (_alpha("1.36"),), "Pods of a group are placed together, within a "
         "topology.", field="group_placements"),
    Gate("VolumeAttributesClass",
         (_alpha("1.29"), _beta("1.31", is_on=False), _ga("1.34", is_locked=False), _ga("1.36")), "A claim is bound "
         "only to a volume of its VolumeAttributesClass.", field="volume_attributes_classes", built_since="1.31"),
    Gate("VolumeCapacityPriority", (_alpha("1.21"),), "VolumeBinding scores nodes by how well existing volumes fit.",
         field="volume_capacity_priority", until="1.33"),
    Gate("VolumeLimitScaling", (_alpha("1.35"), _beta("1.37")), "Nodes without the CSI driver that a pod needs are "
         "turned away.", field="volume_limit_scaling"),
    Gate("WorkloadAwarePreemption", (_alpha("1.36"),), "Groups of pods preempt and are preempted together.",
         field="groups_preempt", until="1.37", merged_into="GenericWorkload"),
)
