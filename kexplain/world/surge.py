"""How many pods there may be more or fewer while a workload changes.

Source: deployment/util `ResolveFenceposts`, daemon/util `SurgeCount` and
`UnavailableCount`, release 1.36.
"""

from msgspec import Struct

from kexplain.objects.apps import DaemonSet, Deployment, RollingUpdate, RolloutStrategy
from kexplain.objects.meta import IntOrString, scaled

_DEFAULT = "25%"


class Bounds(Struct, frozen=True):
    """How many pods more than are wanted, and how many fewer."""

    surge: int
    unavailable: int

    def __str__(self) -> str:
        return f"maxSurge {self.surge}, maxUnavailable {self.unavailable}"


def deployment_bounds(deployment: Deployment, replicas: int) -> Bounds:
    """The bounds of a rolling update; what cannot be read counts as not set."""
    rolling = _rolling_update(deployment) or RollingUpdate()
    surge = _bound(rolling.max_surge, _DEFAULT, replicas, up=True)
    unavailable = _bound(rolling.max_unavailable, _DEFAULT, replicas, up=False)
    # With neither there would be no way forward; upstream takes one away then.
    return Bounds(surge, min(unavailable if surge or unavailable else 1, replicas))


def keeps_old(deployment: Deployment) -> bool:
    """Whether all old pods stay until all new ones serve."""
    strategy = deployment.spec.strategy
    return isinstance(strategy, RolloutStrategy) and strategy.keeps_old


def _rolling_update(deployment: Deployment) -> RollingUpdate | None:
    strategy = deployment.spec.strategy
    if isinstance(strategy, RolloutStrategy):
        return RollingUpdate(max_surge="100%", max_unavailable=0) if strategy.keeps_old else strategy.canary
    return strategy.rolling_update if strategy else None


def daemon_bounds(daemon_set: DaemonSet, desired: int) -> Bounds:
    """The same for a daemon set on so many nodes, which takes one away by default."""
    strategy = daemon_set.spec.update_strategy
    rolling = strategy.rolling_update if strategy else None
    surge, unavailable = (rolling.max_surge, rolling.max_unavailable) if rolling else (None, None)
    more = _bound(surge, 0, desired, up=True)
    fewer = _bound(unavailable, 1, desired, up=True)
    return Bounds(more, fewer if more or fewer else 1)


def _bound(bound: IntOrString | None, default: IntOrString, total: int, *, up: bool) -> int:
    return max(scaled(default if bound is None else bound, total, up=up) or 0, 0)
