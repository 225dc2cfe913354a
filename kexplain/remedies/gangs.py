"""Gangs that no queue bounds, and that ask for more at once than all nodes have left."""

from collections.abc import Iterator
from contextlib import suppress

from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.pool_members import pool_members
from kexplain.diagnosis.records import Held, Kind
from kexplain.explain.wording import amount
from kexplain.objects.quantity import QuantityError
from kexplain.objects.queues import PodGroup
from kexplain.objects.requests import resource_units
from kexplain.objects.untrusted import number, texts
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Helps


def beyond_all_nodes(found: Held, cluster: Cluster) -> tuple[Held, Helps] | None:
    """That a group which is not let in asks for more than that, and what helps; None where it does not.

    Source: Volcano `plugins/overcommit`, which lets no group in then. Until it is let in it has no pods.
    """
    kind, _, key = found.hold.object.partition(" ")
    if found.kind is not Kind.QUEUE_WAITING_FOR_QUOTA or kind != PodGroup.__name__ or found.hold.quota:
        return None
    group = cluster.listers.at(PodGroup, key)
    for resource, needed, left in _short(group, cluster) if group else ():
        about = {"needed": amount(resource, needed), "resource": resource, "left": amount(resource, left)}
        fewest = number(group.spec, "minMember") if group else None
        more = found.with_text(f"{found.clause}: {told('group-beyond-nodes', **about)}")
        return more, (advice("nodes-for-group", amount(resource, needed - left), resource, fewest),)
    return None


def _short(group: PodGroup, cluster: Cluster) -> Iterator[tuple[str, int, int]]:
    """The resources of which it asks for more at once than the nodes in service have left together."""
    members = pool_members(cluster)
    infos = [info for info in cluster.node_infos if members[info.name].service is None]
    for resource, raw in texts(group.spec, "minResources").items():
        left = sum(max(info.free(resource), 0) for info in infos)
        with suppress(QuantityError):
            if (needed := resource_units(resource, raw)) > left:
                yield resource, needed, left
