from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.config.releases.release import behaviour_of
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.core import Pod
from kexplain.scheduler.batching import may_share_a_ranking
from kexplain.scheduler.cycle import Scheduler
from tests.factories import affinity, cluster, pod, spread, term

NO_SPREAD: dict[str, Any] = {"plugins": {"multiPoint": {"disabled": [{"name": "PodTopologySpread"}]}}}
NO_DEFAULTS: dict[str, Any] = {
    "pluginConfig": [{"name": "PodTopologySpread", "args": {"defaultingType": "List", "defaultConstraints": []}}]
}
FOREIGN: dict[str, Any] = {
    "plugins": {
        "filter": {"enabled": [{"name": "Foreign"}]}, "multiPoint": {"disabled": [{"name": "PodTopologySpread"}]},
    }
}  # fmt: skip
EMPTY = cluster([])
ALIKE = [pod("a", cpu="1"), pod("b", cpu="1")]


def configured(profile: dict[str, Any], release: str = "1.36", gates: dict[str, bool] | None = None) -> Scheduler:
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [profile],
    }
    return scheduler_from(config, behaviour_of(release, gates))


def test_the_default_profile_signs_no_pod() -> None:
    assert not may_share_a_ranking(build_scheduler(), ALIKE, EMPTY)


@pytest.mark.parametrize(
    ("profile", "release", "gates", "expected"),
    [
        (NO_SPREAD, "1.36", {}, True),
        (NO_DEFAULTS, "1.36", {}, True),
        (NO_DEFAULTS, "1.35", {}, True),
        (NO_DEFAULTS, "1.34", {}, False),
        (NO_DEFAULTS, "1.36", {"OpportunisticBatching": False}, False),
        (FOREIGN, "1.36", {}, False),
    ],
)
def test_profiles(profile: dict[str, Any], release: str, gates: dict[str, bool], expected: bool) -> None:
    assert may_share_a_ranking(configured(profile, release, gates), ALIKE, EMPTY) is expected


def test_constraints_are_signed_by_nobody_who_looks_at_them() -> None:
    pods = [pod(name, spread=[spread()]) for name in "ab"]
    assert not may_share_a_ranking(configured(NO_DEFAULTS), pods, EMPTY)
    assert may_share_a_ranking(configured(NO_SPREAD), pods, EMPTY)


@pytest.mark.parametrize(
    ("pods", "expected"),
    [
        pytest.param(ALIKE[:1], False, id="one"),
        pytest.param([pod("a", cpu="1"), pod("b", cpu="2")], False, id="other-requests"),
        pytest.param([pod("a", cpu="1"), pod("b", cpu="2"), pod("c", cpu="1")], False, id="not-in-a-row"),
        pytest.param([pod("a", labels={"app": "x"}), pod("b")], False, id="other-labels"),
        pytest.param([pod(name, affinity=affinity(far=[term({"app": "x"})])) for name in "ab"], False, id="affinity"),
    ],
)
def test_pods(pods: Sequence[Pod], expected: bool) -> None:
    assert may_share_a_ranking(configured(NO_SPREAD), pods, EMPTY) is expected
