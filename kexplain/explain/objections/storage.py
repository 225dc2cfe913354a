"""Objections because of where volumes are. Claims are named `namespace/name`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.claims import ClaimFact, OfVolumes
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.output import Fact, copied
from kexplain.framework.evidence.storage import (
    NotEnoughStorage,
    ProvisionedElsewhere,
    TopologyNotAllowed,
    VolumeInOtherZone,
    VolumeOutOfReach,
)
from kexplain.objects import quantity
from kexplain.objects.pod_claims import is_user_of
from kexplain.words import some


class VolumeOutOfReachFact(ClaimFact, frozen=True, tag="VolumeOutOfReach"):
    """The claim's volume can be reached only from nodes with certain labels; `actual` are the node's own."""

    volume: str
    reachable_from: str
    actual: dict[str, str | None]


class VolumesOutOfReach(OfVolumes[VolumeOutOfReach, VolumeOutOfReachFact]):
    """A volume's node affinity does not match the node."""

    same = ("claim", "volume")

    def facts(self, evidence: VolumeOutOfReach, node_info: NodeInfo, lookup: Lookup) -> Iterator[VolumeOutOfReachFact]:
        keys = (requirement.key for term in evidence.terms for requirement in term.labels)
        places = " or ".join(map(str, evidence.terms))
        yield copied(evidence, VolumeOutOfReachFact, reachable_from=places, actual=_labels(keys, node_info))

    def words(self, fact: VolumeOutOfReachFact) -> str:
        """Where the volume is, and what the node has."""
        if not fact.reachable_from:
            return self.words_for_all({"": fact})
        return f"{_volume(fact)} needs {fact.reachable_from}, {_has(fact.actual)}"

    def words_for_all(self, facts_by_node: Mapping[str, VolumeOutOfReachFact]) -> str:
        """Where the volume is, and what these nodes have."""
        fact = next(iter(facts_by_node.values()))
        if not fact.reachable_from:
            return f"{_volume(fact)} has a node affinity that no node can match"
        found = _nodes_have(each.actual for each in facts_by_node.values())
        return f"{_volume(fact)} can only be reached from nodes with {fact.reachable_from}{found}"


class VolumeZoneFact(ClaimFact, frozen=True, tag="VolumeInOtherZone"):
    """A label of the claim's volume names zones or regions that the node is not in; `actual` is where it is."""

    volume: str
    key: str
    values: tuple[str, ...]
    actual: str | None


class VolumeZones(OfVolumes[VolumeInOtherZone, VolumeZoneFact]):
    """A volume is in another zone than the node."""

    same = ("claim", "volume")

    def facts(self, evidence: VolumeInOtherZone, node_info: NodeInfo, lookup: Lookup) -> Iterator[VolumeZoneFact]:
        yield copied(evidence, VolumeZoneFact, values=tuple(sorted(evidence.values)))

    def words(self, fact: VolumeZoneFact) -> str:
        return f"{_place(fact)}, {_has({fact.key: fact.actual})}"

    def words_for_all(self, facts_by_node: Mapping[str, VolumeZoneFact]) -> str:
        found = _nodes_have({fact.key: fact.actual} for fact in facts_by_node.values())
        return f"{_place(next(iter(facts_by_node.values())))}{found}"


def _place(fact: VolumeZoneFact) -> str:
    values = fact.values[0] if len(fact.values) == 1 else f"({' or '.join(fact.values)})"
    return f"{_volume(fact)} is in {fact.key}={values}"


class TopologyFact(Fact, frozen=True, tag="TopologyNotAllowed"):
    """The class makes no volumes for this node: `allowed` are the alternatives, `actual` the node's labels."""

    claim: str
    class_name: str
    allowed: tuple[str, ...]
    actual: dict[str, str | None]


class Topologies(OfVolumes[TopologyNotAllowed, TopologyFact]):
    """The class of a claim provisions no volumes for the node."""

    same = ("claim", "class_name")

    def facts(self, evidence: TopologyNotAllowed, node_info: NodeInfo, lookup: Lookup) -> Iterator[TopologyFact]:
        allowed = tuple(",".join(_label(key, values) for key, values in term) for term in evidence.allowed)
        actual = _labels((key for term in evidence.allowed for key, _ in term), node_info)
        yield copied(evidence, TopologyFact, allowed=allowed, actual=actual)

    def words(self, fact: TopologyFact) -> str:
        return f"{_allowed(fact)}, {_has(fact.actual)}"

    def words_for_all(self, facts_by_node: Mapping[str, TopologyFact]) -> str:
        found = _nodes_have(fact.actual for fact in facts_by_node.values())
        return f"{_allowed(next(iter(facts_by_node.values())))}{found or ', which none of these nodes has'}"


def _allowed(fact: TopologyFact) -> str:
    return f"class {fact.class_name} of claim {fact.claim} provisions volumes only for {' or '.join(fact.allowed)}"


def _label(key: str, values: tuple[str, ...]) -> str:
    return f"{key}={values[0]}" if len(values) == 1 else f"{key} in ({','.join(values)})"


class StorageShortages(OfVolumes[NotEnoughStorage, NotEnoughStorage]):
    """The driver has no room for a claim."""

    same = ("claim", "class_name")

    def words(self, fact: NotEnoughStorage) -> str:
        needed, largest = sizes_text(fact)
        room = f"has room for {largest}" if largest else "reports no capacity here"
        return f"class {fact.class_name} {room}, claim {fact.claim} needs {needed}"

    def words_for_all(self, facts_by_node: Mapping[str, NotEnoughStorage]) -> str:
        """What is needed, and the most that any of these nodes has."""
        node, best = max(facts_by_node.items(), key=lambda item: item[1].largest_bytes or -1)
        needed, largest = sizes_text(best)
        text = f"claim {best.claim} needs {needed} of class {best.class_name}"
        if not largest:
            return f"{text}, which reports no capacity for {'these nodes' if len(facts_by_node) > 1 else 'the node'}"
        left = f"at most {largest} left on one node ({node})" if len(facts_by_node) > 1 else f"{largest} left on {node}"
        return f"{text}; {left}"


def sizes_text(fact: NotEnoughStorage) -> tuple[str, str]:
    """What is needed and the most there is, precise enough to tell them apart; the latter empty if unknown."""
    if fact.largest_bytes is None:
        return quantity.format_bytes(fact.requested_bytes), ""
    needed = quantity.format_bytes(fact.requested_bytes, fact.largest_bytes)
    return needed, quantity.format_bytes(fact.largest_bytes, fact.requested_bytes)


class ProvisionedElsewhereFact(ClaimFact, frozen=True, tag="ProvisionedElsewhere"):
    """The claim's volume is being made for another node; `pod` is one with that claim which has this node already."""

    node: str
    pod: str = ""


class VolumesProvisionedElsewhere(OfVolumes[ProvisionedElsewhere, ProvisionedElsewhereFact]):
    """The volume of a claim is being provisioned for another node."""

    same = ("claim", "node")

    def facts(
        self, evidence: ProvisionedElsewhere, node_info: NodeInfo, lookup: Lookup
    ) -> Iterator[ProvisionedElsewhereFact]:
        chosen = lookup.cluster.node_info_by_name.get(evidence.node)
        users = (each.pod.key for each in (chosen.pods if chosen else ()) if is_user_of(evidence.claim, each.pod))
        yield copied(evidence, ProvisionedElsewhereFact, pod=lookup.found(evidence, lambda: next(users, "")))

    def words(self, fact: ProvisionedElsewhereFact) -> str:
        """For which node, and for whom where that is known."""
        if fact.pod:
            return f"claim {fact.claim} gets its volume on {fact.node}, where {fact.pod} uses it"
        return f"the volume of claim {fact.claim} is being provisioned for {fact.node}"


# ------------------------------------------------------------------------------------------------- labels in words


def _labels(keys: Iterable[str], node_info: NodeInfo) -> dict[str, str | None]:
    return {key: node_info.node.labels.get(key) for key in keys}


def _volume(fact: VolumeOutOfReachFact | VolumeZoneFact) -> str:
    # What a provisioner made is called by the claim's uid.
    name = "the volume" if fact.volume.startswith("pvc-") else f"volume {fact.volume}"
    return f"{name} of claim {fact.claim}"


def label_pairs(labels: Mapping[str, str | None]) -> Sequence[str]:
    """`key=value` of the labels that are there."""
    return [f"{key}={value}" for key, value in labels.items() if value is not None]


def _has(actual: Mapping[str, str | None]) -> str:
    return f"has {', '.join(label_pairs(actual)) or 'no label ' + ' or '.join(actual)}"


def _nodes_have(found: Iterable[Mapping[str, str | None]]) -> str:
    pairs = sorted({pair for labels in found for pair in label_pairs(labels)})
    return f" (nodes have {some(pairs, 4)})" if pairs else ""
