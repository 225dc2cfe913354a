from __future__ import annotations

import pytest

from kexplain.api import build_scheduler
from kexplain.framework.trace import Outcome
from kexplain.objects.core import Pod
from kexplain.scheduler.feasibility import fits_anywhere
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        pytest.param(pod(cpu="1"), True, id="room"),
        pytest.param(pod(cpu="9"), False, id="no-room"),
        pytest.param(pod(node_selector={"disk": "ssd"}), True, id="label"),
        pytest.param(pod(node_selector={"disk": "nvme"}), False, id="no-label"),
    ],
)
def test_whether_it_fits_is_what_the_scheduler_finds(asking: Pod, expected: bool) -> None:
    scheduler, there = build_scheduler(), cluster([node("n1"), node("n2", labels={"disk": "ssd"})])
    assert fits_anywhere(scheduler, asking, there) is expected
    assert (scheduler.schedule(asking, there).outcome is Outcome.SCHEDULED) is expected
