"""Objections because something is missing that a pod's devices or fields need: a class, or a kubelet's feature."""

from __future__ import annotations

from kexplain.explain.objections.devices import CLAIMS
from kexplain.explain.objections.objection import Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence.devices import MissingDeviceClass, UndeclaredFeatures
from kexplain.words import some


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
