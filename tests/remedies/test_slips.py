"""What looks mistyped, and how it is mended."""

from __future__ import annotations

import pytest

from kexplain.explain.records import RequestSum
from kexplain.objects.core import Affinity, NodeSelectorTerm, Pod
from kexplain.remedies.slips import slips
from tests.factories import HOSTNAME, affinity, cluster, exists, in_, node, node_affinity, node_term, pod, spread, term

NODES = cluster([node("n1", labels={"disktype": "ssd", "pool": "general"}), node("n2", labels={"disktype": "hdd"})])


def required(term: NodeSelectorTerm) -> Affinity:
    return Affinity(node_affinity=node_affinity(term))


@pytest.mark.parametrize(
    ("asking", "expected"),
    [
        pytest.param(pod(node_selector={"disktype": "ssd"}), pod(), id="nothing"),
        pytest.param(pod(node_selector={"disktpye": "ssd"}), pod(node_selector={"disktype": "ssd"}), id="a-key"),
        pytest.param(pod(node_selector={"pool": "genral"}), pod(node_selector={"pool": "general"}), id="a-value"),
        pytest.param(pod(affinity=required(node_term(in_("pool", "genral")))),
                     pod(affinity=required(node_term(in_("pool", "general")))), id="a-value-of-a-term"),
        pytest.param(pod(affinity=required(node_term(exists("disktpye")))),
                     pod(affinity=required(node_term(exists("disktype")))), id="a-key-of-a-term"),
        pytest.param(pod(spread=[spread("disktpye")]), pod(spread=[spread("disktype")]), id="a-topology"),
        pytest.param(pod(spread=[spread("disktpye"), spread("disktype", max_skew=2)]),
                     pod(spread=[spread("disktype", max_skew=2)]), id="a-topology-beside-the-right-one"),
    ],
)  # fmt: skip
def test_a_slip_is_mended_wherever_it_stands(asking: Pod, expected: Pod) -> None:
    found = slips(asking, (), NODES)
    for slip in found:
        assert slip.edit is not None
        assert slip.edit(asking).spec == expected.spec
    assert bool(found) is (expected.spec != pod().spec)


@pytest.mark.parametrize(("name", "is_slip"), [("worker-dc1-hcjm", True), ("worker-dc1-hdhxl", False)])
def test_a_machine_that_was_replaced_is_no_slip(name: str, is_slip: bool) -> None:
    (slip,) = slips(pod(node_selector={HOSTNAME: name}), (), cluster([node("worker-dc1-hcjmh")]))
    assert (slip.edit is not None) is is_slip


@pytest.mark.parametrize(("known", "is_slip"), [(("win2022", "linux"), True), (("win2022", "win2025"), False)])
def test_another_number_is_meant_only_where_no_other_comes_close(known: tuple[str, ...], is_slip: bool) -> None:
    nodes = [node(value, labels={"sku": value}) for value in known]
    (slip,) = slips(pod(node_selector={"sku": "win2019"}), (), cluster(nodes))
    assert (slip.edit is not None) is is_slip


def test_of_what_nothing_comes_close_to_it_is_only_said() -> None:
    (slip,) = slips(pod(node_selector={"zzz": "1"}), (), NODES)
    assert (slip.question, slip.edit) == ("no node has a label zzz", None)


def test_a_label_without_a_value_is_meant_without_one() -> None:
    master = node("cp", labels={"node-role.kubernetes.io/control-plane": ""})
    (slip,) = slips(pod(node_selector={"node-role.kubernetes.io/control-plain": ""}), (), cluster([master]))
    assert slip.question.endswith("; did you mean node-role.kubernetes.io/control-plane?")


@pytest.mark.parametrize(
    ("own", "meant"),
    [
        pytest.param({"app": "cache"}, "cache", id="its-own-label"),
        pytest.param({}, "cachet", id="that-of-a-pod-beside-it"),
        pytest.param({"app": "caches"}, None, id="one-that-is-there"),
    ],
)
def test_affinity_to_pods_that_nobody_is_asks_for_those_that_were_meant(own: dict[str, str], meant: str | None) -> None:
    asked = "caches" if meant is None else "cachex"
    asking = pod(labels=own, affinity=affinity(near=[term({"app": asked})]))
    beside = pod("other", labels={"app": "cachet"}, node="n1")
    found = slips(asking, (), cluster([node("n1")], [beside]))
    assert [slip.question for slip in found] == (
        [f"no pod in namespace default has app={asked}; did you mean {meant}?"] if meant else []
    )
    for slip in found:
        assert slip.edit is not None
        assert slip.edit(asking).spec.affinity == affinity(near=[term({"app": str(meant)})])


@pytest.mark.parametrize(
    ("asked", "own", "meant"),
    [
        pytest.param("cache-v2", "cache", "cache", id="it-was-called-so-once"),
        pytest.param("cache", "cache-v2", "cache-v2", id="it-is-called-so-now"),
        pytest.param("cache", "web", None, id="something-else"),
        pytest.param("web", "web", None, id="as-it-is-called"),
    ],
)
def test_affinity_to_what_its_own_pods_were_called(asked: str, own: str, meant: str | None) -> None:
    asking = pod(labels={"app": own}, affinity=affinity(near=[term({"app": asked})]))
    found = [slip.edit(asking).spec.affinity for slip in slips(asking, (), NODES) if slip.edit]
    assert found == ([affinity(near=[term({"app": meant})])] if meant else [])


@pytest.mark.parametrize(("raw", "cores"), [("500", 500), ("500M", 500_000_000)])
def test_whole_cpus_are_meant_in_thousandths(raw: str, cores: int) -> None:
    (slip,) = slips(pod(cpu=raw), [RequestSum(resource="cpu", requested=cores * 1000)], NODES)
    assert slip.mending == f"request 500m cpu, as {raw} means {cores} whole CPUs"


def test_a_resource_that_nobody_reports_wants_its_plugin() -> None:
    (slip,) = slips(pod(), [RequestSum(resource="x.y/gpu", requested=1)], NODES)
    assert slip.question == "no node reports any x.y/gpu: is its device plugin running?"


def test_a_resource_that_nodes_name_and_have_none_of_is_not_misspelt() -> None:
    there = cluster([node("n1", further={"nvidia.com/gpu": "0"})])
    (slip,) = slips(pod(), [RequestSum(resource="nvidia.com/gpu", requested=1)], there)
    assert slip.question == "no node reports any nvidia.com/gpu: is its device plugin running?"
    assert slip.edit is None


def test_a_resource_that_no_node_reports_is_mended_if_another_comes_close() -> None:
    there = cluster([node("n1", further={"nvidia.com/gpu": "1"})])
    asking = pod(further={"nvidia.com/gpus": "1"})
    (slip,) = slips(asking, [RequestSum(resource="nvidia.com/gpus", requested=1)], there)
    assert slip.question == "no node reports any nvidia.com/gpus; did you mean nvidia.com/gpu?"
    assert slip.edit is not None
    assert slip.edit(asking).spec == pod(further={"nvidia.com/gpu": "1"}).spec
    (other,) = slips(asking, [RequestSum(resource="example.com/fpga", requested=1)], there)
    assert other.question == "no node reports any example.com/fpga: is its device plugin running?"
    assert other.edit is None


def test_memory_that_is_many_times_a_node_is_meant_in_a_smaller_unit() -> None:
    asking = pod(memory="512G")
    (slip,) = slips(asking, [RequestSum(resource="memory", requested=512 * 10**9)], NODES)
    assert slip.mending == "request 512M memory, as 512G is 59 times what any node has"
    assert slip.edit is not None
    assert slip.edit(asking).spec == pod(memory="512M").spec


def test_memory_that_is_too_little_keeps_no_pod_off() -> None:
    assert slips(pod(memory="100m"), [RequestSum(resource="memory", requested=1)], NODES) == ()
