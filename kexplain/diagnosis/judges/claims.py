"""Claims that cannot be used wherever the pod would go."""

from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.records import Finding, Kind, Link, Relation, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.claims import UnusableClaimFact, UnusableClaims
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import is_of_set
from kexplain.objects.storage import StorageClass
from kexplain.tables import table
from kexplain.words import near

_KINDS = table("claim-findings", dict[ClaimProblem, Kind])


def unusable_claim(scene: Scene) -> Finding | None:
    """The first claim with a problem of its own."""
    for info in scene.cluster.node_infos[:1]:
        for status, evidence in (*scene.everywhere, *scene.evidence(info.name)):
            if isinstance(evidence, UnusableClaim):
                (fact,) = UnusableClaims().facts(evidence, info, scene)
                kind = Kind.NO_VOLUME_FITS if fact.volumes else _KINDS.get(evidence.problem, Kind.CLAIM_UNUSABLE)
                return finding(kind, _problem(evidence, fact, scene), status.plugin, chain=_chain(evidence))
    return None


def _problem(evidence: UnusableClaim, fact: UnusableClaimFact, scene: Scene) -> Statement:
    """The problem, with what may have been meant, or which classes there are."""
    meant: tuple[str, ...] = ()
    elsewhere = ""
    is_unknown_class = evidence.problem is ClaimProblem.CLASS_MISSING and not fact.volumes
    if evidence.problem is ClaimProblem.MISSING:
        # That of a set's own template is called as it should be.
        meant = () if is_of_set(scene.pod, evidence.claim) else fact.known
        name, every = evidence.claim.rpartition("/")[2], scene.cluster.listers.every(PersistentVolumeClaim)
        elsewhere = next((each.namespace for each in every if each.name == name), "")
    elif is_unknown_class:
        meant = tuple(near(evidence.class_name, fact.known))
    known = Few.of(fact.known) if is_unknown_class else None
    return told("objected", UnusableClaims().words(fact), meant=meant, known=known, elsewhere=elsewhere)


def _chain(evidence: UnusableClaim) -> list[Link]:
    """From the pod to its claim, and on to the class or the volume that is missing."""
    claim = link(Relation.USES, PersistentVolumeClaim, evidence.claim)
    if evidence.problem is ClaimProblem.CLASS_MISSING:
        return [claim, link(Relation.OF_CLASS, StorageClass, evidence.class_name)]
    return [claim, link(Relation.BOUND_TO, PersistentVolume, evidence.volume)] if evidence.volume else [claim]
