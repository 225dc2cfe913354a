from __future__ import annotations

import pytest

from kexplain.lint.rollouts import Limits, limits, scaled
from kexplain.objects.apps import Deployment, DeploymentSpec, DeploymentStrategy, RollingUpdate
from kexplain.objects.meta import IntOrString


def deployment(
    replicas: int | None, surge: IntOrString | None = None, unavailable: IntOrString | None = None
) -> Deployment:
    rolling = RollingUpdate(max_surge=surge, max_unavailable=unavailable)
    return Deployment(spec=DeploymentSpec(replicas=replicas, strategy=DeploymentStrategy(rolling_update=rolling)))


@pytest.mark.parametrize(
    ("of", "bounds"),
    [
        pytest.param(Deployment(spec=DeploymentSpec(replicas=4)), Limits(1, 1), id="a quarter by default"),
        pytest.param(deployment(None), Limits(1, 0), id="one replica by default"),
        pytest.param(deployment(10, "25%", "25%"), Limits(3, 2), id="surge is rounded up, unavailable down"),
        pytest.param(deployment(3, 0, 0), Limits(0, 1), id="never neither"),
        pytest.param(deployment(3, 2, 0), Limits(2, 0), id="numbers"),
        pytest.param(deployment(3, "a lot"), None, id="no number"),
        pytest.param(
            Deployment(spec=DeploymentSpec(strategy=DeploymentStrategy(type="Recreate"))), None, id="no rolling update"
        ),
    ],
)
def test_limits(of: Deployment, bounds: Limits | None) -> None:
    assert limits(of) == bounds


def test_a_share_is_rounded_up_or_down() -> None:
    assert (scaled("50%", 3, up=True), scaled("50%", 3, up=False), scaled(2, 3, up=True)) == (2, 1, 2)
    assert scaled("half", 3, up=True) is None
