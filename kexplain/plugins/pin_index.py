"""Finds what a node may reach, so that thousands of things that each belong to one node cost a node one look-up."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from kexplain.grouping import grouped
from kexplain.objects.selectors import Requirement

#: A label's key and value.
Pin = tuple[str, str]


class PinIndex:
    """The positions of things by labels of which a node must have one; None for things that are not so pinned."""

    def __init__(self, pins: Iterable[Collection[Pin] | None]) -> None:
        listed = [*enumerate(pins)]
        self._anywhere = [position for position, each in listed if each is None]
        self._by_pin = grouped((pin, position) for position, each in listed for pin in each or ())
        self._keys = tuple(dict.fromkeys(key for key, _ in self._by_pin))

    def positions(self, labels: Mapping[str, str]) -> Iterable[int]:
        """The positions of what a node with these labels may reach, in order."""
        found = [
            positions
            for key in self._keys
            if key in labels and (positions := self._by_pin.get((key, labels[key]))) is not None
        ]
        if not found:
            return self._anywhere
        if len(found) == 1 and not self._anywhere:
            return found[0]
        return sorted({position for positions in (self._anywhere, *found) for position in positions})


def pins_of(requirements: Sequence[Requirement]) -> set[Pin] | None:
    """Labels of which a node must have one, if all these are required; None if that cannot be said."""
    pin = next((each for each in requirements if each.operator == "In"), None)
    return None if pin is None else {(pin.key, value) for value in pin.values}
