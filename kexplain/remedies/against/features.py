"""What helps against objections because of a class or a feature of the kubelet that is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.framework.evidence.devices import MissingDeviceClass, UndeclaredFeatures
from kexplain.objects.core import Pod
from kexplain.remedies import edits
from kexplain.remedies.against.against import Against
from kexplain.remedies.looser_claims import ACTION, doing_without, of_class
from kexplain.remedies.proposal import Certainty, Lift, Proposal
from kexplain.words import did_you_mean, near


class AgainstMissingDeviceClasses(Against[MissingDeviceClass]):
    """A device class does not exist."""

    fact = MissingDeviceClass

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[MissingDeviceClass]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Do without all claims: which of them asks for the class, the fact does not say."""
        yield from doing_without(edits.claims_of(pod), pod)

    def lift(self, fact: MissingDeviceClass) -> Lift:
        """Create it."""
        meant = did_you_mean(fact.device_class, fact.known)
        text = f"create device class {fact.device_class}" + (f" ({meant})" if meant else "")
        return Lift(ACTION, text, certainty=Certainty.NEEDED_ANYWHERE)

    def here(self, node_info: NodeInfo, facts: Sequence[MissingDeviceClass], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Another class."""
        fact = facts[0]
        for known in near(fact.device_class, fact.known) or fact.known[:2]:
            yield from of_class(fact.request, fact.device_class, known, lookup)


class AgainstKubeletFeatures(Against[UndeclaredFeatures]):
    """The node's kubelet lacks features that the pod uses."""

    fact = UndeclaredFeatures

    def lift(self, fact: UndeclaredFeatures) -> Lift:
        """Turn them on."""
        return Lift(ACTION, f"enable {' and '.join(fact.features)} in the kubelet")
