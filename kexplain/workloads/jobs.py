"""Jobs: as many pods as may run at a time, until enough have succeeded; here none ever ends.

Source: kube-controller-manager `job.manageJob`, release 1.36.
"""

from __future__ import annotations

from msgspec import Struct

from kexplain.case.own_pods import Key
from kexplain.objects.batch import Job
from kexplain.workloads.control_plane import ControlPlane
from kexplain.workloads.members import Rollout, rollout_of
from kexplain.workloads.replica_sets import Replicas


def wanted_pods(job: Job) -> int:
    """How many pods are to run now: none of a job that is suspended or over, no more than are left to complete."""
    if job.spec.suspend or job.status.condition("Complete", "Failed"):
        return 0
    parallelism = 1 if job.spec.parallelism is None else job.spec.parallelism
    succeeded = job.status.succeeded or 0
    if job.spec.completions is None:
        return 0 if succeeded else parallelism
    return max(min(parallelism, job.spec.completions - succeeded), 0)


class JobController(Struct, eq=False):
    """A job, or the one that a cron job makes next."""

    key: Key
    replicas: Replicas
    is_suspended: bool = False

    def reconcile(self, plane: ControlPlane) -> bool:
        """As many pods as may run."""
        return self.replicas.reconcile(plane)

    def rollout(self) -> Rollout:
        """How many of its pods run; none of a suspended one."""
        own = self.replicas
        return rollout_of(
            self.key,
            own.members,
            complete=own.is_complete,
            desired=own.wanted,
            not_created=own.missing,
            kept_old_by="suspended" if self.is_suspended else "",
            refusals=[own.refused],
        )
