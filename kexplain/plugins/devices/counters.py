"""Counters that the devices of a pool share."""

from __future__ import annotations

from kexplain.objects import quantity
from kexplain.plugins.devices.allocated import AllocatedState
from kexplain.plugins.devices.inventory import Offer, Pool

#: Nanos by the name of a pool, of a counter set and of a counter.
CountersByPool = dict[str, dict[str, dict[str, int]]]


class Counters:
    """What the devices picked on one node take of the counters of their pools; pools go by their bare name."""

    def __init__(self, state: AllocatedState, left_by_pool: CountersByPool) -> None:
        """`left_by_pool` is shared by all nodes: the first node that asks decides what is left, as upstream."""
        self._state = state
        self._left_by_pool = left_by_pool
        self._taken_by_pool: CountersByPool = {}

    def take(self, pool: Pool, offer: Offer) -> bool:
        """Whether the counters that the device takes are left; they are taken then."""
        available = self._left_by_pool.get(pool.id.pool)
        if available is None:
            available = self._left_by_pool[pool.id.pool] = self._left(pool)
        self._count(pool, offer, 1)
        consumed = self._taken_by_pool[pool.id.pool]
        for set_name, counters in available.items():
            taken = consumed.get(set_name, {})
            if any(nanos < taken.get(name, 0) for name, nanos in counters.items()):
                self._count(pool, offer, -1)
                return False
        return True

    def put_back(self, pool: Pool, offer: Offer) -> None:
        """Undo a take."""
        self._count(pool, offer, -1)

    def _left(self, pool: Pool) -> dict[str, dict[str, int]]:
        left = {
            name: {counter: quantity.parse(each.value) for counter, each in (counter_set.counters or {}).items()}
            for name, counter_set in (pool.counter_sets or {}).items()
        }
        for offer in (*pool.offers, *pool.elsewhere):
            if self._state.is_allocated(offer.id):
                for consumption in offer.device.consumes_counters or ():
                    counters = left.get(consumption.counter_set, {})
                    for name, each in (consumption.counters or {}).items():
                        if name in counters:
                            counters[name] -= quantity.parse(each.value)
        return left

    def _count(self, pool: Pool, offer: Offer, sign: int) -> None:
        by_set = self._taken_by_pool.setdefault(pool.id.pool, {})
        for consumption in offer.device.consumes_counters or ():
            counters = by_set.setdefault(consumption.counter_set, {})
            for name, each in (consumption.counters or {}).items():
                counters[name] = counters.get(name, 0) + sign * quantity.parse(each.value)
