"""Errors of the API server that stood in while releases before 1.35 were recorded; they follow a decision.

The recorder had no real one. Its objects carried no resourceVersion, which volumes are reserved by up to 1.34, and
victims could not be deleted, since it knew none of the pods; 1.33 and later do not mind that. What was decided stands
beside the error: the node where the volumes were to be reserved, the candidates whose victims were to go.
"""

from __future__ import annotations

import re

import msgspec
from msgspec import UNSET

from .scenario import RecordedStatus, Result

_RESERVE = re.compile(
    r'reserve: running Reserve plugin "VolumeBinding": error parsing ResourceVersion "" for '
    r'v1\.PersistentVolume(?:Claim)? "[^"]+": strconv\.ParseInt: parsing "": invalid syntax'
)
_EVICTION = re.compile(r'preemption: pods "(?P<pod>[^"]+)" not found')


def without_stand_in_errors(result: Result) -> Result:
    """The result as it would have been with a real API server; the same one if that did not matter."""
    if result.outcome == "Scheduled" and _RESERVE.fullmatch(result.message):
        return msgspec.structs.replace(result, message="")
    preemption = result.preemption
    if preemption is UNSET or len(preemption.status.reasons) != 1:
        return result
    (reason,) = preemption.status.reasons
    match = _EVICTION.fullmatch(reason)
    victims = {
        pod.partition("/")[2] for each in preemption.candidates if each.node in preemption.best for pod in each.pods
    }
    if match is None or match["pod"] not in victims:
        return result
    preempted = msgspec.structs.replace(preemption, status=RecordedStatus(code="Success"))
    return msgspec.structs.replace(result, message=result.message.removesuffix(f" {reason}"), preemption=preempted)
