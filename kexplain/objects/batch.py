"""The batch API group."""

from kexplain.objects.core import PodTemplateSpec
from kexplain.objects.meta import Condition, Int32, KubernetesObject, LabelSelector, ObjectMeta, Record
from kexplain.objects.workload_status import WorkloadStatus


class PodFailurePolicyRule(Record, frozen=True):
    """What becomes of a job when a pod of it fails under these conditions."""

    action: str = ""
    on_pod_conditions: tuple[Condition, ...] | None = None


class PodFailurePolicy(Record, frozen=True):
    """The first rule that fits counts; without any, a failure is one of as many as there may be."""

    rules: tuple[PodFailurePolicyRule, ...] = ()


class JobSpec(Record, frozen=True):
    """The template of the pods, and how many run at a time; an API server makes the selector unless it is manual."""

    parallelism: Int32 | None = None
    completions: Int32 | None = None
    suspend: bool | None = None
    backoff_limit: Int32 | None = None
    pod_failure_policy: PodFailurePolicy | None = None
    manual_selector: bool | None = None
    selector: LabelSelector | None = None
    template: PodTemplateSpec | None = None


class Job(KubernetesObject, frozen=True, tag_field="kind", tag="Job"):
    """`batch/v1`; it makes pods until enough of them have succeeded."""

    spec: JobSpec = JobSpec()
    status: WorkloadStatus = WorkloadStatus()

    @property
    def keeps_failing(self) -> bool:
        """Whether several of its pods have failed, and none runs or has succeeded."""
        status = self.status
        return (status.failed or 0) > 1 and not (status.active or status.succeeded)


class JobTemplateSpec(Record, frozen=True):
    """The job that a cron job makes."""

    metadata: ObjectMeta = ObjectMeta()
    spec: JobSpec = JobSpec()


class CronJobSpec(Record, frozen=True):
    """The job that a cron job makes each time."""

    suspend: bool | None = None
    concurrency_policy: str | None = None
    job_template: JobTemplateSpec | None = None


class CronJob(KubernetesObject, frozen=True, tag_field="kind", tag="CronJob"):
    """`batch/v1`; it makes a job each time its schedule comes round."""

    spec: CronJobSpec = CronJobSpec()

    @property
    def allows_overlap(self) -> bool:
        """Whether a run may start before the one before it has ended."""
        return self.spec.concurrency_policy in (None, "Allow")
