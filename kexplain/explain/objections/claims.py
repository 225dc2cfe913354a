"""Objections because of a claim: it cannot be used, somebody else uses it, or no volume fits it.

Claims and pods are named `namespace/name`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, islice, zip_longest

from msgspec.structs import replace

from kexplain.admission import ephemeral_claims
from kexplain.admission.limits import claim_limit_problems
from kexplain.admission.quotas import QuotaRoom
from kexplain.cluster import Listers, NodeInfo
from kexplain.explain.objections.objection import EvidenceT, FactT, Lookup, Objection
from kexplain.explain.output import Fact, copied
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.storage import (
    ClaimInUse,
    ClaimProblem,
    NoVolumeToBind,
    Unfit,
    UnfitVolume,
    UnusableClaim,
)
from kexplain.grouping import grouped
from kexplain.objects import quantity
from kexplain.objects.core import LimitRange, Pod, ResourceQuota
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim, requested_bytes
from kexplain.objects.selectors import SelectorError
from kexplain.objects.storage import StorageClass
from kexplain.plugins.volume_matching import Candidates, unfit
from kexplain.tables import table
from kexplain.words import near

#: The problems of a claim that a volume could still be bound to.
_UNBOUND = (ClaimProblem.UNBOUND, ClaimProblem.NO_CLASS, ClaimProblem.CLASS_MISSING)
#: How many volumes or classes a fact names as examples.
EXAMPLES = 5
#: How many of them words name.
SHOWN = 4


class ClaimFact(Fact, frozen=True):
    """A fact about one claim."""

    claim: str


class OfVolumes(Objection[EvidenceT, FactT]):
    """An objection to a volume of the pod, or to what it is made of."""

    fields = (("volumes",),)

    def covers(self, fact: FactT, other: Evidence) -> bool:
        """Whether it is about the same claim: a volume's place, for instance, shows in its affinity and its labels."""
        return isinstance(fact, ClaimFact) and isinstance(other, ClaimFact) and other.claim == fact.claim


class UnusableClaimFact(ClaimFact, frozen=True, tag="UnusableClaim"):
    """A claim that keeps the pod off every node.

    `problem` is Missing, NotCreated (an ephemeral volume's claim is not made yet), NotOwned (it was made for
    another pod), Lost (its volume is gone), Deleting, Unbound (it should have been bound before the pod came),
    NoClass, ClassMissing or VolumeMissing. `known` are claims that may have been meant where one is missing,
    and the classes there are where its class is. `volumes` are those of its class that it could be bound to if they
    or the claim were otherwise; `wanted` is what the claim asks for.
    """

    problem: str
    volume: str = ""
    class_name: str = ""
    known: tuple[str, ...] = ()
    volumes: tuple[UnfitVolume, ...] = ()
    wanted: str = ""


class UnusableClaims(OfVolumes[UnusableClaim, UnusableClaimFact]):
    """A claim cannot be used wherever the pod would go."""

    def facts(self, evidence: UnusableClaim, node_info: NodeInfo, lookup: Lookup) -> Iterator[UnusableClaimFact]:
        """The claim, with those or the classes that may have been meant, and the volumes that come close."""
        volumes, wanted = lookup.found((evidence, UnfitVolume), lambda: _unfit_volumes(evidence, lookup))
        known, problem = lookup.found(evidence, lambda: _known(evidence, lookup)), evidence.problem.value
        yield copied(evidence, UnusableClaimFact, volumes=volumes, wanted=wanted, problem=problem, known=known)

    def words(self, fact: UnusableClaimFact) -> str:
        if fact.volumes:
            volumes = ", ".join(f"volume {_unfit(each)}" for each in fact.volumes[:SHOWN])
            return f"claim {fact.claim} ({fact.wanted}) is not bound: {volumes}"
        known, volume = "; ".join(fact.known), fact.volume
        more = volume if fact.problem == ClaimProblem.UNBOUND.value else known
        about = {"volume": volume, "class_name": fact.class_name, "known": known}
        return f"claim {fact.claim} {claim_text('says', fact.problem, more, **about)}"


def _known(evidence: UnusableClaim, lookup: Lookup) -> tuple[str, ...]:
    """Claims with names like the one that is missing, or the classes where a class is, the likeliest first.

    Of a claim that is not created, why an API server refuses it.
    """
    listers = lookup.cluster.listers
    if evidence.problem is ClaimProblem.NOT_CREATED:
        return tuple(_refusals(evidence.claim, lookup.pod, listers))
    if evidence.problem is ClaimProblem.MISSING:
        namespace, _, name = evidence.claim.partition("/")
        return tuple(near(name, (c.name for c in listers.every(PersistentVolumeClaim) if c.namespace == namespace), 3))
    if evidence.problem in (ClaimProblem.CLASS_MISSING, ClaimProblem.NO_CLASS):
        names = sorted(storage_class.name for storage_class in listers.every(StorageClass))
        return tuple(dict.fromkeys((*near(evidence.class_name, names), *names)))[:EXAMPLES]
    return ()


def _refusals(key: str, pod: Pod, listers: Listers) -> Iterator[str]:
    limits = [each for each in listers.every(LimitRange) if each.namespace == pod.namespace]
    quotas = [each for each in listers.every(ResourceQuota) if each.namespace == pod.namespace]
    room = QuotaRoom({pod.namespace: quotas})
    for claim in ephemeral_claims(pod):
        if claim.key == key:
            yield from (each.message for each in (*claim_limit_problems(claim.spec, limits), *room.problems(claim)))


def _unfit_volumes(evidence: UnusableClaim, lookup: Lookup) -> tuple[tuple[UnfitVolume, ...], str]:
    """The volumes of the claim's class, if it has no provisioner, with what the claim asks for."""
    listers = lookup.cluster.listers
    claim = listers.at(PersistentVolumeClaim, evidence.claim)
    storage_class = listers.get(StorageClass, evidence.class_name) if evidence.class_name else None
    if claim is None or evidence.problem not in _UNBOUND:
        return (), ""
    wanted = ", ".join((quantity.format_bytes(requested_bytes(claim)), *(claim.spec.access_modes or ())))
    if evidence.volume:
        return _unfit_if_named(claim, listers), wanted
    found: Sequence[UnfitVolume] = ()
    if storage_class is None or not storage_class.makes_volumes:
        with suppress(SelectorError):
            found = Candidates(claim, ()).unfit(listers)
    of_class = (each for each in found if each.why is not Unfit.CLASS)
    return tuple(sorted(of_class, key=lambda each: each.why is Unfit.CLAIMED)[:EXAMPLES]), wanted


def _unfit_if_named(claim: PersistentVolumeClaim, listers: Listers) -> tuple[UnfitVolume, ...]:
    """Why the claim is not bound to the volume that it names; nothing where no volumes were read."""
    volume = listers.get(PersistentVolume, claim.volume_name)
    if volume is not None:
        found = None if volume.is_unread else unfit(claim, volume, None)
        return (found,) if found else ()
    return (UnfitVolume(claim.volume_name, Unfit.MISSING),) if listers.every(PersistentVolume) else ()


class ClaimInUseFact(Fact, frozen=True, tag="ClaimInUse"):
    """A ReadWriteOncePod claim that other pods use, and the nodes that they run on."""

    claim: str
    pods: tuple[str, ...]
    nodes: tuple[str, ...]


class ClaimsInUse(OfVolumes[ClaimInUse, ClaimInUseFact]):
    """Another pod uses a claim that only one may use."""

    def facts(self, evidence: ClaimInUse, node_info: NodeInfo, lookup: Lookup) -> Iterator[ClaimInUseFact]:
        pods, nodes = zip(*evidence.pods, strict=True)
        yield ClaimInUseFact(claim=evidence.claim, pods=pods, nodes=nodes)

    def words(self, fact: ClaimInUseFact) -> str:
        users = (f"{pod} on {node}" for pod, node in zip(fact.pods, fact.nodes, strict=True))
        return f"claim {fact.claim} is ReadWriteOncePod and in use by {', '.join(users)}"


class NoVolumeFact(Fact, frozen=True, tag="NoVolumeToBind"):
    """No volume fits the claim on this node, and its class makes none.

    `volumes` are some of those that are out of the question, and `count_by_reason` counts them all.
    """

    claim: str
    class_name: str
    requested_bytes: int
    volumes: tuple[UnfitVolume, ...]
    count_by_reason: dict[str, int]


class NoVolumes(OfVolumes[NoVolumeToBind, NoVolumeFact]):
    """No volume fits a claim."""

    def facts(self, evidence: NoVolumeToBind, node_info: NodeInfo, lookup: Lookup) -> Iterator[NoVolumeFact]:
        """The claim, with a few volumes; what many nodes have in common is summed up once."""
        volumes, counts = lookup.found((id(evidence.unfit), evidence.taken), lambda: _summed_up(evidence))
        yield copied(evidence, NoVolumeFact, volumes=volumes, count_by_reason=counts)

    def words(self, fact: NoVolumeFact) -> str:
        """What is wanted, and why the volumes there are will not do."""
        size = quantity.format_bytes(fact.requested_bytes)
        wanted = f"no volume of class {fact.class_name} for claim {fact.claim} ({size})"
        if not fact.volumes:
            return f"{wanted}: there is none, and nothing makes one"
        shown = ", ".join(_unfit(volume) for volume in fact.volumes[:SHOWN])
        rest = sum(fact.count_by_reason.values()) - min(len(fact.volumes), SHOWN)
        return f"{wanted}: {shown}" + (f" and {rest} more" if rest else "")


def _summed_up(evidence: NoVolumeToBind) -> tuple[tuple[UnfitVolume, ...], dict[str, int]]:
    """A few volumes of each reason in turn, so that none goes unseen, and how many there are of each.

    What other claims or classes have comes last: it is the least likely to have been meant.
    """
    every = sorted(evidence.unfit, key=lambda each: each.why in (Unfit.CLASS, Unfit.CLAIMED))
    taken = (replace(each, why=Unfit.TAKEN) if each.volume in evidence.taken else each for each in every)
    by_reason = grouped((each.why, each) for each in taken)
    in_turn = filter(None, chain.from_iterable(zip_longest(*by_reason.values())))
    return tuple(islice(in_turn, EXAMPLES)), {reason: len(volumes) for reason, volumes in by_reason.items()}


def _unfit(volume: UnfitVolume) -> str:
    return f"{volume.volume} {claim_text('unfit', volume.why, volume.detail, detail=volume.detail)}"


def claim_text(kind: str, problem: str, more: str, **about: str) -> str:
    """What the table has for a problem of a claim or volume, about that; its other text if `more` is known."""
    texts = _texts()[kind]
    return (texts.get(f"{problem}+" if more else problem) or texts[problem]).format(**about)


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    return table("claim-texts", dict[str, dict[str, str]])
