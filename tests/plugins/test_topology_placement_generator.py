from __future__ import annotations

from collections.abc import Mapping

import pytest

from kexplain.framework.status import Code, Status
from kexplain.objects.core import GroupName
from kexplain.plugins.topology_placement_generator import TopologyPlacementGenerator
from tests.factories import cluster, node, pod, pod_group

NAME = GroupName("default", "pg1")


@pytest.mark.parametrize(
    ("key", "labels", "placed", "expected"),
    [
        pytest.param("", {"n1": {}, "n2": {"foo": "bar"}}, {}, {"": ["n1", "n2"]}, id="no-constraint"),
        pytest.param(
            "rack",
            {
                "n0": {"zone": "d1"},
                "n2": {"rack": "d1"},
                "n3": {"rack": "d2"},
                "n4": {"rack": "d1"},
                "n5": {"rack": "d3"},
            },
            {},
            {"d1": ["n2", "n4"], "d2": ["n3"], "d3": ["n5"]},
            id="each-domain",
        ),
        pytest.param("rack", {"n0": {"zone": "d1"}}, {}, {}, id="no-node-has-the-label"),
        pytest.param(
            "rack",
            {"n0": {"rack": "d2"}, "n1": {"rack": "d1"}, "n2": {"rack": "d1"}},
            {"a": "n1", "b": "n2"},
            {"d1": ["n1", "n2"]},
            id="where-others-are",
        ),
        pytest.param(
            "rack",
            {"n0": {"rack": "d0"}, "n1": {"rack": "d1"}},
            {"a": "n0", "b": "n1"},
            "more than 1 domain found for pod group: d0, d1",
            id="others-stand-apart",
        ),
        pytest.param(
            "rack",
            {"n1": {"rack": "d1"}},
            {"a": "n1", "b": "gone"},
            'getting node for pod default/b: nodeinfo not found for node name "gone"',
            id="on-a-node-that-is-gone",
        ),
        pytest.param(
            "rack",
            {"n1": {"rack": "d1"}, "n2": {"zone": "a"}},
            {"a": "n2"},
            "no topology domain found for pod default/a",
            id="on-a-node-without-the-label",
        ),
    ],
)
def test_placements(
    key: str, labels: Mapping[str, dict[str, str]], placed: Mapping[str, str], expected: dict[str, list[str]] | str
) -> None:
    nodes = [node(name, labels=each) for name, each in labels.items()]
    pods = [pod(name, group="pg1", node=on) for name, on in placed.items()]
    found = TopologyPlacementGenerator().placements(NAME, cluster(nodes, pods, pod_group("pg1", key=key)))
    if isinstance(expected, str):
        assert found == Status(Code.ERROR, (f"cannot determine domain for already scheduled pods: {expected}",))
        return
    assert not isinstance(found, Status)
    assert {each.name: list(each.node_names) for each in found} == expected


def test_a_group_that_is_not_there() -> None:
    found = TopologyPlacementGenerator().placements(NAME, cluster([node("n1")]))
    assert found == Status(Code.ERROR, ('podgroup.scheduling.k8s.io "pg1" not found',))
