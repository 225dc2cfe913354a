from __future__ import annotations

import pytest

from kexplain.explain.objections.labels import NodeLabels, NodeNameFact, NodeNames, NodeSelectorFact
from kexplain.explain.objections.objection import Lookup
from kexplain.framework.evidence import NodeLabelsMismatch, OtherNodeName
from kexplain.objects.core import Affinity, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod
from tests.explain.objections.asking import cause, cause_of, key, proposals, texts, words
from tests.factories import cluster, node, pod


def unmet(
    key: str = "disktype", value: str = "ssd", actual: str | None = "hdd", term: int = 0, *, enforced: bool = False
) -> NodeSelectorFact:
    return NodeSelectorFact(
        term=term, expression=f"{key}={value}", key=key, actual=actual, enforced_by_scheduler=enforced
    )


NEVER = NodeSelectorFact(term=1, expression="required affinity has no term that can match", key="", actual=None)
NAMED = unmet("metadata.name", "n9", "n1", term=1)


def requiring(*terms: dict[str, str]) -> Pod:
    """A pod with these required terms, and with a node selector of the same labels."""
    selector = NodeSelector(
        node_selector_terms=tuple(
            NodeSelectorTerm(
                match_expressions=tuple(
                    NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in term.items()
                )
            )
            for term in terms
        )
    )
    affinity = Affinity(node_affinity=NodeAffinity(required=selector))
    return pod(affinity=affinity, node_selector={key: value for term in terms for key, value in term.items()})


@pytest.mark.parametrize(
    ("facts", "one", "many"),
    [
        pytest.param([unmet()], "needs disktype=ssd, has disktype=hdd",
                     "nodeSelector disktype=ssd (nodes have disktype=hdd)", id="other-value"),
        pytest.param([unmet(actual=None)], "needs disktype=ssd, has no such label", "nodeSelector disktype=ssd",
                     id="no-label"),
        pytest.param([unmet(), unmet("zone", "a", "b")],
                     "needs disktype=ssd, has disktype=hdd; needs zone=a, has zone=b",
                     "nodeSelector disktype=ssd, zone=a (nodes have disktype=hdd, zone=b)", id="two-labels"),
        pytest.param([unmet(term=1)], "needs disktype=ssd, has disktype=hdd",
                     "required affinity disktype=ssd (nodes have disktype=hdd)", id="affinity"),
        pytest.param([unmet(term=1, actual=None), unmet("zone", "a", None, term=1), unmet("zone", "b", None, term=2)],
                     "(needs disktype=ssd, has no such label and needs zone=a, has no such label) or "
                     "(needs zone=b, has no such label)",
                     "required affinity disktype=ssd and zone=a or zone=b", id="terms"),
        pytest.param([unmet(actual=None), unmet("zone", "a", None, term=1)],
                     "needs disktype=ssd, has no such label; needs zone=a, has no such label",
                     "nodeSelector disktype=ssd; required affinity zone=a", id="both"),
        pytest.param([NAMED], "needs metadata.name=n9", "required affinity metadata.name=n9", id="by-name"),
        pytest.param([NEVER], NEVER.expression, NEVER.expression, id="no-term"),
        pytest.param([unmet(term=1, enforced=True)], "needs disktype=ssd, has disktype=hdd",
                     "scheduler-enforced affinity disktype=ssd (nodes have disktype=hdd)", id="enforced"),
    ],
)  # fmt: skip
def test_words(facts: list[NodeSelectorFact], one: str, many: str) -> None:
    assert words(*facts) == one
    assert cause_of({"n0": facts, "n1": facts}) == many


def test_values_are_named_once_and_cut_short() -> None:
    facts = [unmet(actual=value) for value in ("f", "e", "d", "c", "b", "a", "a")]
    assert cause(*facts).endswith("(nodes have disktype=a, disktype=b, disktype=c, disktype=d and 2 more)")


def test_what_nodes_have_makes_no_other_cause() -> None:
    assert key(unmet(actual="hdd")) == key(unmet(actual=None))
    assert key(unmet()) != key(unmet(term=1))


@pytest.mark.parametrize(
    ("facts", "asking", "text"),
    [
        pytest.param([unmet()], pod(node_selector={"disktype": "ssd"}),
                     "drop disktype=ssd from the node selector", id="label"),
        pytest.param([unmet("kubernetes.io/arch", "arm64")], pod(node_selector={"kubernetes.io/arch": "arm64"}),
                     "drop kubernetes.io/arch=arm64 from the node selector, if its image is made for others too",
                     id="given-labels-are-not-added"),
        pytest.param([unmet("kubernetes.io/os", "linux", term=1)], requiring({"kubernetes.io/os": "linux"}),
                     "drop the required node affinity, if its image is made for others too", id="an-operating-system"),
        pytest.param([unmet(term=1)], requiring({"disktype": "ssd"}),
                     "drop the required node affinity", id="all-of-a-term"),
        pytest.param([unmet(term=1)], requiring({"disktype": "ssd", "zone": "a"}),
                     "drop disktype=ssd from the required affinity", id="part-of-a-term"),
        pytest.param([unmet(term=1), unmet("zone", "a", term=1), unmet("zone", "b", term=2)],
                     requiring({"disktype": "ssd", "zone": "a"}, {"zone": "b", "x": "y"}),
                     "drop zone=b from the required affinity", id="least-term"),
        pytest.param([unmet(), unmet("zone", "a", term=1)], requiring({"zone": "a"}),
                     "drop disktype=ssd from the node selector and drop the required node affinity", id="both"),
        pytest.param([NEVER], requiring(), "drop the required node affinity", id="no-term"),
    ],
)  # fmt: skip
def test_what_would_help(facts: list[NodeSelectorFact], asking: Pod, text: str) -> None:
    proposal, everything = proposals(*facts, asking=asking)
    assert proposal.text == text
    assert proposal.edit is not None
    assert proposal.edit(asking) != asking
    assert everything.text == "drop the node selector and the required node affinity"
    assert everything.is_fallback


def test_nothing_about_the_pod_helps_against_the_configuration() -> None:
    (proposal,) = proposals(unmet(term=1, enforced=True))
    assert proposal.edit is None
    assert proposal.nodes == ()
    assert proposal.text.startswith("take disktype=ssd out of addedAffinity of NodeAffinity in the scheduler's")


def test_facts_of_selectors_without_terms() -> None:
    there = cluster([node("n1")])
    lookup = Lookup(pod(), there)
    assert list(NodeLabels().facts(NodeLabelsMismatch((), ()), there.node_infos[0], lookup)) == [NEVER]


@pytest.mark.parametrize(("wanted", "says"), [("n1", ""), ("n9", ", which does not exist")])
def test_node_names(wanted: str, says: str) -> None:
    there = cluster([node("n1"), node("n2")])
    (fact,) = NodeNames().facts(OtherNodeName(wanted), there.node_infos[1], Lookup(pod(), there))
    assert words(fact) == cause(fact) == f"spec.nodeName is {wanted}{says}"
    assert fact == NodeNameFact(wanted=wanted, exists=not says)
    assert texts(fact) == ["remove spec.nodeName"]
