"""The gates of the newest schedulers, held to upstream's tables."""

from __future__ import annotations

import pytest

from kexplain.config.releases.release import OTHER_GATES, traits
from kexplain.config.releases.release import RELEASES as ALL_RELEASES
from kexplain.framework.traits import GATES

#: All gates that the scheduler declares, as they stand in `kube-scheduler/pkg/features/kube_features.go` of 1.37 and of
#: an alpha of 1.38, and in `pkg/features` of 1.36; PodSchedulingReadiness stands there in 1.37, too, and the
#: notes of 1.37 tell that SidecarContainers is gone. The maturity in a release, whether it is on by default, and an
#: exclamation mark where it is locked; what follows is as before if empty. A minus is a gate that the release does not
#: know.
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
GenericWorkload                               alpha:off    beta:off
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
