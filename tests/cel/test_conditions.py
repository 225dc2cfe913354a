from __future__ import annotations

import sys

import pytest

from kexplain.cel.conditions import condition_problem, selector_problem
from kexplain.cel.engine import environments, plain_environment

VARIABLES = ("self", "oldSelf")


@pytest.mark.parametrize(
    "expression",
    [
        "!format.dns1123Label().validate(self.x).hasValue()",
        "sets.contains(self.a, [1])",
        "optional.of(1).hasValue()",
        "strings.quote(self.a) == 'x'",
        "lists.range(3).size() == 3",
        "ip.isCanonical('1.2.3.4') && isIP(self.a)",
        "jsonpatch.escapeKey('a') == 'b'",
        "type(ip('1.2.3.4')) == net.IP || type(url('http://a')) == kubernetes.URL",
        "self.all(i, v, v > i)",
        "self.transformMap(k, v, v) == {}",
        "self.x.existsOne(a, a == 1)",
        "1" + " + 1" * 100 + " == 1",
        "(" * 200 + "true" + ")" * 200,
        "cel.bind(a, self.a, a && a)",
    ],
)
def test_what_can_be_one_or_cannot_be_told(expression: str) -> None:
    assert condition_problem(expression, VARIABLES) is None


def test_what_is_named_is_what_nothing_declares() -> None:
    problem = condition_problem("ip(self.a) == foo", VARIABLES)
    assert problem == "compilation failed: 1:15: undeclared reference to 'foo'"


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("self.a == other", "compilation failed: 1:11: undeclared reference to 'other'"),
        ("slef.size() == 1", "compilation failed: 1:1: undeclared reference to 'slef'"),
        ("f(self.a, other)", "compilation failed: 1:11: undeclared reference to 'other'"),
        ("self.a ==", "compilation failed: 1:10: Syntax error: mismatched input '<EOF>' expecting"),
        ("size(self.a)", "must evaluate to bool"),
    ],
)
def test_what_cannot_be_one(expression: str, problem: str) -> None:
    assert (condition_problem(expression, VARIABLES) or "").startswith(problem)


def test_nothing_is_told_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    plain_environment.cache_clear()
    environments.cache_clear()
    monkeypatch.setitem(sys.modules, "cel_expr_python", None)
    assert condition_problem("1 == unknown.without.the.library", VARIABLES) is None
    assert selector_problem("1 == unknown.without.the.library") is None
