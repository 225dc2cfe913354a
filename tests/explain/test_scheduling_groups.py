"""A group that waits, node by node."""

from pathlib import Path

import pytest

from kexplain import Inputs, SchedulerSettings, load_case, schedule
from kexplain.explain.scheduling_groups import group_nodes, scheduling_group
from kexplain.framework.trace import GroupOutcome

FIXTURES = Path(__file__).parents[2] / "fixtures"
GATES = {"GenericWorkload": True, "GangScheduling": True}


def outcome_in(fixture: str, name: str) -> GroupOutcome:
    inputs = Inputs([str(FIXTURES / fixture / "cluster.yaml")], settings=SchedulerSettings(feature_gates=GATES))
    case = load_case([], inputs)
    decisions = [each for each in schedule(case) if each.group and each.group.name.name == name]
    found = scheduling_group(decisions[0])
    assert decisions[0].group is not None
    assert found is not None
    assert found.nodes == group_nodes(decisions[0].group)
    return decisions[0].group


@pytest.mark.parametrize(
    ("fixture", "group", "nodes"),
    [
        pytest.param(
            "gang-one-pod-short",
            "workers",
            [(True, "NodeResourcesFit", ("gpu-2", "gpu-1"), {"gpu-1": 2, "gpu-2": 1})],
            id="room",
        ),
        pytest.param(
            "gang-with-devices",
            "ranks",
            [
                (True, "DynamicResources", ("gpu-1",), {"gpu-1": 2}),
                (True, "NodeResourcesFit", ("gpu-2",), {"gpu-2": 1}),
                (False, "TaintToleration", ("batch-1", "batch-2"), {}),
                (False, "NodeResourcesFit", ("small-1",), {}),
            ],
            id="devices",
        ),
    ],
)
def test_nodes(fixture: str, group: str, nodes: list[tuple[bool, str, tuple[str, ...], dict[str, int]]]) -> None:
    found = group_nodes(outcome_in(fixture, group))
    assert [(each.used_up, each.plugin, each.nodes, each.takes) for each in found] == nodes
    assert all(each.count == len(each.nodes) for each in found)
