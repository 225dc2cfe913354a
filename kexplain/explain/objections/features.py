"""Objections because something is missing that a pod's devices or fields need: a class, or a kubelet's feature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.looser_claims import ACTION, doing_without, of_class
from kexplain.explain.objections.devices import CLAIMS
from kexplain.explain.objections.objection import Certainty, Lift, Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.framework.evidence.devices import MissingDeviceClass, UndeclaredFeatures
from kexplain.objects.core import Pod
from kexplain.words import did_you_mean, near, some


class MissingDeviceClassFact(Fact, frozen=True, tag="MissingDeviceClass"):
    """A request names a class that does not exist; `known` are those that do."""

    request: str
    device_class: str
    known: tuple[str, ...] = ()


class MissingDeviceClasses(Objection[MissingDeviceClass, MissingDeviceClassFact]):
    """A device class does not exist."""

    evidence = MissingDeviceClass
    fact = MissingDeviceClassFact
    fields = (CLAIMS,)

    def words(self, fact: MissingDeviceClassFact) -> str:
        """The class, and those that exist."""
        known = f"; existing classes: {some(fact.known)}" if fact.known else ""
        return f"request {fact.request}: device class {fact.device_class} does not exist{known}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[MissingDeviceClassFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Do without all claims: which of them asks for the class, the fact does not say."""
        yield from doing_without(edits.claims_of(pod), pod)

    def lift(self, fact: MissingDeviceClassFact) -> Lift:
        """Create it."""
        meant = did_you_mean(fact.device_class, fact.known)
        text = f"create device class {fact.device_class}" + (f" ({meant})" if meant else "")
        return Lift(ACTION, text, certainty=Certainty.NEEDED_ANYWHERE)

    def here(self, node_info: NodeInfo, facts: Sequence[MissingDeviceClassFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Another class."""
        fact = facts[0]
        for known in near(fact.device_class, fact.known) or fact.known[:2]:
            yield from of_class(fact.request, fact.device_class, known, lookup)


class UndeclaredFeaturesFact(Fact, frozen=True, tag="UndeclaredFeatures"):
    """Features of the kubelet that the pod uses and the node does not declare."""

    features: tuple[str, ...]


class KubeletFeatures(Objection[UndeclaredFeatures, UndeclaredFeaturesFact]):
    """The node's kubelet lacks features that the pod uses."""

    evidence = UndeclaredFeatures
    fact = UndeclaredFeaturesFact
    fields = ()

    def words(self, fact: UndeclaredFeaturesFact) -> str:
        """The features."""
        return f"kubelet does not declare {' and '.join(fact.features)}"

    def lift(self, fact: UndeclaredFeaturesFact) -> Lift:
        """Turn them on."""
        return Lift(ACTION, f"enable {' and '.join(fact.features)} in the kubelet")
