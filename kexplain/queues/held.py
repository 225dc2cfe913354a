"""Which of all that was read holds a pod back."""

from collections.abc import Iterable

from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.queues.elastic_quotas import held_by_elastic_quota
from kexplain.queues.groups import held_by_group
from kexplain.queues.kueue import Workloads, held_by_kueue
from kexplain.queues.yunikorn import held_by_yunikorn


def hold(
    pod: Pod, workloads: Workloads, made_of: KubernetesObject | None = None, events: Iterable[Event] = ()
) -> Held | None:
    """What holds the pod back, or the pods of the workload that this one stands for; None if nothing says so."""
    listers = workloads.listers
    job = _job(pod, listers, made_of)
    return (
        held_by_kueue(pod, workloads, job or made_of)
        or held_by_group(pod, listers)
        or held_by_elastic_quota(pod, listers)
        or held_by_yunikorn(pod, events)
        or (_suspended(job) if job is not None and job.spec.suspend else None)
    )


def _job(pod: Pod, listers: Listers, made_of: KubernetesObject | None) -> Job | None:
    if isinstance(made_of, Job):
        return made_of
    owner = pod.metadata.controller
    return listers.get(Job, owner.name or "", pod.namespace) if owner is not None and owner.kind == "Job" else None


def _suspended(job: Job) -> Held:
    said = told("job-suspended", job=job.name)
    return held_by("the Job controller", Kind.SUSPENDED, said, object=f"Job {job.key}")
