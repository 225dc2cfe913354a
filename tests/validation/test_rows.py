"""How tables of judgements are read."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

from kexplain import tables
from kexplain.config.component.plugin_args import PLUGIN_ARGS
from kexplain.config.component.removed_plugins import V1BETA1_ARGS
from kexplain.objects.problem import Problem
from kexplain.validation import names, rows
from kexplain.validation.field import Field
from kexplain.validation.kinds import CHECKS
from kexplain.validation.row_paths import way, worded

RULES = {"rules[]": {"host": "needs dns_label", "kind": "given among A B"}}


@pytest.mark.parametrize(
    ("row", "value", "expected"),
    [
        pytest.param(RULES, {"rules": [{"host": "a"}, {"kind": "C"}]}, ["rules[1].host", "rules[1].kind"], id="items"),
        pytest.param({"m{}": "obey dns_label"}, {"m": {"k": "A", "l": "a"}}, ["m[k]"], id="values-of-a-map"),
        pytest.param({"a.b": "require"}, {}, ["a.b"], id="what-is-not-there"),
        pytest.param({"a": ["if_set", "positive"]}, {}, [], id="a-row-ends"),
        pytest.param({"a": ["needs dns_label", "reject: x"]}, {}, ["a"], id="where-what-is-needed-is-missing"),
        pytest.param({"a": ["may dns_label", "reject: x"]}, {}, ["a"], id="not-where-it-may-be-missing"),
        pytest.param({"a": ["regardless require", "obey dns_label"]}, {}, ["a", "a"], id="regardless"),
        pytest.param({"a": ["no_more_than 1", {"[]": "positive"}]}, {"a": [0, 0]}, ["a"], id="too-many-to-look-at"),
        pytest.param([{"a": "require"}, {"b": "require"}], {}, ["a", "b"], id="a-table-ends-no-row"),
        pytest.param({"a": {"[]": "positive"}}, {"a": [1, 0]}, ["a[1]"], id="items-of-the-field-itself"),
        pytest.param(["takes_one a b", {"c": "require"}], {"a": 1, "b": 2}, [""], id="one-of-two"),
        pytest.param(["takes_one a b[]", {"c": "require"}], {"a": 1, "b": []}, ["c"], id="one-or-a-list"),
        pytest.param("needs_any a b[]: x", {"b": []}, [""], id="none-of-two"),
        pytest.param("needs_any a b[]: x", {"a": 0}, [], id="any-of-two"),
        pytest.param({"t=A|B": {"x": "require"}}, {"t": "B"}, ["x"], id="where-a-text-is-one-of-some"),
        pytest.param({"t=A|B": {"x": "require"}}, {"t": "C"}, [], id="where-a-text-is-another"),
        pytest.param({"t!=A": {"x": "require"}}, {}, ["x"], id="where-a-text-is-not-that-one"),
        pytest.param({"t.u=": {"x": "require"}}, {}, ["x"], id="where-a-text-is-empty"),
        pytest.param({"t=true": {"x": "require"}}, {"t": True}, ["x"], id="where-a-flag-is-set"),
        pytest.param({"t=false": {"x": "require"}}, {}, [], id="where-a-flag-is-missing"),
        pytest.param({"?t": {"x": "require"}, "!t": {"y": "require"}}, {"t": []}, ["x"], id="where-it-is-set"),
        pytest.param({"?t[]": {"x": "require"}, "!t[]": {"y": "require"}}, {"t": []}, ["y"], id="or-has-any"),
        pytest.param({"a": {"b^": "require"}}, {"a": {}}, ["a"], id="under-the-holders-name"),
        pytest.param({"?a": {"a": "reject: must not be there"}}, {"a": 0}, ["a"], id="wrong"),
        pytest.param({"t^=a|b": {"x": "require"}}, {"t": "bc"}, ["x"], id="where-a-text-begins"),
        pytest.param({"t!^=a|b": {"x": "require"}}, {"t": "cb"}, ["x"], id="where-it-begins-otherwise"),
        pytest.param({"t$=b": {"x": "require"}}, {"t": "ab"}, ["x"], id="where-a-text-ends"),
        pytest.param({"t*=b": {"x": "require"}}, {"t": "abc"}, ["x"], id="where-a-text-has-it"),
        pytest.param({"t~=^b|c$": {"x": "require"}}, {"t": "abc"}, ["x"], id="where-a-pattern-is-found"),
        pytest.param({"t!~=b": {"x": "require"}}, {"t": "b"}, [], id="where-no-pattern-is-found"),
        pytest.param({"t~dns_label": {"x": "require"}}, {"t": "b"}, ["x"], id="where-a-rule-is-kept"),
        pytest.param({"t!~extensions._is_printable": {"x": "require"}}, {"t": "\n"}, ["x"], id="where-one-is-broken"),
        pytest.param({"n<1": {"x": "require"}}, {}, ["x"], id="where-a-number-is-below"),
        pytest.param({"n>m": {"x": "require"}}, {"n": 2, "m": 1}, ["x"], id="where-a-number-is-above-another"),
        pytest.param({"n>m|1": {"x": "require"}}, {"n": 1}, [], id="or-above-what-counts-without-it"),
        pytest.param({"n>o.m": {"x": "require"}}, {"n": 2, "o": {"m": 2}}, [], id="that-is-further-in"),
        pytest.param({"n=0": {"x": "require"}}, {"n": 0}, ["x"], id="where-a-number-is-zero"),
        pytest.param({"t==u": {"x": "require"}}, {"t": "a", "u": "a"}, ["x"], id="where-two-are-equal"),
        pytest.param({"t!==u": {"x": "require"}}, {"t": "a"}, ["x"], id="where-two-differ"),
        pytest.param({"l[]=a": {"x": "require"}}, {"l": ["b", "a"]}, ["x"], id="where-one-of-several-is"),
        pytest.param({"l[]!=a": {"x": "require"}}, {"l": ["b", "a"]}, [], id="where-none-of-several-is"),
        pytest.param({"n>m": {"x": "require"}}, {"n": "1Gi", "m": "1G"}, ["x"], id="where-a-quantity-is-above"),
        pytest.param({"n>1": {"x": "require"}}, {"n": "1"}, [], id="where-a-quantity-is-no-more"),
        pytest.param({"?l[1]": {"x": "require"}}, {"l": ["a"]}, [], id="where-there-is-a-second"),
        pytest.param({"l[1]": "reject: must not be there"}, {"l": ["a", "b"]}, ["l[1]"], id="the-second"),
        pytest.param({"?a and b=c": {"x": "require"}}, {"a": 1, "b": "d"}, [], id="where-both-hold"),
        pytest.param({"?a and b=c": {"x": "require"}}, {"a": 1, "b": "c"}, ["x"], id="where-they-do"),
        pytest.param({"?a": {}, "else ?b": {}, "else": {"x": "require"}}, {"a": 1}, [], id="not-otherwise"),
        pytest.param({"?a": {}, "else ?b": {}, "else": {"x": "require"}}, {"b": 1}, [], id="nor-behind-another"),
        pytest.param({"?a": {}, "else ?b": {}, "else": {"x": "require"}}, {}, ["x"], id="otherwise"),
        pytest.param(
            {"m[a.b/c]": "reject: must not be there"}, {"m": {"a.b/c": 1}}, ["m[a.b/c]"], id="one-key-of-a-map"
        ),
        pytest.param({"m{}^": "key_obeys dns_label"}, {"m": {"A": 1, "b": 1}}, ["m"], id="keys-of-a-map"),
        pytest.param({"a.b as c": "reject: must not be there"}, {}, ["c"], id="under-another-name"),
        pytest.param({"a": {"b as /c.d": "reject: must not be there"}}, {}, ["c.d"], id="under-a-name-from-the-root"),
        pytest.param(
            {"a[]": {"^": "reject: must not be there"}}, {"a": [1]}, ["a"], id="itself-under-the-holders-name"
        ),
        pytest.param(
            {"a[]": {"outer t=b": "reject: must not be there"}}, {"t": "b", "a": [{}]}, ["a[0]"], id="further-out"
        ),
        pytest.param(
            {"a": ["sound dns_label", "reject: must not be there"]}, {"a": "A"}, ["a"], id="what-is-not-sound"
        ),
        pytest.param({"a": "names_differ n"}, {"a": [{"n": "x"}, {}, {}, {"n": "x"}]}, ["a[3].n"], id="names"),
        pytest.param({"a": "starts_with x y"}, {"a": "z"}, ["a"], id="another-start"),
        pytest.param({"a": "starts_with x y"}, {"a": "yz"}, [], id="start"),
        pytest.param({"a": "between 1 2", "b": "between 1 2"}, {"a": 2}, ["b"], id="zero-is-not-between"),
        pytest.param({"a": "port 1", "b": "port 1"}, {"a": 70_000}, ["a"], id="port"),
        pytest.param("labels.label", {"key": "a b", "values": ["-"]}, ["key", "values[0]"], id="a-table-by-its-name"),
        pytest.param("labels.labels", {"a b": ""}, [""], id="a-function-by-its-name"),
        pytest.param("device_claims.selectors", [{}] * 33, [""], id="a-number"),
        pytest.param(
            "claims.spec", {"volumeMode": "A"}, ["accessModes", "resources[storage]", "volumeMode"], id="rules"
        ),
        pytest.param({"a": "unique n"}, {"a": [{"n": "x"}, {"n": "x"}]}, ["a[1]"], id="unique"),
        pytest.param({"a": "unique n n"}, {"a": [{"n": "x"}] * 2}, ["a[1].n"], id="unique-named"),
        pytest.param({"a": "all_different"}, {"a": ["x", "x"]}, ["a[1]"], id="all-different"),
        pytest.param({"a": "all_different"}, {"a": [1, 2, 1]}, ["a[2]"], id="all-different-numbers"),
        pytest.param(
            {"a[]": "once . n m: x"}, {"a": [{"n": "x"}, {"n": "x", "m": "y"}, {"n": "x"}]}, ["a[2]"], id="once"
        ),
        pytest.param({"a[]": "once n: x"}, {"a": [{"n": "x"}] * 2}, ["a[1].n"], id="once-named"),
        pytest.param({"a[]": ["once .: x", "positive"]}, {"a": [0, 0]}, ["a[0]", "a[1]"], id="ends"),
        pytest.param({"a": {"[]^": "positive"}}, {"a": [1, 0]}, ["a"], id="under-the-lists-name"),
        pytest.param({"a": "may dns_label", "b": "given dns_label"}, {"a": "", "b": ""}, ["b"], id="empty"),
    ],
)
def test_rows(row: Any, value: dict[str, Any], expected: list[str]) -> None:
    problems: list[Problem] = []
    rows._row(row, "")(Field(value, problems))
    assert [problem.field for problem in problems] == expected
    assert all(problem.message for problem in problems)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param("{}", '"b"', id="the-value"),
        pytest.param("{#} of {n|3} and {m|3}", "0 of 2 and 3", id="numbers"),
        pytest.param("{n}, {t}, {'t'}, {o.p}, {q}, {o}", "2, true, True, c, , ", id="what-others-say"),
        pytest.param("{r}", "1", id="what-is-further-out"),
        pytest.param("{.a} {}", ' ""', id="what-is-inside"),
    ],
)
def test_messages_quote_fields(message: str, expected: str) -> None:
    root = Field({"r": 1, "x": {"a": {} if "." in message else "b", "n": 2, "t": True, "o": {"p": "c"}}}, [])
    assert worded(message, root.descend("x", "a")) == expected


EVERY = {**rows.tables(), **rows.tables(of_rooms=True)}
NAMES = [f"{module}.{name}" for module, own in EVERY.items() for name in own if not name.startswith("#")]
#: Modules of other rooms whose tables stand among those of all.
OF_ROOMS = [import_module(f"kexplain.{module}") for module in rows.tables(of_rooms=True)]


def written_rows(written: Any) -> Iterator[str]:
    """Every judgement of a table; paths and conditions are looked at on the way."""
    if isinstance(written, str):
        yield written
    for path, inner in written.items() if isinstance(written, dict) else ():
        if not path.startswith("#"):
            way(path)
            for pattern in re.findall(r"~=(.*?)(?: and |$)", path):
                re.compile(pattern)
            yield from written_rows(inner)
    for inner in written if isinstance(written, list) else ():
        yield from written_rows(inner)


def known(name: str, module: str) -> Any:
    """What a name stands for, which is looked up as late when rows are judged."""
    own = name if "." in name else f"{module}.{name}"
    if "." in name or name in rows.tables_of(module):
        return rows.named(own)
    return next((found for of in (Field, rows, names) if (found := getattr(of, name, None))), None) or rows.named(own)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_in_a_table_is_known(name: str) -> None:
    module, _, own = name.rpartition(".")
    for written in written_rows(rows.tables_of(module)[own]):
        call, _, message = written.partition(": ")
        judgement, *words = call.split()
        if judgement == "regardless":
            assert callable(known(words[0], module))
            continue
        found = known(judgement, module)
        assert callable(rows._judgement(written, module))
        rule_words = words if judgement in rows._OF_RULES and words[:1] != ["among"] else []
        assert all(callable(known(word, module)) for word in rule_words)
        if not (rule_words or judgement == "obey" or isinstance(found, methodcaller)):
            inspect.signature(found).bind(Field(None, []), *words, **({"message": message} if message else {}))


def test_every_table_and_every_function_of_a_table_is_used() -> None:
    modules = [*Path(rows.__file__).parent.glob("*.py"), *(Path(inspect.getfile(each)) for each in OF_ROOMS)]
    written = "".join(tables.text(f"{name}.json") for name in ("judgements", "scheduler-judgements"))
    # The arguments of a plugin are judged by the table of its name.
    everything = (
        f"{written}{[*CHECKS.values(), *PLUGIN_ARGS, *V1BETA1_ARGS]}{''.join(each.read_text() for each in modules)}"
    )
    words = Counter(re.findall(r"[\w.]+", everything))
    for module, _, name in (each.rpartition(".") for each in NAMES):
        assert words[name] > 1 or words[f"{module}.{name}"], f"nobody asks for {module}.{name}"
    functions = re.findall(r"^def (_[a-z]\w+)", "".join(module.read_text() for module in modules), re.MULTILINE)
    assert [each for each in functions if words[each] < 2] == []
    for each_module in modules:
        text = each_module.read_text()
        constants = re.findall(r"^(_[A-Za-z]\w+)(?:: .*)? = ", text, re.MULTILINE)
        assert [each for each in constants if len(re.findall(rf"\b{each}\b", text + written)) < 2] == []


def test_a_port_out_of_range_is_named_once() -> None:
    problems: list[Problem] = []
    backend = {"a": 70_000, "b": 443}
    for name in ("a", "b", "c"):
        Field(backend, problems).child(name).port(443)
    assert [(each.field, each.message) for each in problems] == [("a", "70000 is not a port from 1 to 65535")]
