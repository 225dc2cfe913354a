"""When a pod is tried again, in words."""

from __future__ import annotations

import pytest

from kexplain.explain.waking import retry
from kexplain.plugins.wakeups import EVENTS_BY_PLUGIN

OF_PORTS = "tried again when a pod is deleted, a node is added or a node's taints change; after 5 minutes at the latest"


@pytest.mark.parametrize(
    ("plugins", "line"),
    [
        pytest.param(
            ["NodePorts"],
            OF_PORTS,
            id="one",
        ),
        pytest.param(
            ["NodeName", "NodePorts"],
            OF_PORTS,
            id="alike-changes-once",
        ),
        pytest.param([], "tried again after 5 minutes at the latest", id="none"),
    ],
)
def test_the_line(plugins: list[str], line: str) -> None:
    assert retry(plugins).text == line


def test_a_gated_pod_waits_for_its_gates_alone() -> None:
    found = retry(["SchedulingGates"], is_queued=False)
    assert found.text == "tried again when this pod's last scheduling gate is removed"
    assert found.seconds is None


def test_a_change_names_the_plugins_that_wait_for_it() -> None:
    found = {(each.resource, each.action): each for each in retry(["NodeName", "NodeResourcesFit"]).wake_ups}
    assert found["Node", "Add"].plugins == ("NodeName", "NodeResourcesFit")
    # NodeName looks at no new node more closely, so that each wakes the pod.
    assert not found["Node", "Add"].only_if_it_may_help
    assert found["Pod", "Delete"].only_if_it_may_help


@pytest.mark.parametrize("plugin", EVENTS_BY_PLUGIN)
def test_every_change_has_words(plugin: str) -> None:
    assert all(wake_up.text for wake_up in retry([plugin]).wake_ups)
