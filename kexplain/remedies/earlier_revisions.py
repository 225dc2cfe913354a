"""Earlier revisions of what has made a pod, and the way back to one."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.own_pods import maker_kind, read_maker
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import siblings
from kexplain.diagnosis.components import maker_of
from kexplain.objects.apps import ReplicaSet, StatefulSet
from kexplain.objects.core import Pod, PodSpec
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Remedy


class Earlier(Struct, frozen=True):
    """A revision: its number, 0 for that of a set; what is made now and was made then; how many of its pods serve."""

    number: int
    now: PodSpec
    then: PodSpec
    serving: int

    def undoing(self, pod: Pod, which: str) -> Remedy:
        """The way back, with `which` revision that is in words."""
        _, kind, name = maker_of(pod)
        about = which, str(kind).lower(), name, pod.namespace
        if self.number:
            return advice("roll-back/revision", *about, self.number)
        # A set goes no further than its first pod that is not ready.
        return advice("roll-back/set", *about, pod.name)


def earlier_revisions(pod: Pod, cluster: Cluster) -> Iterator[Earlier]:
    """Those of the pod's Deployment, the newest first, or the one of its set that other pods are of."""
    match read_maker(pod, cluster.listers):
        case StatefulSet() as made_by:
            yield from _of_set(pod, made_by.status.update_revision, siblings(pod, cluster))
        case ReplicaSet() as made_by if maker_kind(made_by) == "Deployment":
            owner, every = made_by.metadata.controller, cluster.listers.every(ReplicaSet)
            made = [each for each in every if (each.metadata.controller, each.namespace) == (owner, pod.namespace)]
            made_of = [read_maker(each, cluster.listers) for each in siblings(pod, cluster) if each.is_ready]
            for each in sorted(made, key=lambda each: each.revision, reverse=True):
                if 0 < each.revision < made_by.revision:
                    yield Earlier(each.revision, _spec(made_by), _spec(each), sum(one is each for one in made_of))


def _of_set(pod: Pod, newest: str | None, others: Sequence[Pod]) -> Iterator[Earlier]:
    """The revision of those of a set's pods that are not of the newest, as this one is."""
    before = [each for each in others if each.labels.get(CONTROLLER_REVISION_HASH) != newest]
    if before and newest and pod.labels.get(CONTROLLER_REVISION_HASH) == newest:
        now, then = (replace(each.spec, node_name=None, volumes=None) for each in (pod, before[0]))
        yield Earlier(0, now, then, sum(each.is_ready for each in before))


def _spec(replica_set: ReplicaSet) -> PodSpec:
    return replica_set.spec.template.spec if replica_set.spec.template else PodSpec()
