from __future__ import annotations

import pytest

from kexplain.objects import selectors
from kexplain.objects.core import NodeSelectorTerm, Toleration
from kexplain.objects.meta import Labels, LabelSelector
from kexplain.objects.node_selectors import RequiredNodeAffinity, parse_node_term, parse_preferred_terms
from kexplain.objects.selectors import (
    EVERYTHING,
    NOTHING,
    Requirement,
    SelectorError,
    make_requirement,
    parse_int64,
    selector_from,
    selector_from_labels,
)
from kexplain.objects.tolerations import tolerates, untolerated_taints
from tests.factories import affinity, exists, in_, node, node_affinity, node_term, pod, selector, taint, toleration


@pytest.mark.parametrize(
    ("operator", "values", "labels", "matches"),
    [
        pytest.param("In", ["a"], {"k": "a"}, True, id="in"),
        pytest.param("In", ["a", "b"], {"k": "b"}, True, id="in-second-value"),
        pytest.param("In", ["a"], {"k": "b"}, False, id="in-other-value"),
        pytest.param("In", ["a"], {}, False, id="in-absent"),
        pytest.param("In", [""], {}, False, id="in-empty-value-is-not-absence"),
        pytest.param("In", [""], {"k": ""}, True, id="in-empty-value"),
        pytest.param("NotIn", ["a"], {"k": "a"}, False, id="not-in"),
        pytest.param("NotIn", ["a"], {"k": "b"}, True, id="not-in-other-value"),
        pytest.param("NotIn", ["a"], {}, True, id="not-in-absent"),
        pytest.param("Exists", [], {"k": ""}, True, id="exists-empty"),
        pytest.param("Exists", [], {"j": ""}, False, id="exists-absent"),
        pytest.param("DoesNotExist", [], {"k": ""}, False, id="does-not-exist"),
        pytest.param("DoesNotExist", [], {}, True, id="does-not-exist-absent"),
        pytest.param("Gt", ["5"], {"k": "6"}, True, id="gt"),
        pytest.param("Gt", ["5"], {"k": "5"}, False, id="gt-equal"),
        pytest.param("Gt", ["-5"], {"k": "-4"}, True, id="gt-negative"),
        pytest.param("Gt", ["5"], {"k": "six"}, False, id="gt-no-number"),
        pytest.param("Gt", ["5"], {"k": "6.0"}, False, id="gt-no-integer"),
        pytest.param("Gt", ["5"], {}, False, id="gt-absent"),
        pytest.param("Lt", ["5"], {"k": "4"}, True, id="lt"),
        pytest.param("Lt", ["5"], {"k": "5"}, False, id="lt-equal"),
        pytest.param("Lt", ["5"], {}, False, id="lt-absent"),
        pytest.param("Lt", ["5"], {"k": "-9223372036854775808"}, True, id="lt-smallest"),
        pytest.param("Lt", ["5"], {"k": "-9223372036854775809"}, False, id="lt-below-64-bits"),
    ],
)
def test_requirement(operator: str, values: list[str], labels: Labels, matches: bool) -> None:
    """Bounds may be negative here, which no label value can be: unchecked, as fields are."""
    bound = int(values[0]) if operator in ("Gt", "Lt") else 0
    assert Requirement("k", operator, frozenset(values), bound).matches(labels) is matches


@pytest.mark.parametrize(
    ("key", "operator", "values"),
    [
        pytest.param("k", "In", [], id="in-without-values"),
        pytest.param("k", "NotIn", [], id="not-in-without-values"),
        pytest.param("k", "Exists", ["a"], id="exists-with-value"),
        pytest.param("k", "DoesNotExist", ["a"], id="does-not-exist-with-value"),
        pytest.param("k", "Gt", [], id="gt-without-value"),
        pytest.param("k", "Gt", ["1", "2"], id="gt-with-two-values"),
        pytest.param("k", "Gt", ["many"], id="gt-without-number"),
        pytest.param("k", "Lt", ["1.5"], id="lt-without-integer"),
        pytest.param("k", "Lt", ["9223372036854775808"], id="lt-beyond-64-bits"),
        pytest.param("k", "Equals", ["a"], id="unknown-operator"),
        pytest.param("", "Exists", [], id="empty-key"),
        pytest.param("a b", "Exists", [], id="bad-key"),
        pytest.param("UP.example/k", "Exists", [], id="bad-prefix"),
        pytest.param("/k", "Exists", [], id="empty-prefix"),
        pytest.param("k" * 64, "Exists", [], id="long-key"),
        pytest.param("k", "In", ["v" * 64], id="long-value"),
        pytest.param("k", "In", ["-v"], id="bad-value"),
    ],
)
def test_malformed_requirements(key: str, operator: str, values: list[str]) -> None:
    with pytest.raises(SelectorError):
        make_requirement(key, operator, values)


def test_longest_key_and_value() -> None:
    longest = "k" * 63
    assert make_requirement(f"{'p' * 253}/{longest}", "In", (longest,)).matches({f"{'p' * 253}/{longest}": longest})


@pytest.mark.parametrize(
    ("key", "operator", "values", "text"),
    [
        pytest.param("k", "In", ["a"], "k=a", id="in-one"),
        pytest.param("k", "In", ["b", "a"], "k in (a,b)", id="in-several"),
        pytest.param("k", "NotIn", ["a"], "k!=a", id="not-in-one"),
        pytest.param("k", "NotIn", ["b", "a"], "k notin (a,b)", id="not-in-several"),
        pytest.param("example.com/k", "Exists", [], "example.com/k", id="exists"),
        pytest.param("k", "DoesNotExist", [], "!k", id="does-not-exist"),
        pytest.param("k", "Gt", ["5"], "k>5", id="gt"),
        pytest.param("k", "Lt", ["5"], "k<5", id="lt"),
    ],
)
def test_requirement_reads_as_kubectl_writes_it(key: str, operator: str, values: list[str], text: str) -> None:
    assert str(make_requirement(key, operator, values)) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775808", None),
        ("-9223372036854775809", None),
        ("", None),
        ("-", None),
        ("1_000", None),
        (" 1", None),
        ("0x10", None),
        ("٣", None),
    ],
)
def test_parse_int64(text: str, number: int | None) -> None:
    assert parse_int64(text) == number


@pytest.mark.parametrize(
    ("label_selector", "labels", "matches"),
    [
        pytest.param(None, {}, False, id="none-selects-nothing"),
        pytest.param(None, {"a": "1"}, False, id="none-selects-no-labels-either"),
        pytest.param(selector(), {}, True, id="empty-selects-everything"),
        pytest.param(selector({"a": "1"}), {"a": "1", "b": "2"}, True, id="one-label"),
        pytest.param(selector({"a": "1", "b": "2"}), {"a": "1"}, False, id="all-labels-must-match"),
        pytest.param(selector({"a": "1"}, ("b", "Exists", ())), {"a": "1"}, False, id="labels-and-expressions"),
        pytest.param(selector({"a": "1"}, ("b", "Exists", ())), {"a": "1", "b": ""}, True, id="both-met"),
        pytest.param(selector(None, ("a", "In", ("1", "2"))), {"a": "2"}, True, id="one-of-values"),
        pytest.param(selector(None, ("a", "NotIn", ("1",)), ("a", "Exists", ())), {}, False, id="not-in-and-exists"),
    ],
)
def test_label_selector(label_selector: LabelSelector | None, labels: Labels, matches: bool) -> None:
    assert selector_from(label_selector).matches(labels) is matches


@pytest.mark.parametrize(
    "malformed",
    [
        pytest.param(selector(None, ("a", "Gt", ("1",))), id="node-operators-are-no-label-operators"),
        pytest.param(selector(None, ("a", "In", ())), id="no-values"),
        pytest.param(selector({"a": "not a value"}), id="bad-value"),
        pytest.param(selector({"not a key": "1"}), id="bad-key"),
    ],
)
def test_malformed_label_selector(malformed: LabelSelector) -> None:
    with pytest.raises(SelectorError):
        selector_from(malformed)


def test_nothing_and_everything_are_different_things() -> None:
    assert EVERYTHING.is_empty
    assert not NOTHING.is_empty
    assert str(EVERYTHING) == "<all>"
    assert str(NOTHING) == "<none>"


def test_what_matches_nothing_stays_so() -> None:
    assert NOTHING.and_also([Requirement("a", "Exists")]) is NOTHING
    narrowed = EVERYTHING.and_also([Requirement("a", "Exists")])
    assert not narrowed.matches({})
    assert narrowed.matches({"a": ""})


def test_selector_of_labels_is_sorted_and_unchecked() -> None:
    assert str(selector_from_labels({"b": "no value", "a": "1"})) == "a=1,b=no value"


# --------------------------------------------------------------------------------------------- node selectors


@pytest.mark.parametrize(
    ("terms", "matches"),
    [
        pytest.param((node_term(in_("disk", "ssd")),), True, id="label"),
        pytest.param((node_term(in_("disk", "hdd")),), False, id="other-label"),
        pytest.param((node_term(in_("disk", "hdd")), node_term(in_("disk", "ssd"))), True, id="terms-are-alternatives"),
        pytest.param((node_term(in_("disk", "ssd"), exists("gpu")),), False, id="expressions-must-all-hold"),
        pytest.param((node_term(in_("cores", "7", operator="Gt")),), True, id="gt"),
        pytest.param((node_term(in_("cores", "8", operator="Gt")),), False, id="gt-equal"),
        pytest.param((node_term(in_("cores", "9", operator="Lt")),), True, id="lt"),
        pytest.param((node_term(in_("disk", "9", operator="Lt")),), False, id="lt-of-a-word"),
        pytest.param((node_term(),), False, id="empty-term-matches-nothing"),
        pytest.param((node_term(), node_term(in_("disk", "ssd"))), True, id="empty-term-beside-another"),
        pytest.param((node_term(in_("disk")),), False, id="malformed-term-matches-nothing"),
        pytest.param(
            (node_term(in_("cores", "x", operator="Gt")), node_term(in_("disk", "ssd"))), True,
            id="malformed-term-beside-another",
        ),
        pytest.param((node_term(fields=[in_("metadata.name", "n1")]),), True, id="field"),
        pytest.param((node_term(fields=[in_("metadata.name", "n2")]),), False, id="other-field-value"),
        pytest.param((node_term(fields=[in_("metadata.name", "n2", operator="NotIn")]),), True, id="field-not-in"),
        pytest.param(
            (node_term(in_("disk", "hdd"), fields=[in_("metadata.name", "n1")]),), False, id="field-and-label",
        ),
        pytest.param((node_term(fields=[in_("metadata.name", "n1", "n2")]),), False, id="field-with-two-values"),
        pytest.param((node_term(fields=[exists("metadata.name")]),), False, id="fields-know-no-exists"),
        pytest.param((node_term(fields=[in_("spec.podCIDR", "x")]),), False, id="unknown-field-reads-empty"),
        pytest.param((node_term(fields=[in_("spec.podCIDR", "")]),), True, id="unknown-field-is-empty"),
    ],
)  # fmt: skip
def test_required_node_affinity(terms: tuple[NodeSelectorTerm, ...], matches: bool) -> None:
    n1 = node("n1", labels={"disk": "ssd", "cores": "8"})
    required = RequiredNodeAffinity.of(pod(affinity=affinity(node=node_affinity(*terms))))
    assert required.matches(n1) is matches


def test_node_selector_and_affinity_must_both_match() -> None:
    wants = pod(node_selector={"disk": "ssd"}, affinity=affinity(node=node_affinity(node_term(exists("gpu")))))
    required = RequiredNodeAffinity.of(wants)
    assert not required.matches(node(labels={"disk": "ssd"}))
    assert not required.matches(node(labels={"gpu": ""}))
    assert required.matches(node(labels={"gpu": "", "disk": "ssd"}))


def test_node_selector_is_not_checked() -> None:
    """The API server would refuse such a value; a node could not carry it either."""
    assert not RequiredNodeAffinity.of(pod(node_selector={"disk": "no value"})).matches(node())


def test_term_tells_what_is_unmet() -> None:
    wanted = parse_node_term(node_term(in_("a", "1"), exists("b"), fields=[in_("metadata.name", "n2")]))
    assert [str(unmet) for unmet in wanted.unmet(node("n1", labels={"a": "1"}))] == ["b", "metadata.name=n2"]
    assert str(wanted) == "a=1,b,metadata.name=n2"


def test_nameless_node_has_no_fields_to_miss() -> None:
    assert parse_node_term(node_term(fields=[in_("metadata.name", "n1")])).matches(node(""))


def test_preferred_terms_leave_out_what_can_never_count() -> None:
    useful = node_term(exists("a"))
    parsed = parse_preferred_terms(
        node_affinity(preferred=[(0, useful), (5, node_term()), (7, useful)])
        .preferred or ()
    )  # fmt: skip
    assert [(each.weight, str(each.term)) for each in parsed] == [(7, "a")]


def test_malformed_preferred_term_is_an_error() -> None:
    preferred = node_affinity(preferred=[(1, node_term(in_("cores", "many", operator="Gt")))])
    with pytest.raises(SelectorError):
        parse_preferred_terms(preferred.preferred or ())


# ------------------------------------------------------------------------------------------------ tolerations


@pytest.mark.parametrize(
    ("tolerating", "tainted", "expected"),
    [
        pytest.param(toleration("k", "v"), "k=v:NoSchedule", True, id="equal-is-the-default"),
        pytest.param(toleration("k", "v", operator="Equal"), "k=v:NoSchedule", True, id="equal"),
        pytest.param(toleration("k", "w"), "k=v:NoSchedule", False, id="other-value"),
        pytest.param(toleration("j", "v"), "k=v:NoSchedule", False, id="other-key"),
        pytest.param(toleration("k"), "k:NoSchedule", True, id="no-value-on-either-side"),
        pytest.param(toleration("k", ""), "k:NoSchedule", True, id="empty-value-equals-none"),
        pytest.param(toleration("k"), "k=v:NoSchedule", False, id="no-value-equals-no-other"),
        pytest.param(toleration("k", operator="Exists"), "k=v:NoSchedule", True, id="exists"),
        pytest.param(toleration("j", operator="Exists"), "k=v:NoSchedule", False, id="exists-other-key"),
        pytest.param(toleration(operator="Exists"), "k=v:NoExecute", True, id="tolerates-everything"),
        pytest.param(toleration(None, "v"), "k=v:NoSchedule", True, id="equal-without-key-compares-values"),
        pytest.param(toleration("k", "v", effect="NoSchedule"), "k=v:NoSchedule", True, id="effect"),
        pytest.param(toleration("k", "v", effect="NoExecute"), "k=v:NoSchedule", False, id="other-effect"),
        pytest.param(
            toleration(operator="Exists", effect="NoSchedule"), "k:NoExecute", False, id="exists-other-effect"
        ),
        pytest.param(toleration("k", "v", operator="In"), "k=v:NoSchedule", False, id="unknown-operator"),
        pytest.param(toleration("k", "5", operator="Gt"), "k=6:NoSchedule", False, id="comparison-is-gated"),
    ],
)
def test_tolerates(tolerating: Toleration, tainted: str, expected: bool) -> None:
    assert tolerates(tolerating, taint(tainted)) is expected


@pytest.mark.parametrize(
    ("tolerating", "tainted", "expected"),
    [
        pytest.param(toleration("k", "5", operator="Gt"), "k=6:NoSchedule", True, id="taint-is-greater"),
        pytest.param(toleration("k", "5", operator="Gt"), "k=5:NoSchedule", False, id="greater-is-strict"),
        pytest.param(toleration("k", "5", operator="Lt"), "k=4:NoSchedule", True, id="taint-is-less"),
        pytest.param(toleration("k", "5", operator="Lt"), "k=5:NoSchedule", False, id="less-is-strict"),
        pytest.param(toleration("k", "-5", operator="Gt"), "k=-4:NoSchedule", True, id="negative"),
        pytest.param(toleration("k", "5", operator="Gt"), "k=many:NoSchedule", False, id="taint-is-no-number"),
        pytest.param(toleration("k", "few", operator="Gt"), "k=6:NoSchedule", False, id="toleration-is-no-number"),
        pytest.param(toleration("k", "5", operator="Gt"), "k=06:NoSchedule", False, id="leading-zero"),
        pytest.param(toleration("k", "5", operator="Gt"), "k:NoSchedule", False, id="taint-without-value"),
        pytest.param(toleration("k", "5", operator="Gt"), "j=6:NoSchedule", False, id="other-key"),
    ],
)
def test_comparison_operators(tolerating: Toleration, tainted: str, expected: bool) -> None:
    assert tolerates(tolerating, taint(tainted), comparison_operators=True) is expected


def test_untolerated_taints_keep_the_order_of_the_node() -> None:
    taints = [taint("a:NoExecute"), taint("b:PreferNoSchedule"), taint("c:NoSchedule"), taint("d:NoSchedule")]
    untolerated = untolerated_taints(taints, [toleration("c", operator="Exists")], selectors.REPELLING_EFFECTS)
    assert [str(each) for each in untolerated] == ["a:NoExecute", "d:NoSchedule"]
