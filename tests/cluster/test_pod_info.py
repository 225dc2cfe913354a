from __future__ import annotations

from typing import Any

import pytest

from kexplain.cluster import Cluster
from kexplain.cluster.host_ports import HostPort, host_ports
from kexplain.cluster.pod_info import PodInfoFactory, affinity_terms
from kexplain.objects.core import Affinity, ContainerStatus, Node, Pod, PodAffinityTerm, ResourceRequirements
from kexplain.objects.meta import Labels
from kexplain.objects.requests import DEFAULT_RULES, RequestRules
from tests.factories import affinity, container, controlled_by, pod, selector, term
from tests.load.snapshot.stored import running, snapshot_of

MALFORMED = term(selector(None, ("a", "In", ())))


@pytest.mark.parametrize(
    ("wanting", "ports"),
    [
        pytest.param(pod(), [], id="none"),
        pytest.param(pod(ports=["80"]), [HostPort("0.0.0.0", "TCP", 80)], id="defaults"),  # noqa: S104
        pytest.param(pod(ports=["127.0.0.1:53/UDP"]), [HostPort("127.0.0.1", "UDP", 53)], id="all-said"),
        pytest.param(pod(ports=["0"]), [], id="no-host-port"),
        pytest.param(
            pod(ports=["1.1.1.1:1"], init=[container(ports=["1.1.1.1:2"], sidecar=True), container(ports=["3"])]),
            [HostPort("1.1.1.1", "TCP", 2), HostPort("1.1.1.1", "TCP", 1)], id="sidecars-but-no-init-containers",
        ),
        pytest.param(
            pod(containers=[container(ports=["1.1.1.1:1", "1.1.1.1:2"]), container(ports=["1.1.1.1:3"])]),
            [HostPort("1.1.1.1", "TCP", port) for port in (1, 2, 3)], id="all-containers",
        ),
    ],
)  # fmt: skip
def test_host_ports(wanting: Pod, ports: list[HostPort]) -> None:
    assert host_ports(wanting, DEFAULT_RULES) == tuple(ports)


@pytest.mark.parametrize(
    ("written", "other", "namespace_labels", "matches"),
    [
        pytest.param(term({"a": "1"}), pod(labels={"a": "1"}), {}, True, id="own-namespace"),
        pytest.param(term({"a": "1"}), pod(labels={"a": "2"}), {}, False, id="other-labels"),
        pytest.param(term({"a": "1"}), pod(labels={"a": "1"}, namespace="b"), {}, False, id="other-namespace"),
        pytest.param(
            term({"a": "1"}, namespaces=["b"]), pod(labels={"a": "1"}, namespace="b"), {}, True, id="named-namespace",
        ),
        pytest.param(
            term({"a": "1"}, namespaces=["b"]), pod(labels={"a": "1"}), {}, False, id="own-namespace-is-not-named",
        ),
        pytest.param(
            term({"a": "1"}, namespaces=[]), pod(labels={"a": "1"}), {}, True, id="empty-list-names-none",
        ),
        pytest.param(
            term({"a": "1"}, namespace_selector=selector({"team": "x"})), pod(labels={"a": "1"}, namespace="b"),
            {"team": "x"}, True, id="namespace-selector",
        ),
        pytest.param(
            term({"a": "1"}, namespace_selector=selector({"team": "x"})), pod(labels={"a": "1"}), {"team": "y"}, False,
            id="selector-leaves-out-own-namespace",
        ),
        pytest.param(
            term({"a": "1"}, namespace_selector=selector()), pod(labels={"a": "1"}, namespace="b"), {}, True,
            id="empty-namespace-selector-is-every-namespace",
        ),
        pytest.param(
            term({"a": "1"}, namespaces=["c"], namespace_selector=selector({"team": "x"})),
            pod(labels={"a": "1"}, namespace="c"), {}, True, id="named-or-selected",
        ),
        pytest.param(term(None), pod(labels={"a": "1"}), {}, False, id="no-selector-selects-nothing"),
        pytest.param(term({}), pod(), {}, True, id="empty-selector-selects-everything"),
    ],
)  # fmt: skip
def test_affinity_term(written: PodAffinityTerm, other: Pod, namespace_labels: Labels, matches: bool) -> None:
    parsed = affinity_terms(pod("owner", affinity=affinity(near=[written])))
    assert parsed.required[0].matches(other, namespace_labels) is matches


@pytest.mark.parametrize(
    ("stated", "counts"),
    [
        pytest.param(None, (0, 0, 0, 0), id="no-affinity"),
        pytest.param(affinity(), (0, 0, 0, 0), id="empty-affinity"),
        pytest.param(affinity(near=[term({}), term({})]), (2, 0, 0, 0), id="required"),
        pytest.param(affinity(far=[term({})]), (0, 1, 0, 0), id="required-anti"),
        pytest.param(affinity(prefers_near=[(1, term({}))]), (0, 0, 1, 0), id="preferred"),
        pytest.param(affinity(prefers_far=[(1, term({}))]), (0, 0, 0, 1), id="preferred-anti"),
    ],
)
def test_groups_of_terms(stated: Affinity | None, counts: tuple[int, ...]) -> None:
    terms = affinity_terms(pod(affinity=stated))
    assert (
        len(terms.required), len(terms.required_anti), len(terms.preferred), len(terms.preferred_anti)
    ) == counts  # fmt: skip
    assert terms.error == ""


def test_group_that_cannot_be_parsed_is_empty() -> None:
    terms = affinity_terms(
        pod(affinity=affinity(near=[term({}), MALFORMED], far=[term({})], prefers_near=[(1, MALFORMED)]))
    )
    assert terms.required == ()
    assert len(terms.required_anti) == 1
    assert terms.preferred == ()
    assert terms.error.count(";") == 1


def test_weights_stay_with_their_terms() -> None:
    parsed = affinity_terms(pod(affinity=affinity(prefers_far=[(7, term({}, "rack")), (3, term({}, "row"))])))
    assert [(each.weight, each.term.topology_key) for each in parsed.preferred_anti] == [(7, "rack"), (3, "row")]


def test_which_pods_bear_on_others() -> None:
    infos = PodInfoFactory(RequestRules())
    plain = infos.pod_info(pod())
    node_only = infos.pod_info(pod(affinity=affinity()))
    attracted = infos.pod_info(pod(affinity=affinity(prefers_far=[(1, term({}))])))
    repelling = infos.pod_info(pod(affinity=affinity(far=[term({})])))
    assert [info.has_affinity for info in (plain, node_only, attracted, repelling)] == [False, False, True, True]
    assert [info.has_required_anti_affinity for info in (plain, attracted, repelling)] == [False, False, True]


RESIZED = ContainerStatus(name="main", resources=ResourceRequirements(requests={"cpu": "5"}))


@pytest.mark.parametrize(
    ("other", "cpu_milli"),
    [
        pytest.param(pod(cpu="1"), 1000, id="replica"),
        pytest.param(pod(cpu="1", init=[container("2")]), 2000, id="init-container"),
        pytest.param(pod(cpu="1", overhead={"cpu": "2"}), 3000, id="overhead"),
        pytest.param(pod(cpu="1", whole={"cpu": "4"}), 4000, id="pod-level"),
        pytest.param(pod(containers=[container("1"), container("1")]), 2000, id="two-containers"),
        pytest.param(pod(containers=[]), 0, id="no-container"),
        pytest.param(pod(cpu="1", container_statuses=[RESIZED]), 5000, id="resized"),
        pytest.param(pod(cpu="1", container_statuses=[ContainerStatus(name="main")]), 1000, id="status-says-nothing"),
    ],
)
def test_shared_accounting_is_for_replicas_only(other: Pod, cpu_milli: int) -> None:
    infos = PodInfoFactory(RequestRules())
    first = infos.pod_info(pod("first", cpu="1"))
    second = infos.pod_info(other)
    assert first.resource.requested.cpu_milli == 1000
    assert second.resource.requested.cpu_milli == cpu_milli
    assert (first.resource is second.resource) is (cpu_milli == 1000)


def test_scoring_counts_cpu_and_memory_only() -> None:
    resource = PodInfoFactory(RequestRules()).pod_info(pod(further={"ephemeral-storage": "1Gi"})).resource
    assert (resource.non_zero_cpu_milli, resource.non_zero_memory_bytes) == (100, 200 * 1024**2)
    assert resource.requested.cpu_milli == 0


def test_what_is_asked_of_all_pods_of_a_snapshot_makes_none() -> None:
    fields: dict[str, Any] = {"labels": {"app": "a"}, "node_selector": {"disk": "ssd"}}
    daemon = running("b", owner=controlled_by("DaemonSet", "agent"))
    objects = snapshot_of(running("a", **fields), daemon)
    cluster = Cluster.of(objects.of(Node), [], stored=objects.stored)
    infos = cluster.node_infos[0].pods
    assert [info.labels.get("app") for info in infos] == ["a", None]
    assert [info.node_selector for info in infos] == [{"disk": "ssd"}, {}]
    assert [info.comes_along for info in infos] == [False, True]
    assert not any(info.is_leaving for info in infos)
    assert objects.stored is not None
    assert not objects.stored.rows.made
