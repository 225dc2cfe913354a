from __future__ import annotations

import pytest

from kexplain.scheduler.sampling import feasible_nodes_to_find


@pytest.mark.parametrize(
    ("nodes", "percentage", "to_find"),
    [
        pytest.param(0, 0, 0, id="no-nodes"),
        pytest.param(1, 0, 1, id="one"),
        pytest.param(99, 0, 99, id="below-a-hundred-all"),
        pytest.param(99, 5, 99, id="below-a-hundred-whatever-the-percentage"),
        pytest.param(100, 0, 100, id="a-hundred"),
        pytest.param(101, 0, 100, id="beyond-a-hundred"),
        pytest.param(200, 0, 100, id="floor-of-a-hundred"),
        pytest.param(249, 0, 122, id="49-percent"),
        pytest.param(250, 0, 120, id="48-percent-is-fewer"),
        pytest.param(1000, 0, 420, id="42-percent"),
        pytest.param(5000, 0, 500, id="10-percent"),
        pytest.param(5625, 0, 281, id="5-percent"),
        pytest.param(6000, 0, 300, id="never-below-5-percent"),
        pytest.param(50000, 0, 2500, id="far-beyond"),
        pytest.param(500, 10, 100, id="set-but-below-the-floor"),
        pytest.param(1001, 33, 330, id="set-and-cut"),
        pytest.param(1000, 100, 1000, id="all"),
        pytest.param(100, 100, 100, id="all-of-a-hundred"),
        pytest.param(5000, 1, 100, id="set-below-5-percent"),
        pytest.param(50000, 1, 500, id="set-below-5-percent-of-many"),
    ],
)
def test_feasible_nodes_to_find(nodes: int, percentage: int, to_find: int) -> None:
    assert feasible_nodes_to_find(nodes, percentage) == to_find
