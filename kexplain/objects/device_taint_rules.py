"""Taints that administrators put on devices."""

from kexplain.objects.meta import KubernetesObject, Record
from kexplain.objects.resource import DeviceSelector, DeviceTaint


class DeviceTaintSelector(Record, frozen=True):
    """The devices that a rule is about; what is left open selects all. Class and expressions are for 1.33 and 1.34."""

    device_class_name: str | None = None
    driver: str | None = None
    pool: str | None = None
    device: str | None = None
    selectors: tuple[DeviceSelector, ...] | None = None


class DeviceTaintRuleSpec(Record, frozen=True):
    """A taint and the devices that have it; releases differ in which these are without a selector."""

    device_selector: DeviceTaintSelector | None = None
    taint: DeviceTaint = DeviceTaint()


class DeviceTaintRule(KubernetesObject, frozen=True, tag_field="kind", tag="DeviceTaintRule", eq=False):
    """Taints devices as if their driver had said so in the slice."""

    spec: DeviceTaintRuleSpec = DeviceTaintRuleSpec()
