from __future__ import annotations

import pytest

from kexplain.framework.evidence import NodeLabelsMismatch
from kexplain.framework.plugin import SKIP
from kexplain.framework.status import error
from kexplain.objects.core import NodeAffinity as NodeAffinityRules
from kexplain.objects.core import NodeSelectorTerm, Pod
from kexplain.objects.meta import Labels
from kexplain.plugins.node_affinity import NodeAffinity
from tests.factories import affinity, cluster, exists, in_, node, node_affinity, node_term, pod

from .asking import UNRESOLVABLE, filter_verdict, normalized_scores, pre_filtered, raw_scores, rejection

MISMATCH = "node(s) didn't match Pod's node affinity/selector"
SSD, GPU = in_("disk", "ssd"), exists("gpu")


def on(*names: str) -> NodeSelectorTerm:
    """A term of one pin a name, all of which must match."""
    return node_term(fields=[in_("metadata.name", name) for name in names])


def requiring(*terms: NodeSelectorTerm, node_selector: Labels | None = None) -> Pod:
    return pod(node_selector=node_selector, affinity=affinity(node=node_affinity(*terms)))


@pytest.mark.parametrize(
    ("asking", "unmet_labels", "unmet_terms"),
    [
        pytest.param(pod(node_selector={"disk": "hdd"}), ["disk=hdd"], [], id="node-selector"),
        pytest.param(
            pod(node_selector={"disk": "ssd", "gpu": "", "cpu": "x"}), ["cpu=x", "gpu="], [],
            id="what-is-met-is-left-out",
        ),
        pytest.param(requiring(node_term(GPU)), [], [["gpu"]], id="required-term"),
        pytest.param(requiring(node_term(SSD, GPU), on("n2")), [], [["gpu"], ["metadata.name=n2"]], id="every-term"),
        pytest.param(
            requiring(node_term(SSD), node_selector={"disk": "hdd"}), ["disk=hdd"], [[]], id="selector-but-not-term",
        ),
        pytest.param(requiring(node_term()), [], [], id="empty-term"),
        pytest.param(requiring(node_term(in_("disk"))), [], [], id="malformed-term"),
        pytest.param(
            requiring(node_term(in_("cores", "8", operator="Gt"))), [], [["cores>8"]], id="not-greater",
        ),
        pytest.param(requiring(node_term(in_("cores", "8", operator="Lt"))), [], [["cores<8"]], id="not-less"),
        pytest.param(requiring(node_term(in_("disk", "8", operator="Gt"))), [], [["disk>8"]], id="no-number"),
    ],
)  # fmt: skip
def test_rejections(asking: Pod, unmet_labels: list[str], unmet_terms: list[list[str]]) -> None:
    verdict = filter_verdict(NodeAffinity(), asking, cluster([node("n1", labels={"disk": "ssd", "cores": "8"})]))
    assert verdict is not None
    assert (verdict.code, verdict.reasons) == (UNRESOLVABLE, (MISMATCH,))
    (evidence,) = verdict.evidence
    assert isinstance(evidence, NodeLabelsMismatch)
    assert not evidence.enforced
    assert [str(each) for each in evidence.unmet_labels] == unmet_labels
    assert [[str(each) for each in unmet] for _, unmet in evidence.unmet_terms] == unmet_terms


@pytest.mark.parametrize(
    "asking",
    [
        pytest.param(pod(node_selector={}), id="empty-selector"),
        pytest.param(pod(node_selector={"disk": "ssd"}), id="node-selector"),
        pytest.param(requiring(node_term(SSD)), id="required-term"),
        pytest.param(requiring(node_term(GPU), node_term(SSD)), id="second-term"),
        pytest.param(requiring(node_term(in_("disk")), node_term(SSD)), id="malformed-first-term"),
        pytest.param(requiring(on("n1")), id="pinned-here"),
        pytest.param(requiring(node_term(in_("cores", "7", operator="Gt"))), id="greater"),
        pytest.param(requiring(node_term(in_("cores", "9", operator="Lt"))), id="less"),
        pytest.param(requiring(node_term(in_("gpu", "a", operator="NotIn"))), id="not-in-absent"),
    ],
)
def test_fits(asking: Pod) -> None:
    made = cluster([node("n1", labels={"disk": "ssd", "cores": "8"})])
    assert filter_verdict(NodeAffinity(), asking, made) is None


@pytest.mark.parametrize(
    ("asking", "names"),
    [
        pytest.param(pod(node_selector={"disk": "ssd"}), None, id="selector-pins-nothing"),
        pytest.param(requiring(on("n1")), {"n1"}, id="one-pin"),
        pytest.param(requiring(on("n1"), on("n2")), {"n1", "n2"}, id="one-pin-a-term"),
        pytest.param(requiring(on("n1"), node_term(SSD)), None, id="one-term-pins-nothing"),
        pytest.param(requiring(node_term(SSD, fields=[in_("metadata.name", "n1")])), {"n1"}, id="pin-beside-labels"),
        pytest.param(
            requiring(node_term(fields=[in_("metadata.name", "n1", operator="NotIn")])), None, id="not-in-is-no-pin",
        ),
        pytest.param(requiring(node_term(fields=[in_("spec.name", "n1")])), None, id="another-field-is-no-pin"),
        pytest.param(requiring(on("n1", "n1"), on("n1", "n2")), {"n1"}, id="one-term-conflicts-with-itself"),
        pytest.param(
            requiring(node_term(fields=[in_("metadata.name", "n1", "n2")])), {"n1", "n2"},
            id="two-names-narrow-even-though-they-match-nothing",
        ),
        pytest.param(requiring(node_term()), None, id="empty-term-pins-nothing"),
    ],
)  # fmt: skip
def test_pins_narrow_the_search(asking: Pod, names: set[str] | None) -> None:
    narrowed = pre_filtered(NodeAffinity(), asking, cluster([node("n1")])).node_names
    assert narrowed == (None if names is None else frozenset(names))


def test_conflicting_pins_reject_the_pod() -> None:
    answer = NodeAffinity().pre_filter(requiring(on("n1", "n2")), cluster([node("n1")]))
    assert answer == rejection(UNRESOLVABLE, "pod affinity terms conflict", evidence=[NodeLabelsMismatch((), ())])


@pytest.mark.parametrize(
    ("asking", "skips"),
    [
        pytest.param(pod(), True, id="nothing-said"),
        pytest.param(pod(affinity=affinity()), True, id="no-node-affinity"),
        pytest.param(pod(affinity=affinity(node=node_affinity(preferred=[]))), True, id="only-preferences"),
        pytest.param(pod(node_selector={}), False, id="even-an-empty-selector"),
    ],
)
def test_skips_pods_that_require_nothing(asking: Pod, skips: bool) -> None:
    assert (NodeAffinity().pre_filter(asking, cluster([node()])) is SKIP) is skips


# --------------------------------------------------------------------------------------------- added affinity


def test_added_affinity_is_enforced_on_every_pod() -> None:
    plugin = NodeAffinity(node_affinity(node_term(GPU)))
    made = cluster([node("n1"), node("n2", labels={"gpu": ""})])
    verdict = filter_verdict(plugin, pod(), made)
    assert verdict is not None
    assert (verdict.code, verdict.reasons) == (UNRESOLVABLE, ("node(s) didn't match scheduler-enforced node affinity",))
    (evidence,) = verdict.evidence
    assert isinstance(evidence, NodeLabelsMismatch)
    assert evidence.enforced
    assert filter_verdict(plugin, pod(), made, "n2") is None


def test_own_affinity_still_counts_beside_the_added() -> None:
    plugin = NodeAffinity(node_affinity(node_term(GPU)))
    verdict = filter_verdict(plugin, pod(node_selector={"disk": "ssd"}), cluster([node(labels={"gpu": ""})]))
    assert verdict is not None
    assert verdict.reasons == (MISMATCH,)


# ---------------------------------------------------------------------------------------------------- scoring

NODES = [node("n1"), node("n2", labels={"disk": "ssd"}), node("n3", labels={"disk": "ssd", "gpu": ""})]


def preferring(*preferred: tuple[int, NodeSelectorTerm]) -> Pod:
    return pod(affinity=affinity(node=node_affinity(preferred=preferred)))


@pytest.mark.parametrize(
    ("asking", "raw", "normalized"),
    [
        pytest.param(preferring((5, node_term(SSD))), [0, 5, 5], [0, 100, 100], id="one-term"),
        pytest.param(
            preferring((5, node_term(SSD)), (3, node_term(GPU))), [0, 5, 8], [0, 62, 100], id="weights-add-up"
        ),
        pytest.param(preferring((5, node_term(SSD, GPU))), [0, 0, 5], [0, 0, 100], id="expressions-must-all-hold"),
        pytest.param(preferring((5, node_term())), [0, 0, 0], [0, 0, 0], id="empty-term"),
        pytest.param(preferring((5, on("n1"))), [5, 0, 0], [100, 0, 0], id="field"),
        pytest.param(preferring(), [0, 0, 0], [0, 0, 0], id="empty-list-is-not-absent"),
    ],
)
def test_score(asking: Pod, raw: list[int], normalized: list[int]) -> None:
    made = cluster(NODES)
    assert list((raw_scores(NodeAffinity(), asking, made) or {}).values()) == raw
    assert list((normalized_scores(NodeAffinity(), asking, made) or {}).values()) == normalized


def test_pods_without_preferences_are_not_scored() -> None:
    assert raw_scores(NodeAffinity(), pod(), cluster(NODES)) is None
    assert raw_scores(NodeAffinity(), requiring(node_term(SSD)), cluster(NODES)) is None


@pytest.mark.parametrize(
    ("added", "asking", "raw"),
    [
        pytest.param(node_affinity(preferred=[(4, node_term(GPU))]), pod(), [0, 0, 4], id="for-every-pod"),
        pytest.param(
            node_affinity(preferred=[(4, node_term(GPU))]), preferring((5, node_term(SSD))), [0, 5, 9], id="beside-own"
        ),
    ],
)
def test_added_preferences(added: NodeAffinityRules, asking: Pod, raw: list[int]) -> None:
    assert list((raw_scores(NodeAffinity(added), asking, cluster(NODES)) or {}).values()) == raw


def test_malformed_preference_is_an_error() -> None:
    term = node_term(in_("cores", "4", operator="Gt"), in_("cores", "many", operator="Gt"))
    asked = preferring((1, node_term(in_("a", "b"))), (1, term))
    reason = "for 'Gt', 'Lt' operators, the value must be an integer"
    assert NodeAffinity().pre_score(asked, cluster(NODES), ()) == error(
        f'[1].matchExpressions[1].values[0]: Invalid value: "many": {reason}'
    )
