"""What lets a pod be evicted that its disruption budget keeps, though all that it counts run."""

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.diagnosis.components import maker_of
from kexplain.objects.core import Pod
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Remedy
from kexplain.scheduler.draining import EvictionBudgets, counted


def sparing_one(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """That the only budget of a pod spares one of those that it counts, where it can be evicted then."""
    protecting = EvictionBudgets(cluster).protecting(pod)
    if len(protecting) != 1:
        return
    budget, (_, kind, name) = protecting[0].budget, maker_of(pod)
    sparing = replace(budget, spec=replace(budget.spec, max_unavailable=1, min_available=None))
    if not counted(sparing, protecting[0].selector, cluster).status.disruptions_allowed:
        return
    least = budget.spec.min_available
    now = {"minAvailable": least, "maxUnavailable": budget.spec.max_unavailable}
    said = ", ".join(f"{field} {value}" for field, value in now.items() if value is not None)
    # Of a share, or of all but so many, each further pod raises how many have to run.
    healthy = counted(budget, protecting[0].selector, cluster).status.current_healthy or 0
    lacking = least + 1 - healthy if isinstance(least, int) and kind != "Pod" else 0
    more = lacking if lacking > 0 else None
    yield advice("spare-one", budget, said, more, f"{kind} {name}", budget.name, budget.namespace)
