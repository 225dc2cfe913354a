"""When a pod is tried again, in words."""

from __future__ import annotations

import pytest

from kexplain.explain.retry import Retry
from kexplain.explain.retry import retry as retry_of
from kexplain.framework.features import DEFAULT_FEATURES
from kexplain.objects.requests import DEFAULT_RULES
from kexplain.plugins.registry import IN_TREE_PLUGINS, events_of

AGAIN = "the scheduler tries again"
ALWAYS = "; otherwise every 5 minutes"


def retry(plugins: list[str], *, is_queued: bool = True) -> Retry:
    return retry_of({name: events_of(name, DEFAULT_FEATURES, DEFAULT_RULES) for name in plugins}, is_queued=is_queued)


@pytest.mark.parametrize(
    ("plugins", "line"),
    [
        pytest.param(["NodeName"], f"{AGAIN} when a node is added{ALWAYS}", id="without-what-new-nodes-bring"),
        pytest.param(
            ["NodeName", "NodePorts"], f"{AGAIN} when a pod is deleted, or a node is added{ALWAYS}", id="once"
        ),
        pytest.param(
            ["NodeResourcesFit", "TaintToleration"],
            f"{AGAIN} when a pod is deleted, or a node is added or its resources or taints change{ALWAYS}",
            id="changes-of-nodes-together",
        ),
        pytest.param(
            ["PodTopologySpread"],
            f"{AGAIN} when pods come or go, or nodes come, go or change{ALWAYS}",
            id="all-changes",
        ),
        pytest.param(
            ["VolumeBinding"],
            f"{AGAIN} when a node is added or its labels change, or claims, volumes or storage classes change" + ALWAYS,
            id="storage",
        ),
        pytest.param(
            ["DynamicResources"],
            f"{AGAIN} when a node is added or its resources or labels change, or devices or their claims change"
            + ALWAYS,
            id="devices",
        ),
        pytest.param(["ImageLocality"], f"{AGAIN} every 5 minutes", id="none"),
    ],
)
def test_the_line(plugins: list[str], line: str) -> None:
    assert retry(plugins).text == line


def test_a_gated_pod_waits_for_its_gates_alone() -> None:
    found = retry(["SchedulingGates"], is_queued=False)
    assert found.text == f"{AGAIN} when this pod's last scheduling gate is removed"
    assert found.seconds is None


def test_a_change_names_the_plugins_that_wait_for_it() -> None:
    found = {(each.resource, each.action): each for each in retry(["NodeName", "NodeResourcesFit"]).wake_ups}
    assert found["Node", "Add"].plugins == ("NodeName", "NodeResourcesFit")
    # NodeName looks at no new node more closely, so that each wakes the pod.
    assert not found["Node", "Add"].only_if_it_may_help
    assert found["Pod", "Delete"].only_if_it_may_help


@pytest.mark.parametrize("plugin", IN_TREE_PLUGINS)
def test_every_change_has_words(plugin: str) -> None:
    assert all(wake_up.text for wake_up in retry([plugin]).wake_ups)
