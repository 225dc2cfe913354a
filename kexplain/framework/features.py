"""What differs between releases, as plugins see it: named traits, never version numbers."""

from __future__ import annotations

from dataclasses import dataclass

#: The release whose defaults these are.
DEFAULT_RELEASE = "1.36"


@dataclass(frozen=True, slots=True)
class Features:
    """Feature gates and traits that plugins ask about; the defaults are those of 1.36."""

    #: Gate TaintTolerationComparisonOperators: the operators Lt and Gt of tolerations.
    taint_toleration_comparison_operators: bool = False
    #: Gate NodeInclusionPolicyInPodTopologySpread: nodeAffinityPolicy and nodeTaintsPolicy of spread constraints.
    node_inclusion_policy: bool = True
    #: Gate MatchLabelKeysInPodTopologySpread: matchLabelKeys of spread constraints.
    match_label_keys_in_spread: bool = True
    #: More than a node has in all is a rejection that preemption is not even tried against.
    oversized_request_is_unresolvable: bool = True
    #: Pods that request nothing are not scored for balance.
    best_effort_skips_balance: bool = True
    #: Balance is scored by how much the pod improves it, not by what it is afterwards.
    balance_by_improvement: bool = True
    #: The message names the taint that was not tolerated.
    untolerated_taint_is_named: bool = False
    #: Nodes that an extender hands back whole are scored as they come back, without any pods (from 1.33 on).
    returned_nodes_are_scored_bare: bool = True
