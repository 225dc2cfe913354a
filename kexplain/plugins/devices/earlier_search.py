"""The search for devices as it was up to 1.33, whatever gates were on. Source: `structured/allocator.go` until then."""

from contextlib import suppress

from kexplain.objects.resource import AllocationResult
from kexplain.plugins.devices.counters import has_counters_left
from kexplain.plugins.devices.errors import AllocationError
from kexplain.plugins.devices.inventory import DeviceID, Offer, Pool
from kexplain.plugins.devices.picks import Found, RequestData, RequestKey, invalid_pool_error
from kexplain.plugins.devices.search import Search


class _Stopped(Exception):  # noqa: N818 - a way out of the search, not an error
    """No other device is tried."""


class EarlierSearch(Search):
    """Devices go to administrators without a look at who has them, and picks of all devices are never undone."""

    def run(self) -> list[AllocationResult] | None:
        with suppress(_Stopped):
            return super().run()
        return None

    def _allocate_all(self, key: RequestKey, data: RequestData, device: int, *, is_alternative: bool) -> Found:
        offer = data.every[device]
        takes_what_is_free = self._features.all_devices_are_all_that_are_free
        is_picked = self._pick(key, data, data.pools[offer.id], offer, device, must=True)
        if not is_picked and not takes_what_is_free:
            return self._give_up()
        found = self._allocate_one(self._same_request(key), device + 1, is_alternative=is_alternative, start=0)
        if found is not Found.YES and takes_what_is_free:
            raise AllocationError("stop allocation")
        return found

    def _give_up(self) -> Found:
        """All devices cannot be had: the end of the search, or of this branch of it."""
        if self._features.search_ends_without_all_devices:
            raise _Stopped
        return Found.NO

    def _start_after(self, data: RequestData, index: int) -> int:
        """The same device will do again with administrative access."""
        return 0 if data.has_admin_access else super()._start_after(data, index)

    def _may_be_tried(self, key: RequestKey, data: RequestData, pool: Pool, offer: Offer) -> bool:
        if not data.has_admin_access and self._is_in_use(offer.id):
            return False
        if not self._selection.selects(key, data, self._claims[key.claim], offer):
            return False
        if pool.invalid_reason:
            raise invalid_pool_error(pool)
        return True

    def _may_be_given(self, key: RequestKey, data: RequestData, device: DeviceID, *, is_shared: bool) -> bool:
        return data.has_admin_access or not self._is_in_use(device)

    def _mark(self, key: RequestKey, data: RequestData, device: DeviceID) -> None:
        if not data.has_admin_access:
            super()._mark(key, data, device)

    def _unmark(self, key: RequestKey, data: RequestData, device: DeviceID) -> None:
        if not data.has_admin_access:
            super()._unmark(key, data, device)

    def _take_counters(self, pool: Pool, offer: Offer) -> bool:
        return not self._features.partitionable_devices or has_counters_left(pool, offer, self._is_in_use)

    def _put_back_counters(self, pool: Pool, offer: Offer) -> None:
        """Nothing is kept of what was taken."""
