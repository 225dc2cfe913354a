"""Labels that nodes must or should have, or not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.cluster import NodeInfo
from kexplain.framework.evidence.policies import LabelPresenceViolated
from kexplain.plugins.legacy.node_label import NodeLabel
from tests.factories import node, pod

NODE = NodeInfo(node("n1", labels={"rack": "r1", "ssd": ""}))


@pytest.mark.parametrize(
    ("present", "absent", "missing", "unwanted"),
    [
        pytest.param([], [], (), (), id="nothing-asked"),
        pytest.param(["rack", "ssd"], ["old"], (), (), id="all-as-asked"),
        pytest.param(["rack", "row"], [], ("row",), (), id="missing"),
        pytest.param([], ["ssd"], (), ("ssd",), id="unwanted"),
        pytest.param(["row"], ["ssd"], ("row",), ("ssd",), id="both"),
    ],
)
def test_filter(
    present: Sequence[str], absent: Sequence[str], missing: tuple[str, ...], unwanted: tuple[str, ...]
) -> None:
    status = NodeLabel(present=present, absent=absent).filter(pod(), None, NODE)
    assert (status.evidence if status else ()) == (
        (LabelPresenceViolated(missing, unwanted),) if missing or unwanted else ()
    )


@pytest.mark.parametrize(
    ("present", "absent", "score"),
    [
        pytest.param([], [], 0, id="nothing-preferred"),
        pytest.param(["rack"], ["old"], 100, id="all"),
        pytest.param(["rack", "row"], ["ssd"], 33, id="one-of-three"),
    ],
)
def test_score(present: Sequence[str], absent: Sequence[str], score: int) -> None:
    plugin = NodeLabel(preferably_present=present, preferably_absent=absent)
    assert plugin.score(pod(), None, NODE) == score
