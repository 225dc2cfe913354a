from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.explanation.records import Choice, Running
from kexplain.framework.trace import Outcome
from kexplain.render.pages.running import running_line
from kexplain.render.pages.sentences import advice, verdict, verdict_on
from tests.render.pages.test_sentences import CHOICE, POD

RUNNING = Running(node="n9", since="2026-01-01T00:00:00Z", again=True, fits=True)
SINCE = "there since 2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("running", "choice", "text"),
    [
        (RUNNING, CHOICE, f"{SINCE}; placed again now, it would land there again"),
        (RUNNING, replace(CHOICE, best=("n1", "n2")), f"{SINCE}; placed again now, it might land there again"),
        (
            replace(RUNNING, again=False),
            CHOICE,
            f"{SINCE}; it would still fit there; placed again now, it would land on n1",
        ),
        (replace(RUNNING, again=False, fits=None, since=""), CHOICE, "placed again now, it would land on n1"),
        (
            replace(RUNNING, again=False, fits=False, because="Insufficient cpu"),
            None,
            f"{SINCE}; it would no longer fit there (Insufficient cpu)",
        ),
        (replace(RUNNING, again=False, fits=False), None, f"{SINCE}; it would no longer fit there"),
        (None, CHOICE, ""),
    ],
)
def test_where_a_running_pod_would_land(running: Running | None, choice: Choice | None, text: str) -> None:
    assert running_line(replace(POD, running=running, choice=choice)) == text


@pytest.mark.parametrize(
    ("outcome", "line", "text"),
    [
        (Outcome.SCHEDULED, f"{SINCE}; placed again now, it would land there again", "runs on n9"),
        (Outcome.DELETING, SINCE, "is being deleted, and still on n9"),
        (Outcome.NO_PROFILE, SINCE, 'runs on n9, where scheduler "default-scheduler" has placed it'),
    ],
)
def test_a_pod_that_runs(outcome: Outcome, line: str, text: str) -> None:
    pod = replace(POD, running=RUNNING, choice=CHOICE, outcome=outcome)
    assert verdict(pod) == f"{pod.pod.key} {text}"
    assert running_line(pod) == line


@pytest.mark.parametrize(("nodes", "where"), [(1, "the only node"), (2, "any of 2 nodes")])
def test_a_pod_that_would_fit_nowhere_again(nodes: int, where: str) -> None:
    counted = replace(POD.nodes, total=nodes)
    pod = replace(POD, running=RUNNING, choice=None, outcome=Outcome.UNSCHEDULABLE, nodes=counted)
    assert verdict(pod) == f"{pod.pod.key} runs on n9; placed again now, it would not fit on {where}"
    starting = replace(pod, running=replace(RUNNING, started=False))
    assert verdict(starting).startswith(f"{pod.pod.key} is not started yet on n9; placed again")
    assert verdict_on("2 pods", 2, pod) == f"2 pods do not fit on {where}"


def test_a_pod_that_runs_is_not_told_to_stay_pending() -> None:
    pod = replace(POD, outcome=Outcome.NO_PROFILE, profiles=("a",))
    assert "stays pending" in advice(pod)
    assert "stays pending" not in advice(replace(pod, running=RUNNING))
    assert advice(replace(pod, running=RUNNING)) in advice(pod)
