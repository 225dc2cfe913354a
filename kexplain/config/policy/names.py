"""Predicates and priorities by name: the plugins that do what they did, and the order in which they run.

Source: scheduler `framework/plugins/legacy_registry.go` of 1.22; what that no longer knows follows the order of
`algorithm/predicates` of 1.11.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kexplain.tables import table


class _Tables(Struct, frozen=True):
    predicates: Mapping[str, tuple[str, ...]]
    priorities: Mapping[str, str]
    default_priorities: Mapping[str, int]
    default_predicates: tuple[str, ...]
    of_1_4: Mapping[str, Any]


_TABLES = table("policy", _Tables)
API_VERSIONS = ("v1", "kubescheduler.config.k8s.io/v1")
KIND = "Policy"
LABEL_PRESENCE = "CheckNodeLabelPresence"
SERVICE_AFFINITY = "CheckServiceAffinity"

#: In the order in which they run; those of a Policy follow this order, not its own.
PLUGINS_BY_PREDICATE = _TABLES.predicates
#: Older names.
PREDICATE_ALIASES: Mapping[str, str] = {"PodFitsPorts": "PodFitsHostPorts"}
#: These run whatever a Policy says.
MANDATORY_PREDICATES = ("PodToleratesNodeTaints", "CheckNodeUnschedulable")
DEFAULT_PREDICATES = _TABLES.default_predicates

SELECTOR_SPREAD = "SelectorSpreadPriority"
PLUGIN_BY_PRIORITY = _TABLES.priorities
#: The priorities that a Policy's own ones become; by these names their arguments would not be read.
OWN_PRIORITIES = ("RequestedToCapacityRatio", "NodeLabel", "ServiceAffinity")
PRIORITY_ALIASES: Mapping[str, str] = {"ServiceSpreadingPriority": SELECTOR_SPREAD}
#: Gave every node the same, and is passed over.
EQUAL_PRIORITY = "EqualPriority"
DEFAULT_PRIORITIES = _TABLES.default_priorities
#: What Kubernetes 1.4 did without a Policy, as one.
POLICY_OF_1_4 = _TABLES.of_1_4
