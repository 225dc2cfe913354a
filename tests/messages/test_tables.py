"""The files of texts: of one form, complete, and all of them read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kexplain.messages import other_texts, tables, texts
from kexplain.messages.subjects import LOOKS_AT
from kexplain.messages.tables import paragraphs, table
from kexplain.messages.text import Eviction, Text
from kexplain.objects.well_known import NODE_CONDITIONS, UNINITIALIZED
from kexplain.plugins.registry import IN_TREE_PLUGINS

FOLDER = Path(tables.__file__).with_name("tables")
SUBJECTS = "plugins"
NAMES = sorted({path.stem for path in FOLDER.iterdir()} - {SUBJECTS})
#: What a line may be: empty, a remark, a text, a field, or how the field before goes on.
LINE = re.compile(
    r"|#( .*)?|(?P<text>[^\s#].*\S)|  (source|meaning|check|eviction|as|looks at):( \S.*)?|  (since|until): 1\.\d+"
    r"|    \S.*"
)
of_every_table = pytest.mark.parametrize("name", NAMES)


@pytest.mark.parametrize("name", [*NAMES, SUBJECTS])
def test_lines_have_one_form(name: str) -> None:
    content = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert content.endswith("\n")
    assert "\n\n\n" not in content
    before = ""
    for number, line in enumerate(content.splitlines(), 1):
        form = LINE.fullmatch(line)
        assert form, (number, line)
        # A text stands on one line, however long; it begins a paragraph, and what goes on has something to go on from.
        assert form["text"] or len(line) <= 120, (number, line)
        assert not form["text"] or not before.startswith(" "), (number, line)
        assert not line.startswith("    ") or before.startswith("  "), (number, line)
        before = line


@of_every_table
def test_every_text_has_a_meaning_or_that_of_another(name: str) -> None:
    for lines, fields in paragraphs(name):
        if not lines:
            assert {*fields} <= {"source"}, fields
        elif "as" in fields:
            assert {*fields} <= {"as", "since", "until"}, lines
        else:
            assert fields.get("meaning"), lines
        releases = [[*map(int, fields[each].split("."))] for each in ("since", "until") if each in fields]
        assert releases == sorted(releases), lines


@of_every_table
def test_no_text_stands_twice(name: str) -> None:
    said = [line for lines, _ in paragraphs(name) for line in lines]
    assert sorted(said) == sorted({*said})
    assert [text.template for text in table(name)] == said


def _in_use() -> Iterator[Text]:
    for module in (texts, other_texts):
        for each in vars(module).values():
            if isinstance(each, tuple):
                yield from each


def test_every_table_is_in_use() -> None:
    used = {id(text) for text in _in_use()}
    assert [name for name in NAMES if not {id(text) for text in table(name)} <= used] == []


EXAMPLE = """\
# A remark.

  source: NodeName

# Of one text.
one <name>
another <name>
  meaning: {name} is
    not there
  check: kubectl get
  eviction: helps
  since: 1.26
  until: 1.30

third
  source:
  meaning: other

fourth
  as: one <name>
  until: 1.25

fifth
  as: node(s) were unschedulable
"""


def test_what_a_table_means(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "example.txt").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.setattr(tables, "__file__", str(tmp_path / "tables.py"))
    one, another, third, fourth, fifth = table("example")
    assert (one.template, another.template) == ("one <name>", "another <name>")
    for each in (one, another, fourth):
        assert (each.source, each.meaning, each.check) == ("NodeName", "{name} is not there", "kubectl get")
        assert each.eviction is Eviction.HELPS
    assert [str(each.releases) for each in (one, third, fourth)] == ["1.26 to 1.30", "", "until 1.25"]
    assert (third.source, third.check, third.eviction) == ("", "", Eviction.UNSAID)
    assert (fifth.source, fifth.meaning) == ("NodeUnschedulable", "the node is cordoned")


def test_taints_of_conditions_say_what_the_condition_is() -> None:
    said = {text.template: text for text in texts.NODE_TEXTS}
    for taint, condition in NODE_CONDITIONS.items():
        for form in (
            "node(s) had untolerated taint {%s: <value>}",
            "node(s) had taint {%s: <value>}, that the pod didn't tolerate",
        ):
            text = said[form % taint]
            assert text.meaning == f"the node {condition}" or taint == UNINITIALIZED
            assert text.check
            assert text.eviction is Eviction.NO


def test_plugins_have_their_subject() -> None:
    assert {*IN_TREE_PLUGINS} <= {*LOOKS_AT}
    assert [name for name, words in LOOKS_AT.items() if not re.fullmatch(r"[a-zS].*\.", words)] == []
