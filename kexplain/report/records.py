"""The report of one run, as it is rendered and as JSON publishes it under `kexplain/v1`."""

import msgspec

from kexplain.case.records import Searched
from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.records import Document
from kexplain.explanation.records import PodExplanation
from kexplain.report.groups import PodGroup
from kexplain.report.not_running import NotRunning
from kexplain.report.places import NodePlaces, OutOfService
from kexplain.report.settled import SettledQueue
from kexplain.report.workloads import RolloutReport, WorkloadReport


class Report(Document, frozen=True, kw_only=True):
    """Everything that one run has to say; `search` is set where no pod was named.

    `groups` are the pods that are not placed, by what they have in common. `workloads` were named, and those of their
    own pods that are pending are among `pods`.
    """

    kind: str = "Report"
    kubernetes_version: str
    pods: tuple[PodExplanation, ...]
    notes: tuple[str, ...] = ()
    search: Searched | None = None
    #: The end of the queue, where it was followed to that; the pods above are as at their last attempt.
    settled: SettledQueue | None = None
    groups: tuple[PodGroup, ...] = ()
    workloads: tuple[WorkloadReport, ...] = ()
    #: How far new workloads get of which some pods are not created.
    rollouts: tuple[RolloutReport, ...] = ()
    #: The groups that the pods above are scheduled with, each as a whole.
    scheduling_groups: tuple[SchedulingGroup, ...] = ()
    #: All nodes, where the pods above share verdicts.
    node_names: tuple[str, ...] = ()
    #: By scheduler name and extension point, the plugins in the order in which they run.
    plugins: dict[str, dict[str, tuple[str, ...]]] = msgspec.field(default_factory=dict)
    #: Where the nodes stand; null unless a format shows it.
    places: NodePlaces | None = None
    #: How many nodes there are, and which are out of service; only where no pod was named.
    nodes: int = 0
    out_of_service: tuple[OutOfService, ...] = ()
    #: Pods that have a node and do not run; only where no pod was named.
    not_running: tuple[NotRunning, ...] = ()

    def refuses(self, pod: PodExplanation) -> bool:
        """Whether an API server creates none of the workload's pods, for which this one stands."""
        own = pod.pod.workload
        made_of = (pod.pod.namespace, own.kind, own.name) if own else (pod.pod.namespace, "Pod", pod.pod.name)
        of_none = (each for each in self.workloads if each.refused and each.missing == each.wanted)
        return any((each.namespace, each.kind, each.name) == made_of for each in of_none)
