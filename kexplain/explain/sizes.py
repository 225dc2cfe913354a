"""How large the nodes may be that a NodePool adds, where anything says so."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.objects.instance_types import InstanceType
from kexplain.objects.label_values import LabelValues
from kexplain.objects.requests import CPU, MEMORY, resource_units
from kexplain.objects.selectors import parse_int64
from kexplain.objects.well_known import INSTANCE_TYPE
from kexplain.tables import table

GPU = "nvidia.com/gpu"
#: The labels that say how much a machine has, and the unit of each. Source: the labels of Karpenter's providers.
_UNITS = table("machine-size-labels", dict[str, tuple[str, int]])
#: More combinations of sizes are not looked at.
_MOST = 1000


class Size(Struct, frozen=True):
    """What a node has in all, as far as that is known; `name` is that of an instance type, or empty.

    One that is not exact stands for a range of which it is an end.
    """

    name: str
    amounts: Mapping[str, int]
    is_exact: bool = True

    def is_enough(self, needed: Mapping[str, int]) -> bool:
        """Whether nothing that is known is too little."""
        return all(self.amounts.get(name, least) >= least for name, least in needed.items())


def sizes_of(offered: Mapping[str, LabelValues], cluster: Cluster) -> list[Size] | None:
    """The sizes that a pool's requirements leave; None where nobody knows all of them."""
    table = cluster.listers.every(InstanceType)
    if table:
        left = (each for each in table if _may_be(each.node_labels, offered))
        return [Size(each.name, each.amounts) for each in left]
    return _seen(offered, cluster) or named(offered)


def _may_be(labels: Mapping[str, str], offered: Mapping[str, LabelValues]) -> bool:
    """Whether a machine with these labels is one that is offered."""
    known = (offer for key, offer in offered.items() if key in labels)
    return all((offer & LabelValues(offer.key, frozenset((labels[offer.key],)))).values for offer in known)


def _seen(offered: Mapping[str, LabelValues], cluster: Cluster) -> list[Size] | None:
    """The sizes of the types that are required by name, if there are nodes of each."""
    offer = offered.get(INSTANCE_TYPE)
    if offer is None or offer.is_open or not offer.values:
        return None
    found: dict[str, Size] = {}
    for info in _of_types(offer, cluster):
        name, capacity = info.labels[INSTANCE_TYPE], info.node.status.capacity
        if name not in found and capacity:
            amounts = {key: capacity[key] for key in (CPU, MEMORY) if key in capacity}
            found[name] = Size(name, {key: resource_units(key, str(raw)) for key, raw in amounts.items()})
    return [*found.values()] if len(found) == len(offer.values) else None


def _of_types(offer: LabelValues, cluster: Cluster) -> Iterator[NodeInfo]:
    return (info for info in cluster.node_infos if info.labels.get(INSTANCE_TYPE, "") in offer.values)


def may_bring(offered: Mapping[str, LabelValues], resource: str, cluster: Cluster) -> bool:
    """Whether a new machine may have the resource: not where machines of all types are there, and none has it."""
    if _seen(offered, cluster) is None:
        return True
    return any(info.allocatable.amount(resource) for info in _of_types(offered[INSTANCE_TYPE], cluster))


def named(offered: Mapping[str, LabelValues]) -> list[Size] | None:
    """The amounts that the requirements allow, where they bound them from above."""
    bounds = [list(_amounts(offer, *_UNITS[key])) for key, offer in offered.items() if key in _UNITS]
    bounds = [each for each in bounds if each]
    if not bounds:
        return None
    combined = (dict(each) for each, _ in zip(product(*bounds), range(_MOST), strict=False))
    is_exact = not any(offer.is_open for key, offer in offered.items() if key in _UNITS)
    return [Size("", amounts, is_exact) for amounts in combined]


def _amounts(offer: LabelValues, name: str, unit: int) -> Iterator[tuple[str, int]]:
    if not offer.is_open:
        for value in offer.values:
            number = parse_int64(value)
            if number is not None:
                yield name, number * unit
    elif offer.most is not None:
        if offer.least is not None:
            yield name, offer.least * unit
        yield name, offer.most * unit


def largest(sizes: Sequence[Size], name: str) -> int:
    """The most that any has of a resource."""
    return max((each.amounts[name] for each in sizes if name in each.amounts), default=0)
