"""Workloads whose pods no scheduler has ever seen: never created, suspended, or made one after the other."""

from __future__ import annotations

from kexplain.case.records import OwnPods
from kexplain.diagnosis.records import Diagnosis, Kind, When
from kexplain.words import joined


def diagnose_workload(own: OwnPods) -> Diagnosis | None:
    """Why pods of the workload do not exist; None if they do, and where nothing says why."""
    if own.missing and own.excesses:
        return _over_quota(own)
    if own.missing and own.waits_for:
        text = f"{own.waits_for} is not ready, and the next pod is created only then"
        return Diagnosis(kind=Kind.WAITS_FOR_EARLIER, text=text, plugin="StatefulSet")
    if own.complaints:
        said = own.complaints[0]
        return Diagnosis(kind=Kind.REFUSED, text="the API server refuses them", detail=said.text)
    if own.missing and own.problems:
        detail = "; ".join(each.message for each in own.problems)
        return Diagnosis(kind=Kind.REFUSED, text="the API server refuses them", detail=detail)
    if own.held is not None:
        kind = type(own.held).__name__
        word = "paused" if kind == "Deployment" else "suspended"
        text = f"the {kind} is {word}" + (", so that a changed template makes no new pods" if word == "paused" else "")
        return Diagnosis(kind=Kind.SUSPENDED, text=text, retry=When.NEVER)
    return None


def _over_quota(own: OwnPods) -> Diagnosis:
    quotas = list(dict.fromkeys(each.quota for each in own.excesses))
    amounts = [
        f"{each.amount(each.used)} of {each.amount(each.allowed)} {each.resource} is used, "
        f"and the next pod asks for {each.amount(each.asked)}"
        for each in own.excesses
    ]
    text = f"quota {quotas[0]} is used up" if len(quotas) == 1 else f"quotas {joined(quotas)} are used up"
    return Diagnosis(kind=Kind.QUOTA_USED_UP, text=text, detail=f"{'; '.join(amounts)}.", plugin="ResourceQuota")
