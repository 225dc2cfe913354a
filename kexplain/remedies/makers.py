"""What a change of a pod is written for: the workload that makes it, as what it makes is made anew."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.own_pods import CONTROLLERS, ordinal_of
from kexplain.case.stand_ins import maker_of
from kexplain.cluster import Cluster
from kexplain.objects.apps import (
    DaemonSet,
    Deployment,
    ReplicaSet,
    RollingSetUpdate,
    StatefulSet,
    UpdateStrategy,
    is_on_delete,
)
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod, ReplicationController
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.remedies.steps import makes


class Makers(Struct, frozen=True):
    """What is changed in place of a pod, the topmost first.

    Those that `were_not_read` are only known by their names. `out_of_reach` makes the topmost, and would undo a change.
    """

    targets: tuple[KubernetesObject, ...]
    were_not_read: tuple[KubernetesObject, ...] = ()
    out_of_reach: OwnerReference | None = None


def is_stored(made_of: KubernetesObject) -> bool:
    """Whether it stands in a cluster: what a controller has made does, whatever of it was left out of a dump."""
    return made_of.is_stored or made_of.metadata.controller is not None


def makers(pod: Pod, made_of: KubernetesObject, cluster: Cluster) -> Makers:
    """The workload behind a pod that was made of an object, and a job of it that was made already."""
    if not is_stored(made_of):
        return Makers((made_of.in_namespace(pod.namespace),))
    chain, unread = [made_of], []
    while (owner := chain[-1].metadata.controller) is not None:
        found, is_read = _above(chain[-1], owner, cluster)
        unread += [found] if found and not is_read else []
        if found is None or found in chain or not makes(found, pod):
            break
        chain.append(found)
    # A cron job that changes leaves the jobs alone that it has made.
    kept = [each for each in reversed(chain) if each is chain[-1] or isinstance(each, Job)]
    return Makers(tuple(each.in_namespace(pod.namespace) for each in kept), tuple(unread), owner)


def _above(made: KubernetesObject, owner: OwnerReference, cluster: Cluster) -> tuple[KubernetesObject | None, bool]:
    """What made an object, if it is of a kind that makes pods, and whether it was read; else it may be there."""
    kind = next((each for each in CONTROLLERS if each.__name__ == owner.kind), None)
    found = cluster.listers.get(kind, owner.name or "", made.namespace) if kind else None
    is_known = found is not None or kind is None or kind in cluster.listers.listed
    return found if is_known else maker_of(made), is_known


# -------------------------------------------------------------------------------------------- rolling a change out


def rolling_out(workload: KubernetesObject, pods: Sequence[Pod]) -> KubernetesObject:
    """The workload without what keeps it from making these pods anew of its template."""
    match workload:
        case Deployment() if workload.spec.paused:
            return replace(workload, spec=replace(workload.spec, paused=None))
        case StatefulSet() if (least := _lowest(pods)) < workload.partition:
            strategy = workload.spec.update_strategy or UpdateStrategy()
            rolling = replace(strategy.rolling_update or RollingSetUpdate(), partition=least)
            strategy = replace(strategy, rolling_update=rolling)
            return replace(workload, spec=replace(workload.spec, update_strategy=strategy))
        case _:
            return workload


def rolling_out_text(before: KubernetesObject, after: KubernetesObject) -> str:
    """What that does; empty if it is nothing."""
    if before == after:
        return ""
    if isinstance(after, StatefulSet):
        return f"lower the partition of StatefulSet {after.name} to {after.partition}"
    return f"resume {after.kind} {after.name}, which is paused"


def left_alone(workload: KubernetesObject, pods: Sequence[Pod]) -> Iterator[Pod]:
    """Those of the pods without a node that stay as they are when the template changes, so that they have to go."""
    match workload:
        case ReplicaSet() | ReplicationController() | StatefulSet():
            yield from pods
        case DaemonSet() if is_on_delete(workload):
            yield from pods
        case _:
            return


def _lowest(pods: Sequence[Pod]) -> int:
    return min((number for pod in pods if (number := ordinal_of(pod.name)) is not None), default=0)
