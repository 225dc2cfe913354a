from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kexplain.cluster import Cluster
from kexplain.config.default_profile import default_profile
from kexplain.framework.plugin import BindingStep
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod


class Bookkeeper:
    name = "Bookkeeper"

    def binding_steps(self, pod: Pod, state: None, cluster: Cluster, node_name: str) -> Sequence[BindingStep]:
        return [BindingStep("PreBind", f"write down {node_name}"), BindingStep("Reserve", "take a pen")]


def test_steps_come_in_the_order_of_the_extension_points() -> None:
    profile = default_profile()
    profile = replace(profile, binding=(*profile.binding, Bookkeeper()))
    decision = Scheduler({"default-scheduler": profile}).schedule(pod("p"), cluster([node("n1")]))
    assert [(plugin, step.extension_point, step.action) for plugin, step in decision.binding] == [
        ("Bookkeeper", "Reserve", "take a pen"),
        ("Bookkeeper", "PreBind", "write down n1"),
        ("DefaultBinder", "Bind", "bind default/p to n1"),
    ]


def test_a_pod_that_does_not_fit_is_not_bound() -> None:
    scheduler = Scheduler({"default-scheduler": default_profile()})
    assert scheduler.schedule(pod("p", cpu="9"), cluster([node("n1", cpu="4")])).binding == ()
