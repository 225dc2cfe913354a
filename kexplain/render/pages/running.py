"""Sentences about pods that run, and are placed anew to see whether they would come there again."""

from collections.abc import Iterator

from kexplain.explanation.records import PodExplanation, Running
from kexplain.framework.trace import Outcome
from kexplain.words import clauses

#: What a scheduler has looked at nodes for.
_DECIDED = (Outcome.SCHEDULED, Outcome.UNSCHEDULABLE)


def any_node(pod: PodExplanation, count: int = 1) -> str:
    """The nodes that do not take so many pods like this one: all there are, or the only one where each may run."""
    if pod.only_node:
        return f"{pod.only_node}, the only node where it may run" if count == 1 else "the one node where each may run"
    return "the only node" if pod.nodes.total == 1 else f"any of {pod.nodes.total} nodes"


def running_verdict(who: str, pod: PodExplanation, running: Running) -> str:
    """Where a pod runs; what a scheduler would make of it today comes second."""
    runs = f"{who} {'runs on' if running.started else 'is not started yet on'} {running.node}"
    match pod.outcome:
        case Outcome.DELETING:
            return f"{who} is being deleted, and still on {running.node}"
        case Outcome.UNSCHEDULABLE:
            return f"{runs}; placed again now, it would not fit on {any_node(pod)}"
        case Outcome.NO_PROFILE:
            return f'{runs}, where scheduler "{pod.scheduler_name}" has placed it'
        case _:
            return runs


def running_line(pod: PodExplanation) -> str:
    """Since when a pod runs where it does, and whether it would come there again; empty if it does not run."""
    if pod.running is None or pod.held is not None:
        return ""
    since = f"there since {pod.running.since}" if pod.running.since else ""
    return clauses(since, *(_today(pod, pod.running) if pod.outcome in _DECIDED else ()))


def _today(pod: PodExplanation, running: Running) -> Iterator[str]:
    """Whether a pod that runs would still fit on its node, and where it would land."""
    if running.fits is not None and not running.again:
        because = f" ({running.because})" if running.because else ""
        yield "it would still fit there" if running.fits else f"it would no longer fit there{because}"
    if pod.choice is not None:
        tied = len(pod.choice.best) > 1
        again = "might land there again" if tied else "would land there again"
        yield f"placed again now, it {again if running.again else f'would land on {pod.choice.node}'}"
