"""Pods that use new kubelet features need nodes that declare them. Source: `plugins/nodedeclaredfeatures`."""

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence.devices import UndeclaredFeatures
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status, unresolvable
from kexplain.objects.core import Pod

RESTART_ALL_CONTAINERS = "RestartAllContainersOnContainerExits"
HOST_NETWORK_USER_NAMESPACES = "UserNamespacesHostNetworkSupport"


class NodeDeclaredFeatures:
    """Turns away nodes that do not declare a feature which the pod uses."""

    name = "NodeDeclaredFeatures"
    missing_state = 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found'

    def __init__(self, features: Features = DEFAULT_FEATURES) -> None:
        self._known = {RESTART_ALL_CONTAINERS}
        if features.host_network_user_namespaces_are_declared:
            self._known.add(HOST_NETWORK_USER_NAMESPACES)
        self._names_missing = features.missing_features_are_named

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[frozenset[str]] | Skip:
        """The features that the pod uses; SKIP if that is none."""
        features = required_features(pod) & self._known
        return PreFiltered(features) if features else SKIP

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        """The features that the pod uses."""
        return Signature(required_features(pod) & self._known)

    def filter(self, pod: Pod, state: frozenset[str], node_info: NodeInfo) -> Status | None:
        """None if the node declares all of them."""
        missing = state.difference(node_info.node.status.declared_features or ())
        if not missing:
            return None
        names = tuple(sorted(missing))
        reason = "node(s) didn't match Pod's required features"
        if self._names_missing:
            reason = f"node declared features check failed - unsatisfied requirements: {', '.join(names)}"
        return unresolvable(reason, UndeclaredFeatures(names))


def required_features(pod: Pod) -> frozenset[str]:
    """The features of 1.36 that bear on scheduling and that the pod uses.

    Source: component-helpers `nodedeclaredfeatures/features`; the others concern updates of pods only.
    """
    features = set()
    spec = pod.spec
    rules = (rule for container in spec.every_container for rule in container.restart_policy_rules or ())
    if any(rule.action == "RestartAllContainers" for rule in rules):
        features.add(RESTART_ALL_CONTAINERS)
    if spec.host_network and spec.host_users is False:
        features.add(HOST_NETWORK_USER_NAMESPACES)
    return frozenset(features)
