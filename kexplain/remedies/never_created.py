"""What would let missing pods be created."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kexplain.case.records import OwnPods
from kexplain.objects.problem import path_text
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.shell import command
from kexplain.words import joined, plural


def creating(own: OwnPods) -> Iterator[Remedy]:
    """Raise quotas by what missing pods need, or request what fits; mend what is refused; start what is suspended."""
    if own.missing and own.excesses:
        yield _raise_quota(own)
        yield from _request_less(own)
    if own.missing and own.problems:
        yield from _mend(own)
    if own.held is not None and not own.excesses:
        kind = type(own.held).__name__
        field, resume = ("paused", "resume") if kind == "Deployment" else ("suspend", "start")
        patch = json.dumps({"spec": {field: False}})
        shell = command("kubectl patch", kind.lower(), own.held.name, "-p", patch, namespace=own.namespace)
        yield Remedy(action="resume", text=f"{resume} it: set spec.{field} to false", commands=(shell,))


def _raise_quota(own: OwnPods) -> Remedy:
    """To what all missing pods need."""
    needed = {each: each.used + own.missing * each.asked for each in own.excesses}
    raised = [f"{each.resource} of quota {each.quota} to {each.amount(total)}" for each, total in needed.items()]
    hard: dict[str, dict[str, str]] = {}
    for each, total in needed.items():
        hard.setdefault(each.quota, {})[each.resource] = each.amount(total)
    patches = {name: json.dumps({"spec": {"hard": limits}}) for name, limits in hard.items()}
    commands = (
        command("kubectl patch resourcequota", name, "-p", patch, namespace=own.namespace)
        for name, patch in patches.items()
    )
    return Remedy(
        action="raise-quota", text=f"raise {joined(raised)}, for {_all_missing(own)}", commands=tuple(commands)
    )


def _request_less(own: OwnPods) -> Iterator[Remedy]:
    """What the quotas leave for each of the missing pods, where that is not much less than they ask for."""
    left = {each: max(each.allowed - each.used, 0) // own.missing for each in own.excesses}
    if all(4 * least >= 3 * each.asked for each, least in left.items()):
        amounts = joined([f"{each.amount(least)} {each.resource}" for each, least in left.items()])
        text = f"request at most {amounts} a pod, which the quota leaves to {_all_missing(own)}"
        yield Remedy(action="request-less", text=text)


def _mend(own: OwnPods) -> Iterator[Remedy]:
    """What an API server refuses, at its place in what makes the pods."""
    kind = WORKLOAD_KIND_BY_NAME.get(own.kind)
    for problem in own.problems:
        field = path_text((*(kind.template_path if kind else ()), *problem.path))
        yield Remedy(
            action=Action.CHECK_MANIFEST,
            text=f"mend {field} in {own.kind} {own.name}: {problem.message}",
            rank=Rank.MENDS,
        )


def _all_missing(own: OwnPods) -> str:
    return f"the {plural(own.missing, 'missing pod')}" if own.missing > 1 else "the missing pod"
