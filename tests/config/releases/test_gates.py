"""The gates of the newest schedulers, held to upstream's tables."""

from __future__ import annotations

import pytest

from kexplain.config.releases.release import OTHER_GATES, Dependencies, gates_in_the_way, traits, unmet_needs
from kexplain.config.releases.release import RELEASES as ALL_RELEASES
from kexplain.errors import UsageError
from kexplain.framework.traits import GATES
from kexplain.tables import table

#: All gates that the scheduler declares, as they stand in `kube-scheduler/pkg/features/kube_features.go` of 1.37 and of
#: an alpha of 1.38, and in `pkg/features` of 1.36; PodSchedulingReadiness stands there in 1.37, too, and the
#: notes of 1.37 tell that SidecarContainers is gone. That GenericWorkload is GA in 1.38 is what its enhancement says.
#: The maturity in a release, whether it is on by default, and an exclamation mark where it is locked; what follows is
#: as before if empty. A minus is a gate that the release does not know.
UPSTREAM = """
gate                                          1.36         1.37         1.38
CompositePodGroup                             -            alpha:off
DRAAdminAccess                                GA:on!
DRAConsumableCapacity                         beta:on
DRADerivedAttributes                          -            alpha:off
DRADeviceBindingConditions                    beta:on
DRADeviceCompatibilityGroups                  -            alpha:off
DRADeviceTaintRules                           beta:off     GA:on        GA:on!
DRADeviceTaints                               beta:on      GA:on        GA:on!
DRAExtendedResource                           beta:on      GA:on!
DRAFractionalCapacityRange                    -            beta:on
DRAListTypeAttributes                         alpha:off
DRANodeAllocatableResources                   alpha:off
DRAOptionalNodeOperations                     -            alpha:off
DRAPartitionableDevices                       beta:on
DRAPrioritizedList                            GA:on        GA:on!
DRAResourceClaimDeviceStatus                  beta:on      GA:on!
DRASchedulerFilterTimeout                     beta:on
DRAWorkloadResourceClaims                     alpha:off    beta:off
DynamicResourceAllocation                     GA:on!       GA:on!       -
GangScheduling                                alpha:off    -
GenericWorkload                               alpha:off    beta:off     GA:on
InPlacePodLevelResourcesVerticalScaling       beta:on
InPlacePodVerticalScaling                     GA:on!
InPlacePodVerticalScalingSchedulerPreemption  -            alpha:off
InterPodAffinityHostnameFastPath              -            alpha:off
MatchLabelKeysInPodTopologySpread             beta:on
NodeDeclaredFeatures                          beta:on      GA:on!
NodeInclusionPolicyInPodTopologySpread        GA:on!
NominatedNodeNameForExpectation               beta:on
OpportunisticBatching                         beta:on
PodGroupPreemptionPolicy                      -            alpha:off
PodLevelResources                             beta:on
PodSchedulingReadiness                        GA:on!       GA:on!       -
SchedulerAsyncAPICalls                        beta:off
SchedulerAsyncPreemption                      beta:on
SchedulerPopFromBackoffQ                      beta:on
SchedulerPreQueueingHints                     -            alpha:off
SchedulerQueueingHints                        GA:on!       -
SidecarContainers                             GA:on!       -
StorageCapacityScoring                        alpha:off    beta:on
TaintTolerationComparisonOperators            alpha:off
TopologyAwareWorkloadScheduling               alpha:off
VolumeAttributesClass                         GA:on!
VolumeLimitScaling                            alpha:off    beta:on
WorkloadAwarePreemption                       alpha:off    -
"""
HEAD, *LINES = UPSTREAM.strip().splitlines()
RELEASES = HEAD.split()[1:]
#: Known to be there, and without a bearing on decisions, whatever their stage.
INERT = {
    "DRAOptionalNodeOperations",
    "InterPodAffinityHostnameFastPath",
    "NominatedNodeNameForExpectation",
    "SchedulerAsyncAPICalls",
    "SchedulerAsyncPreemption",
    "SchedulerPopFromBackoffQ",
    "SchedulerPreQueueingHints",
}


def upstream(release: str) -> dict[str, str]:
    """How each gate stands in the release that has it."""
    standing = {}
    for line in LINES:
        name, *stages = line.split()
        reached = stages[: RELEASES.index(release) + 1][-1]
        if reached != "-":
            standing[name] = reached
    return standing


@pytest.mark.parametrize("release", RELEASES)
def test_gates_stand_as_upstream(release: str) -> None:
    ours = {
        trait.gate: f"{trait.maturity}:{'on' if trait.is_on else 'off'}{'!' * trait.is_locked}"
        for trait in traits(release)
        if trait.gate
    }
    assert ours == {name: stage for name, stage in upstream(release).items() if name not in INERT}


@pytest.mark.parametrize(
    ("gate", "first", "last"),
    [
        ("CSIMigrationRBD", "1.23", "1.30"),
        ("DRAControlPlaneController", "1.31", "1.31"),
        ("MinDomainsInPodTopologySpread", "1.24", "1.31"),
        ("PodDisruptionConditions", "1.27", "1.33"),
        ("ReadWriteOncePod", "1.22", "1.30"),
        ("VolumeCapacityPriority", "1.22", "1.32"),
    ],
)
def test_which_releases_know_a_gate(gate: str, first: str, last: str) -> None:
    knowing = [release for release in ALL_RELEASES if gate in {trait.gate for trait in traits(release)}]
    assert (knowing[0], knowing[-1]) == (first, last)


def test_gates_without_a_bearing_on_decisions_are_accepted() -> None:
    assert INERT <= OTHER_GATES
    assert INERT.isdisjoint(gate.name for gate in GATES)


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


@pytest.mark.parametrize("release", ALL_RELEASES)
def test_defaults_fit_together(release: str) -> None:
    assert unmet_needs(release, {}) == {}


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
