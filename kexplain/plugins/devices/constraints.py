"""What the devices of a claim must have in common, or must not. Source: allocator `constraint.go`."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.framework.features import Features
from kexplain.objects.resource import Device, DeviceAttribute, DeviceConstraint
from kexplain.plugins.devices.channels import knows_sharing

_Value = tuple[str, int | bool | str]


#: The values of a list, or the one value of what is none, in upstream's words a set.
_Values = frozenset[_Value]


def attribute_value(device: Device, driver: str, name: str) -> _Value | None:
    """The value under a full name, or under the bare one if the name is in the driver's own domain."""
    attribute = _attribute(device, driver, name)
    if attribute is None:
        return None
    return _UNKNOWN if attribute.value is None else attribute.value


def _attribute(device: Device, driver: str, name: str) -> DeviceAttribute | None:
    attributes = device.attributes or {}
    attribute = attributes.get(name)
    if attribute is not None:
        return attribute
    domain, slash, bare = name.partition("/")
    return attributes.get(bare) if slash and domain == driver else None


#: An attribute of a type that is not known here: it is there, but matches nothing.
_UNKNOWN: _Value = ("unknown", "")


class Constraint(Struct, eq=False):
    """A constraint, and the devices of the allocation in progress that it holds for."""

    constraint: DeviceConstraint
    _devices: int = 0

    def add(self, request: str, subrequest: str, device: Device, driver: str) -> bool:
        """Whether the device may join; it has joined then."""
        if not self.applies(request, subrequest):
            return True
        if not self._takes(request, device, driver):
            return False
        self._devices += 1
        return True

    def _takes(self, request: str, device: Device, driver: str) -> bool:
        value = attribute_value(device, driver, self.attribute)
        return value is not None and self._admits(request, self._compared(device, value))

    def remove(self, request: str, subrequest: str) -> None:
        """Take back what an `add` with the same names did."""
        if self.applies(request, subrequest):
            self._devices -= 1
            self._forget(request)

    @property
    def attribute(self) -> str:
        """The name of what it compares."""
        return self.constraint.match_attribute or self.constraint.distinct_attribute or ""

    def applies(self, request: str, subrequest: str) -> bool:
        """Whether it is about devices of that request."""
        names = {request, f"{request}/{subrequest}"} if subrequest else {request}
        return not self.constraint.requests or not names.isdisjoint(self.constraint.requests)

    def _compared(self, device: Device, value: _Value) -> _Value:
        return value

    def _admits(self, request: str, value: _Value) -> bool:
        raise NotImplementedError

    def _forget(self, request: str) -> None:
        """Nothing to forget, unless a subclass remembers by request."""


class MatchAttribute(Constraint, eq=False):
    """All devices have the same value; the first one says which."""

    _value: _Value | None = None

    def _admits(self, request: str, value: _Value) -> bool:
        if self._devices == 0:
            self._value = value
            return True
        return value is not _UNKNOWN and value == self._value


class DistinctAttribute(Constraint, eq=False):
    """All devices have different values.

    As upstream, only the latest value of each request is remembered.
    """

    _value_by_request: dict[str, _Value] = {}

    def _admits(self, request: str, value: _Value) -> bool:
        values = self._value_by_request.values()
        if self._devices > 0 and values and (value is _UNKNOWN or value in values):
            return False
        self._value_by_request[request] = value
        return True

    def _forget(self, request: str) -> None:
        self._value_by_request.pop(request, None)


class EveryDistinctAttribute(Constraint, eq=False):
    """All devices have different values, each of which is remembered."""

    _values: list[tuple[str, _Value]] = []

    def _admits(self, request: str, value: _Value) -> bool:
        if self._values and (value is _UNKNOWN or any(value == known for _, known in self._values)):
            return False
        self._values.append((request, value))
        return True

    def _forget(self, request: str) -> None:
        """The latest of the request goes, as picks are undone in the order opposite to that in which they came."""
        latest = max(place for place, (known, _) in enumerate(self._values) if known == request)
        del self._values[latest]


class DistinctDevices(DistinctAttribute, eq=False):
    """Meant as DistinctAttribute; in 1.34 only one and the same device counts as equal to itself."""

    def _compared(self, device: Device, value: _Value) -> _Value:
        return value if value is _UNKNOWN else ("device", id(device))


class _OfSets(Constraint, eq=False):
    """Attributes are compared as sets, whether they are lists or not. Source: `attributeAsSet`."""

    #: What is known after each device, latest last.
    _known: list[_Values] = []

    def _takes(self, request: str, device: Device, driver: str) -> bool:
        attribute = _attribute(device, driver, self.attribute)
        if attribute is None:
            return False
        kind, items = attribute.values or ("", ())
        listed = frozenset((kind, item) for item in items)
        values = listed or frozenset([attribute.value] if attribute.value is not None else [])
        known = self._joined(values) if values else None
        if known is None:
            return False
        self._known.append(known)
        return True

    def _joined(self, values: _Values) -> _Values | None:
        """What is known with these, too; None if they may not join."""
        raise NotImplementedError

    def _forget(self, request: str) -> None:
        """Picks are undone in the order opposite to that in which they came."""
        self._known.pop()


class MatchSet(_OfSets, eq=False):
    """All devices have a value in common."""

    def _joined(self, values: _Values) -> _Values | None:
        return (values & self._known[-1] if self._known else values) or None


class DistinctSets(_OfSets, eq=False):
    """No two devices have a value in common."""

    def _joined(self, values: _Values) -> _Values | None:
        return None if self._known and values & self._known[-1] else values.union(*self._known[-1:])


def constraints_of(constraints: Sequence[DeviceConstraint], features: Features) -> list[Constraint] | int:
    """The constraints of a claim with no devices yet, or the index of one of a kind that is not known."""
    distinct: type[Constraint] = DistinctAttribute if features.distinct_attributes_are_compared else DistinctDevices
    if features.distinct_values_are_all_remembered:
        distinct = EveryDistinctAttribute
    match: type[Constraint] = MatchAttribute
    if features.list_attributes and features.lists_are_known:
        match, distinct = MatchSet, DistinctSets
    made: list[Constraint] = []
    for index, each in enumerate(constraints):
        if each.match_attribute is not None:
            made.append(match(each))
        elif each.distinct_attribute is not None and knows_sharing(features):
            made.append(distinct(each))
        else:
            return index
    return made
