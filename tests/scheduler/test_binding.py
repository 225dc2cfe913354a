from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain import load_case, schedule
from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.framework.plugin import BindingStep, ExtensionPoint, Plugin
from kexplain.objects.core import Pod
from kexplain.plugins.default_binder import DefaultBinder
from kexplain.plugins.priority_sort import PrioritySort
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod
from tests.framework.stubs import profile_of

FIXTURES = Path(__file__).parents[2] / "fixtures"


class Bookkeeper:
    name = "Bookkeeper"
    binding_points = (ExtensionPoint.RESERVE, ExtensionPoint.PRE_BIND)

    def binding_steps(self, pod: Pod, state: None, cluster: Cluster, node_name: str) -> Sequence[BindingStep]:
        return [
            BindingStep(ExtensionPoint.PRE_BIND, f"write down {node_name}"),
            BindingStep(ExtensionPoint.RESERVE, "take a pen"),
        ]


def test_steps_come_in_the_order_of_the_extension_points() -> None:
    plugins: list[Plugin] = [PrioritySort(), DefaultBinder(), Bookkeeper()]
    profile = profile_of(plugins)
    decision = Scheduler({"default-scheduler": profile}).schedule(pod("p"), cluster([node("n1")]))
    assert [(plugin, step.extension_point, step.action) for plugin, step in decision.binding] == [
        ("Bookkeeper", ExtensionPoint.RESERVE, "take a pen"),
        ("Bookkeeper", ExtensionPoint.PRE_BIND, "write down n1"),
        ("DefaultBinder", ExtensionPoint.BIND, "bind default/p to n1"),
    ]


def test_a_pod_that_does_not_fit_is_not_bound() -> None:
    scheduler = Scheduler({"default-scheduler": default_profile()})
    assert scheduler.schedule(pod("p", cpu="9"), cluster([node("n1", cpu="4")])).binding == ()


@pytest.mark.parametrize(
    ("scenario", "files", "cluster_files", "steps"),
    [
        pytest.param(
            "devices-first-available-falls-back", ["pod.yaml"], ["nodes.yaml", "devices.yaml"],
            [
                "Reserve: allocate gpu.example.com/gpu-1/gpu-0, gpu.example.com/gpu-1/gpu-1 to claim ml/train-gpu",
                "PreBind: write claim ml/train-gpu, reserved for ml/train",
                "Bind: bind ml/train to gpu-1",
            ],
            id="devices",
        ),
        pytest.param(
            "statefulset-volume-claim-template", ["statefulset.yaml"], ["nodes.yaml", "storage.yaml"],
            [
                "Reserve: choose worker-2 for the volume that class gp3 makes for claim default/data-queue-0",
                "PreBind: write this to the cluster, and wait until claims are bound: default/data-queue-0",
                "Bind: bind default/queue-0 to worker-2",
            ],
            id="volume-to-make",
        ),
        pytest.param(
            "volume-taken-by-the-pod-before", ["pods.yaml"], ["nodes.yaml", "storage.yaml"],
            [
                "Reserve: take volume disk-1 for claim default/log-a",
                "PreBind: write this to the cluster, and wait until claims are bound: default/log-a",
                "Bind: bind default/kafka-a to worker-1",
            ],
            id="volume-to-take",
        ),
    ],
)  # fmt: skip
def test_what_is_taken_for_claims(scenario: str, files: list[str], cluster_files: list[str], steps: list[str]) -> None:
    folder = FIXTURES / scenario
    case = load_case([str(folder / each) for each in files], [str(folder / each) for each in cluster_files])
    decision = next(iter(schedule(case)))
    assert [f"{step.extension_point.title_case}: {step.action}" for _, step in decision.binding] == steps
