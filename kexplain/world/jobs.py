"""Jobs: pods are made again until too many of them have failed, and an evicted one has; here none ever ends by itself.

Source: kube-controller-manager `job.syncJob` and `job.isPodFailed`, release 1.36.
"""

from kexplain.objects.batch import CronJob, Job
from kexplain.objects.problem import Problem
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Refused
from kexplain.world.replica_sets import ReplicasController

JOB_FAILS = "the Job fails and ends its other pods, as more have then failed than its backoffLimit"
_DEFAULT_BACKOFF_LIMIT = 6


class JobController(ReplicasController, eq=False):
    """What keeps the pods of a Job until more of them are lost than may be; then it ends the others, too."""

    losses_left: int | None = None

    def reconcile(self, plane: ControlPlane) -> bool:
        """As many pods as wanted, or none."""
        if self.losses_left is None or self.replicas.pods.losses <= self.losses_left:
            return super().reconcile(plane)
        others = [*self.replicas.members]
        self.replicas.refused = Refused((Problem(("spec",), JOB_FAILS),))
        plane.ended += (each.pod for each in others if each.node)
        plane.delete(others)
        return bool(others)


def losses_left(job: Job | CronJob) -> int | None:
    """How many more pods may be evicted before a job fails; None if its policy has a rule for those."""
    if not isinstance(job, Job):
        return None
    rules = job.spec.pod_failure_policy.rules if job.spec.pod_failure_policy else ()
    if any(each.type == "DisruptionTarget" for rule in rules for each in rule.on_pod_conditions or ()):
        return None
    limit = _DEFAULT_BACKOFF_LIMIT if job.spec.backoff_limit is None else job.spec.backoff_limit
    return limit - (job.status.failed or 0)
