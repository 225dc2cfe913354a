"""Only errors that the recorder's own API server can have caused are left aside."""

from __future__ import annotations

import pytest

from .scenario import RecordedCandidate, RecordedPreemption, RecordedStatus, Result
from .stand_in import without_stand_in_errors

RESERVE = (
    'reserve: running Reserve plugin "VolumeBinding": error parsing ResourceVersion "" for '
    'v1.PersistentVolumeClaim "default/c": strconv.ParseInt: parsing "": invalid syntax'
)
GONE = 'preemption: pods "low" not found'
FITS_NOWHERE = "0/1 nodes are available: 1 Insufficient cpu."


def preempting(victim: str) -> Result:
    return Result(
        pod="default/p",
        outcome="Unschedulable",
        message=f"{FITS_NOWHERE} {GONE}",
        preemption=RecordedPreemption(
            candidates=[RecordedCandidate(node="n1", pods=[f"default/{victim}"], pdb_violations=0)],
            best=["n1"],
            status=RecordedStatus(code="Error", plugin="DefaultPreemption", reasons=[GONE]),
        ),
    )


def test_volumes_that_could_not_be_reserved() -> None:
    recorded = Result(pod="default/p", outcome="Scheduled", message=RESERVE)
    assert without_stand_in_errors(recorded) == Result(pod="default/p", outcome="Scheduled")


def test_victims_that_could_not_be_deleted() -> None:
    result = without_stand_in_errors(preempting("low"))
    assert result.message == FITS_NOWHERE
    assert isinstance(result.preemption, RecordedPreemption)
    assert result.preemption.status == RecordedStatus(code="Success")


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param(preempting("another"), id="not-a-victim"),
        pytest.param(Result(pod="default/p", outcome="Error", message=RESERVE), id="another-outcome"),
        pytest.param(Result(pod="default/p", outcome="Scheduled", message="reserve: no"), id="another-error"),
    ],
)
def test_anything_else_is_compared(recorded: Result) -> None:
    assert without_stand_in_errors(recorded) is recorded
