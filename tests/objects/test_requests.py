from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.objects import quantity
from kexplain.objects.core import ContainerStatus, Pod, PodStatus, ResourceRequirements
from kexplain.objects.meta import Condition, ResourceList
from kexplain.objects.quantity import QuantityError
from kexplain.objects.requests import Nanos, RequestRules, pod_requests, scoring_requests, sets_pod_level_requests
from tests.factories import container, pod

RULES = RequestRules()
INFEASIBLE = Condition(type="PodResizePending", status="True", reason="Infeasible")
DEFERRED = Condition(type="PodResizePending", status="True", reason="Deferred")


def nanos(**raw_by_name: str) -> Nanos:
    return {name: quantity.parse(raw) for name, raw in raw_by_name.items()}


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        pytest.param(pod(), nanos(), id="nothing"),
        pytest.param(pod(containers=[]), nanos(), id="no-containers"),
        pytest.param(pod(cpu="100m", memory="1Gi"), nanos(cpu="100m", memory="1Gi"), id="one-container"),
        pytest.param(pod(containers=[container("1"), container("500m")]), nanos(cpu="1500m"), id="containers-add-up"),
        pytest.param(
            pod(containers=[container("0.4m"), container("0.4m")]), nanos(cpu="0.8m"), id="summed-before-rounding",
        ),
        pytest.param(pod(cpu="1", init=[container("2")]), nanos(cpu="2"), id="init-container-is-a-peak"),
        pytest.param(pod(cpu="2", init=[container("1")]), nanos(cpu="2"), id="lower-init-container"),
        pytest.param(
            pod(cpu="1", init=[container("2"), container("3")]), nanos(cpu="3"), id="init-containers-take-turns",
        ),
        pytest.param(
            pod(cpu="1", init=[container(None, "1Gi")]), nanos(cpu="1", memory="1Gi"), id="peak-by-resource",
        ),
        pytest.param(pod(cpu="1", init=[container("2", sidecar=True)]), nanos(cpu="3"), id="sidecars-add-up"),
        pytest.param(
            pod(cpu="1", init=[container("2", sidecar=True), container("3")]), nanos(cpu="5"),
            id="init-container-beside-earlier-sidecar",
        ),
        pytest.param(
            pod(cpu="1", init=[container("3"), container("1", sidecar=True)]), nanos(cpu="3"),
            id="init-container-before-later-sidecar",
        ),
        pytest.param(
            pod(cpu="1", init=[container("1", sidecar=True), container("3"), container("2", sidecar=True)]),
            nanos(cpu="4"), id="between-two-sidecars",
        ),
        pytest.param(pod(cpu="1", overhead={"cpu": "250m"}), nanos(cpu="1250m"), id="overhead"),
        pytest.param(
            pod(cpu="1", init=[container("2")], overhead={"cpu": "250m"}), nanos(cpu="2250m"), id="overhead-on-peak",
        ),
        pytest.param(pod(overhead={"memory": "1Gi"}), nanos(memory="1Gi"), id="overhead-alone"),
        pytest.param(pod(cpu="1", whole={"cpu": "3"}), nanos(cpu="3"), id="pod-level-replaces-the-sum"),
        pytest.param(pod(cpu="3", whole={"cpu": "1"}), nanos(cpu="1"), id="pod-level-even-if-lower"),
        pytest.param(
            pod(cpu="1", memory="1Gi", whole={"cpu": "3"}), nanos(cpu="3", memory="1Gi"),
            id="pod-level-only-where-it-says-so",
        ),
        pytest.param(pod(cpu="1", init=[container("9")], whole={"cpu": "3"}), nanos(cpu="3"), id="pod-level-and-init"),
        pytest.param(
            pod(cpu="1", whole={"cpu": "3"}, overhead={"cpu": "1"}), nanos(cpu="4"), id="overhead-on-pod-level",
        ),
        pytest.param(
            pod(whole={"hugepages-2Mi": "2Mi", "cpu": "1"}), {**nanos(cpu="1"), "hugepages-2Mi": quantity.parse("2Mi")},
            id="pod-level-hugepages",
        ),
        pytest.param(
            pod(further={"example.com/gpu": "1"}, whole={"example.com/gpu": "5"}),
            {"example.com/gpu": quantity.parse("1")}, id="no-pod-level-extended-resources",
        ),
    ],
)  # fmt: skip
def test_pod_requests(asking: Pod, expected: Nanos) -> None:
    assert pod_requests(asking, RULES) == expected


def test_pod_level_requests_are_gated() -> None:
    asking = pod(cpu="1", whole={"cpu": "3"})
    assert pod_requests(asking, RequestRules(pod_level_resources=False)) == nanos(cpu="1")


@pytest.mark.parametrize(
    ("whole", "expected"),
    [
        (None, False),
        ({"cpu": "1"}, True),
        ({"memory": "1"}, True),
        ({"hugepages-1Gi": "1Gi"}, True),
        ({"ephemeral-storage": "1"}, False),
    ],
)
def test_sets_pod_level_requests(whole: ResourceList | None, expected: bool) -> None:
    assert sets_pod_level_requests(pod(whole=whole)) is expected


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        pytest.param(pod(), nanos(cpu="100m", memory="200Mi"), id="nothing-counts-as-something"),
        pytest.param(pod(cpu="1"), nanos(cpu="1", memory="200Mi"), id="only-what-is-missing"),
        pytest.param(pod(cpu="0"), nanos(cpu="0", memory="200Mi"), id="an-explicit-zero-is-not-missing"),
        pytest.param(
            pod(containers=[container("1"), container()]), nanos(cpu="1100m", memory="400Mi"), id="a-container",
        ),
        pytest.param(
            pod(cpu="1", memory="1Gi", init=[container()]), nanos(cpu="1", memory="1Gi"), id="init-container-below",
        ),
        pytest.param(
            pod(cpu="1", memory="1Gi", init=[container(sidecar=True)]), nanos(cpu="1100m", memory="1224Mi"),
            id="sidecar",
        ),
        pytest.param(pod(whole={"cpu": "2"}), nanos(cpu="2", memory="200Mi"), id="pod-level-leaves-memory-open"),
        pytest.param(
            pod(whole={"cpu": "2", "memory": "1Gi"}), nanos(cpu="2", memory="1Gi"), id="pod-level-says-all",
        ),
        pytest.param(
            pod(containers=[container(None, "1Gi"), container()], whole={"cpu": "2"}), nanos(cpu="2", memory="1Gi"),
            id="pod-level-and-a-container-that-tells-memory",
        ),
        pytest.param(pod(overhead={"cpu": "1"}), nanos(cpu="1100m", memory="200Mi"), id="overhead-comes-on-top"),
    ],
)  # fmt: skip
def test_scoring_requests(asking: Pod, expected: Nanos) -> None:
    assert scoring_requests(asking, RULES) == expected


def resized(name: str = "main", *, actuated: str | None, allocated: str | None = None) -> ContainerStatus:
    return ContainerStatus(
        name=name,
        resources=ResourceRequirements(requests=None if actuated is None else {"cpu": actuated}),
        allocated_resources=None if allocated is None else {"cpu": allocated},
    )


@pytest.mark.parametrize(
    ("running", "expected"),
    [
        pytest.param(pod(cpu="1", container_statuses=[resized(actuated="2")]), "2", id="not-given-back-yet"),
        pytest.param(pod(cpu="3", container_statuses=[resized(actuated="2")]), "3", id="not-given-yet"),
        pytest.param(
            pod(cpu="1", container_statuses=[resized(actuated="1", allocated="2")]), "2", id="promised-counts",
        ),
        pytest.param(
            pod(cpu="9", container_statuses=[resized(actuated="2", allocated="3")], conditions=[INFEASIBLE]), "3",
            id="infeasible-resize-asks-in-vain",
        ),
        pytest.param(
            pod(cpu="9", container_statuses=[resized(actuated="2")], conditions=[DEFERRED]), "9", id="deferred-resize",
        ),
        pytest.param(pod(cpu="1", container_statuses=[resized("other", actuated="5")]), "1", id="another-container"),
        pytest.param(
            pod(cpu="1", container_statuses=[ContainerStatus(name="main", allocated_resources={"cpu": "5"})]), "1",
            id="status-without-resources-is-ignored",
        ),
        pytest.param(
            pod(
                cpu="1", init=[container("1", name="side", sidecar=True)],
                container_statuses=[resized("side", actuated="2")],
            ), "3", id="sidecar",
        ),
        pytest.param(
            pod(cpu="1", init=[container("1", name="init")], container_statuses=[resized("init", actuated="5")]), "1",
            id="finished-init-container",
        ),
    ],
)  # fmt: skip
def test_resizes_in_place(running: Pod, expected: str) -> None:
    assert pod_requests(running, RULES, use_status=True)["cpu"] == quantity.parse(expected)


def whole_resized(*, actuated: str, allocated: str | None = None, conditions: tuple[Condition, ...] = ()) -> Pod:
    """A pod of which 2 cores are requested as a whole, and that was given something else."""
    return msgspec.structs.replace(
        pod(cpu="1", memory="1Gi", whole={"cpu": "2"}),
        status=PodStatus(
            resources=ResourceRequirements(requests={"cpu": actuated, "memory": "9Gi"}),
            allocated_resources=None if allocated is None else {"cpu": allocated},
            conditions=conditions,
        ),
    )


@pytest.mark.parametrize(
    ("running", "cpu"),
    [
        pytest.param(whole_resized(actuated="1"), "2", id="not-given-yet"),
        pytest.param(whole_resized(actuated="3"), "3", id="not-given-back-yet"),
        pytest.param(whole_resized(actuated="1", allocated="4"), "4", id="promised"),
        pytest.param(whole_resized(actuated="1", conditions=(INFEASIBLE,)), "1", id="infeasible"),
        pytest.param(
            whole_resized(actuated="1", conditions=(Condition(type="Ready", status="True"), INFEASIBLE)), "1",
            id="infeasible-among-other-conditions",
        ),
    ],
)  # fmt: skip
def test_pods_as_a_whole_are_resized_too(running: Pod, cpu: str) -> None:
    """Only in what the pod as a whole requests: memory is what the container asks for."""
    assert pod_requests(running, RULES, use_status=True) == nanos(cpu=cpu, memory="1Gi")
    gated = RequestRules(in_place_pod_level_vertical_scaling=False)
    assert pod_requests(running, gated, use_status=True) == nanos(cpu="2", memory="1Gi")


SUMMED = RequestRules(resizes_count_in_sum=True)
TWO = [container("1", name="c1"), container("2", name="c2")]


def promised(name: str, cpu: str) -> ContainerStatus:
    return ContainerStatus(name=name, allocated_resources={"cpu": cpu})


def given(**fields: Any) -> Pod:
    """A pod whose one container asks for 1 core and was given 5 of 6 that were promised, with this in its status."""
    running = pod(containers=[container("1", name="c1")])
    statuses = (resized("c1", actuated="5", allocated="6"),)
    return msgspec.structs.replace(running, status=PodStatus(container_statuses=statuses, **fields))


@pytest.mark.parametrize(
    ("running", "expected", "one_by_one"),
    [
        pytest.param(
            pod(containers=TWO, container_statuses=[promised("c1", "2"), promised("c2", "1")]), "3", "3",
            id="aggregate container request resolves max of sums instead of sum of maxes",
        ),
        pytest.param(
            pod(containers=TWO, container_statuses=[resized("c1", actuated="2"), resized("c2", actuated="1")]),
            "3", "4", id="given back by one, not given yet to the other",
        ),
        pytest.param(
            given(allocated_resources={"cpu": "4"}, resources=ResourceRequirements(requests={"cpu": "3"})), "4", "6",
            id="aggregate container request/limit resolves directly from pod status",
        ),
        pytest.param(
            given(resources=ResourceRequirements(requests={"cpu": "3"})), "6", "6",
            id="falls back to container status aggregation when podAllocatedResources is nil",
        ),
        pytest.param(
            given(allocated_resources={"cpu": "6"}), "6", "6",
            id="falls back to container status aggregation when podResources is nil",
        ),
        pytest.param(
            pod(cpu="9", container_statuses=[resized(actuated="2", allocated="3")], conditions=[INFEASIBLE]), "3", "3",
            id="infeasible-resize-asks-in-vain",
        ),
        pytest.param(
            pod(cpu="1", container_statuses=[promised("main", "5")]), "5", "1", id="promised-and-nothing-given-yet",
        ),
        pytest.param(
            pod(cpu="1", init=[container("1", name="init")], container_statuses=[resized("init", actuated="5")]),
            "5", "1", id="init-container",
        ),
        pytest.param(
            pod(cpu="1", container_statuses=[resized(actuated="2"), resized(actuated="3")]), "2", "3",
            id="first-of-two-statuses",
        ),
        pytest.param(whole_resized(actuated="3", allocated="4"), "4", "4", id="as-a-whole"),
    ],
)  # fmt: skip
def test_resizes_count_in_sum_since_1_37(running: Pod, expected: str, one_by_one: str) -> None:
    """Rows with spaces in their names are upstream's."""
    assert pod_requests(running, SUMMED, use_status=True)["cpu"] == quantity.parse(expected)
    assert pod_requests(running, RULES, use_status=True)["cpu"] == quantity.parse(one_by_one)


def test_what_was_given_to_the_pod_as_a_whole_counts_even_if_it_did_not_ask() -> None:
    running = whole_resized(actuated="3", allocated="4")
    assert pod_requests(running, SUMMED, use_status=True) == nanos(cpu="4", memory="9Gi")
    assert scoring_requests(pod(), SUMMED, use_status=True) == nanos(cpu="100m", memory="200Mi")


def test_resizes_count_only_where_asked_and_allowed() -> None:
    running = pod(cpu="1", container_statuses=[resized(actuated="2")])
    assert pod_requests(running, RULES) == nanos(cpu="1")
    assert pod_requests(running, RequestRules(in_place_vertical_scaling=False), use_status=True) == nanos(cpu="1")


def test_amount_that_is_none_is_an_error() -> None:
    with pytest.raises(QuantityError):
        pod_requests(pod(cpu="a lot"), RULES)


@pytest.mark.parametrize(
    ("asking", "cpu_milli", "cpu_milli_of_old"),
    [
        pytest.param(pod(cpu="1"), 1000, 1000, id="containers"),
        pytest.param(pod(cpu="1", init=[container("500m", sidecar=True)]), 1500, 1000, id="sidecar"),
        pytest.param(pod(cpu="1", init=[container("2", sidecar=True)]), 3000, 2000, id="large-sidecar"),
        pytest.param(pod(cpu="1", init=[container(sidecar=True)]), 1100, 1000, id="sidecar-without-request"),
        pytest.param(
            pod(cpu="1", init=[container("1", sidecar=True), container("1")]), 2000, 2000, id="init-beside-sidecar",
        ),
        pytest.param(pod(cpu="1", overhead={"cpu": "250m"}), 1250, 1250, id="overhead"),
        pytest.param(pod(containers=[container("0.1m")] * 2), 1, 2, id="rounded-one-by-one"),
    ],
)  # fmt: skip
def test_what_counts_in_scoring(asking: Pod, cpu_milli: int, cpu_milli_of_old: int) -> None:
    older = RequestRules(sidecars_count_in_scoring=False)
    assert quantity.nanos_to_milli(scoring_requests(asking, RequestRules())["cpu"]) == cpu_milli
    assert quantity.nanos_to_milli(scoring_requests(asking, older)["cpu"]) == cpu_milli_of_old


def test_before_there_were_sidecars_they_took_turns_like_others() -> None:
    older = RequestRules(sidecars_count_in_scoring=False, sidecars_run_on=False)
    asking = pod(cpu="1", init=[container("2", sidecar=True), container("3")])
    assert pod_requests(asking, older) == nanos(cpu="3")
    assert quantity.nanos_to_milli(scoring_requests(asking, older)["cpu"]) == 3000
