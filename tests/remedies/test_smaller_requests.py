"""Pods that request less, as admitted and as they are written."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kexplain.objects.core import Container, Pod, ResourceRequirements
from kexplain.objects.requests import DEFAULT_RULES, pod_requests
from kexplain.remedies.smaller_requests import requesting_amount, requesting_less
from tests.factories import container, pod

NANOS = 10**9


def requested(asked: Pod) -> Mapping[str, object]:
    return {
        each.name or "": (each.resources.requests or {}).get("cpu") if each.resources else None
        for each in (*(asked.spec.init_containers or ()), *(asked.spec.containers or ()))
    }


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        pytest.param(pod(cpu="3"), {"main": "1"}, id="one"),
        pytest.param(pod(containers=[container("2", name="a"), container("500m", name="b")]),
                     {"a": "500m", "b": "500m"}, id="the-largest-is-cut-first"),
        pytest.param(pod(containers=[container("500m", name="a")], init=[container("2", name="i")]),
                     {"i": "1", "a": "500m"}, id="what-runs-first"),
        pytest.param(pod(containers=[container("2", name="a")], init=[container("500m", name="s", sidecar=True)]),
                     {"s": "500m", "a": "500m"}, id="beside-a-sidecar"),
        pytest.param(pod(containers=[container("300m", name="a")],
                         init=[container("500m", name="s", sidecar=True), container("2", name="i")]),
                     {"s": "500m", "i": "500m", "a": "300m"}, id="first-beside-a-sidecar"),
        pytest.param(pod(cpu="3", overhead={"cpu": "250m"}), {"main": "750m"}, id="with-overhead"),
    ],
)  # fmt: skip
def test_no_more_is_requested_than_is_free(asking: Pod, expected: Mapping[str, str]) -> None:
    less = requesting_less(asking, {"cpu": 1000})(asking)
    assert requested(less) == expected
    assert pod_requests(less, DEFAULT_RULES)["cpu"] <= NANOS


def test_the_pod_as_a_whole_requests_less_too() -> None:
    asking = pod(whole={"cpu": "3"}, containers=[container("2", name="a")])
    less = requesting_less(asking, {"cpu": 1000})(asking)
    assert less.spec.resources is not None
    assert (less.spec.resources.requests, requested(less)) == ({"cpu": "1"}, {"a": "1"})


def test_what_admission_filled_in_is_written_into_the_manifest() -> None:
    less = requesting_less(pod(cpu="3"), {"cpu": 1000})
    assert requested(less(pod(containers=[Container(name="main")]))) == {"main": "1"}


def test_a_limit_that_is_a_number_stays_one_and_needs_no_request_beside_it() -> None:
    limited = Container(name="a", resources=ResourceRequirements(limits={"cpu": 2, "nvidia.com/gpu": 8}))
    (less,) = (
        requesting_less(pod(containers=[limited]), {"nvidia.com/gpu": 4})(pod(containers=[limited])).spec.containers
        or ()
    )
    assert less.resources == ResourceRequirements(limits={"cpu": 2, "nvidia.com/gpu": 4})


def test_what_cannot_be_had_in_part_has_a_limit_alike() -> None:
    asking = pod(containers=[container(name="a", further={"nvidia.com/gpu": "2"})])
    less = requesting_less(asking, {"nvidia.com/gpu": 1})(asking)
    (changed,) = less.spec.containers or ()
    assert changed.resources is not None
    assert changed.resources.requests == {"nvidia.com/gpu": "1"}


def test_whole_cpus_that_were_meant_in_thousandths() -> None:
    meant = requesting_amount("cpu", 500, "500m")
    assert requested(meant(pod(cpu="500"))) == {"main": "500m"}
    assert requested(meant(pod(cpu="2"))) == {"main": "2"}
    assert requested(meant(pod())) == requested(pod())
