from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kexplain.admission.defaults import with_defaults
from kexplain.objects.core import Container, PodSpec, ResourceRequirements
from kexplain.objects.meta import ResourceList
from kexplain.objects.quantity import QuantityError

from .factories import amounts, container, resources, spec

GI = 2**30


@pytest.mark.parametrize(
    ("requests", "limits", "expected"),
    [
        pytest.param(None, amounts(cpu=1, memory="1Gi"), amounts(cpu=1, memory="1Gi"), id="all-from-limits"),
        pytest.param(amounts(cpu="1"), amounts(cpu=2, gpu=1), amounts(cpu="1", gpu=1), id="own-request-stays"),
        pytest.param(amounts(cpu=0), amounts(cpu=2), amounts(cpu=0), id="zero-is-a-request"),
        pytest.param(amounts(cpu=1), None, amounts(cpu=1), id="no-limits"),
        pytest.param(amounts(cpu="100n"), None, amounts(cpu="1m"), id="rounded-up-to-milli"),
        pytest.param(amounts(cpu="1.0001"), None, amounts(cpu="1001m"), id="rounded-and-rewritten"),
        pytest.param(amounts(memory="0.0001Ki"), None, amounts(memory="103m"), id="small-binary"),
        pytest.param(amounts(memory="1e-4"), None, amounts(memory="1e-3"), id="exponent"),
        pytest.param(amounts(memory=" 1Gi"), None, amounts(memory=" 1Gi"), id="kept-as-written"),
    ],
)
@pytest.mark.parametrize("field", ["containers", "init_containers"])
def test_requests(
    field: str, requests: ResourceList | None, limits: ResourceList | None, expected: ResourceList
) -> None:
    defaulted = with_defaults(replace(PodSpec(), **{field: (container(requests, limits),)}))
    (only,) = getattr(defaulted, field)
    assert only.resources.requests == expected


@pytest.mark.parametrize(
    ("host_network", "port", "expected"),
    [
        pytest.param(True, {"containerPort": 80}, (80, "TCP"), id="host-port-is-container-port"),
        pytest.param(True, {"containerPort": 80, "hostPort": 0}, (80, "TCP"), id="zero-is-none"),
        pytest.param(True, {"containerPort": 80, "hostPort": 81}, (81, "TCP"), id="own-host-port"),
        pytest.param(False, {"containerPort": 80}, (None, "TCP"), id="own-network"),
        pytest.param(False, {"hostPort": 53, "protocol": "UDP"}, (53, "UDP"), id="own-protocol"),
        pytest.param(False, {"hostPort": 53, "protocol": ""}, (53, "TCP"), id="empty-protocol"),
    ],
)
@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_ports(field: str, host_network: bool, port: dict[str, Any], expected: tuple[int | None, str]) -> None:
    defaulted = with_defaults(spec(hostNetwork=host_network, **{field: [{"ports": [port]}]}))
    (only,) = defaulted.containers or defaulted.init_containers or ()
    (defaulted_port,) = only.ports or ()
    assert (defaulted_port.host_port, defaulted_port.protocol) == expected


@pytest.mark.parametrize(("name", "expected"), [(None, "default-scheduler"), ("", "default-scheduler"), ("my", "my")])
def test_scheduler_name(name: str | None, expected: str) -> None:
    assert with_defaults(PodSpec(scheduler_name=name)).scheduler_name == expected


def test_rbd_pool() -> None:
    defaulted = with_defaults(spec(volumes=[{"rbd": {"image": "a"}}, {"rbd": {"pool": "b"}}, {"name": "c"}]))
    pools = [volume.rbd.pool if volume.rbd else None for volume in defaulted.volumes or ()]
    assert pools == ["rbd", "b", None]


def test_overhead_is_rounded() -> None:
    assert with_defaults(PodSpec(overhead=amounts(cpu="1u"))).overhead == amounts(cpu="1m")


def test_not_a_quantity() -> None:
    with pytest.raises(QuantityError):
        with_defaults(PodSpec(containers=(container(amounts(cpu="1x")),)))


# ------------------------------------------------------------------------------------- pod-level resources

HUGE = "hugepages-2Mi"


@pytest.mark.parametrize(
    ("own", "containers", "init_containers", "expected"),
    [
        pytest.param(None, [container(amounts(cpu=1))], [], None, id="none-set"),
        pytest.param(resources(), [container(amounts(cpu=1))], [], resources(), id="empty"),
        pytest.param(
            resources(amounts(cpu=2)), [container(amounts(memory=1))], [], resources(amounts(cpu=2)),
            id="requests-alone-are-not-filled-up",
        ),
        pytest.param(
            resources(None, amounts(cpu=2, memory="1Gi")), [], [],
            resources(amounts(cpu=2, memory="1Gi"), amounts(cpu=2, memory="1Gi")),
            id="nothing-requested-by-containers",
        ),
        pytest.param(
            resources(None, amounts(cpu=2)),
            [container(amounts(cpu="300m", memory="1Gi")), container(amounts(cpu="1"))], [],
            resources(amounts(cpu="1300m", memory="1Gi"), amounts(cpu=2)),
            id="containers-summed-also-where-not-limited",
        ),
        pytest.param(
            resources(None, amounts(cpu=2)), [container(None, amounts(cpu=1))], [],
            resources(amounts(cpu=1), amounts(cpu=2)), id="container-limits-count-as-requests",
        ),
        pytest.param(
            resources(amounts(cpu="1500m"), amounts(cpu=2)), [container(amounts(cpu=1))], [],
            resources(amounts(cpu="1500m"), amounts(cpu=2)), id="own-request-stays",
        ),
        pytest.param(
            resources(None, amounts(cpu=8)), [container(amounts(cpu=1))], [container(amounts(cpu="3"))],
            resources(amounts(cpu="3"), amounts(cpu=8)), id="init-container-is-the-peak",
        ),
        pytest.param(
            resources(None, amounts(cpu=8)), [container(amounts(cpu=1))],
            [container(amounts(cpu=1), sidecar=True), container(amounts(cpu=4))],
            resources(amounts(cpu="5"), amounts(cpu=8)), id="init-container-beside-earlier-sidecar",
        ),
        pytest.param(
            resources(None, amounts(cpu=8)), [container(amounts(cpu=1))],
            [container(amounts(cpu=1)), container(amounts(cpu=4), sidecar=True)],
            resources(amounts(cpu="5"), amounts(cpu=8)), id="sidecar-counts-with-containers",
        ),
        pytest.param(
            resources(None, amounts(cpu=8)),
            [container({"example.com/gpu": 1, "ephemeral-storage": "1Gi"})], [],
            resources(amounts(cpu=8), amounts(cpu=8)), id="only-what-pods-can-request",
        ),
        pytest.param(
            resources(amounts(cpu=1)), [container(None, {HUGE: "4Mi"}), container(None, {HUGE: "2Mi"})], [],
            resources({"cpu": 1, HUGE: "6Mi"}, {HUGE: "6Mi"}), id="hugepages-limited-by-containers",
        ),
        pytest.param(
            resources({HUGE: "8Mi"}), [container(None, {HUGE: "4Mi"})], [], resources({HUGE: "8Mi"}),
            id="hugepages-requested-by-the-pod",
        ),
        pytest.param(
            resources(None, {HUGE: "8Mi"}), [container(None, {HUGE: "4Mi"})], [],
            resources({HUGE: "8Mi"}, {HUGE: "8Mi"}), id="hugepages-request-is-the-pods-limit",
        ),
        pytest.param(
            resources(None, amounts(cpu=1)),
            [container(amounts(cpu="500u")), container(amounts(cpu="500u"))], [],
            resources(amounts(cpu="1m"), amounts(cpu=1)), id="summed-before-rounding",
        ),
    ],
)  # fmt: skip
def test_pod_level_resources(
    own: ResourceRequirements | None,
    containers: list[Container],
    init_containers: list[Container],
    expected: ResourceRequirements | None,
) -> None:
    pod_spec = PodSpec(resources=own, containers=tuple(containers), init_containers=tuple(init_containers))
    assert with_defaults(pod_spec).resources == expected


@pytest.mark.parametrize(
    ("summands", "expected"),
    [
        pytest.param(("1Gi",), "1Gi", id="alone-as-written"),
        pytest.param(("1.50k",), "1.50k", id="alone-as-written-even-if-odd"),
        pytest.param(("1Gi", "512Mi"), "1536Mi", id="binary"),
        pytest.param(("1Gi", "1000"), "1073742824", id="binary-without-a-suffix"),
        pytest.param(("500M", "1Gi"), "1573741824", id="decimal-stays-decimal"),
        pytest.param(("1k", "1Ki"), "2024", id="decimal-first"),
        pytest.param(("0", "1Ki"), "1Ki", id="zero-has-no-notation"),
        pytest.param(("512", "512"), "1024", id="bare-numbers-are-decimal"),
        pytest.param(("1e3", "1e3"), "2e3", id="exponent"),
        pytest.param(("1e0", "1e0"), "2", id="exponent-zero"),
        pytest.param(("0.5Ki", "0.25Ki"), "768", id="small-binary-is-decimal"),
        pytest.param((0.5, "100m"), "600m", id="number"),
    ],
)
def test_notation_of_sums(summands: tuple[str | float, ...], expected: str) -> None:
    containers = tuple(container(amounts(memory=raw)) for raw in summands)
    own = resources(None, amounts(memory="1Ei"))
    defaulted = with_defaults(PodSpec(resources=own, containers=containers)).resources
    assert defaulted is not None
    assert (defaulted.requests or {})["memory"] == expected


# ----------------------------------------------------------------------------------------------- properties

RAW = st.sampled_from(["0", "1", "100m", "1n", "1.5", "1Ki", "3Mi", "1e3", "2k", "7u", 4, 0.25])
LISTS = st.none() | st.dictionaries(st.sampled_from(["cpu", "memory", HUGE, "example.com/gpu"]), RAW)
REQUIREMENTS = st.none() | st.builds(ResourceRequirements, requests=LISTS, limits=LISTS)
CONTAINERS = st.lists(
    st.builds(Container, resources=REQUIREMENTS, restart_policy=st.sampled_from([None, "Always"])), max_size=3
).map(tuple)
SPECS = st.builds(PodSpec, containers=CONTAINERS, init_containers=CONTAINERS, resources=REQUIREMENTS, overhead=LISTS)


@given(SPECS)
def test_defaulting_twice_changes_nothing(pod_spec: PodSpec) -> None:
    once = with_defaults(pod_spec)
    assert with_defaults(once) == once


@given(SPECS)
def test_what_is_written_stays(pod_spec: PodSpec) -> None:
    defaulted = with_defaults(pod_spec)
    for before, after in zip(pod_spec.containers or (), defaulted.containers or (), strict=True):
        requested = (before.resources and before.resources.requests) or {}
        assert after.resources is not None or not requested
        assert set(requested) <= set((after.resources and after.resources.requests) or {})
