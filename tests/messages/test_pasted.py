"""Messages found in what people paste."""

from __future__ import annotations

import pytest

from kexplain.messages.pasted import Pasted, pasted

MESSAGE = (
    "0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient cpu. preemption: not eligible."
)
ROW = Pasted(MESSAGE, "FailedScheduling", "pod", "web-0")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(MESSAGE, [Pasted(MESSAGE)], id="message"),
        pytest.param(f"\n{MESSAGE}\n\n  {MESSAGE}\n", [Pasted(MESSAGE)] * 2, id="messages"),
        pytest.param(
            f"Warning  FailedScheduling  2m (x5 over 22m)  default-scheduler  {MESSAGE}",
            [Pasted(MESSAGE, "FailedScheduling")],
            id="row-of-describe",
        ),
        pytest.param(
            f"Warning FailedScheduling 2m default-scheduler {MESSAGE}",
            [Pasted(MESSAGE, "FailedScheduling")],
            id="one-space-between",
        ),
        pytest.param(
            f"  Warning  FailedScheduling  2m    {MESSAGE}", [Pasted(MESSAGE, "FailedScheduling")], id="no-reporter"
        ),
        pytest.param(
            "Normal  NotTriggerScaleUp  1m  cluster-autoscaler  pod didn't trigger scale-up: 1 max node group size",
            [Pasted("pod didn't trigger scale-up: 1 max node group size", "NotTriggerScaleUp")],
            id="autoscaler",
        ),
        pytest.param(
            "Name:         web-0\nNamespace:    shop\nConditions:\n  Type  Status\nEvents:\n"
            "  Type     Reason            Age   From               Message\n"
            "  ----     ------            ----  ----               -------\n"
            f"  Warning  FailedScheduling  11s   default-scheduler  {MESSAGE}\n",
            [Pasted(MESSAGE, "FailedScheduling", "", "web-0", "shop")],
            id="describe",
        ),
        pytest.param("Name:  web-0\nEvents:  <none>\n", [], id="describe-without-events"),
        pytest.param(
            "LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
            f"5m12s       Warning   FailedScheduling   pod/web-0   {MESSAGE}\n",
            [ROW],
            id="get-events",
        ),
        pytest.param(
            "NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT      MESSAGE\n"
            f"shop        <unknown>   Warning   FailedScheduling   pod/web-0   {MESSAGE}\n",
            [ROW._replace(namespace="shop")],
            id="get-events-of-all-namespaces",
        ),
        pytest.param(
            "LAST SEEN   TYPE   REASON   OBJECT   SUBOBJECT   SOURCE   MESSAGE   FIRST SEEN   COUNT   NAME\n"
            f"5m12s   Warning   FailedScheduling   pod/web-0     default-scheduler  {MESSAGE}  5m12s  1   web-0.1\n",
            [ROW],
            id="get-events-wide",
        ),
        pytest.param(
            f"5m (x3 over 7m)   Warning   FailedScheduling   Pod/web-0   {MESSAGE}", [ROW], id="kubectl-events"
        ),
    ],
)
def test_messages_are_found(text: str, found: list[Pasted]) -> None:
    assert list(pasted(text)) == found
