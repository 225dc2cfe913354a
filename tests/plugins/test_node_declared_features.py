from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.framework.evidence.devices import UndeclaredFeatures
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP
from kexplain.objects.core import Container, ContainerRestartRule, Node, NodeMeta, NodeStatus, Pod, PodSpec
from kexplain.plugins.node_declared_features import (
    HOST_NETWORK_USER_NAMESPACES,
    RESTART_ALL_CONTAINERS,
    NodeDeclaredFeatures,
    required_features,
)
from tests.factories import cluster

from .asking import UNRESOLVABLE, filter_verdict, rejection

RESTARTING = Container(name="a", restart_policy_rules=(ContainerRestartRule(action="RestartAllContainers"),))
OTHER_RULE = Container(name="a", restart_policy_rules=(ContainerRestartRule(action="Restart"),))
NAMESPACED = Pod(spec=PodSpec(host_network=True, host_users=False))


@pytest.mark.parametrize(
    ("spec", "features"),
    [
        pytest.param(PodSpec(), (), id="none"),
        pytest.param(PodSpec(containers=(RESTARTING,)), (RESTART_ALL_CONTAINERS,), id="container"),
        pytest.param(PodSpec(init_containers=(RESTARTING,)), (RESTART_ALL_CONTAINERS,), id="init-container"),
        pytest.param(PodSpec(containers=(OTHER_RULE,)), (), id="another-action"),
        pytest.param(NAMESPACED.spec, (HOST_NETWORK_USER_NAMESPACES,), id="user-namespace-on-the-host-network"),
        pytest.param(PodSpec(host_network=True), (), id="host-network"),
        pytest.param(PodSpec(host_users=False), (), id="user-namespace"),
    ],
)
def test_required_features(spec: PodSpec, features: tuple[str, ...]) -> None:
    assert required_features(Pod(spec=spec)) == frozenset(features)


@pytest.mark.parametrize(
    ("declared", "fits"), [(None, False), (("Other",), False), (("Other", HOST_NETWORK_USER_NAMESPACES), True)]
)
def test_filter(declared: tuple[str, ...] | None, fits: bool) -> None:
    made = cluster([Node(metadata=NodeMeta(name="n1"), status=NodeStatus(declared_features=declared))])
    evidence = [UndeclaredFeatures((HOST_NETWORK_USER_NAMESPACES,))]
    expected = rejection(UNRESOLVABLE, "node(s) didn't match Pod's required features", evidence=evidence)
    assert filter_verdict(NodeDeclaredFeatures(), NAMESPACED, made) == (None if fits else expected)
    plain = replace(NAMESPACED, spec=PodSpec())
    assert NodeDeclaredFeatures().pre_filter(plain, made) is SKIP


def test_1_35_names_what_is_missing_and_knows_fewer_features() -> None:
    older = Features(missing_features_are_named=True, host_network_user_namespaces_are_declared=False)
    restarting = Pod(spec=PodSpec(containers=(RESTARTING,)))
    made = cluster([Node(metadata=NodeMeta(name="n1"))])
    reason = "node declared features check failed - unsatisfied requirements: RestartAllContainersOnContainerExits"
    evidence = [UndeclaredFeatures((RESTART_ALL_CONTAINERS,))]
    assert filter_verdict(NodeDeclaredFeatures(older), restarting, made) == rejection(
        UNRESOLVABLE, reason, evidence=evidence
    )
    assert filter_verdict(NodeDeclaredFeatures(older), NAMESPACED, made) is None
