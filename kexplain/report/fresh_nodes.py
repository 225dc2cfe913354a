"""Fresh nodes that take in the pods of those that are drained."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from kexplain.cluster import Cluster
from kexplain.diagnosis.diagnose import diagnose
from kexplain.explain.pools import pools
from kexplain.framework.trace import Decision
from kexplain.objects.node_pools import pool_names
from kexplain.remedies.more_nodes import known_of
from kexplain.remedies.new_nodes import new_nodes
from kexplain.remedies.raised_limits import raised_limit

#: Nodes of so many other pools are tried.
_POOLS = 2


def models_of(
    leaving: Sequence[str], names: Collection[str], cluster: Cluster, decision: Decision
) -> Iterator[Sequence[str]]:
    """The nodes like which fresh ones are added: those that pods are leaving, which are drained by these names.

    Where all nodes of their pools are, those come first that stay where the pod of the decision belongs.
    """
    pool_of = pool_names(info.node for info in cluster.node_infos)
    staying = {pool for name, pool in pool_of.items() if name not in names}
    if all(pool_of[name] not in staying for name in leaving):
        found = diagnose(decision)
        others = {pool_of[name]: [name] for name in (found.candidates if found else ()) if name not in names}
        yield from islice(others.values(), _POOLS)
    yield leaving


def raised_first(decision: Decision, like: str, count: int) -> str:
    """What has to be raised for an autoscaler to add so many nodes like one, and then; empty where nothing has to."""
    cluster = decision.cluster
    pool = next(each for each in pools(cluster) if like in each.names)
    new, node = known_of(pool, new_nodes(decision, None)), cluster.node_info_by_name[like].node
    raised = raised_limit(new, pool, node, cluster, count) if new.refused or new.caution else None
    return f"{raised[0]}, and " if raised else ""
