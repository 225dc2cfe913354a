"""Room that has to be left once nodes are gone: for the pods of a node or a zone that is lost, or a share of all."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.objects.node_pools import zone_of
from kexplain.report.replacing import movable, replaced
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import cordoned_in

_NODE, _ZONE = "N+1", "zone"
_RESOURCES = ("cpu", "memory")


class Headroom(Struct, frozen=True):
    """`kept` is N+1, zone, or a share such as 20%; empty keeps nothing."""

    kept: str = ""

    @classmethod
    def of(cls, text: str) -> "Headroom":
        """Headroom as it is written. Raises UsageError on anything else."""
        share = text.removesuffix("%")
        is_share = text.endswith("%") and share.isascii() and share.isdecimal() and int(share) < 100
        if text not in ("", _NODE, _ZONE) and not is_share:
            raise UsageError(f'"{text}" is no headroom to keep', "for instance N+1, zone or 20%")
        return cls(text)

    @property
    def lost(self) -> str:
        """What would not be true any more, as the end of a sentence."""
        if self.kept == _NODE:
            return "pods of another node would find no room if that one is lost"
        if self.kept == _ZONE:
            return "pods of a zone would find no room if that one is lost"
        return f"less than {self.kept} of the cluster would be free"

    def longest(
        self, scheduler: Scheduler, before: Cluster, names: Sequence[str], after: Callable[[int], Cluster]
    ) -> int:
        """How many of these nodes may go in their order, where `after` is the cluster once so many have gone.

        What cannot be lost as the cluster is now need not be lost then.
        """
        if not self.kept:
            return len(names)
        hopeless = set() if self._share else {*self._failing(scheduler, before, ())}
        low, high = 0, len(names)
        while low < high:
            middle = (low + high + 1) // 2
            failing = self._failing(scheduler, after(middle), names[:middle])
            is_kept = all(each in hopeless for each in failing)
            low, high = (middle, high) if is_kept else (low, middle - 1)
        return low

    @property
    def _share(self) -> int:
        return int(self.kept.removesuffix("%")) if self.kept.endswith("%") else 0

    def _failing(self, scheduler: Scheduler, cluster: Cluster, gone: Sequence[str]) -> Iterator[str]:
        """What could not be lost of the cluster without these nodes; or resources of which too little is free."""
        left = [info for info in cluster.node_infos if info.name not in gone]
        for resource in _RESOURCES if self._share else ():
            offered = sum(info.allocatable.amount(resource) for info in left)
            if sum(info.free(resource) for info in left) * 100 < offered * self._share:
                yield resource
        for name, infos in ({} if self._share else self._domains(left)).items():
            cut = cordoned_in(cluster, (info.name for info in infos))
            if replaced(scheduler, cut, [pod for info in infos for pod in movable(info)]).left is not None:
                yield name

    def _domains(self, infos: Sequence[NodeInfo]) -> dict[str, list[NodeInfo]]:
        """What may be lost at once, by its name."""
        return grouped((zone_of(info.labels) if self.kept == _ZONE else info.name, info) for info in infos)
