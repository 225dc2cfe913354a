"""Claims that cannot be used wherever the pod would go."""

from collections.abc import Mapping

from kexplain.diagnosis.records import Diagnosis, Kind
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.claims import UnusableClaimFact, UnusableClaims
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.words import ask, clauses, near, some

_KINDS: Mapping[ClaimProblem, Kind] = {
    ClaimProblem.MISSING: Kind.CLAIM_MISSING,
    ClaimProblem.NOT_CREATED: Kind.CLAIM_MISSING,
    ClaimProblem.CLASS_MISSING: Kind.CLASS_MISSING,
    ClaimProblem.NO_CLASS: Kind.CLAIM_UNBOUND,
    ClaimProblem.UNBOUND: Kind.CLAIM_UNBOUND,
}


def unusable_claim(scene: Scene) -> Diagnosis | None:
    """The first claim with a problem of its own."""
    for info in scene.cluster.node_infos[:1]:
        for status, evidence in (*scene.everywhere, *scene.evidence(info.name)):
            if isinstance(evidence, UnusableClaim):
                (fact,) = UnusableClaims().facts(evidence, info, scene.lookup)
                kind = Kind.NO_VOLUME_FITS if fact.volumes else _KINDS.get(evidence.problem, Kind.CLAIM_UNUSABLE)
                return Diagnosis(
                    kind=kind,
                    text=clauses(UnusableClaims().words(fact), _meant(evidence, fact)),
                    plugin=status.plugin,
                )
    return None


def _meant(evidence: UnusableClaim, fact: UnusableClaimFact) -> str:
    match evidence.problem:
        case ClaimProblem.MISSING:
            return ask(*fact.known)
        case ClaimProblem.CLASS_MISSING if not fact.volumes:
            meant = near(evidence.class_name, fact.known)
            return ask(*meant) if meant else f"there is {some(fact.known)}" if fact.known else ""
        case _:
            return ""
