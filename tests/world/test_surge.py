from __future__ import annotations

import pytest

from kexplain.objects.apps import (
    DaemonSet,
    DaemonSetSpec,
    Deployment,
    DeploymentSpec,
    DeploymentStrategy,
    RollingSetUpdate,
    RollingUpdate,
    UpdateStrategy,
)
from kexplain.objects.meta import IntOrString, scaled
from kexplain.world.surge import Bounds, daemon_bounds, deployment_bounds


def deployment(surge: IntOrString | None = None, unavailable: IntOrString | None = None) -> Deployment:
    rolling = RollingUpdate(max_surge=surge, max_unavailable=unavailable)
    return Deployment(spec=DeploymentSpec(strategy=DeploymentStrategy(rolling_update=rolling)))


@pytest.mark.parametrize(
    ("of", "replicas", "bounds"),
    [
        pytest.param(Deployment(), 4, Bounds(1, 1), id="a quarter by default"),
        pytest.param(deployment(), 1, Bounds(1, 0), id="one replica"),
        pytest.param(deployment("25%", "25%"), 10, Bounds(3, 2), id="surge is rounded up, unavailable down"),
        pytest.param(deployment(0, 0), 3, Bounds(0, 1), id="never neither"),
        pytest.param(deployment(2, 0), 3, Bounds(2, 0), id="numbers"),
        pytest.param(deployment(0, 9), 3, Bounds(0, 3), id="no more unavailable than there are"),
        pytest.param(deployment("a lot", 1), 3, Bounds(0, 1), id="no number"),
    ],
)
def test_bounds_of_a_deployment(of: Deployment, replicas: int, bounds: Bounds) -> None:
    assert deployment_bounds(of, replicas) == bounds


@pytest.mark.parametrize(
    ("rolling", "desired", "bounds"),
    [
        pytest.param(None, 5, Bounds(0, 1), id="one at a time by default"),
        pytest.param(RollingSetUpdate(max_unavailable="50%"), 5, Bounds(0, 3), id="unavailable is rounded up"),
        pytest.param(RollingSetUpdate(max_surge="10%", max_unavailable=0), 5, Bounds(1, 0), id="surge"),
    ],
)
def test_bounds_of_a_daemon_set(rolling: RollingSetUpdate | None, desired: int, bounds: Bounds) -> None:
    strategy = UpdateStrategy(type="RollingUpdate", rolling_update=rolling)
    assert daemon_bounds(DaemonSet(spec=DaemonSetSpec(update_strategy=strategy)), desired) == bounds


def test_a_share_is_rounded_up_or_down() -> None:
    assert (scaled("50%", 3, up=True), scaled("50%", 3, up=False), scaled(2, 3, up=True)) == (2, 1, 2)
    assert scaled("half", 3, up=True) is None
