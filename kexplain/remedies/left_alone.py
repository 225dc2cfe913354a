"""Pods that another scheduler is to place, or that a controller keeps out of the queue."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.diagnosis.attempts import meant_scheduler
from kexplain.explain.gates import gates
from kexplain.framework.trace import Decision
from kexplain.remedies import pod_edits
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import PodStep
from kexplain.remedies.trials import Trials


def other_scheduler(trials: Trials) -> Iterator[Remedy]:
    """The scheduler that was probably meant, or else to see whether that one runs; and where this one would go."""
    decision, asked = trials.decision, trials.decision.scheduler_name
    meant = meant_scheduler(decision)[:1]
    if not meant:
        text = f"see whether the scheduler {asked} runs, and what it says: only it places this pod"
        yield Remedy(action=Action.CHECK_CONTROLLER, text=text, rank=Rank.MENDS)
    for name in meant or decision.profile_names[:1]:
        why = f", as {asked} looks misspelt" if meant else f", if it need not be {asked}"
        text, rank = f"set schedulerName: {name}{why}", Rank.MENDS if meant else Rank.LOOSENS
        tried = trials.attempt([PodStep(_asking_for(name))])
        if tried is not None:
            yield tried.remedy(Action.CHECK_MANIFEST, text, rank)
        elif meant:
            yield Remedy(action=Action.CHECK_MANIFEST, text=text, rank=rank)


def _asking_for(scheduler: str) -> pod_edits.Edit:
    return pod_edits.at("spec.scheduler_name", lambda _: scheduler)


def ungating(decision: Decision) -> Iterator[Remedy]:
    """To see why a gate is still there; nobody but who set it knows when it may go."""
    for gate in gates(decision.pod):
        text = (
            f"see why {gate.controller} has not taken the gate {gate.name} off"
            if gate.controller
            else f"find out who sets the gate {gate.name}, and why it has not been taken off"
        )
        shown = (gate.command,) if gate.command else ()
        yield Remedy(action=Action.CHECK_CONTROLLER, text=text, rank=Rank.MENDS, commands=shown)
