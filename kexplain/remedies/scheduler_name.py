"""A pod that asks for a scheduler which nobody is, by a name that is nearly that of one."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.diagnosis.attempts import meant_scheduler
from kexplain.remedies import pod_edits
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.steps import PodStep
from kexplain.remedies.trials import Trials


def renamed_scheduler(trials: Trials) -> Iterator[Remedy]:
    """The scheduler that was probably meant, and where it would place the pod."""
    decision = trials.decision
    for name in meant_scheduler(decision)[:1]:
        text = f"set schedulerName: {name}, as {decision.scheduler_name} looks misspelt"
        tried = trials.attempt([PodStep(_asking_for(name))])
        if tried is not None:
            yield tried.remedy(Action.CHECK_MANIFEST, text, Rank.MENDS)
        else:
            yield Remedy(action=Action.CHECK_MANIFEST, text=text, rank=Rank.MENDS)


def _asking_for(scheduler: str) -> pod_edits.Edit:
    return pod_edits.at("spec.scheduler_name", lambda _: scheduler)
