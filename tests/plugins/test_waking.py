"""Which departures and arrivals make a rejected pod worth another attempt, plugin by plugin."""

from __future__ import annotations

import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.plugin import WokenByBinding, WokenByDeletion
from kexplain.objects.core import Pod
from kexplain.plugins.non_csi_limits import EBSLimits
from tests.factories import affinity, cluster, namespace, node, pod, spread, term, volume

CLUSTER = cluster([node("n1")], [], namespace("default"))
DB, WEB = {"app": "db"}, {"app": "web"}
BOTH = affinity(far=[term(DB), term({"tier": "back"})])
CLAIM = (volume("data", claim="data"),)


def plugin(name: str) -> object:
    every = (*default_profile().filter, EBSLimits())
    return next(each for each in every if each.name == name)


@pytest.mark.parametrize(
    ("name", "rejected", "gone", "wakes"),
    [
        ("NodeResourcesFit", pod(cpu="1"), pod("gone"), True),
        ("NodePorts", pod(ports=["80"]), pod("gone", ports=["127.0.0.1:80"]), True),
        ("NodePorts", pod(ports=["127.0.0.1:80"]), pod("gone", ports=["80"]), True),
        ("NodePorts", pod(ports=["127.0.0.1:80"]), pod("gone", ports=["127.0.0.2:80"]), False),
        ("NodePorts", pod(ports=["80"]), pod("gone", ports=["80/UDP"]), False),
        ("NodePorts", pod(ports=["80"]), pod("gone"), False),
        ("InterPodAffinity", pod(affinity=affinity(far=[term(DB)])), pod("gone", labels=DB), True),
        ("InterPodAffinity", pod(affinity=affinity(far=[term(DB)])), pod("gone", labels=WEB), False),
        ("InterPodAffinity", pod(affinity=affinity(far=[term(DB)])), pod("gone", labels=DB, namespace="x"), False),
        ("InterPodAffinity", pod(affinity=BOTH), pod("gone", labels=DB), False),
        ("InterPodAffinity", pod(affinity=BOTH), pod("gone", labels={**DB, "tier": "back"}), True),
        ("InterPodAffinity", pod(labels=WEB), pod("gone", affinity=affinity(far=[term(WEB)])), True),
        ("InterPodAffinity", pod(affinity=affinity(near=[term(DB)])), pod("gone", labels=DB), False),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("gone", labels=WEB), True),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("gone", labels=DB), False),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("gone", labels=WEB, namespace="x"), False),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB, soft=True)]), pod("gone", labels=WEB), False),
        ("VolumeRestrictions", pod(volumes=CLAIM), pod("gone", volumes=CLAIM), True),
        ("VolumeRestrictions", pod(volumes=CLAIM), pod("gone", volumes=CLAIM, namespace="x"), False),
        ("VolumeRestrictions", pod(volumes=CLAIM), pod("gone", volumes=[volume("data", claim="other")]), False),
        ("NodeVolumeLimits", pod(volumes=CLAIM), pod("gone", volumes=[volume("x", claim="x")]), True),
        ("NodeVolumeLimits", pod(volumes=CLAIM), pod("gone", volumes=[volume("x", empty_dir=True)]), False),
        ("EBSLimits", pod(volumes=CLAIM), pod("gone", volumes=[volume("x", claim="x")]), True),
        ("EBSLimits", pod(volumes=CLAIM), pod("gone"), False),
    ],
)
def test_departures(name: str, rejected: Pod, gone: Pod, wakes: bool) -> None:
    woken = plugin(name)
    assert isinstance(woken, WokenByDeletion)
    assert woken.wakes_after_deletion(CLUSTER.pod_info(rejected), CLUSTER.pod_info(gone), CLUSTER) is wakes


@pytest.mark.parametrize(
    ("name", "rejected", "bound", "wakes"),
    [
        ("InterPodAffinity", pod(affinity=affinity(near=[term(DB)])), pod("bound", labels=DB), True),
        ("InterPodAffinity", pod(affinity=affinity(near=[term(DB)])), pod("bound", labels=WEB), False),
        ("InterPodAffinity", pod(affinity=affinity(far=[term(DB)])), pod("bound", labels=DB), False),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("bound", labels=WEB), True),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("bound", labels=DB), False),
    ],
)
def test_arrivals(name: str, rejected: Pod, bound: Pod, wakes: bool) -> None:
    woken = plugin(name)
    assert isinstance(woken, WokenByBinding)
    assert woken.wakes_after_binding(CLUSTER.pod_info(rejected), CLUSTER.pod_info(bound), CLUSTER) is wakes


def test_nobody_else_is_woken_by_pods() -> None:
    every = default_profile().filter
    assert {each.name for each in every if isinstance(each, WokenByDeletion)} == {
        "NodeResourcesFit",
        "NodePorts",
        "InterPodAffinity",
        "PodTopologySpread",
        "VolumeRestrictions",
        "NodeVolumeLimits",
    }
    assert {each.name for each in every if isinstance(each, WokenByBinding)} == {
        "InterPodAffinity",
        "PodTopologySpread",
    }
