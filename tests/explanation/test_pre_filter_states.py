"""PreFilter's state, in words."""

from __future__ import annotations

import pytest

from kexplain.api import build_scheduler
from kexplain.explanation.pre_filter_states import state_text
from kexplain.framework.plugin import PreFiltered
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import affinity, cluster, node, pod, spread, term
from tests.storage_factories import claim, persistent_volume, uses

NODES = [node("n1", zone="a"), node("n2", zone="b"), node("n3", zone="c")]
RUNNING = [pod(f"w{n}", labels={"app": "web"}, node=f"n{n}") for n in (1, 2)] + [
    pod("w3", labels={"app": "web"}, node="n1")
]
ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"


def said(plugin: str, asked: Pod, *further: KubernetesObject) -> str:
    decision = build_scheduler().schedule(asked, cluster(NODES, RUNNING, *further))
    answer = decision.pre_filter[plugin]
    assert isinstance(answer, PreFiltered)
    return state_text(answer.state)


def test_what_no_plugin_has_says_nothing() -> None:
    assert state_text(frozenset({"a"})) == ""


@pytest.mark.parametrize(
    ("plugin", "asked", "text"),
    [
        pytest.param("NodeResourcesFit", pod(cpu="500m"), "requests pods 1, cpu 500m", id="requests"),
        pytest.param(
            "PodTopologySpread",
            pod(labels={"app": "web"}, spread=[spread(labels={"app": "web"})]),
            f"{ZONE}, maxSkew 1: c (0), b (1), a (2)",
            id="spread",
        ),
        pytest.param(
            "PodTopologySpread",
            pod(spread=[spread(labels={"app": "web"}), spread(labels={"app": "db"}, max_skew=2)]),
            f"{ZONE}, maxSkew 1: c (0), b (1), a (2); {ZONE}, maxSkew 2: a (0), b (0), c (0)",
            id="spread twice",
        ),
        pytest.param(
            "PodTopologySpread",
            pod(spread=[spread(labels={"app": "web"}), spread(labels={"app": "web"})]),
            f"{ZONE}, maxSkew 1: c (0), b (1), a (2)",
            id="the same twice is said once",
        ),
        pytest.param(
            "PodTopologySpread",
            pod(spread=[spread("rack", labels={"app": "web"})]),
            "rack, maxSkew 1: no domain",
            id="spread over a label that no node has",
        ),
        pytest.param(
            "InterPodAffinity",
            pod(affinity=affinity(near=[term({"app": "web"}, ZONE)])),
            f"near pods in {ZONE}=b (1), {ZONE}=a (2)",
            id="near",
        ),
        pytest.param(
            "InterPodAffinity",
            pod(affinity=affinity(far=[term({"app": "web"}, ZONE)])),
            f"apart from pods in {ZONE}=b (1), {ZONE}=a (2)",
            id="apart",
        ),
        pytest.param(
            "InterPodAffinity",
            pod(affinity=affinity(near=[term({"app": "web"}, ZONE)], far=[term({"app": "web"}, HOST)])),
            f"near pods in {ZONE}=b (1), {ZONE}=a (2); apart from pods in {HOST}=n2 (1), {HOST}=n1 (2)",
            id="near and apart",
        ),
    ],
)
def test_figures(plugin: str, asked: Pod, text: str) -> None:
    assert said(plugin, asked) == text


def test_claims_are_counted() -> None:
    bound = claim("data", volume="pv")
    found = said("VolumeBinding", pod(volumes=uses("data")), bound, persistent_volume("pv", reserved="data"))
    assert found == "1 bound claim, 0 to be bound"
