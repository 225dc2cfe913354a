"""kexplain in Python: load a case, schedule or explain it, read decisions.

case = load_case(["pod.yaml"], cluster=["nodes.yaml", "pods.yaml"])
for decision in schedule(case):
print(decision.pod.key, decision.outcome.value, decision.message)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kexplain.case import Case, PodToPlace, load_case
from kexplain.config.default_profile import DEFAULT_RELEASE, default_profile
from kexplain.explain import ExplainOptions, PodExplanation, Report
from kexplain.explain import explain as explain_decision
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.framework.trace import Decision, Outcome
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.simulate import simulate

__all__ = [
    "Case",
    "Decision",
    "Outcome",
    "PodExplanation",
    "PodToPlace",
    "Report",
    "Scheduler",
    "default_scheduler",
    "explain",
    "load_case",
    "schedule",
]


def default_scheduler(
    *,
    scheduler_name: str = DEFAULT_SCHEDULER_NAME,
    percentage_of_nodes_to_score: int = 0,
    traces_everything: bool = False,
    preempts: bool = True,
) -> Scheduler:
    """The scheduler of release 1.36 without any configuration; percentage 0 is worked out from the size.

    Without preemption, nothing is said of what evicting pods would do, in the message neither.
    """
    profile = default_profile(scheduler_name=scheduler_name)
    if not preempts:
        profile = replace(profile, post_filter=())
    return Scheduler({scheduler_name: profile}, percentage_of_nodes_to_score, traces_everything)


def schedule(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0) -> Iterator[Decision]:
    """A decision a pod in queue order, each seeing the pods placed before it."""
    pods = [pod.pod for pod in case.pods]
    return simulate(scheduler or default_scheduler(), case.cluster, pods, start_index)


def explain(case: Case, scheduler: Scheduler | None = None, *, start_index: int = 0, node: str = "") -> Report:
    """The report on these pods in queue order; with a node's name, how that one stood each time."""
    decisions = schedule(case, scheduler, start_index=start_index)
    return Report(
        kubernetes_version=DEFAULT_RELEASE,
        pods=tuple(_explained(case, decisions, node)),
        notes=case.notes,
    )


def _explained(case: Case, decisions: Iterable[Decision], node: str) -> Iterator[PodExplanation]:
    pod_by_id = {id(pod.pod): pod for pod in case.pods}
    for decision in decisions:
        pod = pod_by_id[id(decision.pod)]
        yield explain_decision(decision, ExplainOptions(pod.source, pod.line, pod.notes, node))
