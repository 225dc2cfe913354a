"""What helps against objections because of where volumes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.driver_labels import Unregistered, renamed_places, unregistered
from kexplain.diagnosis.meant_labels import renamed as renamed_labels
from kexplain.diagnosis.meant_labels import values_by_key
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.storage import (
    ProvisionedElsewhereFact,
    TopologyFact,
    VolumeOutOfReachFact,
    VolumeZoneFact,
    label_pairs,
    sizes_text,
)
from kexplain.explain.wording import at_most
from kexplain.framework.evidence.storage import NotEnoughStorage, TopologyNotAllowed
from kexplain.objects.core import Node
from kexplain.objects.persistent_volumes import SELECTED_NODE, PersistentVolume, PersistentVolumeClaim
from kexplain.objects.requests import EPHEMERAL_STORAGE
from kexplain.objects.selectors import Requirement
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.claims import (
    ELSEWHERE,
    AgainstClaim,
    of_other_class,
    of_size,
    reachable_by,
    renamed,
    restored,
)
from kexplain.remedies.against.labels import labelling
from kexplain.remedies.against.resources import MODERATE
from kexplain.remedies.proposal import NodeChange, Proposal, rank_on
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.steps import Step
from kexplain.shell import command
from kexplain.words import joined


class AgainstVolumesOutOfReach(AgainstClaim[VolumeOutOfReachFact]):
    """A volume's node affinity does not match the node."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[VolumeOutOfReachFact]]) -> Iterator[Proposal]:
        """The volume made again where it calls its node otherwise than its label does."""
        facts = (fact for facts in facts_by_node.values() for fact in facts)
        volumes = dict.fromkeys(fact.volume for fact in facts)
        yield from renamed(volumes, home)
        for name in volumes:
            yield from _of_renamed_labels(name, home)
        yield from super().proposals(home, facts_by_node)

    def node_change(self, node_info: NodeInfo, facts: Sequence[VolumeOutOfReachFact], home: Scene) -> NodeChange | None:
        """Get the volume's driver to run there, where that is all that the node lacks."""
        missing = [unregistered(fact.volume, node_info, home.cluster) for fact in facts]
        found = [each for each in missing if each is not None]
        rank = Rank.MENDS if node_info.name in home.without_driver else rank_on(home, [node_info.name])
        return _with_driver(found, rank) if len(found) == len(missing) else None

    def by_hand(self, fact: VolumeOutOfReachFact) -> Proposal:
        return _restored(fact.claim)


def _of_renamed_labels(volume: str, home: Scene) -> Iterator[Proposal]:
    """The volume by the labels that nodes have now in place of those that it wants, or those on the nodes again."""
    old, new = renamed_places(home.cluster.listers.get(PersistentVolume, volume), home.cluster)
    there = [info.name for info in home.infos([*home.names]) if new.items() <= info.labels.items()]
    if not old or not there:
        return
    step = Step(PersistentVolume, "", volume, reachable_by(new, old), is_by_hand=True)
    yield proposed("volume/renamed-labels", volume, [*label_pairs(new)], [*old], order=0, steps=(step,))
    again = labelling(old, Rank.MENDS, ", and have their pool give it to new nodes")
    yield again.proposal(there, home.nodes_in_words(there))


def _with_driver(missing: Sequence[Unregistered], rank: Rank) -> NodeChange:
    """Nodes with the labels that the drivers of volumes give them once they are registered there."""
    labels = {key: value for each in missing for key, value in each.labels.items()}
    drivers = joined(list(dict.fromkeys(each.driver for each in missing)))

    def registered(node: Node) -> Node:
        return replace(node, metadata=replace(node.metadata, labels={**node.labels, **labels}))

    def words(nodes: str) -> str:
        return f"get the CSI driver {drivers} to run on {nodes}, where it is not registered"

    kind = (Action.CHECK_NODE, drivers, *sorted(labels.items()))
    return NodeChange(Action.CHECK_NODE, kind, registered, words, None, rank, order=0)


class AgainstVolumeZones(AgainstClaim[VolumeZoneFact]):
    """A volume is in another zone than the node."""

    def by_hand(self, fact: VolumeZoneFact) -> Proposal:
        return _restored(fact.claim)


class AgainstTopologies(AgainstClaim[TopologyFact]):
    """The class of a claim provisions no volumes for the node."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[TopologyFact]]) -> Iterator[Proposal]:
        """A node where the class makes volumes, unless it means those that there are by a label of another time."""
        name, facts = next(iter(facts_by_node.items()))
        allowed = (term for each in home.objected(name, TopologyNotAllowed)[:1] for term in chain(*each.allowed))
        wanted = [Requirement(key, "In", frozenset(values)) for key, values in allowed]
        if now := renamed_labels(wanted, values_by_key(home.cluster), only_known=True):
            yield proposed("topologies-renamed", facts[0], [*now.values()], [*now], order=0)
        else:
            yield proposed("node-of-class", facts[0], is_enough=None)
        yield from super().proposals(home, facts_by_node)

    def by_hand(self, fact: TopologyFact) -> Proposal:
        return proposed("allowed-topologies", ", ".join(label_pairs(fact.actual)) or "the node", fact)

    def at_node(self, node_info: NodeInfo, facts: Sequence[TopologyFact], home: Scene) -> Iterator[Proposal]:
        yield from of_other_class(facts[0].claim, home)


class AgainstStorageShortages(AgainstClaim[NotEnoughStorage]):
    """The driver has no room for a claim."""

    def nearest_first(
        self, facts_by_node: Mapping[str, Sequence[NotEnoughStorage]]
    ) -> Mapping[str, Sequence[NotEnoughStorage]]:
        """Those first that have most of it."""
        return dict(sorted(facts_by_node.items(), key=lambda each: -min(map(_share, each[1]))))

    def by_hand(self, fact: NotEnoughStorage) -> Proposal:
        effort = fact.requested_bytes - (fact.largest_bytes or 0)
        if not fact.largest_bytes:
            return proposed("storage/add", fact, effort=effort)
        return proposed("storage/less", fact, *sizes_text(fact), effort=effort)

    def at_node(self, node_info: NodeInfo, facts: Sequence[NotEnoughStorage], home: Scene) -> Iterator[Proposal]:
        """A smaller claim, or another class."""
        fact = facts[0]
        if fact.largest_bytes:
            rank = Rank.LOOSENS if _share(fact) >= MODERATE else Rank.LAST_RESORT
            yield from of_size(fact.claim, at_most(EPHEMERAL_STORAGE, fact.largest_bytes), home, rank)
        yield from of_other_class(fact.claim, home)


def _share(fact: NotEnoughStorage) -> float:
    """How much of a claim there is."""
    return (fact.largest_bytes or 0) / max(fact.requested_bytes, 1)


class AgainstVolumesProvisionedElsewhere(AgainstClaim[ProvisionedElsewhereFact]):
    """The volume of a claim is being provisioned for another node."""

    def at_node(
        self, node_info: NodeInfo, facts: Sequence[ProvisionedElsewhereFact], home: Scene
    ) -> Iterator[Proposal]:
        """The claim without the node that was chosen for it, so that the scheduler chooses again."""
        key, node = facts[0].claim, facts[0].node
        if facts[0].pod:
            # That pod would lose its volume.
            return
        namespace, _, name = key.partition("/")
        line = command("kubectl annotate pvc", name, f"{SELECTED_NODE}-", namespace=namespace)
        step = Step(PersistentVolumeClaim, namespace, name, _without_node, command=line)
        is_gone = node not in home.cluster.node_info_by_name
        rank = Rank.MENDS if is_gone else Rank.LOOSENS
        about = SELECTED_NODE, key, node if is_gone else ""
        yield proposed("selected-node", *about, rank=rank, order=1, steps=(step,))


def _without_node(claim: PersistentVolumeClaim) -> PersistentVolumeClaim:
    known = claim.metadata.annotations
    return replace(claim, metadata=replace(claim.metadata, annotations=known and replace(known, selected_node=None)))


def _restored(claim: str) -> Proposal:
    return Proposal(Action.CHANGE_STORAGE, restored([claim], ELSEWHERE), rank=Rank.ADDS_NODES)
