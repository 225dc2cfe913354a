"""The finished explanation, as it is rendered and as JSON publishes it under `kexplain/v1`.

Fields are only ever added. Amounts are integers: CPU in thousandths, everything else in its own unit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster.placed_pods import Maker, maker
from kexplain.diagnosis.records import Finding, Hold, NodeCircles, OnceAdmitted
from kexplain.explain.gates import Gate
from kexplain.explain.group_records import GroupStanding
from kexplain.explain.output import Output
from kexplain.explain.preemption import PreemptionReport
from kexplain.explain.records import Cause, NodeCounts, NodeVerdict, RequestSum, SharedVerdict
from kexplain.explain.retry import Retry
from kexplain.explanation.autoscaler_events import AutoscalerEvent
from kexplain.explanation.pre_filters import PreFilterAnswer
from kexplain.explanation.simulator_results import SimulatorResult
from kexplain.explanation.walk import Walk
from kexplain.framework.plugin import AllocatedDevice
from kexplain.framework.trace import Decision, ExtenderCall, Outcome, Sampling
from kexplain.objects.core import Pod
from kexplain.remedies.records import NewNode, Remedy
from kexplain.scheduler.cycle import Scheduler

if TYPE_CHECKING:
    from kexplain.explanation.advised import Advised

    _Verdicts: TypeAlias = Sequence[NodeVerdict]
else:
    #: As read from JSON.
    _Verdicts = tuple[NodeVerdict, ...]


class VerdictNodes(Output, frozen=True, omit_defaults=True):
    """The nodes that one verdict holds for.

    `verdict` is its place among the `verdicts` of all pods of the report in a row, from 0. `nodes` are places in the
    report's `nodeNames`, from 0, as in `0-3,8`. `rank` is that of a NodeVerdict.
    """

    verdict: int
    nodes: str
    rank: int | None = None


class Choice(Output, frozen=True):
    """Why the pod lands where it lands.

    All of `best` have the highest total; the scheduler draws one at random, this report goes on with `node`.
    `runner_up` is the best of the others, and `margins` say by how much each plugin put it behind (negative
    where it was ahead).
    """

    node: str
    best: tuple[str, ...]
    total: int | None = None
    runner_up: str | None = None
    runner_up_total: int | None = None
    margins: tuple[Margin, ...] = ()
    #: What the pod's claims are given on the node, those that were allocated before left out.
    devices: tuple[AllocatedDevice, ...] = ()


class Margin(Output, frozen=True):
    """By how much one plugin set the chosen node apart from the runner-up."""

    plugin: str
    weighted: int


class NotEvaluated(Output, frozen=True):
    """A plugin that could not look at part of the pod: the verdict may be too good."""

    plugin: str
    what: str

    @classmethod
    def of(cls, decision: Decision) -> tuple[Self, ...]:
        """All of a decision, its extenders that were not asked among them."""
        return tuple(cls(plugin=plugin, what=what) for plugin, what in decision.not_evaluated.items())


class Workload(Output, frozen=True):
    """What made a pod, as far as the input tells: the Deployment rather than its ReplicaSet, the CronJob of a Job."""

    kind: str
    name: str


class PodReference(Output, frozen=True):
    """Which pod is explained, and where it was read from."""

    namespace: str
    name: str
    priority: int
    source: str = ""
    line: int = 0
    workload: Workload | None = None

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def argument(self) -> str:
        """What a command line calls it by: its workload, if it has one."""
        of = self.workload
        return f"{of.kind.lower()}/{of.name}" if of else f"pod/{self.name}"


class ReasonDifference(Output, frozen=True):
    """On how many nodes a reason stood in the event, and on how many it stands here."""

    reason: str
    there: int
    here: int


class Agreement(StrEnum):
    """How an event agrees with what is decided here."""

    #: To the letter.
    SAME = "Same"
    #: The same reasons, each on as many nodes.
    SAME_REASONS = "SameReasons"
    DIFFERENT = "Different"
    #: The pod is not Unschedulable here.
    OTHER_OUTCOME = "OtherOutcome"


class SchedulingEvent(Output, frozen=True):
    """The newest FailedScheduling event of the pod, beside what is decided here.

    `nodes` is null where the message is of another form. The message dates from
    `firstSeen`: what comes again is counted only.
    """

    message: str
    reported_by: str
    first_seen: str
    last_seen: str
    times: int
    agreement: Agreement
    nodes: int | None = None
    differences: tuple[ReasonDifference, ...] = ()


class Running(Output, frozen=True):
    """Where the pod runs already, and since when, as far as that is known; it was taken out to be placed anew.

    `again` is whether it might land there today: the cluster has moved on since. `fits` is whether there still is a
    place for it, and if not `because` says what the scheduler objects to; null where it did not look at that node.
    `started` is whether its kubelet has started it.
    """

    node: str
    since: str
    again: bool
    fits: bool | None = None
    because: str = ""
    started: bool = True


class Step(Output, frozen=True):
    """Something that would be done next, and has not been."""

    extension_point: str
    plugin: str
    action: str


class NodeResource(Output, frozen=True):
    """What a node has of a resource; `free` is negative where it is overcommitted."""

    resource: str
    allocatable: int
    requested: int
    free: int


class NodeState(Output, frozen=True):
    """How a node stood when the pod was tried."""

    node: str
    cordoned: bool
    taints: tuple[str, ...]
    labels: dict[str, str]
    resources: tuple[NodeResource, ...]
    pods: tuple[str, ...]
    nominated: tuple[str, ...]


class Beside(msgspec.Struct, frozen=True):
    """What keeps a pod from running beside the verdict, what a scheduler would say then, and what would help."""

    held: Hold | None = None
    then: OnceAdmitted | None = None
    helps: tuple[Remedy, ...] = ()
    diagnosis: Finding | None = None
    notes: tuple[str, ...] = ()


class PodExplanation(Output, frozen=True):
    """One attempt to schedule one pod, explained.

    `node_verdicts` are those on all nodes. In large reports on several pods they are shared instead: `shared_verdicts`
    says which nodes each verdict holds for, and `verdicts` has those that no pod before has. A pod that is `same_as`
    another one, by its place in the report, has that one's causes, diagnosis, circles, remedies, preemption and
    verdicts.
    """

    pod: PodReference
    scheduler_name: str
    outcome: Outcome
    message: str
    nodes: NodeCounts
    sampling: Sampling | None = None
    requests: tuple[RequestSum, ...] = ()
    causes: tuple[Cause, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    #: What would help as well, and would be a last resort: in words.
    last_resorts: tuple[str, ...] = ()
    choice: Choice | None = None
    binding: tuple[Step, ...] = ()
    weights: dict[str, int] = msgspec.field(default_factory=dict)
    node_verdicts: _Verdicts = ()
    preemption: PreemptionReport | None = None
    node_state: NodeState | None = None
    not_evaluated: tuple[NotEvaluated, ...] = ()
    extender_calls: tuple[ExtenderCall, ...] = ()
    notes: tuple[str, ...] = ()
    event: SchedulingEvent | None = None
    autoscaler: tuple[AutoscalerEvent, ...] = ()
    running: Running | None = None
    #: The node that it is bound to by its name, as pods of DaemonSets are, where it does not fit.
    only_node: str = ""
    #: When the scheduler tries the pod again, where it does not fit or is gated.
    retry: Retry | None = None
    #: What kube-scheduler-simulator has written into annotations of the pod, compared.
    simulator: SimulatorResult | None = None
    #: Only where a format shows them.
    pre_filters: tuple[PreFilterAnswer, ...] = ()
    #: The plugin that keeps the pod out of the queue, where the outcome is Gated.
    gated_by: str = ""
    gates: tuple[Gate, ...] = ()
    #: The scheduler names that there are, where the outcome is NoProfile.
    profiles: tuple[str, ...] = ()
    #: Where the pod does not fit: what one more node of each pool would come to.
    new_nodes: tuple[NewNode, ...] = ()
    shared_verdicts: tuple[VerdictNodes, ...] = ()
    verdicts: tuple[SharedVerdict, ...] = ()
    same_as: int | None = None
    #: The group that the pod is scheduled with, if it is.
    group: GroupStanding | None = None
    #: What is wrong, as somebody who knows the cluster would say it first; null for a pod that fits.
    diagnosis: Finding | None = None
    #: Where the nodes stand for a pod that does not fit; null where nobody was asked about nodes.
    circles: NodeCircles | None = None
    #: What keeps the pod from a scheduler, as a queue has written it, and what the scheduler would say then.
    held: Hold | None = None
    once_admitted: OnceAdmitted | None = None
    #: How the search over the nodes went; null unless it is asked for.
    walk: Walk | None = None
    #: Whether an API server refuses it, or its manifest: all else is what a scheduler would say of it.
    refused: bool = False

    @property
    def fits(self) -> bool:
        """Whether it has a place, and nothing else keeps it from running there."""
        return self.choice is not None and self.held is None

    @property
    def is_decided(self) -> bool:
        """Whether what is said of it is a scheduler's verdict, with which an event may agree."""
        return self.held is None and self.outcome is not Outcome.NO_PROFILE

    @property
    def fits_in_its_group(self) -> bool:
        """Whether there is a node for it, and only others of its group have none."""
        return self.group is not None and bool(self.group.node)


class Advice(Struct, frozen=True):
    """What would help a pod, and what one more node of each pool would come to."""

    remedies: tuple[Remedy, ...] = ()
    new_nodes: tuple[NewNode, ...] = ()
    last_resorts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: Whose pods it was sought for, and whether it is of no use to others.
    maker: Maker | None = None
    is_of_pod: bool = False

    def to(self, pod: Pod) -> Advice:
        """The same for that pod; of another workload it was not tried how many of its pods it serves."""
        if self.maker == maker(pod):
            return self
        return replace(self, remedies=tuple(replace(each, serves=None, pending=None) for each in self.remedies))


class ExplainOptions(Struct, frozen=True):
    """What is wanted of explanations.

    `node` is the one of special interest, and `score_details` for how many of the best nodes to say how their scores
    come about; None for all.
    """

    node: str = ""
    score_details: int | None = 0
    #: For how many of the best nodes, and how many of the others, the report shows all there is; None for all.
    shown: int | None = None
    #: Of a pod that fits, only where it lands is shown.
    is_brief: bool = False
    #: What plugins said in PreFilter is shown.
    with_pre_filters: bool = False
    #: Who decides: without, nothing is tried.
    scheduler: Scheduler | None = None
    #: Among how many pods the time for trials is shared.
    sharing: int = 1
    #: Whether anything that would help is sought, which costs most of all.
    seeks_help: bool = True
    #: What is advised so far, to be advised to others that the same stops; None seeks it for each.
    advised: Advised | None = None
    #: The pods of the same workload that wait: it is tried how many of the others what helps serves.
    pending: Collection[Pod] = ()
    #: How many hops behind one another pods of components at fault are looked at, for why they do not run.
    looks_behind: int = 3
    #: Whether last resorts are sought where something else helps.
    last_resorts: bool = False
    #: Whether to say how the search over the nodes went, and whether node by node.
    with_walk: bool = False
    with_walked_nodes: bool = False
