"""Plugins that have nothing to say of a plain pod skip it."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.framework.plugin import SKIP
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.plugins.dynamic_resources import DynamicResources
from kexplain.plugins.node_declared_features import NodeDeclaredFeatures
from kexplain.plugins.priority_sort import PrioritySort
from tests.factories import cluster, node, pod
from tests.framework.stubs import profile_of


@pytest.mark.parametrize("plugin", [DynamicResources(), NodeDeclaredFeatures()], ids=lambda plugin: plugin.name)
def test_they_turn_nobody_away(plugin: Any) -> None:
    made = cluster([node("n1")])
    profile = profile_of([PrioritySort(), plugin])
    result = run_pre_filters(profile, pod(), made)
    assert result.by_plugin == {plugin.name: SKIP}
    assert result.chain.first_rejection(made.node_infos[0]) is None
