from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kexplain.cluster import Cluster, NodeInfo, Resource
from kexplain.cluster.node_tree import interleave_zones, zone_key
from kexplain.objects.core import Node, Pod
from tests.sampling import examples

from .strategies import clusters, node_lists, pods

pytestmark = pytest.mark.slow


def accounting(info: NodeInfo) -> tuple[object, ...]:
    return (
        {name: amount for name, amount in info.requested.amounts().items() if amount},
        info.non_zero_cpu_milli,
        info.non_zero_memory_bytes,
        sorted(pod_info.pod.key for pod_info in info.pods),
        sorted(pod_info.pod.key for pod_info in info.pods_with_affinity),
        sorted(pod_info.pod.key for pod_info in info.pods_with_required_anti_affinity),
    )


@settings(max_examples=examples(60))
@given(node_lists())
def test_interleaving_is_a_permutation_that_keeps_each_zone_in_order(made: list[Node]) -> None:
    order = interleave_zones((zone_key(node), node) for node in made)
    assert sorted(node.name for node in order) == sorted(node.name for node in made)
    for zone in {zone_key(node) for node in made}:
        assert [node for node in order if zone_key(node) == zone] == [node for node in made if zone_key(node) == zone]


@settings(max_examples=examples(60))
@given(clusters())
def test_a_node_counts_the_sum_of_its_pods(made: Cluster) -> None:
    for info in made.node_infos:
        total = Resource()
        for pod_info in info.pods:
            total.add(pod_info.resource.requested)
        assert info.requested.amounts() == total.amounts()
        assert info.non_zero_cpu_milli == sum(pod_info.resource.non_zero_cpu_milli for pod_info in info.pods)
        assert info.used_ports == {port for pod_info in info.pods for port in pod_info.host_ports}


@settings(max_examples=examples(60))
@given(clusters(), pods("incoming"), st.data())
def test_assuming_and_leaving_cancel_out(made: Cluster, incoming: Pod, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([info.name for info in made.node_infos]))
    before = [accounting(info) for info in made.node_infos]
    assumed = made.assume(incoming, name)
    assert [accounting(info) for info in assumed.without([incoming]).node_infos] == before
    assert [accounting(info) for info in made.node_infos] == before
    for old, new in zip(made.node_infos, assumed.node_infos, strict=True):
        assert (old is new) is (old.name != name)


@settings(max_examples=examples(60))
@given(clusters(), st.data())
def test_leaving_and_coming_back_cancel_out(made: Cluster, data: st.DataObject) -> None:
    for info in made.node_infos:
        before = accounting(info)
        copy = info.copy()
        leaving = data.draw(st.lists(st.sampled_from(info.pods), unique_by=id)) if info.pods else []
        for pod_info in leaving:
            copy.remove_pod(pod_info)
        for pod_info in leaving:
            copy.add_pod(pod_info)
        assert accounting(copy) == before
        assert accounting(info) == before
        assert copy.used_ports <= info.used_ports
