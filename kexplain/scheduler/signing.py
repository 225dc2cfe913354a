"""Which pods fare alike: those of which the scheduler reads the same. Source: `framework/runtime`, `SignPod`."""

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.framework.signing import PodSignature
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler


def sign(scheduler: Scheduler, pod: Pod, cluster: Cluster) -> PodSignature | None:
    """What the scheduler reads of the pod: pods of equal signatures fare alike in that cluster.

    None for a pod that is like no other, such as one that has a node nominated, which only it sees as its own.
    """
    profile = scheduler.profiles.get(pod.scheduler_name)
    if profile is None or pod.status.nominated_node_name:
        return None
    # Extenders choose their pods by the resources that these name.
    asked = cluster.pod_info(pod).resource.key if scheduler.extenders else b""
    identity = (pod.scheduler_name, pod.priority, pod.group, pod.metadata.deletion_timestamp, asked)
    return profile.sign(pod, cluster, identity, tuple(profile.left_open(pod).items()))


def holds_for(decision: Decision, signature: PodSignature | None, other: PodSignature | None) -> bool:
    """Whether the decision about a pod of one signature is that about one of the other, too, word by word.

    It is where what only messages would name differs, as long as nobody has named it.
    """
    if signature is None or other is None:
        return False
    naming = signature.told_apart_by(other)
    return naming is not None and (not naming or naming.isdisjoint(decision.speaking))


class Latest:
    """The latest decision, as far as it is one about the next pod, too."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._decision: Decision | None = None
        self._signature: PodSignature | None = None

    def about(self, pod: Pod, cluster: Cluster) -> Decision | None:
        """The decision about a pod that fares like the latest one; None if it has to be decided."""
        if self._decision is None:
            return None
        # It has changed nothing, so that its pod reads as it did.
        self._signature = self._signature or sign(self._scheduler, self._decision.pod, cluster)
        if not holds_for(self._decision, self._signature, sign(self._scheduler, pod, cluster)):
            return None
        return replace(self._decision, pod=pod)

    def keep(self, decision: Decision) -> None:
        """The next pod may fare alike, if it finds everything as this one did."""
        if self._decision is None or decision.statuses is not self._decision.statuses:
            self._signature = None
        self._decision = decision if _changes_nothing(decision) else None


def _changes_nothing(decision: Decision) -> bool:
    """Whether the next pod finds everything as this one did; of what extenders answer nothing is known."""
    if decision.outcome is not Outcome.UNSCHEDULABLE or decision.nominated_node or decision.extender_calls:
        return False
    return decision.sampling.start_index == decision.sampling.next_start_index
