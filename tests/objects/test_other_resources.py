"""Objects of other projects that say what is amiss."""

from __future__ import annotations

import pytest

from kexplain.objects.meta import ObjectMeta
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.untrusted import WrittenCondition

NOT_READY = WrittenCondition("Ready", "False", "R", "words")
WAITS = WrittenCondition("Pending", reason="Pending", message="waits")


def made(
    *complaints: WrittenCondition, said: str = "", results: tuple[str, ...] = (), mentions: tuple[str, ...] = ()
) -> OtherResource:
    return OtherResource(
        metadata=ObjectMeta(name="a", namespace="n"),
        of_kind="Run",
        complaints=complaints,
        said=said,
        results=results,
        mentions=mentions,
    )


@pytest.mark.parametrize(
    ("complaints", "said", "message", "failure"),
    [
        pytest.param([NOT_READY], "", "words", "R; words", id="not-ready"),
        pytest.param([NOT_READY], "event", "event", "R; words", id="an-event-says-more"),
        pytest.param([], "event", "", "", id="nothing-is-wrong"),
        pytest.param([WrittenCondition("Ready", "False")], "", "", "", id="without-words"),
        pytest.param([WAITS], "event", "waits", "", id="waits"),
        pytest.param([WAITS, NOT_READY], "", "waits", "R; words", id="waits-and-fails"),
        pytest.param([WrittenCondition("Succeeded", "False", "", "gone")], "", "", "gone", id="failed-for-good"),
        pytest.param([WrittenCondition("lastError", message="no disk")], "", "no disk", "no disk", id="an-error"),
    ],
)
def test_what_is_wrong_and_what_has_failed(
    complaints: list[WrittenCondition], said: str, message: str, failure: str
) -> None:
    found = made(*complaints, said=said)
    assert (found.complaint.message if found.complaint else "") == message
    assert found.failure == failure


def test_what_it_makes_and_what_it_names() -> None:
    found = made(results=("tls",), mentions=("n/b",))
    assert [found.waits_for(each) for each in ("b", "n/b", "c", "a")] == [True, True, False, False]
    assert [found.makes(each) for each in ("tls", "web", "a")] == [True, False, False]
    assert (found.kind, found.key) == ("Run", "Run n/a")
