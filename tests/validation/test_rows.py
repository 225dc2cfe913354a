"""How tables of judgements are read."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.objects.problem import Problem
from kexplain.validation import rows
from kexplain.validation.field import Field
from kexplain.validation.names import among, dns_label
from kexplain.validation.rows import Row, judge

RULES: Row = {"rules[]": {"host": rows.needs(dns_label), "kind": rows.given(among("A", "B"))}}


@pytest.mark.parametrize(
    ("row", "value", "expected"),
    [
        pytest.param(RULES, {"rules": [{"host": "a"}, {"kind": "C"}]}, ["rules[1].host", "rules[1].kind"], id="items"),
        pytest.param({"m{}": rows.obeys(dns_label)}, {"m": {"k": "A", "l": "a"}}, ["m[k]"], id="values-of-a-map"),
        pytest.param({"a.b": rows.required}, {}, ["a.b"], id="what-is-not-there"),
        pytest.param({"a": (rows.if_set, rows.positive)}, {}, [], id="a-row-ends"),
        pytest.param({"a": (rows.regardless(rows.required), rows.obeys(dns_label))}, {}, ["a", "a"], id="regardless"),
        pytest.param({"a": (rows.most(1), rows.each(rows.positive))}, {"a": [0, 0]}, ["a"], id="too-many-to-look-at"),
        pytest.param(({"a": rows.required}, {"b": rows.required}), {}, ["a", "b"], id="a-table-ends-no-row"),
        pytest.param({"a": rows.unique("n")}, {"a": [{"n": "x"}, {"n": "x"}]}, ["a[1]"], id="unique"),
        pytest.param({"a": rows.unique("n", at="n")}, {"a": [{"n": "x"}] * 2}, ["a[1].n"], id="unique-named"),
        pytest.param({"a": rows.all_different}, {"a": ["x", "x"]}, ["a[1]"], id="all-different"),
        pytest.param({"a": rows.each(rows.positive, as_list=True)}, {"a": [1, 0]}, ["a"], id="under-the-lists-name"),
        pytest.param({"a": rows.may(dns_label), "b": rows.given(dns_label)}, {"a": "", "b": ""}, ["b"], id="empty"),
    ],
)
def test_rows(row: Row, value: dict[str, Any], expected: list[str]) -> None:
    problems: list[Problem] = []
    judge(Field(value, problems), row)
    assert [problem.field for problem in problems] == expected
    assert all(problem.message for problem in problems)


def test_a_port_out_of_range_is_named_once() -> None:
    problems: list[Problem] = []
    backend = {"a": 70_000, "b": 443}
    for name in ("a", "b", "c"):
        Field(backend, problems).child(name).port(443)
    assert [(each.field, each.message) for each in problems] == [("a", "70000 is not a port from 1 to 65535")]
