from __future__ import annotations

import pytest

from kexplain.objects.core import Node, NodeSelectorTerm, Pod
from kexplain.objects.meta import Labels
from tests.factories import affinity, exists, in_, node, node_affinity, node_term, pod

from .case import FOR_GOOD, Case, check

PLUGIN = "NodeAffinity"
GONE = {"n1": FOR_GOOD}


def _at(labels: Labels | None = None) -> list[Node]:
    return [node("n1", labels=labels)]


def _wants(*terms: NodeSelectorTerm, selector: Labels | None = None) -> Pod:
    return pod(affinity=affinity(node=node_affinity(*terms)), node_selector=selector)


def _named(*names: str, operator: str = "In") -> NodeSelectorTerm:
    return node_term(fields=[in_("metadata.name", *names, operator=operator)])


SSD = {"disk": "ssd"}
CASES = [
    Case("a selector, and no labels", pod(node_selector=SSD), _at(), PLUGIN, GONE),
    Case("a selector that is met", pod(node_selector=SSD), _at(SSD), PLUGIN),
    Case("a node may have further labels", pod(node_selector=SSD), _at({**SSD, "arch": "arm"}), PLUGIN),
    Case("a selector wants all of its labels", pod(node_selector={**SSD, "arch": "arm"}), _at(SSD), PLUGIN, GONE),
    Case("one of several values", _wants(node_term(in_("disk", "ssd", "nvme"))), _at(SSD), PLUGIN),
    Case("none of several values", _wants(node_term(in_("disk", "hdd", "nvme"))), _at(SSD), PLUGIN, GONE),
    Case("other than some values", _wants(node_term(in_("disk", "hdd", operator="NotIn"))), _at(SSD), PLUGIN),
    Case("other than some, without the label", _wants(node_term(in_("disk", "hdd", operator="NotIn"))), _at(), PLUGIN),
    Case("there at all", _wants(node_term(exists("disk"))), _at(SSD), PLUGIN),
    Case("not there, and is", _wants(node_term(in_("disk", operator="DoesNotExist"))), _at(SSD), PLUGIN, GONE),
    Case(
        "numbers with zeros in front",
        _wants(node_term(in_("rev", "0031", operator="Gt"))),
        _at({"rev": "0032"}),
        PLUGIN,
    ),
    Case("not greater", _wants(node_term(in_("rev", "32", operator="Gt"))), _at({"rev": "32"}), PLUGIN, GONE),
    Case("less", _wants(node_term(in_("rev", "32", operator="Lt"))), _at({"rev": "31"}), PLUGIN),
    Case(
        "greater than what is no number",
        _wants(node_term(in_("rev", "3", operator="Gt"))),
        _at({"rev": "x"}),
        PLUGIN,
        GONE,
    ),
    Case("an empty term matches nothing", _wants(node_term()), _at(SSD), PLUGIN, GONE),
    Case("no affinity at all", pod(), _at(SSD), PLUGIN),
    Case("affinity without a requirement", _wants(), _at(SSD), PLUGIN),
    Case(
        "expressions are ANDed, and hold",
        _wants(node_term(exists("disk"), in_("disk", "hdd", operator="NotIn"))),
        _at(SSD),
        PLUGIN,
    ),
    Case(
        "expressions are ANDed, and one fails",
        _wants(node_term(exists("disk"), in_("disk", "hdd"))),
        _at(SSD),
        PLUGIN,
        GONE,
    ),
    Case("terms are ORed", _wants(node_term(in_("disk", "hdd")), node_term(in_("disk", "ssd"))), _at(SSD), PLUGIN),
    Case("a selector and affinity, both met", _wants(node_term(exists("disk")), selector=SSD), _at(SSD), PLUGIN),
    Case(
        "affinity met, the selector not",
        _wants(node_term(exists("disk")), selector={"disk": "hdd"}),
        _at(SSD),
        PLUGIN,
        GONE,
    ),
    Case("by its name", _wants(_named("n1")), _at(), PLUGIN),
    Case("by another name", _wants(_named("n9")), _at(), PLUGIN, GONE),
    Case("any but its name", _wants(_named("n1", operator="NotIn")), _at(), PLUGIN, GONE),
    Case("another name, or a label that it has", _wants(_named("n9"), node_term(exists("disk"))), _at(SSD), PLUGIN),
    Case(
        "in one term name and label must hold",
        _wants(node_term(exists("disk"), fields=[in_("metadata.name", "n9")])),
        _at(SSD),
        PLUGIN,
        GONE,
    ),
    Case(
        "in one term name and label hold",
        _wants(node_term(exists("disk"), fields=[in_("metadata.name", "n1")])),
        _at(SSD),
        PLUGIN,
    ),
    Case("neither name nor label", _wants(_named("n9"), node_term(in_("disk", "hdd"))), _at(SSD), PLUGIN, GONE),
    Case(
        "one of two names is one of three nodes",
        _wants(_named("n1"), _named("n9")),
        [node("n1"), node("n2"), node("n3")],
        PLUGIN,
        {"n2": FOR_GOOD, "n3": FOR_GOOD},
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_labels_and_names(case: Case) -> None:
    check(case)
