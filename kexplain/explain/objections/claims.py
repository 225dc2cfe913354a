"""Objections because of a claim: it cannot be used, somebody else uses it, or no volume fits it.

Claims and pods are named `namespace/name`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.changes import Step, deletion
from kexplain.explain.controllers import yet_to_be_made_of
from kexplain.explain.objections.objection import Certainty, Lift, Lookup, Objection, Proposal
from kexplain.explain.output import Fact, Output
from kexplain.explain.room import ORDER, named
from kexplain.framework.evidence.storage import (
    ClaimInUse,
    ClaimProblem,
    NoVolumeToBind,
    Unfit,
    UnfitVolume,
    UnusableClaim,
)
from kexplain.objects import quantity
from kexplain.objects.core import PersistentVolumeClaimSpec, Pod, VolumeResourceRequirements
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolumeClaim
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.words import ask, joined, near, some

ACTION = "change-storage"
VOLUMES = ("volumes",)
#: How many volumes or classes a fact names as examples.
EXAMPLES = 5
#: How many of them words name.
SHOWN = 4
TAKEN = "taken"


class ClaimFact(Fact, frozen=True):
    """A fact about one claim."""

    claim: str


class UnusableClaimFact(ClaimFact, frozen=True, tag="UnusableClaim"):
    """A claim that keeps the pod off every node.

    `problem` is Missing, NotCreated (an ephemeral volume's claim is not made yet), NotOwned (it was made for
    another pod), Lost (its volume is gone), Deleting, Unbound (it should have been bound before the pod came),
    NoClass, ClassMissing or VolumeMissing. `known` are claims that may have been meant where one is missing,
    and the classes there are where its class is.
    """

    problem: str
    volume: str = ""
    class_name: str = ""
    known: tuple[str, ...] = ()


class UnusableClaims(Objection[UnusableClaim, UnusableClaimFact]):
    """A claim cannot be used wherever the pod would go."""

    evidence = UnusableClaim
    fact = UnusableClaimFact
    fields = (VOLUMES,)

    def facts(self, evidence: UnusableClaim, node_info: NodeInfo, lookup: Lookup) -> Iterator[UnusableClaimFact]:  # noqa: ARG002
        """The claim, with those or the classes that may have been meant."""
        yield UnusableClaimFact(
            claim=evidence.claim,
            problem=evidence.problem.value,
            volume=evidence.volume,
            class_name=evidence.class_name,
            known=lookup.once(evidence, lambda: _known(evidence, lookup)),
        )

    def words(self, fact: UnusableClaimFact) -> str:
        """What is wrong with the claim."""
        texts = {
            ClaimProblem.MISSING: "does not exist",
            ClaimProblem.NOT_CREATED: "of an ephemeral volume is not created yet",
            ClaimProblem.NOT_OWNED: "exists, but was not created for this pod's ephemeral volume",
            ClaimProblem.LOST: f"has lost its volume {fact.volume}, which no longer exists",
            ClaimProblem.DELETING: "is being deleted",
            ClaimProblem.VOLUME_MISSING: f"is bound to volume {fact.volume}, which does not exist",
            ClaimProblem.NO_CLASS: "is not bound and has no class",
            ClaimProblem.CLASS_MISSING: f"is not bound, and its class {fact.class_name} does not exist",
            ClaimProblem.UNBOUND: f"names volume {fact.volume}, but is not bound to it yet"
            if fact.volume
            else f"is not bound yet, and its class {fact.class_name} binds without waiting for a pod",
        }
        return f"claim {fact.claim} {texts[ClaimProblem(fact.problem)]}"

    def covers(self, fact: UnusableClaimFact, other: Fact) -> bool:
        """Whether it is about the same claim."""
        return is_about_claim(fact.claim, other)

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[UnusableClaimFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: UnusableClaimFact) -> Lift:
        """Mend the claim; only then is it known what its volume asks of nodes."""
        claim = f"claim {fact.claim}"
        namespace, _, name = fact.claim.partition("/")
        known = some(fact.known, EXAMPLES)
        meant = f" ({ask(*fact.known)})" if known else ""
        texts = {
            ClaimProblem.MISSING: f"create {claim}{meant}",
            ClaimProblem.NOT_CREATED: f"wait until kube-controller-manager has created {claim}",
            ClaimProblem.NOT_OWNED: f"delete {claim}, or give the pod another name",
            ClaimProblem.LOST: f"restore volume {fact.volume}, or recreate {claim}",
            ClaimProblem.VOLUME_MISSING: f"restore volume {fact.volume}, or recreate {claim}",
            ClaimProblem.DELETING: f"recreate {claim} once it is gone",
            ClaimProblem.NO_CLASS: f"set a class in {claim}{f' (existing: {known})' if known else ''}, "
            "or create a volume for it",
            ClaimProblem.CLASS_MISSING: f"create storage class {fact.class_name}"
            + (f", or use another ({known})" if known else ""),
            ClaimProblem.UNBOUND: f"get {claim} bound first; "
            f"kubectl describe pvc {name} -n {namespace} shows what it is waiting for",
        }
        return Lift(ACTION, texts[ClaimProblem(fact.problem)], certainty=Certainty.NEEDED_ANYWHERE)

    def here(self, node_info: NodeInfo, facts: Sequence[UnusableClaimFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Use the claim that was meant, or a class that makes volumes."""
        fact = facts[0]
        problem, name = ClaimProblem(fact.problem), fact.claim.partition("/")[2]
        if problem is ClaimProblem.MISSING:
            for known in fact.known[:2]:
                yield Proposal("use-claim", f"use claim {known}, not {name}", edits.using_claim(name, known), order=1)
            yield from _new_claim(fact, lookup)
        if problem in (ClaimProblem.NO_CLASS, ClaimProblem.CLASS_MISSING, ClaimProblem.UNBOUND):
            yield from of_other_class(fact.claim, lookup)


def _new_claim(fact: UnusableClaimFact, lookup: Lookup) -> Iterator[Proposal]:
    """The claim that is missing, of the first class that waits for a pod."""
    namespace, _, name = fact.claim.partition("/")
    for each in _making_classes(lookup)[:1]:
        spec = PersistentVolumeClaimSpec(
            access_modes=("ReadWriteOnce",),
            resources=VolumeResourceRequirements(requests={"storage": "1Gi"}),
            storage_class_name=each.name,
        )
        claim = PersistentVolumeClaim(metadata=ClaimMeta(name=name, namespace=namespace), spec=spec)
        step = Step(PersistentVolumeClaim, namespace, name, created=claim)
        text = f"create claim {fact.claim}, of class {each.name} and the size it needs"
        yield Proposal("create-claim", text, order=4, steps=(step,))


def _making_classes(lookup: Lookup, wrong: str = "") -> list[StorageClass]:
    """The classes that make volumes: first the one that `wrong` is a slip for, then those that wait for a pod."""
    classes = lookup.cluster.listers.every(StorageClass)
    meant = near(wrong, (each.name for each in classes)) if wrong else []
    making = [each for each in classes if each.provisioner and each.provisioner != "kubernetes.io/no-provisioner"]
    return sorted(
        making,
        key=lambda each: (
            each.name not in meant,
            each.volume_binding_mode != WAIT_FOR_FIRST_CONSUMER,
            not each.is_default,
            each.name,
        ),
    )


def of_other_class(key: str, lookup: Lookup) -> Iterator[Proposal]:
    """The claim with each other class that makes volumes, one at a time."""
    namespace, _, name = key.partition("/")
    claim = lookup.cluster.listers.get(PersistentVolumeClaim, name, namespace)
    if claim is None or claim.volume_name:
        return
    wrong = claim.class_name or ""
    is_missing = bool(wrong) and lookup.cluster.listers.get(StorageClass, wrong) is None
    for each in _making_classes(lookup, wrong if is_missing else "")[:3]:
        if each.name != wrong:
            text = _changing(claim, f"class {each.name}", lookup.pod)
            text += f", as there is no class {wrong}" if is_missing else ""
            yield Proposal(ACTION, text, order=4, steps=(_with_spec(claim, storage_class_name=each.name),))


def _changing(claim: PersistentVolumeClaim, what: str, pod: Pod) -> str:
    """How a claim comes to have something else: its template does, if it is yet to be made, or it is made again."""
    template = yet_to_be_made_of(claim, pod)
    return f"use {what} in claim template {template}" if template else f"recreate claim {claim.key} with {what}"


def _with_spec(claim: PersistentVolumeClaim, **fields: object) -> Step:
    def edit(old: PersistentVolumeClaim) -> PersistentVolumeClaim:
        return replace(old, spec=replace(old.spec, **fields))

    return Step(PersistentVolumeClaim, claim.namespace, claim.name, edit)


def of_size(key: str, size: str, lookup: Lookup) -> Iterator[Proposal]:
    """The claim made again with another size."""
    namespace, _, name = key.partition("/")
    claim = lookup.cluster.listers.get(PersistentVolumeClaim, name, namespace)
    if claim is not None and claim.spec.resources is not None:
        resources = replace(claim.spec.resources, requests={"storage": size})
        text = _changing(claim, size, lookup.pod)
        yield Proposal(ACTION, text, order=4, steps=(_with_spec(claim, resources=resources),))


def without_claims(keys: Iterable[str], pod: Pod) -> Iterator[Proposal]:
    """The pod with empty volumes in place of these claims, where nothing else helps."""
    names = list(dict.fromkeys(keys))
    volumes = edits.volumes_of(pod, names)
    if volumes:
        text = f"start with an empty volume in place of claim {joined(names)}, whose data stays where it is"
        yield Proposal("drop-volume", text, edits.with_empty_volumes(volumes), order=9, is_last_resort=True)
    # A scheduler names one claim at a time: the next may be no better.
    every = [
        volume.name or "" for volume in pod.spec.volumes or () if volume.persistent_volume_claim or volume.ephemeral
    ]
    if len(every) > len(volumes):
        text = "start with empty volumes in place of all claims, whose data stays where it is"
        yield Proposal("drop-volume", text, edits.with_empty_volumes(every), order=9, is_last_resort=True)


def _known(evidence: UnusableClaim, lookup: Lookup) -> tuple[str, ...]:
    """Claims with names like the one that is missing, or the classes where a class is, the likeliest first."""
    listers = lookup.cluster.listers
    if evidence.problem is ClaimProblem.MISSING:
        namespace, _, name = evidence.claim.partition("/")
        return tuple(near(name, (c.name for c in listers.every(PersistentVolumeClaim) if c.namespace == namespace), 3))
    if evidence.problem in (ClaimProblem.CLASS_MISSING, ClaimProblem.NO_CLASS):
        names = sorted(storage_class.name for storage_class in listers.every(StorageClass))
        return tuple(dict.fromkeys((*near(evidence.class_name, names), *names)))[:EXAMPLES]
    return ()


def is_about_claim(claim: str, other: Fact) -> bool:
    """Whether the other fact is about the same claim, so that what lifts one lifts both.

    A volume's place, for instance, shows in its node affinity and in its labels.
    """
    return isinstance(other, ClaimFact) and other.claim == claim


class ClaimInUseFact(Fact, frozen=True, tag="ClaimInUse"):
    """A ReadWriteOncePod claim that other pods use, and the nodes that they run on."""

    claim: str
    pods: tuple[str, ...]
    nodes: tuple[str, ...]


class ClaimsInUse(Objection[ClaimInUse, ClaimInUseFact]):
    """Another pod uses a claim that only one may use."""

    evidence = ClaimInUse
    fact = ClaimInUseFact
    fields = (VOLUMES,)

    def facts(self, evidence: ClaimInUse, node_info: NodeInfo, lookup: Lookup) -> Iterator[ClaimInUseFact]:  # noqa: ARG002
        """The claim, with the pods that use it."""
        pods, nodes = zip(*evidence.pods, strict=True)
        yield ClaimInUseFact(claim=evidence.claim, pods=pods, nodes=nodes)

    def words(self, fact: ClaimInUseFact) -> str:
        """The claim, with the pods that use it."""
        users = (f"{pod} on {node}" for pod, node in zip(fact.pods, fact.nodes, strict=True))
        return f"claim {fact.claim} is ReadWriteOncePod and in use by {', '.join(users)}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[ClaimInUseFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: ClaimInUseFact) -> Lift:
        """Wait, or share it."""
        are = "is" if len(fact.pods) == 1 else "are"
        return Lift(ACTION, f"wait until {', '.join(fact.pods)} {are} gone, or use a claim that is ReadWriteOnce")

    def here(self, node_info: NodeInfo, facts: Sequence[ClaimInUseFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """End the pods that use it."""
        pods = named(list(dict.fromkeys(key for fact in facts for key in fact.pods)), lookup.cluster)
        if pods:
            text = f"stop {joined([pod.key for pod in pods])}, which uses claim {facts[0].claim}"
            yield Proposal(ACTION, text, order=ORDER, steps=tuple(deletion(pod.key) for pod in pods))


class UnfitVolumeRecord(Output, frozen=True):
    """A volume that the claim cannot be bound to, why, and what the volume has instead."""

    volume: str
    why: str
    detail: str = ""


class NoVolumeFact(Fact, frozen=True, tag="NoVolumeToBind"):
    """No volume fits the claim on this node, and its class makes none.

    `volumes` are some of those that are out of the question, and `count_by_reason` counts them all.
    """

    claim: str
    class_name: str
    requested_bytes: int
    volumes: tuple[UnfitVolumeRecord, ...]
    count_by_reason: dict[str, int]


class NoVolumes(Objection[NoVolumeToBind, NoVolumeFact]):
    """No volume fits a claim."""

    evidence = NoVolumeToBind
    fact = NoVolumeFact
    fields = (VOLUMES,)

    def facts(self, evidence: NoVolumeToBind, node_info: NodeInfo, lookup: Lookup) -> Iterator[NoVolumeFact]:  # noqa: ARG002
        """The claim, with a few volumes; what many nodes have in common is summed up once."""
        volumes, counts = lookup.once((id(evidence.unfit), evidence.taken), lambda: _summed_up(evidence))
        yield NoVolumeFact(
            claim=evidence.claim,
            class_name=evidence.class_name,
            requested_bytes=evidence.requested_bytes,
            volumes=volumes,
            count_by_reason=counts,
        )

    def words(self, fact: NoVolumeFact) -> str:
        """What is wanted, and why the volumes there are will not do."""
        size = quantity.format_bytes(fact.requested_bytes)
        wanted = f"no volume of class {fact.class_name} for claim {fact.claim} ({size})"
        if not fact.volumes:
            return f"{wanted}: none is free"
        shown = ", ".join(_unfit(volume) for volume in fact.volumes[:SHOWN])
        rest = sum(fact.count_by_reason.values()) - min(len(fact.volumes), SHOWN)
        return f"{wanted}: {shown}" + (f" and {rest} more" if rest else "")

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[NoVolumeFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: NoVolumeFact) -> Lift:
        """Add one."""
        size = quantity.format_bytes(fact.requested_bytes)
        return Lift(ACTION, f"add a volume of class {fact.class_name} with at least {size} that the node can reach")

    def here(self, node_info: NodeInfo, facts: Sequence[NoVolumeFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """A class that makes volumes, or the size of a volume that is too small."""
        fact = facts[0]
        yield from of_other_class(fact.claim, lookup)
        small = next((each for each in fact.volumes if each.why == Unfit.TOO_SMALL.value), None)
        if small is not None:
            yield from of_size(fact.claim, small.detail, lookup)


def _summed_up(evidence: NoVolumeToBind) -> tuple[tuple[UnfitVolumeRecord, ...], dict[str, int]]:
    """A few volumes of each reason in turn, so that none goes unseen, and how many there are of each.

    What other claims or classes have comes last: it is the least likely to have been meant.
    """
    by_reason: dict[str, list[UnfitVolume]] = {}
    for unfit in sorted(evidence.unfit, key=lambda unfit: unfit.why in (Unfit.CLASS, Unfit.CLAIMED)):
        reason = TAKEN if unfit.volume in evidence.taken else unfit.why.value
        by_reason.setdefault(reason, []).append(unfit)
    longest = max(map(len, by_reason.values()), default=0)
    in_turn = (
        UnfitVolumeRecord(volume=volumes[turn].volume, why=reason, detail=volumes[turn].detail)
        for turn in range(longest)
        for reason, volumes in by_reason.items()
        if turn < len(volumes)
    )
    counts = Counter({reason: len(volumes) for reason, volumes in by_reason.items()})
    return tuple(islice(in_turn, EXAMPLES)), dict(counts)


def _unfit(volume: UnfitVolumeRecord) -> str:
    detail = volume.detail
    texts = {
        TAKEN: "goes to another claim of the pod",
        Unfit.TOO_SMALL.value: f"has only {detail}",
        Unfit.NODE.value: f"needs {detail}" if detail else "can be reached from no node",
        Unfit.CLASS.value: f"is of class {detail}" if detail else "has no class",
        Unfit.MODE.value: f"has volume mode {detail}",
        Unfit.ATTRIBUTES_CLASS.value: f"has attributes class {detail or '(none)'}",
        Unfit.DELETING.value: "is being deleted",
        Unfit.NOT_AVAILABLE.value: f"is {detail or 'not available'}",
        Unfit.SELECTOR.value: f"lacks {detail}",
        Unfit.ACCESS_MODES.value: f"offers only {detail}" if detail else "offers no access mode",
        Unfit.CLAIMED.value: f"belongs to {detail}",
    }
    return f"{volume.volume} {texts[volume.why]}"
