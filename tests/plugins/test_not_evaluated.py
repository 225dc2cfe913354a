"""Plugins that keep their place in the profile but do not decide every pod yet say which."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.framework.plugin import SKIP
from kexplain.framework.postfilter import NodeStatuses
from kexplain.framework.profile import Profile
from kexplain.framework.runtime import PostFilterRun, run_pre_filters
from kexplain.objects.core import Pod, PodResourceClaim, PodSpec
from kexplain.plugins.dynamic_resources import DynamicResources
from kexplain.plugins.node_declared_features import NodeDeclaredFeatures
from kexplain.plugins.priority_sort import PrioritySort
from tests.factories import cluster, node, pod

from .asking import UNSCHEDULABLE, rejection


def test_resource_claims() -> None:
    claims = (PodResourceClaim(name="gpu"), PodResourceClaim(name="nic"))
    asking = Pod(spec=PodSpec(resource_claims=claims))
    assert DynamicResources().not_evaluated(asking) == "resource claims gpu, nic: devices on nodes"
    assert DynamicResources().not_evaluated(pod()) is None


@pytest.mark.parametrize("plugin", [DynamicResources(), NodeDeclaredFeatures()], ids=lambda plugin: plugin.name)
def test_they_turn_nobody_away(plugin: Any) -> None:
    made = cluster([node("n1")])
    profile = Profile.of([PrioritySort(), plugin], {})
    result = run_pre_filters(profile, pod(), made)
    assert result.by_plugin == {plugin.name: SKIP}
    assert result.chain.first_rejection(made.node_infos[0]) is None


def test_scores() -> None:
    made = cluster([node("n1")])
    assert DynamicResources().score(pod(), None, made.node_infos[0]) == 0


def test_devices_say_so_when_no_node_fits() -> None:
    made = cluster([node("n1")])
    handle = PostFilterRun(made, NodeStatuses({}), run_pre_filters(Profile.of([PrioritySort()], {}), pod(), made).chain)
    answer = DynamicResources().post_filter(pod(), handle)
    assert answer.status == rejection(UNSCHEDULABLE, "no new claims to deallocate")
    assert answer.nominated_node == ""
