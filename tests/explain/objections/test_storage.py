from __future__ import annotations

import pytest

from kexplain.explain.objections.claims import ClaimInUseFact, NoVolumeFact, UnusableClaimFact
from kexplain.explain.objections.storage import (
    ProvisionedElsewhereFact,
    TopologyFact,
    VolumeOutOfReachFact,
    VolumeZoneFact,
)
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.storage import (
    AttachLimitExceeded,
    ClaimProblem,
    DiskInUse,
    NotEnoughStorage,
    Unfit,
    UnfitVolume,
)
from tests.explain.objections.asking import by_hand, cause, covers, key, words

GI = 1 << 30
DISK = DiskInUse(volume="v", disk="GCE disk d", pod="ns/a")
IN_USE = ClaimInUseFact(claim="ns/c", pods=("ns/a",), nodes=("n1",))
FULL = AttachLimitExceeded(driver="d", requested=1, attached=3, limit=2)
FAR = VolumeOutOfReachFact(claim="ns/c", volume="pv", reachable_from="zone=a", actual={"zone": "b"})
NOWHERE = VolumeOutOfReachFact(claim="ns/c", volume="pv", reachable_from="", actual={})
ZONE = VolumeZoneFact(claim="ns/c", volume="pv", key="zone", values=("a", "b"), actual=None)
TOPOLOGY = TopologyFact(claim="ns/c", class_name="k", allowed=("zone=a", "zone=b"), actual={"zone": "c"})
LITTLE = NotEnoughStorage(claim="ns/c", class_name="k", requested_bytes=10 * GI, largest_bytes=4 * GI)
UNKNOWN = NotEnoughStorage(claim="ns/c", class_name="k", requested_bytes=10 * GI, largest_bytes=None)
ELSEWHERE = ProvisionedElsewhereFact(claim="ns/c", node="n2")
NONE = NoVolumeFact(claim="ns/c", class_name="k", requested_bytes=GI, volumes=(), count_by_reason={})


@pytest.mark.parametrize(
    ("fact", "says", "helps"),
    [
        (
            DISK, "GCE disk d (volume v) is mounted by ns/a",
            "move ns/a to another node, or give each pod a disk of its own",
        ),
        (
            IN_USE, "claim ns/c is ReadWriteOncePod and in use by ns/a on n1",
            "use a claim that is ReadWriteOnce, or wait until ns/a is gone",
        ),
        (FULL, "d: 3 of 2 volumes attached, needs 1 more", "detach 2 volumes of d, or add a node"),
        (
            FAR, "volume pv of claim ns/c needs zone=a, has zone=b",
            "restore the data of claim ns/c into a new volume where the pod can go (for example from a snapshot)",
        ),
        (
            NOWHERE, "volume pv of claim ns/c has a node affinity that no node can match",
            "restore the data of claim ns/c into a new volume where the pod can go (for example from a snapshot)",
        ),
        (
            ZONE, "volume pv of claim ns/c is in zone=(a or b), has no label zone",
            "restore the data of claim ns/c into a new volume where the pod can go (for example from a snapshot)",
        ),
        (
            TOPOLOGY, "class k of claim ns/c provisions volumes only for zone=a or zone=b, has zone=c",
            "add zone=c to allowedTopologies of class k, or use another class",
        ),
        (
            LITTLE, "class k has room for 4Gi, claim ns/c needs 10Gi",
            "request at most 4Gi in claim ns/c (now 10Gi), or add storage",
        ),
        (
            UNKNOWN, "class k reports no capacity here, claim ns/c needs 10Gi",
            ("add storage of class k within reach of the node, or see whether what is left there is published "
            "(kubectl get csistoragecapacities -A)"),
        ),
        (
            ELSEWHERE, "the volume of claim ns/c is being provisioned for n2",
            "",
        ),
        (
            NONE, "no volume of class k for claim ns/c (1Gi): there is none, and nothing makes one",
            "create a volume of class k with at least 1Gi, within reach of the node",
        ),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)  # fmt: skip
def test_one_node(fact: Evidence, says: str, helps: str) -> None:
    assert words(fact) == says
    assert by_hand(fact) == helps
    assert key(fact)


@pytest.mark.parametrize("problem", ClaimProblem)
def test_every_problem_of_a_claim_has_words_and_a_remedy(problem: ClaimProblem) -> None:
    fact = UnusableClaimFact(claim="ns/c", problem=problem.value, volume="pv", class_name="k", known=("x",))
    assert "ns/c" in words(fact)
    assert by_hand(fact)


@pytest.mark.parametrize("why", Unfit)
def test_every_reason_against_a_volume_has_words(why: Unfit) -> None:
    volume = UnfitVolume(volume="pv-1", why=why, detail="")
    fact = NoVolumeFact(
        claim="ns/c", class_name="k", requested_bytes=GI, volumes=(volume,) * 5, count_by_reason={why.value: 7}
    )
    assert words(fact).count("pv-1") == 4
    assert words(fact).endswith(" and 3 more")


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        pytest.param([FULL], "cannot attach 1 more volume of d: 3 of 2 in use", id="one-node"),
        pytest.param([FULL, FULL], "cannot attach 1 more volume of d: 3 of 2 in use on each node", id="all-alike"),
        pytest.param(
            [FULL, AttachLimitExceeded(driver="d", requested=1, attached=5, limit=5)],
            "cannot attach 1 more volume of d: 5 of 5 in use on the node with most left (n1)", id="the-best",
        ),
        pytest.param(
            [AttachLimitExceeded(driver="d", requested=2, attached=1, limit=2)],
            "cannot attach 2 more volumes of d: 1 of 2 in use", id="several",
        ),
        pytest.param(
            [FAR, FAR], "volume pv of claim ns/c can only be reached from nodes with zone=a (nodes have zone=b)",
            id="out-of-reach",
        ),
        pytest.param(
            [NOWHERE], "volume pv of claim ns/c has a node affinity that no node can match", id="never-reached",
        ),
        pytest.param([ZONE], "volume pv of claim ns/c is in zone=(a or b)", id="zone"),
        pytest.param(
            [TOPOLOGY], "class k of claim ns/c provisions volumes only for zone=a or zone=b (nodes have zone=c)",
            id="topology",
        ),
        pytest.param(
            [UNKNOWN, LITTLE], "claim ns/c needs 10Gi of class k; at most 4Gi left on one node (n1)", id="capacity",
        ),
        pytest.param(
            [UNKNOWN], "claim ns/c needs 10Gi of class k, which reports no capacity for the node", id="unknown",
        ),
        pytest.param([DISK], "GCE disk d (volume v) is mounted by ns/a", id="the-same-everywhere"),
    ],
)  # fmt: skip
def test_many_nodes(facts: list[Evidence], text: str) -> None:
    assert cause(*facts) == text


def test_what_lifts_one_fact_about_a_claim_lifts_the_others() -> None:
    other = VolumeOutOfReachFact(claim="ns/other", volume="pv", reachable_from="zone=a", actual={})
    missing = UnusableClaimFact(claim="ns/c", problem="Missing")
    assert covers(FAR, ZONE)
    assert covers(ZONE, FAR)
    assert covers(missing, FAR)
    assert not covers(FAR, other)
    assert not covers(FAR, FULL)
    assert not covers(DISK, ZONE)
