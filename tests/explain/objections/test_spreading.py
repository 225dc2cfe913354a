from __future__ import annotations

import pytest

from kexplain.explain.objections.spreading import SkewFact, TopologyLabelFact
from kexplain.objects.core import TopologySpreadConstraint
from kexplain.objects.meta import LabelSelector
from kexplain.objects.selectors import EVERYTHING
from kexplain.remedies.proposal import Proposal
from tests.explain.objections.asking import cause, key, proposals, words
from tests.factories import pod


def skew(
    domain: str = "a", matching: int = 3, *, own: int = 1, minimum: int = 1, at: str | None = "b", most: int = 1,
    selector: str = "app=web", domains: int = 2, least: int = 1,
) -> SkewFact:  # fmt: skip
    return SkewFact(
        topology_key="zone", domain=domain, selector=selector, matching=matching, self_match=own, minimum=minimum,
        minimum_domain=at, max_skew=most, skew=matching + own - minimum, domains=domains, min_domains=least,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fact", "says"),
    [
        pytest.param(skew(), "zone=a: 3 matching + 1 (itself) − minimum 1 in b = skew 3 > maxSkew 1", id="itself"),
        pytest.param(skew(own=0), "zone=a: 3 matching − minimum 1 in b = skew 2 > maxSkew 1", id="not-itself"),
        pytest.param(skew(at=None), "zone=a: 3 matching + 1 (itself) − minimum 1 = skew 3 > maxSkew 1", id="no-domain"),
        pytest.param(
            skew(minimum=0, least=3),
            "zone=a: 3 matching + 1 (itself) − minimum 0 as only 2 of 3 minDomains exist = skew 4 > maxSkew 1",
            id="too-few-domains",
        ),
    ],
)
def test_one_node(fact: SkewFact, says: str) -> None:
    assert words(fact) == says


def test_many_nodes() -> None:
    assert cause(skew("b", 2, at="c"), skew("a", at="c"), skew("a", at="c")) == (
        "skew over zone would exceed maxSkew 1 (pods app=web: 3 in a, 2 in b, minimum 1 in c)"
    )
    assert "(all pods: 3 in a, " in cause(skew(selector=str(EVERYTHING)))
    assert "3 in a, 3 in b, 3 in c, 3 in d and 1 more, minimum" in cause(*map(skew, "abcde"))


def test_numbers_make_no_other_cause() -> None:
    assert key(skew()) == key(skew("b", 7))
    assert key(skew()) != key(skew(selector="app=api"))


def test_what_would_help() -> None:
    constraint = TopologySpreadConstraint(max_skew=1, topology_key="zone", when_unsatisfiable="DoNotSchedule")
    asking = pod(spread=[constraint])
    honor, relax, soft = proposals(skew("a", 5), skew("b", 3), asking=asking)
    assert honor.text == "set nodeTaintsPolicy: Honor for zone, so that nodes with untolerated taints do not count"
    assert relax.text == "allow maxSkew 3 over zone"
    assert (soft.text, soft.is_fallback) == ("set whenUnsatisfiable: ScheduleAnyway for zone", True)
    edited: list[tuple[Proposal, str, object]] = [
        (honor, "node_taints_policy", "Honor"),
        (relax, "max_skew", 3),
        (soft, "when_unsatisfiable", "ScheduleAnyway"),
    ]
    for proposal, field, value in edited:
        assert proposal.edit is not None
        (changed,) = proposal.edit(asking).spec.topology_spread_constraints or ()
        assert getattr(changed, field) == value


def test_labels_that_are_missing() -> None:
    fact = TopologyLabelFact(topology_key="zone")
    assert words(fact) == "no label zone"
    assert cause(fact, fact) == "nodes without the label zone"
    asking = pod(spread=[TopologySpreadConstraint(topology_key="zone")])
    assert [each.text for each in proposals(fact, asking=asking)] == ["set whenUnsatisfiable: ScheduleAnyway for zone"]


def test_constraints_of_the_scheduler_give_way_to_one_of_the_pod() -> None:
    asking = pod(labels={"app": "web", "pod-template-hash": "1"})
    for (own,) in (proposals(skew(), asking=asking), proposals(TopologyLabelFact(topology_key="zone"), asking=asking)):
        assert "in place of the scheduler's default constraints" in own.text
        assert own.edit is not None
        (constraint,) = own.edit(asking).spec.topology_spread_constraints or ()
        assert (constraint.topology_key, constraint.when_unsatisfiable) == ("zone", "ScheduleAnyway")
        assert constraint.label_selector == LabelSelector(match_labels={"app": "web"})
