"""What filters say of all nodes together is what they say of each."""

from __future__ import annotations

from hypothesis import given, settings

from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.objects.core import Pod
from tests.sampling import examples

from .strategies import clusters, pods

PROFILE = default_profile()


@settings(max_examples=examples(80))
@given(clusters(), pods("incoming"))
def test_no_node_is_overlooked_that_a_filter_objects_to(made: Cluster, asking: Pod) -> None:
    chain = run_pre_filters(PROFILE, asking, made).chain
    firsts = {info.name: chain.first_rejection(info) for info in made.node_infos}
    one_by_one = {info.name: every for info in made.node_infos if (every := chain.all_rejections(info))}
    # The second time, what the nodes themselves speak for is known.
    for _ in range(2):
        again = run_pre_filters(PROFILE, asking, made).chain
        assert again.column(made).by_name(made.node_info_by_name) == one_by_one
        assert again.asked_about(made)(made.node_infos) == list(firsts.values())
