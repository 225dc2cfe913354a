"""What helps against objections because of where volumes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.storage import (
    TopologyFact,
    VolumeOutOfReachFact,
    VolumeZoneFact,
    label_pairs,
    sizes_text,
)
from kexplain.explain.wording import at_most
from kexplain.framework.evidence.storage import NotEnoughStorage, ProvisionedElsewhere
from kexplain.objects.core import Pod
from kexplain.objects.requests import EPHEMERAL_STORAGE
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.claims import ACTION, of_other_class, of_size, without_claims
from kexplain.remedies.proposal import Lift, Proposal


class AgainstVolumesOutOfReach(Against[VolumeOutOfReachFact]):
    """A volume's node affinity does not match the node."""

    fact = VolumeOutOfReachFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[VolumeOutOfReachFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: VolumeOutOfReachFact) -> Lift:
        """Move the data."""
        return _restored(fact.volume, fact.actual)


class AgainstVolumeZones(Against[VolumeZoneFact]):
    """A volume is in another zone than the node."""

    fact = VolumeZoneFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[VolumeZoneFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: VolumeZoneFact) -> Lift:
        """Move the data."""
        return _restored(fact.volume, {fact.key: fact.actual})


class AgainstTopologies(Against[TopologyFact]):
    """The class of a claim provisions no volumes for the node."""

    fact = TopologyFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[TopologyFact]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: TopologyFact) -> Lift:
        """Allow it."""
        own = ", ".join(label_pairs(fact.actual)) or "the node"
        return Lift(ACTION, f"add {own} to allowedTopologies of class {fact.class_name}, or use another class")

    def here(self, node_info: NodeInfo, facts: Sequence[TopologyFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Another class."""
        yield from of_other_class(facts[0].claim, lookup)


class AgainstStorageShortages(Against[NotEnoughStorage]):
    """The driver has no room for a claim."""

    fact = NotEnoughStorage

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[NotEnoughStorage]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: NotEnoughStorage) -> Lift:
        """Ask for less, or add some."""
        effort = fact.requested_bytes - (fact.largest_bytes or 0)
        if not fact.largest_bytes:
            return Lift(ACTION, f"add storage of class {fact.class_name} that the node can reach", effort)
        needed, largest = sizes_text(fact)
        return Lift(ACTION, f"request at most {largest} in claim {fact.claim} (now {needed}), or add storage", effort)

    def here(self, node_info: NodeInfo, facts: Sequence[NotEnoughStorage], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """A smaller claim, or another class."""
        fact = facts[0]
        if fact.largest_bytes:
            yield from of_size(fact.claim, at_most(EPHEMERAL_STORAGE, fact.largest_bytes), lookup)
        yield from of_other_class(fact.claim, lookup)


class AgainstVolumesProvisionedElsewhere(Against[ProvisionedElsewhere]):
    """The volume of a claim is being provisioned for another node."""

    fact = ProvisionedElsewhere

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[ProvisionedElsewhere]]) -> Iterator[Proposal]:
        """Start without it."""
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), pod)

    def lift(self, fact: ProvisionedElsewhere) -> Lift:
        """Follow it, or start over."""
        annotation = f"the annotation volume.kubernetes.io/selected-node from claim {fact.claim}"
        return Lift(ACTION, f"let the pod go to {fact.node}, or remove {annotation}")


def _restored(volume: str, actual: Mapping[str, str | None]) -> Lift:
    place = ", ".join(label_pairs(actual)) or "the node is"
    return Lift(ACTION, f"restore the data of volume {volume} where {place} (for example from a snapshot)")
