"""Evidence of the storage plugins as published facts."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from itertools import islice
from typing import assert_never

from kexplain.cluster import Cluster, NodeInfo
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
from kexplain.framework.storage_evidence import (
    AttachLimitExceeded,
    ClaimInUse,
    ClaimProblem,
    DiskInUse,
    NotEnoughStorage,
    NoVolumeToBind,
    ProvisionedElsewhere,
    StorageEvidence,
    TopologyNotAllowed,
    Unfit,
    UnfitVolume,
    UnusableClaim,
    VolumeInOtherZone,
    VolumeOutOfReach,
)
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.storage import StorageClass

#: How many volumes are named as examples.
EXAMPLES = 5
#: How alike a name must be to be suggested.
SIMILARITY = 0.6
TAKEN = "taken"

_Volumes = tuple[tuple[UnfitVolumeRecord, ...], dict[str, int]]


class StorageFactFinder:
    """Turns evidence into facts; what many nodes have in common is put into records once."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._volumes: dict[tuple[int, frozenset[str]], _Volumes] = {}

    def fact(self, evidence: StorageEvidence, node_info: NodeInfo) -> StorageFact:
        """The fact that a piece of evidence is for that node."""
        match evidence:
            case UnusableClaim():
                return self._unusable(evidence)
            case DiskInUse():
                return DiskInUseFact(volume=evidence.volume, disk=evidence.disk, pod=evidence.pod)
            case ClaimInUse():
                pods, nodes = zip(*evidence.pods, strict=True)
                return ClaimInUseFact(claim=evidence.claim, pods=pods, nodes=nodes)
            case AttachLimitExceeded():
                return AttachLimitFact(
                    driver=evidence.driver,
                    requested=evidence.requested,
                    attached=evidence.attached,
                    limit=evidence.limit,
                )
            case VolumeOutOfReach():
                keys = (requirement.key for term in evidence.terms for requirement in term.labels)
                return VolumeOutOfReachFact(
                    claim=evidence.claim,
                    volume=evidence.volume,
                    reachable_from=" or ".join(str(term) for term in evidence.terms),
                    actual={key: node_info.node.labels.get(key) for key in keys},
                )
            case VolumeInOtherZone():
                return VolumeZoneFact(
                    claim=evidence.claim,
                    volume=evidence.volume,
                    key=evidence.key,
                    values=tuple(sorted(evidence.values)),
                    actual=evidence.actual,
                )
            case NoVolumeToBind():
                return self._no_volume(evidence)
            case TopologyNotAllowed():
                return _topology(evidence, node_info)
            case NotEnoughStorage():
                return NotEnoughStorageFact(
                    claim=evidence.claim,
                    class_name=evidence.class_name,
                    requested_bytes=evidence.requested_bytes,
                    largest_bytes=evidence.largest_bytes,
                )
            case ProvisionedElsewhere():
                return ProvisionedElsewhereFact(claim=evidence.claim, node=evidence.node)
            case _:
                assert_never(evidence)

    def _unusable(self, evidence: UnusableClaim) -> UnusableClaimFact:
        known: list[str] = []
        if evidence.problem is ClaimProblem.MISSING:
            namespace, _, name = evidence.claim.partition("/")
            claims = (c.name for c in self._cluster.listers.every(PersistentVolumeClaim) if c.namespace == namespace)
            known = get_close_matches(name, claims, n=3, cutoff=SIMILARITY)
        elif evidence.problem in (ClaimProblem.CLASS_MISSING, ClaimProblem.NO_CLASS):
            known = sorted(storage_class.name for storage_class in self._cluster.listers.every(StorageClass))
        return UnusableClaimFact(
            claim=evidence.claim,
            problem=evidence.problem.value,
            volume=evidence.volume,
            class_name=evidence.class_name,
            known=tuple(known[:EXAMPLES]),
        )

    def _no_volume(self, evidence: NoVolumeToBind) -> NoVolumeFact:
        key = (id(evidence.unfit), evidence.taken)
        if key not in self._volumes:
            self._volumes[key] = _summed_up(evidence)
        volumes, counts = self._volumes[key]
        return NoVolumeFact(
            claim=evidence.claim,
            class_name=evidence.class_name,
            requested_bytes=evidence.requested_bytes,
            volumes=volumes,
            count_by_reason=counts,
        )


def _summed_up(evidence: NoVolumeToBind) -> _Volumes:
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


def _topology(evidence: TopologyNotAllowed, node_info: NodeInfo) -> TopologyFact:
    allowed = (",".join(_label_text(key, values) for key, values in term) for term in evidence.allowed)
    keys = (key for term in evidence.allowed for key, _ in term)
    return TopologyFact(
        claim=evidence.claim,
        class_name=evidence.class_name,
        allowed=tuple(allowed),
        actual={key: node_info.node.labels.get(key) for key in keys},
    )


def _label_text(key: str, values: tuple[str, ...]) -> str:
    return f"{key}={values[0]}" if len(values) == 1 else f"{key} in ({','.join(values)})"
