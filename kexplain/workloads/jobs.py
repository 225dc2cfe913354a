"""Jobs: as many pods as may run at a time, until enough have succeeded; here none ever ends.

Source: kube-controller-manager `job.manageJob`, release 1.36.
"""

from __future__ import annotations

from kexplain.objects.batch import Job


def wanted_pods(job: Job) -> int:
    """How many pods are to run now: none of a job that is suspended or over, no more than are left to complete."""
    if job.spec.suspend or job.status.condition("Complete", "Failed"):
        return 0
    parallelism = 1 if job.spec.parallelism is None else job.spec.parallelism
    succeeded = job.status.succeeded or 0
    if job.spec.completions is None:
        return 0 if succeeded else parallelism
    return max(min(parallelism, job.spec.completions - succeeded), 0)
