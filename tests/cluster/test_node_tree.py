from __future__ import annotations

import pytest

from kexplain.cluster.node_tree import interleave_zones, zone_key
from kexplain.objects.core import Node
from kexplain.objects.meta import Labels
from tests.factories import REGION, ZONE, node

OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
OLD_REGION = "failure-domain.beta.kubernetes.io/region"


@pytest.mark.parametrize(
    ("labels", "key"),
    [
        pytest.param({}, ("", ""), id="no-labels"),
        pytest.param({ZONE: "a"}, ("", "a"), id="zone"),
        pytest.param({REGION: "r"}, ("r", ""), id="region"),
        pytest.param({REGION: "r", ZONE: "a"}, ("r", "a"), id="both"),
        pytest.param({OLD_REGION: "r", OLD_ZONE: "a"}, ("r", "a"), id="old-names"),
        pytest.param({OLD_ZONE: "old", ZONE: "new"}, ("", "old"), id="old-name-wins"),
        pytest.param({OLD_ZONE: "", ZONE: "new"}, ("", ""), id="even-if-empty"),
        pytest.param({OLD_REGION: "r", ZONE: "a"}, ("r", "a"), id="mixed-names"),
    ],
)
def test_zone_key(labels: Labels, key: tuple[str, str]) -> None:
    assert zone_key(node(labels=labels)) == key


@pytest.mark.parametrize(
    ("nodes", "order"),
    [
        pytest.param([], "", id="none"),
        pytest.param([node("a"), node("b")], "a b", id="no-zones"),
        pytest.param(
            [node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b"), node("b2", zone="b")], "a1 b1 a2 b2",
            id="zones-take-turns",
        ),
        pytest.param(
            [node("b1", zone="b"), node("a1", zone="a"), node("b2", zone="b")], "b1 a1 b2", id="first-seen-goes-first",
        ),
        pytest.param(
            [node("a1", zone="a"), node("a2", zone="a"), node("a3", zone="a"), node("b1", zone="b")], "a1 b1 a2 a3",
            id="short-zone-drops-out",
        ),
        pytest.param(
            [node("r1", region="r", zone="a"), node("r2", region="r", zone="a"), node("s1", region="s", zone="a")],
            "r1 s1 r2", id="same-zone-name-in-another-region",
        ),
        pytest.param(
            [node("o", labels={OLD_ZONE: "a"}), node("b", zone="b"), node("n", zone="a")], "o b n", id="old-label-name",
        ),
        pytest.param([node("x"), node("a1", zone="a"), node("y")], "x a1 y", id="no-zone-is-a-zone"),
    ],
)  # fmt: skip
def test_interleave_zones(nodes: list[Node], order: str) -> None:
    assert [each.name for each in interleave_zones((zone_key(each), each) for each in nodes)] == order.split()
