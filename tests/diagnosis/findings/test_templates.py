"""Templates are filled with facts, and those of the table with what calls give them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kexplain.diagnosis.findings.place import Ailments, Place, VolumePlace
from kexplain.diagnosis.findings.statement import Few, Statement, rows, told
from kexplain.diagnosis.findings.templates import filled
from kexplain.diagnosis.findings.ways import WAYS, Needed
from tests.package import PACKAGE

EXAMPLES = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
#: Names that are put together.
COMPOSED = {f"{name}{on}" for name in ("not-provisioned", "provisioning-fails") for on in ("", "-on")}
#: What a published fact was, by a field that it has.
RECORDS = {"names": Few, "nodesByTrouble": Ailments, "claim": VolumePlace, "needed": Needed, "count": Place}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{none}{one} of {several}", "1 of a, b and c"),
        ("{several:or}", "a, b or c"),
        ("{several.count} in {place.what}", "3 in node g1"),
        ("{resource:amount one} {one:more node} {several.count:pod}", "1m 1 more node 3 pods"),
        ("{none?there|not there}{none?there}{zero? zero}{no?no}", "not there zero"),
        ("{one=1?runs|run} {several.count=1?runs|run} {several=a, b and c?all}", "runs run all"),
        ("{one?{none?a|b {no?c|d {resource}}}|e}; {resource:scalar?f|g}", "b d cpu; g"),
        ("a | b }", "a | b }"),
    ],
)
def test_gaps_and_choices(text: str, words: str) -> None:
    place = Place(count=1, nodes=("g1",))
    several = ["a", "b", "c"]
    facts = {"none": None, "one": 1, "zero": 0, "no": False, "several": several, "place": place, "resource": "cpu"}
    assert filled(text, facts) == words


def fact(value: Any) -> Any:
    """A fact as it was before it was published."""
    if isinstance(value, list):
        return [*map(fact, value)]
    if not isinstance(value, dict):
        return value
    if "type" in value:
        return told(value["type"], **facts({name: each for name, each in value.items() if name != "type"}))
    kind = next((kind for name, kind in RECORDS.items() if name in value), None)
    return msgspec.convert(value, kind) if kind else value


def facts(published: dict[str, Any]) -> dict[str, Any]:
    return {re.sub("([A-Z])", r"_\1", name).lower(): fact(value) for name, value in published.items()}


@pytest.mark.parametrize(("name", "about", "words"), EXAMPLES)
def test_every_statement_in_words(name: str, about: dict[str, Any], words: list[str]) -> None:
    said = Statement(name, facts(about))
    found = said.in_words
    assert [found.text, found.amounts, found.detail][: len(words)] == words
    assert not any((found.amounts, found.detail)[len(words) - 1 :])
    assert said.published == {"type": name.partition("/")[0], **about}


# ----------------------------------------------------------------------------------------------------------- the table


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `told` in the package that says which statement it is, with where that is."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "told":
                yield f"{path.relative_to(PACKAGE)}:{node.lineno}", node


def named(call: ast.Call) -> list[str]:
    """The statements that a call may make, by its text; all of a type where only the type is fixed."""
    first = call.args[0]
    if isinstance(first, ast.Constant):
        return [str(first.value)]
    if isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
        return [name for name in rows() if name.startswith(str(first.values[0].value))]
    return []


def used(name: str) -> set[str]:
    """The facts that the templates of a row name."""
    row = rows()[name]
    texts = (row.text, row.amounts, row.detail, *row.parts.values())
    found = {path for text in texts for path in re.findall(r"\{(\w+)", text)}
    ways = (way.split() for text in texts for way in re.findall(r"\{[\w.]+:([\w. ]+)", text))
    found |= {other.partition(".")[0] for way, *others in ways if way in WAYS for other in others}
    return found - row.parts.keys()


def test_calls_give_what_the_table_says() -> None:
    wrong = []
    for where, call in calls():
        given = {each.arg for each in call.keywords} - {"more"}
        for name in named(call):
            about = {*rows()[name].about.split()} if name in rows() else {*()}
            if len(call.args) - 1 > len(about) or name not in rows() or (about and not given <= about):
                wrong.append((where, name))
            if not about and None not in given and not used(name) <= given:
                wrong.append((where, name))
    assert wrong == []


def test_templates_name_what_a_statement_is_about() -> None:
    others = {name: used(name) - {*row.about.split()} for name, row in rows().items() if row.about}
    assert {name: found for name, found in others.items() if found} == {}


def test_every_row_is_worded_and_has_an_example() -> None:
    places = (*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml"), PACKAGE / "tables" / "component-states.json")
    code = "".join(path.read_text(encoding="utf-8") for path in places)
    begun = {name for _, call in calls() for name in named(call)} | COMPOSED
    assert sorted(name for name in rows() if name not in begun and f'"{name}"' not in code) == []
    assert (
        sorted(name for name, row in rows().items() if row.about and name not in {each[0] for each in EXAMPLES}) == []
    )
