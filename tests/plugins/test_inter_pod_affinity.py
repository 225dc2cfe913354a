from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.cluster.pod_info import affinity_terms
from kexplain.framework.evidence import (
    AffinityUnmatched,
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    MissingTopologyLabel,
)
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import Code, Status
from kexplain.objects.core import Pod, PodAffinityTerm
from kexplain.objects.meta import KubernetesObject
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from tests.factories import HOSTNAME, ZONE, affinity, cluster, namespace, node, pod, selector, term

from .asking import UNRESOLVABLE, UNSCHEDULABLE, filter_verdict, normalized_scores, pre_filtered, raw_scores, rejection

PLUGIN = InterPodAffinity()
A, B = {"app": "a"}, {"app": "b"}
#: Two nodes in zone a, one in zone b.
ZONES = [node("a1", zone="a"), node("a2", zone="a"), node("b1", zone="b")]
IN_ZONE = term(A, ZONE)
MALFORMED = term(selector(None, ("app", "In", ())))
NEAR = "node(s) didn't match pod affinity rules"
FAR = "node(s) didn't match pod anti-affinity rules"
EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules"


def near(*terms: PodAffinityTerm, labels: dict[str, str] | None = None) -> Pod:
    return pod("p", labels=labels, affinity=affinity(near=terms))


def far(*terms: PodAffinityTerm, labels: dict[str, str] | None = None) -> Pod:
    return pod("p", labels=labels, affinity=affinity(far=terms))


def unmatched(*evidence: Evidence) -> Status:
    return rejection(UNRESOLVABLE, NEAR, evidence=evidence)


def no_pod(written: PodAffinityTerm, domain: str | None) -> AffinityUnmatched:
    return AffinityUnmatched(affinity_terms(near(written)).required[0], domain)


def repelled(written: PodAffinityTerm, domain: str, matching: int) -> Status:
    parsed = affinity_terms(far(written)).required_anti[0]
    return rejection(UNSCHEDULABLE, FAR, evidence=[AntiAffinityMatched(parsed, domain, matching)])


def unwelcome(key: str, domain: str, matching: int) -> Status:
    return rejection(UNSCHEDULABLE, EXISTING, evidence=[ExistingAntiAffinity(key, domain, matching)])


def verdicts(asking: Pod, running: list[Pod], *others: KubernetesObject) -> dict[str, Status]:
    made = cluster(ZONES, running, *others)
    return {
        info.name: verdict
        for info in made.node_infos
        if (verdict := filter_verdict(PLUGIN, asking, made, info.name)) is not None
    }


# --------------------------------------------------------------------------------------------------- affinity


@pytest.mark.parametrize(
    ("asking", "running", "expected"),
    [
        pytest.param(
            near(IN_ZONE), [pod("r", node="a2", labels=A)], {"b1": unmatched(no_pod(IN_ZONE, "b"))}, id="zone",
        ),
        pytest.param(
            near(term(A)), [pod("r", node="a2", labels=A)],
            {"a1": unmatched(no_pod(term(A), "a1")), "b1": unmatched(no_pod(term(A), "b1"))}, id="hostname",
        ),
        pytest.param(
            near(IN_ZONE, term(B, ZONE)), [pod("r", node="a2", labels=A)],
            {name: unmatched(no_pod(IN_ZONE, zone), no_pod(term(B, ZONE), zone)) for name, zone in
             (("a1", "a"), ("a2", "a"), ("b1", "b"))}, id="one-pod-must-match-all-terms",
        ),
        pytest.param(
            near(IN_ZONE, term(B, ZONE)), [pod("r", node="a2", labels=A), pod("s", node="a1", labels=B)],
            {name: unmatched(no_pod(IN_ZONE, zone), no_pod(term(B, ZONE), zone)) for name, zone in
             (("a1", "a"), ("a2", "a"), ("b1", "b"))}, id="two-pods-do-not-share-the-work",
        ),
        pytest.param(
            near(IN_ZONE, term({"tier": "x"}, HOSTNAME)), [pod("r", node="a2", labels=A | {"tier": "x"})],
            {
                "a1": unmatched(no_pod(term({"tier": "x"}, HOSTNAME), "a1")),
                "b1": unmatched(no_pod(IN_ZONE, "b"), no_pod(term({"tier": "x"}, HOSTNAME), "b1")),
            }, id="only-unmatched-terms-are-told",
        ),
        pytest.param(
            near(IN_ZONE), [pod("r", node="a2", labels=A, deleting=True)], {"b1": unmatched(no_pod(IN_ZONE, "b"))},
            id="terminating-pods-still-attract",
        ),
    ],
)  # fmt: skip
def test_affinity(asking: Pod, running: list[Pod], expected: dict[str, Status]) -> None:
    assert verdicts(asking, running) == expected


def test_missing_topology_label() -> None:
    made = cluster([*ZONES, node("n1")], [pod("r", node="a1", labels=A)])
    verdict = filter_verdict(PLUGIN, near(IN_ZONE), made)
    assert verdict == unmatched(MissingTopologyLabel(ZONE), no_pod(IN_ZONE, None))


@pytest.mark.parametrize(
    ("asking", "running", "fits"),
    [
        pytest.param(near(IN_ZONE, labels=A), [], True, id="first-of-its-group"),
        pytest.param(near(IN_ZONE, labels=B), [], False, id="not-of-its-own-group"),
        pytest.param(near(IN_ZONE, term(B, ZONE), labels=A), [], False, id="matches-one-of-its-terms-only"),
        pytest.param(near(IN_ZONE, labels=A), [pod("r", node="a1", labels=B)], True, id="others-do-not-count"),
        pytest.param(near(IN_ZONE, labels=A), [pod("r", node="a1", labels=A)], False, id="the-second-must-follow"),
        pytest.param(
            near(IN_ZONE, labels=A), [pod("r", node="a1", labels=A, namespace="other")], True,
            id="another-namespace-is-another-group",
        ),
        pytest.param(
            near(term(A, ZONE, namespaces=["other"]), labels=A), [], False,
            id="group-in-a-namespace-that-is-not-its-own",
        ),
    ],
)  # fmt: skip
def test_first_of_a_group(asking: Pod, running: list[Pod], fits: bool) -> None:
    assert ("b1" not in verdicts(asking, running)) is fits


def test_first_of_a_group_still_needs_the_label() -> None:
    made = cluster([node("n1")])
    assert filter_verdict(PLUGIN, near(IN_ZONE, labels=A), made) == unmatched(
        MissingTopologyLabel(ZONE), no_pod(IN_ZONE, None)
    )


def test_group_that_runs_where_there_is_no_domain_does_not_exist() -> None:
    made = cluster([*ZONES, node("n1")], [pod("r", node="n1", labels=A)])
    assert filter_verdict(PLUGIN, near(IN_ZONE, labels=A), made, "a1") is None


# ---------------------------------------------------------------------------------------------- anti-affinity


@pytest.mark.parametrize(
    ("asking", "running", "expected"),
    [
        pytest.param(far(IN_ZONE), [], {}, id="nobody"),
        pytest.param(
            far(IN_ZONE), [pod("r", node="a2", labels=A)],
            {"a1": repelled(IN_ZONE, "a", 1), "a2": repelled(IN_ZONE, "a", 1)},
            id="zone",
        ),
        pytest.param(
            far(term(A)), [pod("r", node="a2", labels=A), pod("s", node="a2", labels=A)],
            {"a2": repelled(term(A), "a2", 2)}, id="hostname",
        ),
        pytest.param(
            far(term(B, ZONE), term(A)), [pod("r", node="a2", labels=A), pod("s", node="b1", labels=B)],
            {"a2": repelled(term(A), "a2", 1), "b1": repelled(term(B, ZONE), "b", 1)}, id="each-term-on-its-own",
        ),
        pytest.param(far(IN_ZONE), [pod("r", node="a2", labels=A, namespace="other")], {}, id="other-namespace"),
        pytest.param(far(IN_ZONE, labels=A), [], {}, id="is-no-threat-to-itself"),
        pytest.param(far(term(A, "rack")), [pod("r", node="a2", labels=A)], {}, id="no-domain-nobody-in-it"),
        pytest.param(
            far(term(None, ZONE)), [pod("r", node="a2", labels=A)], {}, id="no-selector-is-about-nobody",
        ),
    ],
)  # fmt: skip
def test_anti_affinity(asking: Pod, running: list[Pod], expected: dict[str, Status]) -> None:
    assert verdicts(asking, running) == expected


def running_far(written: PodAffinityTerm, on: str = "a2", **rest: str) -> Pod:
    return pod("r", node=on, affinity=affinity(far=[written]), **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asking", "running", "expected"),
    [
        pytest.param(
            pod(labels=A), [running_far(IN_ZONE)], {"a1": unwelcome(ZONE, "a", 1), "a2": unwelcome(ZONE, "a", 1)},
            id="zone",
        ),
        pytest.param(pod(labels=A), [running_far(term(A))], {"a2": unwelcome(HOSTNAME, "a2", 1)}, id="hostname"),
        pytest.param(pod(labels=B), [running_far(IN_ZONE)], {}, id="about-others"),
        pytest.param(pod(labels=A, namespace="other"), [running_far(IN_ZONE)], {}, id="about-another-namespace"),
        pytest.param(
            pod(labels=A, namespace="other"), [running_far(term(A, ZONE, namespaces=["other"]), "b1")],
            {"b1": unwelcome(ZONE, "b", 1)}, id="about-a-named-namespace",
        ),
        pytest.param(pod(labels=A), [running_far(term(A, "rack"))], {}, id="its-node-is-in-no-domain"),
        pytest.param(
            pod(labels=A), [pod("r", node="a2", affinity=affinity(prefers_far=[(1, IN_ZONE)]))], {},
            id="preferences-never-reject",
        ),
    ],
)  # fmt: skip
def test_anti_affinity_of_others(asking: Pod, running: list[Pod], expected: dict[str, Status]) -> None:
    assert verdicts(asking, running) == expected


def test_affinity_is_told_before_anti_affinity_before_that_of_others() -> None:
    running = [running_far(term(A)), pod("s", node="a2", labels=B)]
    near_nobody = affinity(near=[term({"app": "c"})], far=[term(B)])
    assert verdicts(pod(labels=A, affinity=near_nobody), running)["a2"].reasons == (NEAR,)
    assert verdicts(pod(labels=A, affinity=affinity(far=[term(B)])), running)["a2"].reasons == (FAR,)
    assert verdicts(pod(labels=A), running)["a2"].reasons == (EXISTING,)


# ------------------------------------------------------------------------------------------------- namespaces

TEAMS = (namespace("default"), namespace("red", {"team": "red"}), namespace("blue", {"team": "blue"}))
TEAM_RED = selector({"team": "red"})


@pytest.mark.parametrize(
    ("written", "repelling"),
    [
        pytest.param(term(A, ZONE, namespace_selector=TEAM_RED), {"red"}, id="selected"),
        pytest.param(
            term(A, ZONE, namespaces=["blue"], namespace_selector=TEAM_RED), {"blue", "red"}, id="named-and-selected",
        ),
        pytest.param(
            term(A, ZONE, namespace_selector=selector()), {"default", "red", "blue", "nowhere"}, id="every-one",
        ),
        pytest.param(term(A, ZONE, namespaces=["blue"]), {"blue"}, id="named"),
        pytest.param(term(A, ZONE), {"default"}, id="own"),
        pytest.param(
            term(A, ZONE, namespace_selector=selector(None, ("team", "DoesNotExist", ()))),
            {"default", "red", "blue", "nowhere"},
            id="what-selects-no-labels-selects-every-one",
        ),
    ],
)  # fmt: skip
def test_namespaces_of_own_terms(written: PodAffinityTerm, repelling: set[str]) -> None:
    """The last case is upstream's doing: the selector stays, and is matched against no labels at all."""
    repelled_by = {
        name
        for name in ("default", "red", "blue", "nowhere")
        if "a1" in verdicts(far(written), [pod("r", node="a1", labels=A, namespace=name)], *TEAMS)
    }
    assert repelled_by == repelling


@pytest.mark.parametrize(
    ("written", "repelled_namespaces"),
    [
        pytest.param(term(A, ZONE, namespace_selector=TEAM_RED), {"red"}, id="selected"),
        pytest.param(
            term(A, ZONE, namespace_selector=selector()), {"default", "red", "blue", "nowhere"}, id="every-one",
        ),
        pytest.param(term(A, ZONE, namespaces=["blue"]), {"blue"}, id="named"),
        pytest.param(
            term(A, ZONE, namespace_selector=selector(None, ("team", "DoesNotExist", ()))), {"default", "nowhere"},
            id="labels-of-the-pods-namespace-are-looked-up",
        ),
    ],
)  # fmt: skip
def test_namespaces_of_the_terms_of_others(written: PodAffinityTerm, repelled_namespaces: set[str]) -> None:
    found = {
        name
        for name in ("default", "red", "blue", "nowhere")
        if "a1" in verdicts(pod(labels=A, namespace=name), [running_far(written, "a1")], *TEAMS)
    }
    assert found == repelled_namespaces


# -------------------------------------------------------------------------------------------------- PreFilter


@pytest.mark.parametrize(
    ("asking", "running", "skips"),
    [
        pytest.param(pod(), [], True, id="nobody-says-anything"),
        pytest.param(pod(affinity=affinity(prefers_near=[(1, IN_ZONE)])), [], True, id="only-preferences"),
        pytest.param(pod(labels=B), [running_far(IN_ZONE)], True, id="others-repel-others"),
        pytest.param(pod(labels=A), [running_far(IN_ZONE)], False, id="others-repel-it"),
        pytest.param(near(IN_ZONE), [], False, id="affinity"),
        pytest.param(far(IN_ZONE), [], False, id="anti-affinity"),
    ],
)
def test_skips(asking: Pod, running: list[Pod], skips: bool) -> None:
    assert (PLUGIN.pre_filter(asking, cluster(ZONES, running)) is SKIP) is skips


def test_malformed_term_rejects_the_pod() -> None:
    answer = PLUGIN.pre_filter(near(MALFORMED), cluster(ZONES))
    assert isinstance(answer, Status)
    assert answer.code is UNRESOLVABLE
    assert answer.message.startswith("parsing pod: ")


def test_malformed_terms_of_others_say_nothing() -> None:
    assert PLUGIN.pre_filter(pod(labels=A), cluster(ZONES, [running_far(MALFORMED)])) is SKIP


@pytest.mark.parametrize(
    ("asking", "coming"),
    [
        pytest.param(near(IN_ZONE), pod("r", labels=A), id="attracts"),
        pytest.param(far(IN_ZONE), pod("r", labels=A), id="repels"),
        pytest.param(far(term(B), labels=A), pod("r", affinity=affinity(far=[IN_ZONE])), id="is-repelled"),
    ],
)
def test_pods_come_and_go(asking: Pod, coming: Pod) -> None:
    made = cluster(ZONES)
    info = made.node_info_by_name["a1"]
    state = pre_filtered(PLUGIN, asking, made).state
    clone = PLUGIN.clone(state)
    PLUGIN.count_pod(asking, clone, made.pod_info(coming), info, 1)
    assert clone == pre_filtered(PLUGIN, asking, made.assume(coming, "a1")).state
    assert clone != state
    PLUGIN.count_pod(asking, clone, made.pod_info(coming), info, -1)
    # Keys that no pod has any more may stay.
    assert replace(clone, existing_keys=state.existing_keys) == state


# ---------------------------------------------------------------------------------------------------- scoring


@pytest.mark.parametrize(
    ("asking", "running", "raw", "normalized"),
    [
        pytest.param(
            pod(affinity=affinity(prefers_near=[(5, IN_ZONE)])), [pod("r", node="a2", labels=A)], [5, 0, 5],
            [100, 0, 100],
            id="attracted",
        ),
        pytest.param(
            pod(affinity=affinity(prefers_far=[(5, IN_ZONE)])), [pod("r", node="a2", labels=A)],
            [-5, 0, -5], [0, 100, 0],
            id="repelled",
        ),
        pytest.param(
            pod(affinity=affinity(prefers_near=[(5, IN_ZONE), (4, term(A))])),
            [pod("r", node="a2", labels=A), pod("s", node="b1", labels=A)], [5, 9, 9], [0, 100, 100],
            id="weights-add-up",
        ),
        pytest.param(
            pod(affinity=affinity(prefers_near=[(5, IN_ZONE)])),
            [pod("r", node="a1", labels=A), pod("s", node="a2", labels=A), pod("t", node="b1", labels=A)],
            [10, 5, 10], [100, 0, 100], id="by-the-number-of-pods",
        ),
        pytest.param(
            pod(labels=A), [pod("r", node="a2", affinity=affinity(prefers_near=[(3, IN_ZONE)]))], [3, 0, 3],
            [100, 0, 100],
            id="others-are-attracted",
        ),
        pytest.param(
            pod(labels=A), [pod("r", node="a2", affinity=affinity(prefers_far=[(3, IN_ZONE)]))],
            [-3, 0, -3], [0, 100, 0],
            id="others-are-repelled",
        ),
        pytest.param(
            pod(labels=A), [pod("r", node="b1", affinity=affinity(near=[IN_ZONE]))], [0, 1, 0], [0, 100, 0],
            id="others-require-it-near",
        ),
        pytest.param(
            pod(labels=A, affinity=affinity(prefers_near=[(5, IN_ZONE)])),
            [pod("r", node="a2", labels=A, affinity=affinity(prefers_far=[(5, term(A))]))],
            [5, 0, 0], [100, 0, 0], id="both-sides-weigh",
        ),
        pytest.param(
            pod(affinity=affinity(prefers_near=[(1, term(A)), (2, term(B))])),
            [pod("r", node="a1", labels=A), pod("s", node="b1", labels=B), pod("t", node="b1", labels=A)],
            [1, 3, 0], [33, 100, 0], id="shares-are-cut",
        ),
    ],
)  # fmt: skip
def test_score(asking: Pod, running: list[Pod], raw: list[int], normalized: list[int]) -> None:
    """Nodes come as a1, b1, a2."""
    made = cluster(ZONES, running)
    assert list((raw_scores(PLUGIN, asking, made) or {}).values()) == raw
    assert list((normalized_scores(PLUGIN, asking, made) or {}).values()) == normalized


@pytest.mark.parametrize(
    ("asking", "running"),
    [
        pytest.param(pod(), [], id="nobody"),
        pytest.param(pod(affinity=affinity(prefers_near=[(5, IN_ZONE)])), [], id="nobody-to-be-near-to"),
        pytest.param(
            pod(affinity=affinity(prefers_near=[(5, term(A, "rack"))])), [pod("r", node="a1", labels=A)],
            id="no-domain",
        ),
        pytest.param(pod(labels=A), [running_far(IN_ZONE)], id="what-others-require-far-does-not-weigh"),
    ],
)  # fmt: skip
def test_nothing_to_score_by(asking: Pod, running: list[Pod]) -> None:
    assert raw_scores(PLUGIN, asking, cluster(ZONES, running)) is None


def test_equal_scores_tell_nothing() -> None:
    made = cluster(ZONES, [pod("r", node="a1", labels=A), pod("s", node="b1", labels=A)])
    assert normalized_scores(PLUGIN, pod(affinity=affinity(prefers_near=[(5, IN_ZONE)])), made) == {
        "a1": 0, "b1": 0, "a2": 0,
    }  # fmt: skip


@pytest.mark.parametrize(("weight", "raw"), [(0, None), (1, 1), (50, 50)])
def test_hard_affinity_weight(weight: int, raw: int | None) -> None:
    made = cluster(ZONES, [pod("r", node="b1", affinity=affinity(near=[IN_ZONE]))])
    scores = raw_scores(InterPodAffinity(weight), pod(labels=A), made)
    assert (scores and scores["b1"]) == raw


def test_preferences_of_others_may_be_ignored() -> None:
    plugin = InterPodAffinity(ignore_preferred_terms_of_existing_pods=True)
    made = cluster(ZONES, [pod("r", node="b1", labels=A, affinity=affinity(prefers_near=[(3, IN_ZONE)]))])
    assert raw_scores(plugin, pod(labels=A), made) is None
    own = pod(labels=A, affinity=affinity(prefers_near=[(5, IN_ZONE)]))
    assert raw_scores(plugin, own, made) == {"a1": 0, "b1": 8, "a2": 0}


def test_namespaces_are_selected_in_scoring_too() -> None:
    written = term(A, ZONE, namespace_selector=TEAM_RED)
    running = [pod("r", node="b1", labels=A, namespace="red"), pod("s", node="a1", labels=A, namespace="blue")]
    asking = pod(affinity=affinity(prefers_near=[(5, written)]))
    assert raw_scores(PLUGIN, asking, cluster(ZONES, running, *TEAMS)) == {"a1": 0, "b1": 5, "a2": 0}
    theirs = pod("r", node="b1", affinity=affinity(prefers_near=[(5, written)]))
    assert raw_scores(PLUGIN, pod(labels=A, namespace="red"), cluster(ZONES, [theirs], *TEAMS)) == {
        "a1": 0, "b1": 5, "a2": 0,
    }  # fmt: skip
    assert raw_scores(PLUGIN, pod(labels=A, namespace="blue"), cluster(ZONES, [theirs], *TEAMS)) is None


def test_nodes_without_labels_are_in_no_domain() -> None:
    made = cluster([node("n1", hostname=False), node("n2")], [pod("r", node="n1", labels=A)])
    assert raw_scores(PLUGIN, pod(affinity=affinity(prefers_near=[(5, term(A))])), made) is None


def test_malformed_preference_is_an_error() -> None:
    answer = PLUGIN.pre_score(pod(affinity=affinity(prefers_near=[(5, MALFORMED)])), cluster(ZONES), ())
    assert isinstance(answer, Status)
    assert answer.code is Code.ERROR
    assert answer.message.startswith("failed to parse pod")
