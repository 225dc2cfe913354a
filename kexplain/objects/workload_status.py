"""What the controllers of workloads say about them."""

from kexplain.objects.meta import Condition, Int32, Record


class WorkloadStatus(Record, frozen=True):
    """Where a workload stands.

    The numbers scheduled are for daemon sets; `active`, `succeeded` and `failed` for jobs; revisions for stateful sets.
    """

    conditions: tuple[Condition, ...] | None = None
    desired_number_scheduled: Int32 | None = None
    current_number_scheduled: Int32 | None = None
    updated_number_scheduled: Int32 | None = None
    number_unavailable: Int32 | None = None
    active: Int32 | None = None
    succeeded: Int32 | None = None
    failed: Int32 | None = None
    replicas: Int32 | None = None
    current_revision: str | None = None
    update_revision: str | None = None

    def condition(self, *types: str) -> Condition | None:
        """The first condition of these types that is true."""
        return next((each for each in self.conditions or () if each.type in types and each.status == "True"), None)
