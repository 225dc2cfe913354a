from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.explain.objections.claims import (
    ClaimInUseFact,
    NoVolumeFact,
    NoVolumes,
    UnusableClaimFact,
    UnusableClaims,
)
from kexplain.explain.objections.objection import Lookup
from kexplain.framework.evidence.storage import ClaimProblem, NoVolumeToBind, Unfit, UnfitVolume, UnusableClaim
from kexplain.objects.core import EphemeralVolume, LimitRange, LimitRangeItem, LimitRangeSpec, Volume
from kexplain.objects.core import PersistentVolumeClaimTemplate as ClaimTemplate
from kexplain.objects.meta import UNREAD, KubernetesObject, ObjectMeta
from tests.explain.objections.asking import by_hand, cause, key, words
from tests.factories import cluster, node, pod
from tests.storage_factories import claim, persistent_volume, storage_class

GI = 1 << 30


def unusable(problem: ClaimProblem, *known: str, volume: str = "pv") -> UnusableClaimFact:
    return UnusableClaimFact(claim="ns/c", problem=problem.value, volume=volume, class_name="k", known=known)


@pytest.mark.parametrize(
    ("fact", "says", "helps"),
    [
        pytest.param(unusable(ClaimProblem.MISSING), "does not exist", "create claim ns/c", id="missing"),
        pytest.param(unusable(ClaimProblem.MISSING, "d", "e"), "does not exist",
                     "create claim ns/c (did you mean d or e?)", id="misspelt"),
        pytest.param(unusable(ClaimProblem.NOT_CREATED), "of an ephemeral volume is not created yet",
                     "wait until kube-controller-manager has created claim ns/c", id="not-created"),
        pytest.param(unusable(ClaimProblem.NOT_CREATED, "2Gi is too much"),
                     "of an ephemeral volume is refused: 2Gi is too much",
                     "mend the volumeClaimTemplate of claim ns/c, or what refuses it", id="refused"),
        pytest.param(unusable(ClaimProblem.NOT_OWNED), "exists, but was not created for this pod's ephemeral volume",
                     "delete claim ns/c, or give the pod another name", id="not-owned"),
        pytest.param(unusable(ClaimProblem.LOST), "has lost its volume pv, which no longer exists",
                     "restore volume pv, or recreate claim ns/c", id="lost"),
        pytest.param(unusable(ClaimProblem.DELETING), "is being deleted", "recreate claim ns/c once it is gone",
                     id="deleting"),
        pytest.param(unusable(ClaimProblem.VOLUME_MISSING), "is bound to volume pv, which does not exist",
                     "restore volume pv, or recreate claim ns/c", id="no-volume"),
        pytest.param(unusable(ClaimProblem.NO_CLASS), "is not bound and has no class",
                     "set a class in claim ns/c, or create a volume for it", id="no-class"),
        pytest.param(unusable(ClaimProblem.NO_CLASS, "a", "b"), "is not bound and has no class",
                     "set a class in claim ns/c (existing: a, b), or create a volume for it", id="no-class-of-these"),
        pytest.param(unusable(ClaimProblem.CLASS_MISSING), "is not bound, and its class k does not exist",
                     "create storage class k", id="class-missing"),
        pytest.param(unusable(ClaimProblem.CLASS_MISSING, "a"), "is not bound, and its class k does not exist",
                     "create storage class k, or use another (a)", id="another-class"),
        pytest.param(unusable(ClaimProblem.UNBOUND), "names volume pv, but is not bound to it yet",
                     "get claim ns/c bound first; kubectl describe pvc c -n ns shows what it is waiting for",
                     id="pinned"),
        pytest.param(unusable(ClaimProblem.UNBOUND, volume=""),
                     "is not bound yet, and its class k binds without waiting for a pod", "", id="unbound"),
    ],
)  # fmt: skip
def test_unusable_claims(fact: UnusableClaimFact, says: str, helps: str) -> None:
    assert words(fact) == cause(fact, fact) == key(fact) == f"claim ns/c {says}"
    assert by_hand(fact) == helps


@pytest.mark.parametrize(
    ("problem", "objects", "known"),
    [
        (ClaimProblem.MISSING, [claim("daat"), claim("other")], ("daat",)),
        (ClaimProblem.MISSING, [], ()),
        (ClaimProblem.CLASS_MISSING, [storage_class("b"), storage_class("a")], ("a", "b")),
        (ClaimProblem.DELETING, [storage_class("b")], ()),
    ],
)
def test_what_may_have_been_meant(
    problem: ClaimProblem, objects: list[KubernetesObject], known: tuple[str, ...]
) -> None:
    there = cluster([node("n1")], [], *objects)
    evidence = UnusableClaim("default/data", problem)
    (fact,) = UnusableClaims().facts(evidence, there.node_infos[0], Lookup(pod(), there))
    assert fact.known == known


def test_a_volume_of_which_nothing_is_known_is_not_said_to_be_unfit() -> None:
    asking = claim(volume="pv", bound=False)
    there = cluster([node("n1")], [], asking, replace(persistent_volume(size=None), api_version=UNREAD))
    evidence = UnusableClaim("default/data", ClaimProblem.UNBOUND, volume="pv")
    (fact,) = UnusableClaims().facts(evidence, there.node_infos[0], Lookup(pod(), there))
    assert fact.volumes == ()
    assert words(fact) == "claim default/data names volume pv, but is not bound to it yet"


@pytest.mark.parametrize(("pods", "are"), [(("ns/a",), "ns/a is"), (("ns/a", "ns/b"), "ns/a, ns/b are")])
def test_claims_in_use(pods: tuple[str, ...], are: str) -> None:
    fact = ClaimInUseFact(claim="ns/c", pods=pods, nodes=("n1",) * len(pods))
    users = ", ".join(f"{each} on n1" for each in pods)
    assert words(fact) == f"claim ns/c is ReadWriteOncePod and in use by {users}"
    assert by_hand(fact) == f"use a claim that is ReadWriteOnce, or wait until {are} gone"


@pytest.mark.parametrize(
    ("why", "detail", "says"),
    [
        (Unfit.CLASS, "x", "is of class x"),
        (Unfit.CLASS, "", "has no class"),
        (Unfit.CLAIMED, "ns/d", "belongs to ns/d"),
        (Unfit.TOO_SMALL, "1Gi", "has only 1Gi"),
        (Unfit.MODE, "Block", "has volume mode Block"),
        (Unfit.ATTRIBUTES_CLASS, "", "has attributes class (none)"),
        (Unfit.DELETING, "", "is being deleted"),
        (Unfit.NOT_AVAILABLE, "Released", "is Released"),
        (Unfit.NOT_AVAILABLE, "", "is not available"),
        (Unfit.SELECTOR, "tier=fast", "lacks tier=fast"),
        (Unfit.ACCESS_MODES, "ReadOnlyMany", "offers only ReadOnlyMany"),
        (Unfit.ACCESS_MODES, "", "offers no access mode"),
        (Unfit.NODE, "zone=a", "needs zone=a"),
        (Unfit.NODE, "", "can be reached from no node"),
        (Unfit.TAKEN, "", "goes to another claim of the pod"),
    ],
)
def test_volumes_that_do_not_fit(why: Unfit, detail: str, says: str) -> None:
    volume = UnfitVolume(volume="pv", why=why, detail=detail)
    fact = NoVolumeFact(claim="ns/c", class_name="k", requested_bytes=GI, volumes=(volume,), count_by_reason={why: 1})
    assert words(fact) == f"no volume of class k for claim ns/c (1Gi): pv {says}"
    assert by_hand(fact) == "create a volume of class k with at least 1Gi, within reach of the node"


def test_a_few_volumes_of_each_reason_are_named_the_least_likely_last() -> None:
    unfit = [UnfitVolume(f"x{number}", Unfit.CLASS, "x") for number in range(4)]
    unfit += [UnfitVolume(f"s{number}", Unfit.TOO_SMALL, "1Gi") for number in range(4)]
    evidence = NoVolumeToBind("ns/c", "k", GI, tuple(unfit), frozenset({"s3"}))
    there = cluster([node("n1")])
    (fact,) = NoVolumes().facts(evidence, there.node_infos[0], Lookup(pod(), there))
    assert [volume.volume for volume in fact.volumes] == ["s0", "s3", "x0", "s1", "x1"]
    assert fact.count_by_reason == {"too small": 3, "taken": 1, "class": 4}
    assert words(fact).endswith("s0 has only 1Gi, s3 goes to another claim of the pod, x0 is of class x, "
                                "s1 has only 1Gi and 4 more")  # fmt: skip


def test_a_claim_that_is_refused_is_not_waited_for() -> None:
    asked = claim("scratch", size="2Gi").spec
    scratch = Volume(name="scratch", ephemeral=EphemeralVolume(volume_claim_template=ClaimTemplate(spec=asked)))
    most = LimitRangeItem(type="PersistentVolumeClaim", max={"storage": "1Gi"})
    limits = LimitRange(metadata=ObjectMeta(name="l", namespace="default"), spec=LimitRangeSpec(limits=(most,)))
    there = cluster([node("n1")], [], limits)
    evidence = UnusableClaim("default/web-scratch", ClaimProblem.NOT_CREATED)
    lookup = Lookup(pod("web", volumes=[scratch]), there)
    (fact,) = UnusableClaims().facts(evidence, there.node_infos[0], lookup)
    assert fact.known == ("2Gi is more than the 1Gi of storage that LimitRange l allows",)
