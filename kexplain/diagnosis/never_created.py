"""Workloads whose pods no scheduler has ever seen: never created, suspended, or made one after the other."""

import textwrap

from kexplain.admission.refusals import Missing
from kexplain.case.records import OwnPods
from kexplain.diagnosis.records import Diagnosis, Kind, When
from kexplain.messages.message import parse_message
from kexplain.messages.part import Part
from kexplain.objects.problem import Problem, last_field
from kexplain.words import joined, plural

#: The most of an API server's words that the first line has; the detail has them all.
_MOST = 200
#: The least that is left of what comes before the end.
_LEAST = 60


def diagnose_workload(own: OwnPods) -> Diagnosis | None:
    """Why pods of the workload do not exist; None if they do, and where nothing says why."""
    if own.missing and own.excesses:
        return _over_quota(own)
    if own.missing and own.waits_for:
        text = f"{own.waits_for} is not ready, and the next pod is created only then"
        return Diagnosis(kind=Kind.WAITS_FOR_EARLIER, text=text, plugin="StatefulSet")
    if own.complaints or (own.missing and own.problems):
        return _refused(own)
    if own.held is not None:
        kind = type(own.held).__name__
        word = "paused" if kind == "Deployment" else "suspended"
        text = f"the {kind} is {word}"
        if own.is_paused:
            text += ", and makes no pods until it is resumed"
        elif word == "paused":
            text += ", so that a changed template makes no new pods"
        return Diagnosis(kind=Kind.SUSPENDED, text=text, retry=When.NEVER)
    return None


def _refused(own: OwnPods) -> Diagnosis:
    """What is wrong with the pods, or else what the API server says of them."""
    said = own.complaints[0].text if own.complaints else ""
    if not own.problems:
        part = refusal(said)
        text = part.meaning or f"the API server refuses {'it' if own.missing == 1 else 'them'}: {part.words}"
        return Diagnosis(kind=Kind.REFUSED, text=_in_brief(text), detail=said)
    first, *more = own.problems
    others = len({each.path for each in more} - {first.path})
    text = f"{_in_short(first)}, and {plural(others, 'more field')} would be refused" if others else _in_short(first)
    return Diagnosis(kind=Kind.REFUSED, text=text, detail=said or "; ".join(each.message for each in own.problems))


def _in_brief(text: str) -> str:
    """The text without some of its middle if it is long: what is wrong in the end comes last."""
    start, colon, end = text.rpartition(": ")
    if len(text) <= _MOST or len(end) > _MOST:
        return textwrap.shorten(text, _MOST, placeholder=" …")
    return f"{textwrap.shorten(start, max(_MOST - len(end), _LEAST), placeholder=' …')}{colon}{end}"


def refusal(message: str) -> Part:
    """Why an API server lets a pod not be created, of what a controller says about that."""
    return parse_message(message.partition("is forbidden: ")[2] or message).parts[0]


def _in_short(problem: Problem) -> str:
    """The problem behind the name of its field, which what is not there has in its message."""
    if isinstance(problem, Missing):
        return problem.message
    return f"{last_field(problem)} {problem.message}"


def _over_quota(own: OwnPods) -> Diagnosis:
    quotas = list(dict.fromkeys(each.quota for each in own.excesses))
    amounts = [
        f"{each.resource}: {each.amount(each.used)} of {each.amount(each.allowed)} used, "
        f"and the next pod asks for {each.amount(each.asked)}"
        for each in own.excesses
    ]
    text = f"quota {quotas[0]} is used up" if len(quotas) == 1 else f"quotas {joined(quotas)} are used up"
    return Diagnosis(kind=Kind.QUOTA_USED_UP, text=text, detail=f"{'; '.join(amounts)}.", plugin="ResourceQuota")
