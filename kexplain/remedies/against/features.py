"""What helps against objections because of a class or a feature of the kubelet that is missing."""

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence.devices import MissingDeviceClass, UndeclaredFeatures
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.looser_claims import doing_without, of_class
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action
from kexplain.words import did_you_mean, near


class AgainstMissingDeviceClasses(Against[MissingDeviceClass]):
    """A device class does not exist."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[MissingDeviceClass]]) -> Iterator[Proposal]:
        """Do without all claims: which of them asks for the class, the fact does not say."""
        yield from doing_without(pod_edits.claims_of(home.pod), home.pod)

    def by_hand(self, fact: MissingDeviceClass) -> Proposal:
        return proposed("devices/class", fact, did_you_mean(fact.device_class, fact.known), is_enough=None)

    def at_node(self, node_info: NodeInfo, facts: Sequence[MissingDeviceClass], home: Scene) -> Iterator[Proposal]:
        fact = facts[0]
        for known in near(fact.device_class, fact.known) or fact.known[:2]:
            yield from of_class(fact.request, fact.device_class, known, home)


class AgainstKubeletFeatures(Against[UndeclaredFeatures]):
    """The node's kubelet lacks features that the pod uses."""

    def by_hand(self, fact: UndeclaredFeatures) -> Proposal:
        return Proposal(Action.CHANGE_DEVICES, f"enable {' and '.join(fact.features)} in the kubelet")
