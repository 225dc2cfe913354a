"""kexplain in Python: load a case, schedule or explain it, read decisions.

    case = load_case(["pod.yaml"], cluster=["nodes.yaml", "pods.yaml"])
    for decision in schedule(case):
        print(decision.pod.key, decision.outcome.value, decision.message)

Whatever goes wrong with the input is raised as a `KexplainError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case import Case, Decided, Inputs, PodToPlace, Wanted, load_case, running_anew
from kexplain.case.own_pods import updating
from kexplain.cluster.placed_pods import Maker, maker
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.scheduling_groups import noting_groups
from kexplain.explanation import ExplainOptions, PodExplanation, are_told_alike, explain_alike
from kexplain.explanation import explain as explain_decision
from kexplain.explanation.walk import walk
from kexplain.framework.profile import Profile
from kexplain.framework.trace import Decision, Outcome
from kexplain.framework.traits import release_key
from kexplain.framework.wake_events import WAKING_RELEASES
from kexplain.grouping import grouped
from kexplain.objects.apps import StatefulSet
from kexplain.objects.batch import Job
from kexplain.objects.core import GroupName, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.report.groups import groups
from kexplain.report.not_running import not_running
from kexplain.report.places import node_places, out_of_service
from kexplain.report.records import Report
from kexplain.report.settled import settled_queue
from kexplain.report.workloads import WorkloadReport, in_turn_reports, not_created_report
from kexplain.scheduler.batching import may_share_a_ranking
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import settle, simulate
from kexplain.words import some, verb

if TYPE_CHECKING:
    from kexplain.world.asked_pods import Ended
    from kexplain.world.members import Rollout

__all__ = [
    "Case", "Decision", "ExplainOptions", "Explanations", "Inputs", "Outcome", "PodExplanation", "PodToPlace", "Report",
    "Scheduler", "SchedulerSettings", "Wanted", "build_scheduler", "decided", "explain", "load_case", "notes_on",
    "one_by_one", "place_running", "schedule", "walk",
]  # fmt: skip

#: Among so many groups of pods the time for trials is shared where what would help is sought once for each group.
GROUPS = 12
#: Where a pod may land elsewhere than here, although it is placed as the one before it.
SHARED_RANKING = (
    "kube-scheduler may give a pod the node that was next best for the identical pod before it "
    "(OpportunisticBatching); here each pod is ranked anew"
)
#: Where the end of a queue may differ from that of a real one.
ASIDE = "evictions are complete before the next pod is tried here; a real scheduler runs them beside its next decisions"


def schedule(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod in queue order, each seeing the pods placed before it."""
    scheduler = scheduler or case.scheduler
    return _decisions(case, scheduler, start_index, _end(case, scheduler, start_index))


def decided(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0) -> Iterator[Decided]:
    """The same decisions, each with its pod as it was asked about."""
    return _with_pods(case, schedule(case, scheduler, start_index=start_index))


def notes_on(case: Case, scheduler: Scheduler | None = None) -> tuple[str, ...]:
    """What is to be known of all decisions of a scheduler about a case."""
    scheduler = scheduler or case.scheduler
    about = (_extender_notes(scheduler), _ranking_notes(scheduler, case), _group_notes(scheduler, case))
    return (*scheduler.notes, *case.notes, *chain.from_iterable(about))


def _decisions(case: Case, scheduler: Scheduler, start_index: int, end: Ended | None) -> Iterator[Decision]:
    if end is not None:
        return end.settled.last_decisions
    # What is not created takes no room from what is.
    shown = {each.shown for each in case.not_created}
    parted: tuple[list[Pod], list[Pod]] = ([], [])
    for each in case.pods:
        parted[each.pod.uid in shown].append(each.pod)
    return simulate(scheduler, case.cluster, parted[0], start_index, afterwards=parted[1])


def _end(case: Case, scheduler: Scheduler, start_index: int, *, until_settled: bool = False) -> Ended | None:
    """How the queue ends; None where controllers make all pods at once, and each is tried once."""
    if not until_settled and (case.builder is None or not _is_made_in_turn(case)):
        return None
    # Most pods are made at once.
    from kexplain.world.asked_pods import Ended, ask  # noqa: PLC0415

    if case.builder is None:
        return Ended(settle(scheduler, case.cluster, [pod.pod for pod in case.pods], start_index), ())
    return ask(case, case.builder, scheduler, start_index, evicts=until_settled)


def _is_made_in_turn(case: Case) -> bool:
    """Whether some of the pods are made only once others are ready, or differ in the claims that they find."""
    sets = [each.made_of for each in case.pods if isinstance(each.made_of, StatefulSet)]
    in_turn = [each for each in sets if each.is_ordered or each.spec.volume_claim_templates]
    return len(in_turn) > len({*map(id, in_turn)})


def explain(
    case: Case,
    scheduler: Scheduler | None = None,
    *,
    start_index: int = 0,
    node: str = "",
    score_details: int | None = 0,
    shown: int | None = None,
    is_brief: bool = False,
    seeks_help: bool = True,
    until_settled: bool = False,
    with_places: bool = False,
    last_resorts: bool = False,
) -> Report:
    """The report on these pods in queue order; with a node's name, how that one stood each time.

    `score_details` is for how many of the best nodes to say how their scores come about; None for all. `shown`,
    `is_brief` and `seeks_help` leave out what the reader will not look at, which saves most of the work; see
    ExplainOptions.
    `until_settled` carries out preemption and follows the queue to its end; the report is on the last attempts then.
    `with_places` adds which nodes stand together. `last_resorts` seeks them even where something else helps.
    """
    asked = ExplainOptions(
        node=node,
        score_details=score_details,
        shown=shown,
        is_brief=is_brief,
        seeks_help=seeks_help,
        last_resorts=last_resorts,
    )
    found = one_by_one(
        case, asked, scheduler, start_index=start_index, until_settled=until_settled, with_places=with_places
    )
    return found.report(tuple(found.pods))


class Explanations(Struct, frozen=True):
    """Pods that are explained one after the other, and the report on them once they all are.

    `head` is the report without pods and groups. What the report takes from the pods are not their verdicts on nodes:
    who writes those on the way may drop them.
    """

    head: Report
    pods: Iterator[PodExplanation]
    report: Callable[[Sequence[PodExplanation]], Report]


def one_by_one(
    case: Case,
    asked: ExplainOptions,
    scheduler: Scheduler | None = None,
    *,
    start_index: int = 0,
    until_settled: bool = False,
    with_places: bool = False,
) -> Explanations:
    """As `explain`, with each pod explained when it is asked for; what the options say of single pods is left aside."""
    scheduler = scheduler or case.scheduler
    notes = notes_on(case, scheduler)
    end = _end(case, scheduler, start_index, until_settled=until_settled)
    rollouts = end.rollouts if end else ()
    if until_settled:
        notes = (*notes, ASIDE, *_waking_notes(scheduler))
    decisions = _decisions(case, scheduler, start_index, end)
    in_turn = in_turn_reports(rollouts)

    head = Report(
        kubernetes_version=scheduler.release,
        pods=(),
        notes=notes,
        search=case.searched,
        settled=settled_queue(end) if end is not None and until_settled else None,
        workloads=(*_named(case), *map(not_created_report, case.not_created), *in_turn),
        plugins={name: _points(profile) for name, profile in scheduler.profiles.items()},
        places=node_places(info.node for info in case.cluster.node_infos) if with_places else None,
        nodes=len(case.cluster.node_infos) if case.searched else 0,
        out_of_service=out_of_service(case.cluster, is_full=bool(case.pods)) if case.searched else (),
        not_running=not_running(case) if case.searched else (),
    )

    together: dict[GroupName, SchedulingGroup] = {}

    def report(pods: Sequence[PodExplanation]) -> Report:
        found = groups(pods, _created(case, pods), by_message=case.searched is not None)
        whole = _with_rollouts(head, case, pods, rollouts, scheduler)
        return replace(whole, pods=tuple(pods), groups=found, scheduling_groups=tuple(together.values()))

    sharing = len(case.pods) if asked.advised is None else min(len(case.pods), GROUPS)
    asked = replace(asked, scheduler=scheduler, sharing=sharing)
    return Explanations(head, _explained(case, noting_groups(decisions, together), asked), report)


def _named(case: Case) -> Iterable[WorkloadReport]:
    listers = case.cluster.listers
    is_suspended = any(job.spec.suspend for job in listers.every(Job))
    if not (case.workloads or is_suspended or any(kind.is_of_queues for kind in listers.kinds)):
        return ()
    from kexplain.report.waiting_work import reports  # noqa: PLC0415 (most pods are asked about by themselves)

    return reports(case)


def _with_rollouts(
    head: Report, case: Case, pods: Sequence[PodExplanation], rollouts: Sequence[Rollout], scheduler: Scheduler
) -> Report:
    """The report with how far new workloads get with pods that are not created, and manifests whose pods all fit."""
    short = [each for each in rollouts if each.not_created]
    are_updated = all(each.fits for each in pods) and any(_updates(case))
    if not (case.not_created or short or are_updated):
        return head
    # Most of what is asked about is created, and stands in the cluster.
    from kexplain.report.rollouts import new_rollout, rollout_report, short_updates  # noqa: PLC0415

    known = {(each.kind, each.name) for each in short}
    found = (new_rollout(each, case.pods, pods, head.settled) for each in case.not_created)
    reached = (*map(rollout_report, short), *(each for each in found if (each.kind, each.name) not in known))
    stalled = short_updates(case, scheduler) if are_updated else ()
    return replace(head, rollouts=reached, workloads=(*head.workloads, *stalled))


def _updates(case: Case) -> Iterator[KubernetesObject | None]:
    """The manifests of workloads that are there already; None for what else there is."""
    return (updating(each.made_of, each.pod, case.cluster) for each in case.pods if each.manifest)


def _points(profile: Profile) -> dict[str, tuple[str, ...]]:
    return {point.value: names for point, names in profile.at_point.items() if names}


def _created(case: Case, pods: Iterable[PodExplanation]) -> list[str]:
    """When each of the pods was created, in the order of their explanations; empty where that is not known."""
    created_by_key = {pod.pod.key: pod.pod.metadata.creation_timestamp or "" for pod in case.pods}
    return [created_by_key.get(each.pod.key, "") for each in pods]


def place_running(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0) -> Iterator[Decided]:
    """Every pod that runs, taken out by itself and placed anew."""
    for each in running_anew(case):
        (pod,) = each.pods
        yield Decided(pod, (scheduler or case.scheduler).schedule(pod.pod, each.cluster, start_index))


def _waking_notes(scheduler: Scheduler) -> Iterator[str]:
    if scheduler.release not in WAKING_RELEASES:
        oldest, newest = WAKING_RELEASES[0], WAKING_RELEASES[-1]
        nearest = oldest if release_key(scheduler.release) < release_key(oldest) else newest
        rules = f"waiting pods are woken by the rules of Kubernetes {nearest}"
        yield f"{rules}; in {scheduler.release} other changes may wake them"


def _ranking_notes(scheduler: Scheduler, case: Case) -> Iterator[str]:
    if len(case.pods) < 2:
        return
    if may_share_a_ranking(scheduler, [pod.pod for pod in case.pods], case.cluster):
        yield SHARED_RANKING


def _group_notes(scheduler: Scheduler, case: Case) -> Iterator[str]:
    """That the groups which pods name do not count."""
    named = [*dict.fromkeys(str(pod.pod.group) for pod in case.pods if pod.pod.group)]
    if named and not scheduler.features.pod_groups:
        groups = f"{'group' if len(named) == 1 else 'groups'} {some(named, 2)} {verb(len(named), 'does')}"
        yield f"{groups} not count without the feature gate GenericWorkload: each pod is placed by itself"


def _extender_notes(scheduler: Scheduler) -> Iterator[str]:
    """That extenders are shown less than a real scheduler shows them, if any is called."""
    if scheduler.connected_extenders:
        yield "extenders are sent what scheduling reads of pods and nodes, not the whole objects"


def _with_pods(case: Case, decisions: Iterable[Decision]) -> Iterator[Decided]:
    # A pod that is nominated on the way is another record of the same pod.
    pod_by_id: dict[object, PodToPlace] = {pod.pod.uid: pod for pod in case.pods}
    pod_by_id |= {id(pod.pod): pod for pod in case.pods}
    for decision in decisions:
        pod = pod_by_id.get(id(decision.pod)) or pod_by_id.get(decision.pod.uid) or PodToPlace(decision.pod)
        yield Decided(pod, decision)


def _explained(case: Case, decisions: Iterable[Decision], asked: ExplainOptions) -> Iterator[PodExplanation]:
    last: tuple[Decision, PodExplanation] | None = None
    waiting = _waiting(case)
    for each in _with_pods(case, decisions):
        pod, decision = each.pod, each.decision
        alike = waiting.get(maker(decision.pod), {})
        if decision.host:
            alike.pop(decision.pod.key, None)
        options = replace(asked, pending=() if decision.host else alike.values())
        if last is not None and are_told_alike(last[0], decision):
            explanation = explain_alike(last[1], decision, options, pod)
        else:
            explanation = explain_decision(decision, options, pod)
        yield _with_walk(explanation, decision, asked)
        last = decision, explanation


def _with_walk(explanation: PodExplanation, decision: Decision, asked: ExplainOptions) -> PodExplanation:
    """With how the search over the nodes went, if that is wanted; of one node where the options name it."""
    if not asked.with_walk or asked.scheduler is None:
        return explanation
    found = walk(decision, asked.scheduler, seeks_unseen=asked.with_walked_nodes or bool(asked.node))
    if asked.node:
        found = replace(found, nodes=tuple(each for each in found.nodes if each.node == asked.node))
    elif not asked.with_walked_nodes:
        found = replace(found, nodes=())
    return replace(explanation, walk=found)


def _waiting(case: Case) -> dict[Maker | None, dict[str, Pod]]:
    """The pods to place by what made them, and each by its key; those that nothing made stand alone."""
    made = grouped((own, each.pod) for each in case.pods if (own := maker(each.pod)) is not None)
    return {own: {pod.key: pod for pod in pods} for own, pods in made.items()}
