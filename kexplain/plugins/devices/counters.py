"""Counters that devices share: those of a pool, or of a slice before 1.35."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from kexplain.framework.features import Features
from kexplain.objects import quantity
from kexplain.objects.resource import Counter, CounterSet, Device
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.inventory import DeviceID, Offer, Pool

#: Nanos by the name of a pool (or slice), of a counter set and of a counter.
CountersByPool = dict[str, dict[str, dict[str, int]]]


class Counters:
    """What the devices picked on one node take of the counters of their pools, in some releases by their bare name."""

    def __init__(self, state: AllocatedState, left_by_pool: CountersByPool, features: Features) -> None:
        """`left_by_pool` is shared by all nodes: the first node that asks decides what is left, as upstream."""
        self._state = state
        self._left_by_pool = left_by_pool
        self._features = features
        self._taken_by_pool: CountersByPool = {}
        self._drawing: list[tuple[str, Device]] = []

    def take(self, pool: Pool, offer: Offer) -> bool:
        """Whether the counters that the device takes are left, for it beside the others; they are taken then."""
        scope = self._scope(pool, offer)
        available = self._left_by_pool.get(scope)
        if available is None:
            available = self._left_by_pool[scope] = self._left(pool, offer)
        self._count(pool, offer, 1)
        consumed = self._taken_by_pool[scope]
        for set_name, counters in available.items():
            taken = consumed.get(set_name, {})
            if any(nanos < taken.get(name, 0) for name, nanos in counters.items()):
                self._count(pool, offer, -1)
                return False
        if self._features.compatibility_groups and not self._is_compatible(pool, offer):
            self._count(pool, offer, -1)
            return False
        self._drawing.append((scope, offer.device))
        return True

    def _is_compatible(self, pool: Pool, offer: Offer) -> bool:
        """Whether the device has a group in common with all that draw on its counter sets, or none has any."""
        allocated = (each.device for each in (*pool.offers, *pool.elsewhere) if self._is_drawing(each))
        scope = self._scope(pool, offer)
        drawing = (*allocated, *(device for where, device in self._drawing if where == scope))
        return all(
            _may_join([groups for device in drawing for groups in _groups(device, consumption.counter_set)], own)
            for consumption in offer.device.consumes_counters or ()
            for own in (frozenset(consumption.compatibility_groups or ()),)
        )

    def put_back(self, pool: Pool, offer: Offer) -> None:
        """Undo a take."""
        self._count(pool, offer, -1)
        self._drawing.remove((self._scope(pool, offer), offer.device))

    def _scope(self, pool: Pool, offer: Offer) -> str:
        """The name of what the device shares counters in."""
        if self._features.counters_go_by_driver:
            return str(pool.id)
        return pool.id.pool if self._features.device_counters_are_of_pools else offer.slice.name

    def _left(self, pool: Pool, offer: Offer) -> dict[str, dict[str, int]]:
        counter_sets: Iterable[CounterSet] = (pool.counter_sets or {}).values()
        sharing: Iterable[Offer] = (*pool.offers, *pool.elsewhere)
        if not self._features.device_counters_are_of_pools:
            counter_sets = offer.slice.spec.shared_counters or ()
            sharing = [each for each in pool.offers if each.slice is offer.slice]
        return _left_by(filter(self._is_drawing, sharing), counter_sets)

    def _is_drawing(self, offer: Offer) -> bool:
        if self._features.shared_devices_draw_on_counters:
            return self._state.is_allocated(offer.id)
        return offer.id in self._state.devices

    def _count(self, pool: Pool, offer: Offer, sign: int) -> None:
        by_set = self._taken_by_pool.setdefault(self._scope(pool, offer), {})
        for counter_set, name, nanos in _drawn(offer):
            counters = by_set.setdefault(counter_set, {})
            counters[name] = counters.get(name, 0) + sign * nanos


def _drawn(offer: Offer) -> Iterator[tuple[str, str, int]]:
    """What the device draws of counters, by their sets and names."""
    for consumption in offer.device.consumes_counters or ():
        yield from ((consumption.counter_set, name, nanos) for name, nanos in _nanos(consumption.counters).items())


def _left_by(offers: Iterable[Offer], counter_sets: Iterable[CounterSet]) -> dict[str, dict[str, int]]:
    """What these devices leave of the counters that are there."""
    left = {each.name: _nanos(each.counters) for each in counter_sets}
    for counter_set, name, nanos in chain.from_iterable(map(_drawn, offers)):
        if name in left.get(counter_set, {}):
            left[counter_set][name] -= nanos
    return left


def _groups(device: Device, counter_set: str) -> Iterator[frozenset[str]]:
    """The groups of a device on a counter set that it draws on."""
    for consumption in device.consumes_counters or ():
        if consumption.counter_set == counter_set:
            yield frozenset(consumption.compatibility_groups or ())


def _may_join(others: Sequence[frozenset[str]], own: frozenset[str]) -> bool:
    """Source: `compatibilityGroupIntersection`: what does not agree with those before it changes nothing."""
    if not others:
        return True
    common = others[0]
    for groups in others[1:]:
        if others[0] and groups:
            common &= groups
    return bool(common & own) if others[0] and own else not others[0] and not own


def has_counters_left(pool: Pool, offer: Offer, is_in_use: Callable[[DeviceID], bool]) -> bool:
    """Whether every counter that the device takes is there, and what devices in use leave of it is enough.

    Source: `checkAvailableCapacity` up to 1.33.
    """
    in_use = (each for each in pool.offers if each.slice is offer.slice and is_in_use(each.id))
    left = _left_by(in_use, offer.slice.spec.shared_counters or ())
    return all(left.get(counter_set, {}).get(name, -1) >= nanos for counter_set, name, nanos in _drawn(offer))


def _nanos(counters: Mapping[str, Counter] | None) -> dict[str, int]:
    return {name: quantity.parse(each.value) for name, each in (counters or {}).items()}
