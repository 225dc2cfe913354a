"""Objections because something is missing that a pod's devices or fields need: a class, or a kubelet's feature."""

from kexplain.explain.objections.devices import CLAIMS
from kexplain.explain.objections.objection import Objection
from kexplain.framework.evidence.devices import MissingDeviceClass, UndeclaredFeatures
from kexplain.words import some


class MissingDeviceClasses(Objection[MissingDeviceClass, MissingDeviceClass]):
    """A device class does not exist."""

    fields = (CLAIMS,)

    def words(self, fact: MissingDeviceClass) -> str:
        known = f"; existing classes: {some(fact.known)}" if fact.known else ""
        return f"request {fact.request}: device class {fact.device_class} does not exist{known}"


class KubeletFeatures(Objection[UndeclaredFeatures, UndeclaredFeatures]):
    """The node's kubelet lacks features that the pod uses."""

    def words(self, fact: UndeclaredFeatures) -> str:
        return f"kubelet does not declare {' and '.join(fact.features)}"
