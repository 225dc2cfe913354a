"""Which nodes stand together: by zone, and by pool."""

from collections.abc import Iterable, Sequence

from kexplain.cluster import Cluster
from kexplain.diagnosis.pool_members import pool_members
from kexplain.explain.output import Output
from kexplain.grouping import grouped
from kexplain.objects.core import Node
from kexplain.objects.node_pools import pools, zone_of


class NodePlaces(Output, frozen=True):
    """The names of the nodes by zone and by pool; those of no zone stand under none, and pools may be shapes."""

    zones: dict[str, tuple[str, ...]]
    pools: dict[str, tuple[str, ...]]


class OutOfService(Output, frozen=True):
    """Nodes that take no pods at the moment, whoever asks, and why; and what drains of them wait for."""

    trouble: str
    nodes: tuple[str, ...]
    drains: tuple[str, ...] = ()


def out_of_service(cluster: Cluster, *, is_full: bool) -> tuple[OutOfService, ...]:
    """By what ails them first of all, those first that ails most; where that `is_full`, also without a cordon."""
    if not (is_full or any(info.node.spec.unschedulable for info in cluster.node_infos)):
        return ()
    # Only the overview shows it.
    from kexplain.diagnosis.judges.service import stuck_drain  # noqa: PLC0415

    def made(trouble: str, names: Sequence[str]) -> OutOfService:
        drains = filter(None, (stuck_drain(name, cluster) for name in names))
        return OutOfService(trouble=trouble, nodes=tuple(names), drains=tuple(map(str, drains)))

    services = ((name, member.service) for name, member in pool_members(cluster).items())
    by_trouble = grouped((service.troubles[0].value, name) for name, service in services if service)
    largest_first = sorted(by_trouble.items(), key=lambda each: -len(each[1]))
    return tuple(made(trouble, nodes) for trouble, nodes in largest_first)


def node_places(nodes: Iterable[Node]) -> NodePlaces:
    """The nodes by zone and by pool, as maps of nodes group them."""
    listed = list(nodes)
    zones = grouped((zone, node.name) for node in listed if (zone := zone_of(node.labels)))
    by_pool = {pool: tuple(node.name for node in members) for pool, members in pools(listed).items()}
    return NodePlaces(zones={zone: tuple(names) for zone, names in zones.items()}, pools=by_pool)
