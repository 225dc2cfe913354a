from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission.limit_range import container_defaults, with_limit_ranges
from kexplain.objects.core import Container, PodSpec

from .factories import amounts, container, limit_range, resources


def item(**fields: Any) -> dict[str, Any]:
    return {"type": "Container", **fields}


@pytest.mark.parametrize(
    ("items", "requests", "limits"),
    [
        pytest.param([], {}, {}, id="empty"),
        pytest.param([item(default={"cpu": 1})], {"cpu": 1}, {"cpu": 1}, id="request-from-limit"),
        pytest.param([item(max={"cpu": 2})], {"cpu": 2}, {"cpu": 2}, id="limit-from-maximum"),
        pytest.param([item(min={"cpu": "1m"})], {"cpu": "1m"}, {}, id="request-from-minimum"),
        pytest.param(
            [item(min={"cpu": "1m"}, max={"cpu": 2})], {"cpu": 2}, {"cpu": 2}, id="maximum-before-minimum"
        ),
        pytest.param(
            [item(default={"cpu": 1}, defaultRequest={"cpu": "1m"}, max={"cpu": 2}, min={"cpu": "2m"})],
            {"cpu": "1m"}, {"cpu": 1}, id="all-set",
        ),
        pytest.param([{"type": "Pod", "max": {"cpu": 2}}], {}, {}, id="other-type"),
        pytest.param(
            [item(default={"cpu": 1}), item(default={"cpu": 2}, defaultRequest={"memory": 1})],
            {"cpu": 2, "memory": 1}, {"cpu": 2}, id="later-item-overrides",
        ),
    ],
)  # fmt: skip
def test_container_defaults(items: list[dict[str, Any]], requests: dict[str, Any], limits: dict[str, Any]) -> None:
    assert container_defaults(limit_range(*items)) == resources(requests, limits)


LIMITED = limit_range(item(default={"cpu": 2, "memory": "1Gi"}, defaultRequest={"cpu": 1}))


def test_only_what_a_container_leaves_open() -> None:
    own = container(amounts(cpu="100m"), amounts(memory="2Gi"))
    bare = Container(name="bare")
    admitted = with_limit_ranges(PodSpec(containers=(own,), init_containers=(bare,)), [LIMITED])
    (filled,) = admitted.containers or ()
    (given,) = admitted.init_containers or ()
    assert filled.resources == resources(amounts(cpu="100m", memory="1Gi"), amounts(cpu=2, memory="2Gi"))
    assert given.resources == resources(amounts(cpu=1, memory="1Gi"), amounts(cpu=2, memory="1Gi"))


def test_first_limit_range_wins() -> None:
    other = limit_range(item(default={"cpu": 9, "gpu": 1}))
    admitted = with_limit_ranges(PodSpec(containers=(Container(),)), [LIMITED, other])
    (filled,) = admitted.containers or ()
    assert filled.resources == resources(amounts(cpu=1, memory="1Gi", gpu=1), amounts(cpu=2, memory="1Gi", gpu=1))


def test_no_limit_ranges() -> None:
    pod_spec = PodSpec(containers=(Container(),))
    assert with_limit_ranges(pod_spec, ()) is pod_spec
