"""What the controllers of workloads say about them."""

from kexplain.objects.meta import Int32, Record


class WorkloadCondition(Record, frozen=True):
    """One condition of a workload."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None


class WorkloadStatus(Record, frozen=True):
    """Where a workload stands.

    `desired_number_scheduled` is for daemon sets, `succeeded` for jobs, the revision for stateful sets.
    """

    conditions: tuple[WorkloadCondition, ...] | None = None
    desired_number_scheduled: Int32 | None = None
    succeeded: Int32 | None = None
    replicas: Int32 | None = None
    update_revision: str | None = None

    def condition(self, *types: str) -> WorkloadCondition | None:
        """The first condition of these types that is true."""
        return next((each for each in self.conditions or () if each.type in types and each.status == "True"), None)
