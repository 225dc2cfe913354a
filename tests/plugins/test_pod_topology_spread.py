from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.framework.evidence import MissingTopologyLabel, SkewExceeded
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Code, Status
from kexplain.objects.core import Pod, TopologySpreadConstraint
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.selectors import selector_from_labels
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.spread_counts import NO_MINIMUM, DomainCounts
from tests.factories import (
    HOSTNAME,
    ZONE,
    cluster,
    controlled_by,
    node,
    pod,
    replica_set,
    replication_controller,
    selector,
    service,
    spread,
    stateful_set,
    toleration,
)

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, normalized_scores, pre_filtered, raw_scores, rejection

PLUGIN = PodTopologySpread(Features())
A = {"app": "a"}
#: Two nodes in zone a, one in zone b.
ZONES = [node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")]
TOO_MANY = "node(s) didn't match pod topology spread constraints"
MISSING = rejection(
    UNRESOLVABLE, f"{TOO_MANY} (missing required label)", evidence=[MissingTopologyLabel(ZONE)]
)  # fmt: skip


def spreading(*constraints: TopologySpreadConstraint) -> Pod:
    return pod("p", labels=A, spread=constraints)


def replicas(*names_of_nodes: str) -> list[Pod]:
    return [pod(f"r{index}", node=name, labels=A) for index, name in enumerate(names_of_nodes)]


def skew(domain: str, matching: int, minimum: int, lowest: str | None = "b", **differing: Any) -> Status:
    """Too many for one constraint of skew 1 over two zones, but for what is said otherwise."""
    plain = SkewExceeded(
        topology_key=ZONE,
        domain=domain,
        selector=selector_from_labels(A),
        matching=matching,
        own=1,
        minimum=minimum,
        minimum_domain=lowest,
        max_skew=1,
        domains=2,
        min_domains=1,
    )
    return rejection(UNSCHEDULABLE, TOO_MANY, evidence=[replace(plain, **differing)])


@pytest.mark.parametrize(
    ("asking", "running", "verdicts"),
    [
        pytest.param(spreading(spread(ZONE, A)), [], {}, id="empty-cluster"),
        pytest.param(
            spreading(spread(ZONE, A)), replicas("a1"), {"a1": skew("a", 1, 0), "a2": skew("a", 1, 0)},
            id="domain-is-full-on-all-its-nodes",
        ),
        pytest.param(spreading(spread(ZONE, A)), replicas("a1", "b1"), {}, id="even-again"),
        pytest.param(spreading(spread(ZONE, A, max_skew=2)), replicas("a1"), {}, id="skew-of-two-exactly"),
        pytest.param(
            spreading(spread(ZONE, A, max_skew=2)), replicas("a1", "a2"),
            {"a1": skew("a", 2, 0, max_skew=2), "a2": skew("a", 2, 0, max_skew=2)}, id="skew-of-three",
        ),
        pytest.param(
            spreading(spread(HOSTNAME, A)), replicas("a1"),
            {"a1": skew("a1", 1, 0, "b1", topology_key=HOSTNAME, domains=3)},
            id="hostname",
        ),
        pytest.param(
            pod("p", labels={"app": "b"}, spread=[spread(ZONE, A)]), replicas("a1"), {}, id="pod-itself-is-not-counted",
        ),
        pytest.param(
            pod("p", labels={"app": "b"}, spread=[spread(ZONE, A)]), replicas("a1", "a2"),
            {"a1": skew("a", 2, 0, own=0), "a2": skew("a", 2, 0, own=0)}, id="still-too-many-without-itself",
        ),
        pytest.param(spreading(spread(ZONE, A, soft=True)), replicas("a1", "a1"), {}, id="soft-never-rejects"),
        pytest.param(spreading(spread(ZONE, None)), replicas("a1", "a1"), {}, id="no-selector-counts-nobody"),
        pytest.param(
            spreading(spread(ZONE, {}, max_skew=1)), replicas("a1", "a1"), {}, id="empty-selector-counts-nobody",
        ),
        pytest.param(
            spreading(spread(ZONE, A)), [pod("r", node="a1", labels=A, deleting=True)], {}, id="terminating-pods",
        ),
        pytest.param(
            spreading(spread(ZONE, A)), [pod("r", node="a1", labels=A, namespace="other")], {}, id="other-namespaces",
        ),
        pytest.param(spreading(spread(ZONE, A)), [pod("r", node="a1", labels={"app": "b"})], {}, id="other-pods"),
        pytest.param(
            spreading(spread(ZONE, A, max_skew=3), spread(HOSTNAME, A)), replicas("a1", "a1"),
            {"a1": skew("a1", 2, 0, "b1", topology_key=HOSTNAME, domains=3)}, id="second-constraint-decides",
        ),
        pytest.param(
            spreading(spread(ZONE, A), spread(HOSTNAME, A)), replicas("a1"),
            {"a1": skew("a", 1, 0), "a2": skew("a", 1, 0)}, id="first-constraint-decides",
        ),
        pytest.param(
            spreading(spread(ZONE, A, min_domains=2)), replicas("a1", "b1"), {}, id="enough-domains",
        ),
        pytest.param(
            spreading(spread(ZONE, A, min_domains=3)), replicas("a1", "b1"),
            {
                "a1": skew("a", 1, 0, None, min_domains=3), "a2": skew("a", 1, 0, None, min_domains=3),
                "b1": skew("b", 1, 0, None, min_domains=3),
            }, id="too-few-domains-make-the-minimum-zero",
        ),
    ],
)  # fmt: skip
def test_filter(asking: Pod, running: list[Pod], verdicts: dict[str, Status]) -> None:
    made = cluster(ZONES, running)
    for name in ("a1", "a2", "b1"):
        assert filter_verdict(PLUGIN, asking, made, name) == verdicts.get(name)


def test_pods_on_nodes_that_join_count() -> None:
    asking = spreading(spread(labels=A))
    made = cluster(ZONES, replicas("a1", "b1"))
    for here, expected in (
        (made, {"a": 1, "b": 1}),
        (made.with_nodes([node("c1", zone="c")]).assume(replicas("c1")[0], "c1"), {"a": 1, "b": 1, "c": 1}),
        (made.with_nodes([node("b1", zone="a")]), {"a": 2}),
        (made.with_nodes((), gone=["a1"]), {"a": 0, "b": 1}),
        (made, {"a": 1, "b": 1}),
    ):
        (counts,) = pre_filtered(PLUGIN, asking, here).state.counts
        assert counts.count_by_domain == expected


def test_skew_is_what_there_would_be() -> None:
    (evidence,) = skew("a", 3, 1).evidence
    assert isinstance(evidence, SkewExceeded)
    assert evidence.skew == 3


def test_missing_label_is_unresolvable() -> None:
    made = cluster([*ZONES, node("n1")], replicas("a1"))
    assert filter_verdict(PLUGIN, spreading(spread(ZONE, A)), made) == MISSING


def test_nodes_without_all_keys_are_no_domains() -> None:
    """A node with one label out of two does not lower the other constraint's minimum."""
    rack = spread("rack", A)
    made = cluster([node("n1", zone="a", labels={"rack": "1"}), node("n2", zone="b")], [pod("r", node="n1", labels=A)])
    verdict = filter_verdict(PLUGIN, spreading(spread(ZONE, A), rack), made)
    assert verdict is None
    (zones, racks) = pre_filtered(PLUGIN, spreading(spread(ZONE, A), rack), made).state.counts
    assert zones.count_by_domain == {"a": 1}
    assert racks.count_by_domain == {"1": 1}


@pytest.mark.parametrize(
    ("constraint", "domains"),
    [
        pytest.param(spread(ZONE, A), {"a", "d"}, id="honors-affinity-ignores-taints"),
        pytest.param(spread(ZONE, A, affinity_policy="Ignore"), {"a", "b", "d"}, id="ignores-affinity"),
        pytest.param(spread(ZONE, A, taints_policy="Honor"), {"a"}, id="honors-taints"),
        pytest.param(spread(ZONE, A, affinity_policy="Ignore", taints_policy="Honor"), {"a", "b"}, id="only-taints"),
        pytest.param(spread(ZONE, A, affinity_policy="Honor", taints_policy="Ignore"), {"a", "d"}, id="spelled-out"),
    ],
)
def test_inclusion_policies(constraint: TopologySpreadConstraint, domains: set[str]) -> None:
    nodes = [
        node("n1", zone="a", labels={"disk": "ssd"}),
        node("n2", zone="b"),
        node("n3", zone="d", labels={"disk": "ssd"}, taints=["k:NoSchedule"]),
    ]
    asking = pod("p", labels=A, spread=[constraint], node_selector={"disk": "ssd"})
    (counts,) = pre_filtered(PLUGIN, asking, cluster(nodes)).state.counts
    assert set(counts.count_by_domain) == domains


@pytest.mark.parametrize(
    ("taint", "counted"),
    [
        pytest.param("k:NoExecute", False, id="no-execute"),
        pytest.param("k:PreferNoSchedule", True, id="prefer-no-schedule-does-not-repel"),
        pytest.param("tolerated:NoSchedule", True, id="tolerated"),
    ],
)
def test_which_taints_count(taint: str, counted: bool) -> None:
    asking = pod(
        labels=A,
        spread=[spread(ZONE, A, taints_policy="Honor")],
        tolerations=[toleration("tolerated", operator="Exists")],
    )
    (counts,) = pre_filtered(PLUGIN, asking, cluster([node("n1", zone="a", taints=[taint])])).state.counts
    assert ("a" in counts.count_by_domain) is counted


def test_policies_are_gated() -> None:
    """Without the gate, affinity is honoured and taints are not, whatever the constraint says."""
    plugin = PodTopologySpread(Features(node_inclusion_policy=False))
    constraint = spread(ZONE, A, affinity_policy="Ignore", taints_policy="Honor")
    nodes = [node("n1", zone="a", labels={"disk": "ssd"}, taints=["k:NoSchedule"]), node("n2", zone="b")]
    asking = pod(labels=A, spread=[constraint], node_selector={"disk": "ssd"})
    (counts,) = pre_filtered(plugin, asking, cluster(nodes)).state.counts
    assert set(counts.count_by_domain) == {"a"}


def test_node_in_no_eligible_domain_may_exceed_no_skew() -> None:
    """Where no domain is eligible at all, the minimum is out of reach and every node passes."""
    asking = pod(labels=A, spread=[spread(ZONE, A)], node_selector={"disk": "ssd"})
    made = cluster([node("n1", zone="a")], [pod(f"r{i}", node="n1", labels=A) for i in range(5)])
    assert filter_verdict(PLUGIN, asking, made) is None


@pytest.mark.parametrize(
    ("keys", "own_labels", "text"),
    [
        pytest.param(None, {"app": "a"}, "app=a", id="none"),
        pytest.param(["version"], {"app": "a", "version": "2"}, "app=a,version=2", id="key-of-the-pod"),
        pytest.param(["version"], {"app": "a"}, "app=a", id="key-that-the-pod-lacks"),
        pytest.param(["b", "a"], {"a": "1", "b": "2"}, "app=a,b=2,a=1", id="several"),
    ],
)
def test_match_label_keys(keys: list[str] | None, own_labels: dict[str, str], text: str) -> None:
    asking = pod(labels=own_labels, spread=[spread(ZONE, A, match_label_keys=keys)])
    (constraint,) = pre_filtered(PLUGIN, asking, cluster(ZONES)).state.constraints
    assert str(constraint.selector) == text


def test_match_label_keys_tell_rollouts_apart() -> None:
    old = pod("r", node="a1", labels={"app": "a", "version": "1"})
    constraint = spread(ZONE, A, match_label_keys=["version"])
    asking = pod(labels={"app": "a", "version": "2"}, spread=[constraint])
    made = cluster(ZONES, [old])
    assert filter_verdict(PLUGIN, asking, made, "a1") is None
    gated = PodTopologySpread(Features(match_label_keys_in_spread=False))
    assert filter_verdict(gated, asking, made, "a1") is not None


def test_malformed_selector_is_an_error() -> None:
    asking = spreading(spread(ZONE, selector(None, ("app", "In", ()))))
    answer = PLUGIN.pre_filter(asking, cluster(ZONES))
    assert isinstance(answer, Status)
    assert answer.code is Code.ERROR
    assert answer.message.startswith("get constraints from pod: obtaining pod's hard topology spread constraints: ")
    soft = spreading(spread(ZONE, selector(None, ("app", "In", ())), soft=True))
    scored = PLUGIN.pre_score(soft, cluster(ZONES), ())
    assert isinstance(scored, Status)
    assert scored.code is Code.ERROR


def test_skips_pods_without_hard_constraints() -> None:
    assert PLUGIN.pre_filter(pod(labels=A), cluster(ZONES)) is SKIP
    assert PLUGIN.pre_filter(spreading(spread(ZONE, A, soft=True)), cluster(ZONES)) is SKIP


# --------------------------------------------------------------------------------------------------- dry runs


def test_the_two_lowest_counts() -> None:
    counts = DomainCounts({"a": 3, "b": 1, "c": 2})
    assert (counts.lowest, counts.second) == ((1, "b"), (2, "c"))
    counts.add("b", 2)
    assert (counts.lowest, counts.second) == ((2, "c"), (3, "b"))
    counts.add("b", -3)
    assert (counts.lowest, counts.second) == ((0, "b"), (2, "c"))


def test_no_domain_at_all() -> None:
    assert DomainCounts({}).lowest == (NO_MINIMUM, None)


def test_copied_counts_are_independent() -> None:
    counts = DomainCounts({"a": 1, "b": 2})
    copy = counts.copy()
    copy.add("b", -2)
    assert counts.lowest == (1, "a")
    assert counts.count_by_domain == {"a": 1, "b": 2}
    assert copy.lowest == (0, "b")


@pytest.mark.parametrize(
    ("leaving", "before", "after"),
    [
        pytest.param(pod("r", node="a1", labels=A), 2, 1, id="matching"),
        pytest.param(pod("r", node="a1", labels={"app": "b"}), 1, 1, id="other-labels"),
        pytest.param(pod("r", node="a1", labels=A, namespace="other"), 1, 1, id="other-namespace"),
        pytest.param(pod("r", node="a1", labels=A, deleting=True), 1, 0, id="terminating-pods-are-counted-out"),
    ],
)
def test_pods_come_and_go(leaving: Pod, before: int, after: int) -> None:
    asking = spreading(spread(ZONE, A))
    made = cluster(ZONES, [leaving, pod("stays", node="a1", labels=A)])
    state = PLUGIN.clone(pre_filtered(PLUGIN, asking, made).state)
    info = made.node_info_by_name["a1"]
    assert state.counts[0].count_by_domain == {"a": before, "b": 0}
    PLUGIN.count_pod(asking, state, made.pod_info(leaving), info, -1)
    assert state.counts[0].count_by_domain == {"a": after, "b": 0}
    PLUGIN.count_pod(asking, state, made.pod_info(leaving), info, 1)
    assert state.counts[0].count_by_domain == {"a": before, "b": 0}


def test_empty_selector_counts_whoever_comes_or_goes() -> None:
    """Upstream looks at the selector's emptiness when it counts, but not when it updates."""
    asking = spreading(spread(ZONE, {}))
    made = cluster(ZONES, replicas("a1"))
    state = PLUGIN.clone(pre_filtered(PLUGIN, asking, made).state)
    assert state.counts[0].count_by_domain == {"a": 0, "b": 0}
    PLUGIN.count_pod(asking, state, made.node_info_by_name["a1"].pods[0], made.node_info_by_name["a1"], -1)
    assert state.counts[0].count_by_domain == {"a": -1, "b": 0}


def test_clone_leaves_the_original_as_it_was() -> None:
    asking = spreading(spread(ZONE, A))
    made = cluster(ZONES, replicas("a1"))
    state = pre_filtered(PLUGIN, asking, made).state
    clone = PLUGIN.clone(state)
    PLUGIN.count_pod(asking, clone, made.node_info_by_name["a1"].pods[0], made.node_info_by_name["a1"], -1)
    assert state.counts[0].count_by_domain == {"a": 1, "b": 0}
    assert clone.counts[0].count_by_domain == {"a": 0, "b": 0}


def test_pods_on_nodes_that_do_not_count_change_nothing() -> None:
    asking = pod(labels=A, spread=[spread(ZONE, A)], node_selector={HOSTNAME: "a1"})
    made = cluster(ZONES, replicas("a1", "b1"))
    state = PLUGIN.clone(pre_filtered(PLUGIN, asking, made).state)
    PLUGIN.count_pod(asking, state, made.node_info_by_name["b1"].pods[0], made.node_info_by_name["b1"], -1)
    assert state.counts[0].count_by_domain == {"a": 1}


# ---------------------------------------------------------------------------------------------------- scoring

LOG3, LOG4, LOG5 = math.log(3), math.log(4), math.log(5)


@pytest.mark.parametrize(
    ("asking", "running", "raw", "normalized"),
    [
        pytest.param(
            spreading(spread(ZONE, A, soft=True)), replicas("a1", "a2", "b1"),
            [round(2 * LOG4), round(LOG4), round(2 * LOG4)], [33, 100, 33], id="zones",
        ),
        pytest.param(spreading(spread(ZONE, A, soft=True)), [], [0, 0, 0], [100, 100, 100], id="nobody-there"),
        pytest.param(
            spreading(spread(HOSTNAME, A, soft=True)), replicas("a1", "a1"), [round(2 * LOG5), 0, 0], [0, 100, 100],
            id="hostnames-count-node-by-node",
        ),
        pytest.param(
            spreading(spread(ZONE, A, soft=True, max_skew=4)), replicas("a1"),
            [round(LOG4 + 3), 3, round(LOG4 + 3)], [75, 100, 75], id="max-skew-waters-down",
        ),
        pytest.param(
            spreading(spread(ZONE, A, soft=True), spread(HOSTNAME, A, soft=True)), replicas("a1", "b1"),
            [round(LOG4 + LOG5), round(LOG4 + LOG5), round(LOG4)], [33, 33, 100], id="constraints-add-up",
        ),
        pytest.param(
            spreading(spread(ZONE, A, soft=True)),
            [pod("r", node="a1", labels=A, deleting=True), pod("s", node="a1", labels=A, namespace="o")],
            [0, 0, 0], [100, 100, 100], id="who-is-not-counted",
        ),
        pytest.param(
            spreading(spread(ZONE, {}, soft=True)), replicas("a1"), [0, 0, 0], [100, 100, 100], id="empty-selector",
        ),
    ],
)  # fmt: skip
def test_score(asking: Pod, running: list[Pod], raw: list[int], normalized: list[int]) -> None:
    """Nodes come as a1, b1, a2."""
    made = cluster(ZONES, running)
    assert list((raw_scores(PLUGIN, asking, made) or {}).values()) == raw
    assert list((normalized_scores(PLUGIN, asking, made) or {}).values()) == normalized


def test_nodes_without_the_labels_score_nothing() -> None:
    made = cluster([*ZONES, node("n1")], replicas("b1"))
    asking = spreading(spread(ZONE, A, soft=True))
    assert raw_scores(PLUGIN, asking, made) == {"a1": 0, "n1": 0, "b1": 1, "a2": 0}
    assert normalized_scores(PLUGIN, asking, made) == {"a1": 100, "n1": 0, "b1": 0, "a2": 100}


def test_all_nodes_without_the_labels() -> None:
    made = cluster([node("n1"), node("n2")])
    assert normalized_scores(PLUGIN, spreading(spread(ZONE, A, soft=True)), made) == {"n1": 0, "n2": 0}


def test_pods_on_infeasible_nodes_count_but_make_no_domain() -> None:
    """The weight goes by the domains of the feasible nodes."""
    made = cluster(ZONES, replicas("a2", "a2", "b1"))
    asking = spreading(spread(ZONE, A, soft=True))
    assert raw_scores(PLUGIN, asking, made, ["a1"]) == {"a1": round(2 * LOG3)}


@pytest.mark.parametrize(
    ("policy", "raw"), [pytest.param(None, 0, id="honoured"), pytest.param("Ignore", 1, id="ignored")]
)
def test_affinity_decides_which_nodes_count_in_scoring(policy: str | None, raw: int) -> None:
    made = cluster([node("n1", zone="a", labels={"disk": "ssd"}), node("n2", zone="a")], replicas("n2"))
    asking = pod(labels=A, spread=[spread(ZONE, A, soft=True, affinity_policy=policy)], node_selector={"disk": "ssd"})
    assert raw_scores(PLUGIN, asking, made, ["n1"]) == {"n1": raw}


# ----------------------------------------------------------------------------------------- default constraints

BY_RS, BY_SS = controlled_by("ReplicaSet", "x"), controlled_by("StatefulSet", "x")
BY_RC = controlled_by("ReplicationController", "x", api_version="v1")


@pytest.mark.parametrize(
    ("asking", "objects"),
    [
        pytest.param(pod(labels=A), [service("s", A)], id="service"),
        pytest.param(pod(labels=A, owner=BY_RS), [replica_set("x", selector(A))], id="replica-set"),
        pytest.param(pod(labels=A, owner=BY_SS), [stateful_set("x", selector(A))], id="stateful-set"),
        pytest.param(pod(labels=A, owner=BY_RC), [replication_controller("x", A)], id="replication-controller"),
    ],
)
def test_spread_by_default(asking: Pod, objects: list[KubernetesObject]) -> None:
    """By hostname with skew 3 and by zone with skew 5."""
    made = cluster(ZONES, replicas("a1", "a1"), *objects)
    assert PLUGIN.pre_filter(asking, made) is SKIP
    assert raw_scores(PLUGIN, asking, made) == {
        "a1": round(2 * LOG5 + 2 + 2 * LOG4 + 4),
        "b1": 6,
        "a2": round(2 + 2 * LOG4 + 4),
    }


def test_nobody_to_spread_with_by_default() -> None:
    assert raw_scores(PLUGIN, pod(labels=A), cluster(ZONES, replicas("a1"))) is None
    assert raw_scores(PLUGIN, pod(labels=A), cluster(ZONES, replicas("a1"), service("s", {}))) is None


def test_own_constraints_leave_no_room_for_default_ones() -> None:
    made = cluster(ZONES, replicas("a1"), service("s", A))
    assert raw_scores(PLUGIN, spreading(spread(ZONE, A)), made) is None


def test_default_zones_are_not_required() -> None:
    """Nodes in no zone are spread over by hostname all the same."""
    made = cluster([node("n1"), node("n2")], replicas("n1"), service("s", A))
    assert raw_scores(PLUGIN, pod(labels=A), made) == {"n1": round(LOG4 + 2), "n2": 2}
    assert normalized_scores(PLUGIN, pod(labels=A), made) == {"n1": 66, "n2": 100}


def test_configured_constraints_take_the_place_of_the_default_ones() -> None:
    plugin = PodTopologySpread(Features(), (spread(ZONE),))
    made = cluster([*ZONES, node("n1")], replicas("a1"), service("s", A))
    assert filter_verdict(plugin, pod(labels=A), made, "a1") == skew("a", 1, 0)
    assert filter_verdict(plugin, pod(labels=A), made, "b1") is None
    assert filter_verdict(plugin, pod(labels=A), made) == MISSING
    assert raw_scores(plugin, pod(labels=A), made) is None
    assert plugin.pre_filter(pod(labels={"app": "b"}), made) is SKIP


def test_configured_soft_constraints_require_their_labels() -> None:
    plugin = PodTopologySpread(Features(), (spread(ZONE, soft=True),))
    made = cluster([node("n1"), node("b1", zone="b")], replicas("n1"), service("s", A))
    assert normalized_scores(plugin, pod(labels=A), made) == {"n1": 0, "b1": 100}


def test_no_default_constraints() -> None:
    plugin = PodTopologySpread(Features(), ())
    assert raw_scores(plugin, pod(labels=A), cluster(ZONES, replicas("a1"), service("s", A))) is None
