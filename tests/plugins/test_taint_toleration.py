from __future__ import annotations

import pytest

from kexplain.framework.evidence import UntoleratedTaints
from kexplain.framework.features import Features
from kexplain.framework.status import Status
from kexplain.objects.core import Node, Pod, Toleration
from kexplain.plugins.taint_toleration import TaintToleration
from tests.factories import cluster, node, pod, taint, toleration

from .asking import UNRESOLVABLE, filter_verdict, normalized_scores, raw_scores, rejection

EXISTS = toleration(operator="Exists")


def untolerated(*taints: str) -> Status:
    evidence = UntoleratedTaints(tuple(taint(text) for text in taints))
    return rejection(UNRESOLVABLE, "node(s) had untolerated taint(s)", evidence=[evidence])


@pytest.mark.parametrize(
    ("tolerations", "taints", "verdict"),
    [
        pytest.param([], [], None, id="no-taints"),
        pytest.param([], ["k=v:NoSchedule"], untolerated("k=v:NoSchedule"), id="no-schedule"),
        pytest.param([], ["k:NoExecute"], untolerated("k:NoExecute"), id="no-execute"),
        pytest.param([], ["k=v:PreferNoSchedule"], None, id="prefer-no-schedule-only-pleads"),
        pytest.param([toleration("k", "v")], ["k=v:NoSchedule"], None, id="tolerated"),
        pytest.param([toleration("k", "w")], ["k=v:NoSchedule"], untolerated("k=v:NoSchedule"), id="other-value"),
        pytest.param(
            [toleration("k", "v", effect="NoSchedule")], ["k=v:NoExecute"], untolerated("k=v:NoExecute"),
            id="other-effect",
        ),
        pytest.param([EXISTS], ["a:NoSchedule", "b=c:NoExecute"], None, id="tolerates-everything"),
        pytest.param(
            [toleration("b", operator="Exists")], ["a:NoSchedule", "b:NoSchedule", "c:NoExecute", "d:PreferNoSchedule"],
            untolerated("a:NoSchedule", "c:NoExecute"), id="evidence-has-all-that-repel",
        ),
        pytest.param(
            [toleration("k", "5", operator="Gt")], ["k=6:NoSchedule"], untolerated("k=6:NoSchedule"),
            id="comparison-is-off-by-default",
        ),
    ],
)  # fmt: skip
def test_filter(tolerations: list[Toleration], taints: list[str], verdict: Status | None) -> None:
    made = cluster([node("n1", taints=taints)])
    assert filter_verdict(TaintToleration(Features()), pod(tolerations=tolerations), made) == verdict


@pytest.mark.parametrize(
    ("tainted", "reason"),
    [
        ("k=v:NoSchedule", "node(s) had untolerated taint {k: v}"),
        ("k:NoExecute", "node(s) had untolerated taint {k: }"),
    ],
)
def test_older_releases_name_the_first_taint(tainted: str, reason: str) -> None:
    plugin = TaintToleration(Features(untolerated_taint_is_named=True))
    verdict = filter_verdict(plugin, pod(), cluster([node("n1", taints=[tainted, "z:NoSchedule"])]))
    assert verdict is not None
    assert verdict.reasons == (reason,)


def test_comparison_operators_are_gated() -> None:
    plugin = TaintToleration(Features(taint_toleration_comparison_operators=True))
    made = cluster([node("n1", taints=["k=6:NoSchedule"])])
    assert filter_verdict(plugin, pod(tolerations=[toleration("k", "5", operator="Gt")]), made) is None
    assert filter_verdict(plugin, pod(tolerations=[toleration("k", "6", operator="Gt")]), made) is not None


THREE = [
    node("n1"),
    node("n2", taints=["a:PreferNoSchedule", "x:NoSchedule"]),
    node("n3", taints=["a:PreferNoSchedule", "b=1:PreferNoSchedule", "c:PreferNoSchedule"]),
]


@pytest.mark.parametrize(
    ("asking", "nodes", "raw", "normalized"),
    [
        pytest.param(pod(), THREE, [0, 1, 3], [100, 67, 0], id="fewer-is-better"),
        pytest.param(pod(), THREE[:1], [0], [100], id="no-taints"),
        pytest.param(
            pod(tolerations=[toleration("a", operator="Exists")]), THREE, [0, 0, 2], [100, 100, 0], id="one-tolerated",
        ),
        pytest.param(pod(tolerations=[EXISTS]), THREE, [0, 0, 0], [100, 100, 100], id="all-tolerated"),
        pytest.param(
            pod(tolerations=[toleration("a", operator="Exists", effect="PreferNoSchedule")]), THREE, [0, 0, 2],
            [100, 100, 0], id="tolerates-the-effect",
        ),
        pytest.param(
            pod(tolerations=[toleration("a", operator="Exists", effect="NoSchedule")]), THREE, [0, 1, 3],
            [100, 67, 0], id="tolerates-another-effect",
        ),
    ],
)  # fmt: skip
def test_score(asking: Pod, nodes: list[Node], raw: list[int], normalized: list[int]) -> None:
    plugin, made = TaintToleration(Features()), cluster(nodes)
    assert list((raw_scores(plugin, asking, made) or {}).values()) == raw
    assert list((normalized_scores(plugin, asking, made) or {}).values()) == normalized
