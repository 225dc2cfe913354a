"""Which departures and arrivals make a rejected pod worth another attempt, plugin by plugin."""

from __future__ import annotations

import pytest

from kexplain.framework.features import DEFAULT_FEATURES
from kexplain.framework.wake_events import wakes
from kexplain.objects.core import Pod
from kexplain.objects.requests import DEFAULT_RULES
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS, events_of
from tests.factories import affinity, cluster, namespace, node, pod, spread, term, volume

CLUSTER = cluster([node("n1")], [], namespace("default"))
DB, WEB = {"app": "db"}, {"app": "web"}
BOTH = affinity(far=[term(DB), term({"tier": "back"})])
CLAIM = (volume("data", claim="data"),)


def woken(name: str, action: str, rejected: Pod, other: Pod) -> bool:
    events = events_of(name, DEFAULT_FEATURES, DEFAULT_RULES)
    return wakes(events, action, CLUSTER.pod_info(rejected), CLUSTER.pod_info(other), CLUSTER)


@pytest.mark.parametrize(
    ("name", "rejected", "gone", "expected"),
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
        ("EBSLimits", pod(volumes=CLAIM), pod("gone"), True),
    ],
)
def test_departures(name: str, rejected: Pod, gone: Pod, expected: bool) -> None:
    assert woken(name, "Delete", rejected, gone) is expected


@pytest.mark.parametrize(
    ("name", "rejected", "bound", "expected"),
    [
        ("InterPodAffinity", pod(affinity=affinity(near=[term(DB)])), pod("bound", labels=DB), True),
        ("InterPodAffinity", pod(affinity=affinity(near=[term(DB)])), pod("bound", labels=WEB), False),
        ("InterPodAffinity", pod(affinity=affinity(far=[term(DB)])), pod("bound", labels=DB), False),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("bound", labels=WEB), True),
        ("PodTopologySpread", pod(spread=[spread(labels=WEB)]), pod("bound", labels=DB), False),
        ("GangScheduling", pod(group="a"), pod("bound", group="a"), True),
        ("GangScheduling", pod(group="a"), pod("bound", group="b"), False),
        ("GangScheduling", pod(), pod("bound"), False),
    ],
)
def test_arrivals(name: str, rejected: Pod, bound: Pod, expected: bool) -> None:
    assert woken(name, "Add", rejected, bound) is expected


def test_nobody_else_is_woken_by_pods() -> None:
    events = {name: events_of(name, DEFAULT_FEATURES, DEFAULT_RULES) for name in IN_TREE_PLUGINS}

    def waiting_for(action: str) -> set[str]:
        return {
            name
            for name in IN_TREE_PLUGINS
            if any(each.resource == "Pod" and action in each.actions for each in events[name])
        }

    assert waiting_for("Add") == {"GangScheduling", "InterPodAffinity", "PodTopologySpread"}
    assert waiting_for("Delete") - waiting_for("Add") - VOLUME_LIMIT_PLUGINS == {
        "DefaultPreemption",
        "NodeResourcesFit",
        "NodePorts",
        "VolumeRestrictions",
        "NodeVolumeLimits",
    }
