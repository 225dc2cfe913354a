"""Storage facts in words: for one node, for many, and what would lift them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from kexplain.explain.storage_facts import TAKEN
from kexplain.explain.storage_records import (
    AttachLimitFact,
    ClaimInUseFact,
    DiskInUseFact,
    NotEnoughStorageFact,
    NoVolumeFact,
    ProvisionedElsewhereFact,
    StorageFact,
    TopologyFact,
    UnfitVolumeRecord,
    UnusableClaimFact,
    VolumeOutOfReachFact,
    VolumeZoneFact,
)
from kexplain.framework.storage_evidence import ClaimProblem, Unfit
from kexplain.objects import quantity

#: How many volumes or values a line names.
EXAMPLES = 4
_UNREACHABLE = "has a node affinity that no node can meet"


def storage_words(fact: StorageFact) -> str:
    """One line for one node, with the numbers that matter."""
    match fact:
        case AttachLimitFact():
            return f"{fact.driver} {fact.attached} of {fact.limit} volumes attached, needs {fact.requested} more"
        case VolumeOutOfReachFact():
            if not fact.reachable_from:
                return f"{_its_volume(fact)} {_UNREACHABLE}"
            return f"{_its_volume(fact)} needs {fact.reachable_from}, {_has(fact.actual)}"
        case VolumeZoneFact():
            return f"{_its_volume(fact)} is in {fact.key}={_either(fact.values)}, {_has({fact.key: fact.actual})}"
        case TopologyFact():
            return f"{_about_topology(fact)}, {_has(fact.actual)}"
        case NotEnoughStorageFact():
            needed = quantity.format_bytes(fact.requested_bytes, fact.largest_bytes)
            if fact.largest_bytes is None:
                return f"class {fact.class_name} reports no capacity here, claim {fact.claim} needs {needed}"
            largest = quantity.format_bytes(fact.largest_bytes, fact.requested_bytes)
            return f"class {fact.class_name} has room for {largest}, claim {fact.claim} needs {needed}"
        case UnusableClaimFact() | DiskInUseFact() | ClaimInUseFact() | NoVolumeFact() | ProvisionedElsewhereFact():
            return _same_everywhere(fact)
        case _:
            assert_never(fact)


def storage_key(fact: StorageFact) -> str:
    """What makes two nodes fail for the same reason: all but the numbers and labels of the node."""
    match fact:
        case AttachLimitFact():
            return fact.driver
        case VolumeOutOfReachFact() | VolumeZoneFact():
            return f"{fact.claim} {fact.volume}"
        case TopologyFact() | NotEnoughStorageFact():
            return f"{fact.claim} {fact.class_name}"
        case UnusableClaimFact() | DiskInUseFact() | ClaimInUseFact() | NoVolumeFact() | ProvisionedElsewhereFact():
            return _same_everywhere(fact)
        case _:
            assert_never(fact)


def storage_cause(facts_by_node: Mapping[str, StorageFact]) -> str:
    """One line for all nodes that fail for the same reason; facts of one kind, at least one."""
    first = next(iter(facts_by_node.values()))
    facts = tuple(facts_by_node.values())
    match first:
        case AttachLimitFact():
            return _attach_limit(facts_by_node)
        case VolumeOutOfReachFact():
            if not first.reachable_from:
                return f"{_its_volume(first)} {_UNREACHABLE}"
            found = [f.actual for f in facts if isinstance(f, VolumeOutOfReachFact)]
            return f"{_its_volume(first)} can only be reached with {first.reachable_from}{_nodes_have(found)}"
        case VolumeZoneFact():
            found = [{f.key: f.actual} for f in facts if isinstance(f, VolumeZoneFact)]
            return f"{_its_volume(first)} is in {first.key}={_either(first.values)}{_nodes_have(found)}"
        case TopologyFact():
            found = [f.actual for f in facts if isinstance(f, TopologyFact)]
            return f"{_about_topology(first)}{_nodes_have(found)}"
        case NotEnoughStorageFact():
            return _capacity(first, facts_by_node)
        case UnusableClaimFact() | DiskInUseFact() | ClaimInUseFact() | NoVolumeFact() | ProvisionedElsewhereFact():
            return _same_everywhere(first)
        case _:
            assert_never(first)


def _same_everywhere(
    fact: UnusableClaimFact | DiskInUseFact | ClaimInUseFact | NoVolumeFact | ProvisionedElsewhereFact,
) -> str:
    match fact:
        case UnusableClaimFact():
            return _unusable(fact)
        case DiskInUseFact():
            return f"{fact.disk} (volume {fact.volume}) is mounted by {fact.pod}"
        case ClaimInUseFact():
            users = (f"{pod} on {node}" for pod, node in zip(fact.pods, fact.nodes, strict=True))
            return f"claim {fact.claim} is ReadWriteOncePod and in use by {', '.join(users)}"
        case NoVolumeFact():
            return _no_volume(fact)
        case ProvisionedElsewhereFact():
            return f"the volume of claim {fact.claim} is being made for {fact.node}"
        case _:
            assert_never(fact)


def _unusable(fact: UnusableClaimFact) -> str:
    claim = f"claim {fact.claim}"
    match ClaimProblem(fact.problem):
        case ClaimProblem.MISSING:
            return f"{claim} does not exist"
        case ClaimProblem.NOT_CREATED:
            return f"{claim} of an ephemeral volume is not created yet"
        case ClaimProblem.NOT_OWNED:
            return f"{claim} was not made for this pod, though it has the name of its ephemeral volume's"
        case ClaimProblem.LOST:
            return f"{claim} has lost its volume {fact.volume}, which no longer exists"
        case ClaimProblem.DELETING:
            return f"{claim} is being deleted"
        case ClaimProblem.VOLUME_MISSING:
            return f"{claim} is bound to volume {fact.volume}, which does not exist"
        case ClaimProblem.NO_CLASS:
            return f"{claim} is not bound and has no class"
        case ClaimProblem.CLASS_MISSING:
            return f"{claim} is not bound, and its class {fact.class_name} does not exist"
        case ClaimProblem.UNBOUND if fact.volume:
            return f"{claim} is not yet bound to volume {fact.volume}, which it names"
        case ClaimProblem.UNBOUND:
            return f"{claim} is not bound yet, and its class {fact.class_name} does not wait for a pod"


def _no_volume(fact: NoVolumeFact) -> str:
    size = quantity.format_bytes(fact.requested_bytes)
    wanted = f"no volume of class {fact.class_name} for claim {fact.claim} ({size})"
    if not fact.volumes:
        return f"{wanted}: there is none that is free"
    shown = ", ".join(_unfit(volume) for volume in fact.volumes[:EXAMPLES])
    rest = sum(fact.count_by_reason.values()) - min(len(fact.volumes), EXAMPLES)
    return f"{wanted}: {shown}" + (f" and {rest} more" if rest else "")


def _unfit(volume: UnfitVolumeRecord) -> str:
    if volume.why == TAKEN:
        return f"{volume.volume} goes to another claim of the pod"
    match Unfit(volume.why):
        case Unfit.TOO_SMALL:
            return f"{volume.volume} has only {volume.detail}"
        case Unfit.NODE:
            return f"{volume.volume} needs {volume.detail or 'no node there is'}"
        case Unfit.CLASS:
            return f"{volume.volume} is of class {volume.detail}" if volume.detail else f"{volume.volume} has no class"
        case Unfit.MODE:
            return f"{volume.volume} has volume mode {volume.detail}"
        case Unfit.ATTRIBUTES_CLASS:
            return f"{volume.volume} has attributes class {volume.detail or '(none)'}"
        case Unfit.DELETING:
            return f"{volume.volume} is being deleted"
        case Unfit.NOT_AVAILABLE:
            return f"{volume.volume} is {volume.detail or 'not available'}"
        case Unfit.SELECTOR:
            return f"{volume.volume} lacks {volume.detail}"
        case Unfit.ACCESS_MODES:
            return f"{volume.volume} offers only {volume.detail or 'no access mode'}"
        case Unfit.CLAIMED:
            return f"{volume.volume} belongs to {volume.detail}"


def _attach_limit(facts_by_node: Mapping[str, StorageFact]) -> str:
    """The node with most attachments left."""
    facts = {node: fact for node, fact in facts_by_node.items() if isinstance(fact, AttachLimitFact)}
    node, most = max(facts.items(), key=lambda item: item[1].limit - item[1].attached)
    used = f"{most.attached} of {most.limit} in use"
    where = "on each" if len({(f.attached, f.limit) for f in facts.values()}) == 1 else f"at best ({node})"
    more = "one more volume" if most.requested == 1 else f"{most.requested} more volumes"
    return f"no attachment for {more} of {most.driver}: {used}" + (f" {where}" if len(facts) > 1 else "")


def _capacity(first: NotEnoughStorageFact, facts_by_node: Mapping[str, StorageFact]) -> str:
    facts = {node: f for node, f in facts_by_node.items() if isinstance(f, NotEnoughStorageFact)}
    node, best = max(facts.items(), key=lambda item: item[1].largest_bytes or -1)
    needed = quantity.format_bytes(first.requested_bytes, best.largest_bytes)
    text = f"claim {first.claim} needs {needed} of class {first.class_name}"
    if best.largest_bytes is None:
        return f"{text}, which reports no capacity for these nodes"
    return f"{text}, most left {quantity.format_bytes(best.largest_bytes, first.requested_bytes)} ({node})"


def _about_topology(fact: TopologyFact) -> str:
    return f"class {fact.class_name} of claim {fact.claim} makes volumes only for {' or '.join(fact.allowed)}"


def _its_volume(fact: VolumeOutOfReachFact | VolumeZoneFact) -> str:
    return f"volume {fact.volume} of claim {fact.claim}"


def _either(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"({' or '.join(values)})"


def _has(actual: Mapping[str, str | None]) -> str:
    found = [f"{key}={value}" for key, value in actual.items() if value is not None]
    if found:
        return f"has {', '.join(found)}"
    return f"has no label {' or '.join(actual)}"


def _nodes_have(found: Sequence[Mapping[str, str | None]]) -> str:
    pairs = sorted({f"{key}={value}" for labels in found for key, value in labels.items() if value is not None})
    if not pairs:
        return ""
    more = f", … ({len(pairs)} in all)" if len(pairs) > EXAMPLES else ""
    return f" (nodes have {', '.join(pairs[:EXAMPLES])}{more})"


# -------------------------------------------------------------------------------------------------- what would help


def storage_lift(fact: StorageFact) -> str:
    """What would make the fact go away."""
    match fact:
        case UnusableClaimFact():
            return _repair(fact)
        case DiskInUseFact():
            return f"move {fact.pod} to another node, or give each pod a disk of its own"
        case ClaimInUseFact():
            return f"wait until {', '.join(fact.pods)} is gone, or use a claim that is ReadWriteOnce"
        case AttachLimitFact():
            surplus = fact.attached + fact.requested - fact.limit
            return f"detach {surplus} volume{'' if surplus == 1 else 's'} of {fact.driver}, or add a node"
        case VolumeOutOfReachFact():
            return _restore(fact.volume, fact.actual)
        case VolumeZoneFact():
            return _restore(fact.volume, {fact.key: fact.actual})
        case NoVolumeFact():
            size = quantity.format_bytes(fact.requested_bytes)
            return f"add a volume of class {fact.class_name} with at least {size} that the node reaches"
        case TopologyFact():
            own = ", ".join(f"{key}={value}" for key, value in fact.actual.items() if value is not None)
            return f"add {own or 'the node'} to allowedTopologies of class {fact.class_name}, or use another class"
        case NotEnoughStorageFact() if fact.largest_bytes:
            needed = quantity.format_bytes(fact.requested_bytes, fact.largest_bytes)
            largest = quantity.format_bytes(fact.largest_bytes, fact.requested_bytes)
            return f"ask for at most {largest} in claim {fact.claim} (now {needed}), or add storage"
        case NotEnoughStorageFact():
            return f"add storage of class {fact.class_name} that the node reaches"
        case ProvisionedElsewhereFact():
            return (
                f"let the pod go to {fact.node}, or take the annotation volume.kubernetes.io/selected-node off "
                f"claim {fact.claim}"
            )
        case _:
            assert_never(fact)


def _restore(volume: str, actual: Mapping[str, str | None]) -> str:
    place = ", ".join(f"{key}={value}" for key, value in actual.items() if value is not None)
    return f"have the data of volume {volume} where {place or 'the node is'} (from a snapshot, say)"


def storage_effort(fact: StorageFact) -> int:
    """How much has to be done about it, among facts of one kind."""
    match fact:
        case AttachLimitFact():
            return fact.attached + fact.requested - fact.limit
        case NotEnoughStorageFact():
            return fact.requested_bytes - (fact.largest_bytes or 0)
        case _:
            return 0


def _repair(fact: UnusableClaimFact) -> str:
    namespace, _, name = fact.claim.partition("/")
    match ClaimProblem(fact.problem):
        case ClaimProblem.MISSING:
            meant = f" (was {' or '.join(fact.known)} meant?)" if fact.known else ""
            return f"create claim {fact.claim}{meant}"
        case ClaimProblem.NOT_CREATED:
            return f"wait until claim {fact.claim} is created, which kube-controller-manager does"
        case ClaimProblem.NOT_OWNED:
            return f"delete claim {fact.claim}, or give the pod another name"
        case ClaimProblem.LOST | ClaimProblem.VOLUME_MISSING:
            return f"bring volume {fact.volume} back, or make claim {fact.claim} anew"
        case ClaimProblem.DELETING:
            return f"make claim {fact.claim} anew once it is gone"
        case ClaimProblem.NO_CLASS:
            classes = f" (there are {', '.join(fact.known)})" if fact.known else ""
            return f"name a class in claim {fact.claim}{classes}, or make a volume for it"
        case ClaimProblem.CLASS_MISSING:
            classes = f", or name another ({', '.join(fact.known)})" if fact.known else ""
            return f"create storage class {fact.class_name}{classes}"
        case ClaimProblem.UNBOUND:
            asked = f"kubectl describe pvc {name} -n {namespace}"
            return f"have claim {fact.claim} bound first: {asked} says what it waits for"


def is_same_storage(first: Sequence[object], others: Sequence[object]) -> bool:
    """Whether all other facts are about claims that the first facts are about already.

    A volume in another zone is told by its node affinity and by its labels: lifting one lifts both.
    """
    claims = {fact.claim for fact in first if isinstance(fact, _OF_ONE_CLAIM)}
    return bool(claims and others) and all(isinstance(f, _OF_ONE_CLAIM) and f.claim in claims for f in others)


_OF_ONE_CLAIM = (UnusableClaimFact, VolumeOutOfReachFact, VolumeZoneFact)
