"""Gates that need others, as upstream declares them."""

from __future__ import annotations

import pytest

from kexplain.config.releases.gate_dependencies import Dependencies, unmet_needs
from kexplain.config.releases.release import OTHER_GATES, RELEASES, gates_in_the_way, traits
from kexplain.errors import UsageError
from kexplain.framework.traits import GATES
from kexplain.tables import table


@pytest.mark.parametrize(
    ("release", "gates", "expected"),
    [
        ("1.34", {"DRADeviceTaints": True, "DynamicResourceAllocation": False}, {}),
        ("1.35", {"GangScheduling": True}, {"GangScheduling": ("GenericWorkload",)}),
        ("1.35", {"GangScheduling": True, "GenericWorkload": True}, {}),
        (
            "1.36",
            {"WorkloadAwarePreemption": True, "GenericWorkload": True},
            {"WorkloadAwarePreemption": ("GangScheduling",)},
        ),
        ("1.36", {"AllAlpha": True}, {}),
        (
            "1.36",
            {
                "AllAlpha": True,
                "GenericWorkload": False,
                "DRAWorkloadResourceClaims": False,
                "WorkloadWithJob": False,
                "TopologyAwareWorkloadScheduling": False,
            },
            {"GangScheduling": ("GenericWorkload",)},
        ),
        # On by default, and without a bearing on decisions itself.
        (
            "1.36",
            {"MatchLabelKeysInPodTopologySpread": False},
            {"MatchLabelKeysInPodTopologySpreadSelectorMerge": ("MatchLabelKeysInPodTopologySpread",)},
        ),
        ("1.35", {"NodeDeclaredFeatures": False}, {}),
        # What the gate needs differs between the two.
        ("1.35", {"UserNamespacesHostNetworkSupport": True}, {}),
        (
            "1.36",
            {
                "UserNamespacesHostNetworkSupport": True,
                "NodeDeclaredFeatures": False,
                "ExtendWebSocketsToKubelet": False,
                "InPlacePodLevelResourcesVerticalScaling": False,
                "InPlacePodVerticalScalingInitContainers": False,
                "RestartAllContainersOnContainerExits": False,
            },
            {"UserNamespacesHostNetworkSupport": ("NodeDeclaredFeatures",)},
        ),
        ("1.37", {"TopologyAwareWorkloadScheduling": True}, {}),
    ],
)
def test_what_a_gate_lacks(release: str, gates: dict[str, bool], expected: dict[str, tuple[str, ...]]) -> None:
    assert unmet_needs(release, gates) == expected


@pytest.mark.parametrize("release", RELEASES)
def test_defaults_fit_together(release: str) -> None:
    assert unmet_needs(release, {"ContextualLogging": True}) == {}


def test_every_gate_is_known_and_needs_others_that_are() -> None:
    known = table("gate-dependencies", Dependencies)
    names = {name for each in known.dependencies for name in (each.gate, *each.needs)}
    assert names == {gate.name for gate in known.gates} | (names & {gate.name for gate in GATES})
    assert {gate.name for gate in known.gates} <= OTHER_GATES


def test_a_scheduler_does_not_start_without_what_its_gates_need() -> None:
    with pytest.raises(UsageError) as raised:
        traits("1.36", {"GangScheduling": True})
    text = "feature_gates: GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]"
    assert raised.value.message == f"{text} in Kubernetes 1.36"
    assert raised.value.hint == "turn on GenericWorkload as well, or turn off GangScheduling"


def test_what_would_not_start_in_the_next_release() -> None:
    """The gate that is set is in the way, be it the one that is on or the one that is off."""
    assert [*gates_in_the_way({"WorkloadAwarePreemption": True}, "1.36")] == ["WorkloadAwarePreemption"]
    assert [*gates_in_the_way({"NodeDeclaredFeatures": False}, "1.36")] == ["NodeDeclaredFeatures"]
    assert gates_in_the_way({"NodeDeclaredFeatures": False}, "1.35") == {}
