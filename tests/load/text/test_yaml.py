from __future__ import annotations

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kexplain.load.text.yaml import Chunk, parse, split
from kexplain.load.text.yaml_builder import YamlError
from kexplain.load.text.yaml_scalars import key_text, resolve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0777777777777777777777777", 7.777777777777778e23),
        ("0x10000000000000000", "0x10000000000000000"),
        ("-9223372036854775809", -9223372036854775808.0),
        ("+18446744073709551615", 18446744073709551615.0),
        ("0b101", 5),
        ("-0b101", -5),
        ("0B1", 1),
        ("0o17", 15),
        ("-0x1f", -31),
        ("1_", 1),
        ("-_1", -1),
        (".5_0", 0.5),
        (".5__0", ".5__0"),
        ("._5", "._5"),
        (".", "."),
        ("-", "-"),
        ("+.5e3", 500.0),
        ("1e-400", 0.0),
        ("1.5e999", "1.5e999"),
        ("+.inf", math.inf),
        ("yEs", "yEs"),
        ("nullx", "nullx"),
        ("٣", "٣"),
    ],
)
def test_resolves_plain_scalars_as_go_does(text: str, value: object) -> None:
    resolved = resolve(text)
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (123456.0, "123456"),
        (1234567.0, "1.234567e+06"),
        (1e20, "1e+20"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (123456789.123, "1.2345679e+08"),
        (-1.5, "-1.5"),
        (1e39, ".inf"),
        (-1e39, "-.inf"),
        (True, "true"),
        (-7, "-7"),
    ],
)
def test_keys_become_the_strings_that_go_makes_of_them(value: float, text: str) -> None:
    assert key_text(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: !!str", {"a": ""}),
        ("a: ! 1", {"a": "1"}),
        ("a: !!map {b: 1}", {"a": {"b": 1}}),
        ("a: !!str {b: 1}", {"a": {"b": 1}}),
        ("a: !!timestamp 2026-1-1", {"a": "2026-1-1"}),
        ("a: !!binary /w==", {"a": "�"}),
        ("a: !!binary 4pz/", {"a": "���"}),
        ('a: "it\\\'s"\nb: 1', {"a": "it's", "b": 1}),
        ("{a:}", {"a:": None}),
        ("[it's:, b]", ["it's:", "b"]),
        ("a: &x 1.0\n*x : b", {"a": 1, "1": "b"}),
        ("a: 1e22", {"a": 1e22}),
        ("<<: [{a: 1}, {a: 2, b: 2}]", {"a": 1, "b": 2}),
        ("<<: []\na: 1", {"a": 1}),
        ('"<<": 1', {"<<": 1}),
    ],
)
def test_values(text: str, value: object) -> None:
    assert parse(text.encode()).value == value


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("a: 1\nb: *x", 2, 4, "there is no anchor &x"),
        ("a: &a [*a]", 1, 8, "the anchor &a contains itself"),
        ("a: !!int x", 1, 4, '"x" is not a !!int'),
        ("a: !!float 18446744073709551615", 1, 4, '"18446744073709551615" is not a !!float'),
        ("a: !!null x", 1, 4, '"x" is not a !!null'),
        ("a: !!timestamp 2026-13-1", 1, 4, '"2026-13-1" is not a !!timestamp'),
        ("a: !!binary '?'", 1, 4, "the value is not base64"),
        ("~: 1", 1, 1, "null cannot be a key"),
        ("9223372036854775808: 1", 1, 1, "9223372036854775808 is too large for a key"),
        ("[a]: 1", 1, 1, "a list or an object cannot be a key (a template has to be rendered first)"),
        ("a: .inf", 1, 4, "Kubernetes objects cannot hold infinity or NaN"),
        ("<<: 1", 1, 5, "<< takes an object or a list of objects"),
        ("<<: [{a: 1}, 2]", 1, 14, "<< takes an object or a list of objects"),
        ("%YAML 1.2\n---\na: 1", 1, 1, "kubectl reads YAML 1.1 only"),
        ("{u: a?b}", 1, 5, "a ? within [] or {} must be quoted"),
        ('a: "\\/"', 1, 4, "\\/ is not an escape that kubectl knows; a slash needs none"),
        ("a: 1\nb: 'x\nc: 2\n", 2, 4, "the quote that opens here is never closed"),
        ("a:\n\tb: 1", 2, 1, "a tab cannot indent YAML; use spaces"),
        ("a: @b", 1, 4, "@ cannot begin a value; put it in quotes"),
        ("a:\n  - b\n c: d", 3, 2, "did not find expected key while parsing a block mapping that begins on line 1"),
        ("é: ü\x01", 1, 5, "control character U+0001 is not allowed"),
        ("a\0", 1, 2, "control character U+0000: this is not a text file"),
    ],
)
def test_faults_are_placed(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(YamlError) as raised:
        parse(text.encode())
    assert (raised.value.line, raised.value.column, raised.value.message) == (line, column, message)


def test_bytes_that_are_no_utf8_are_placed() -> None:
    with pytest.raises(YamlError, match="this is not UTF-8") as raised:
        parse("a: 1\nbé: ".encode() + "ü".encode("latin-1"), first_line=10)
    assert (raised.value.line, raised.value.column) == (11, 5)


def test_every_value_knows_its_place() -> None:
    document = parse(b"a:\n  - b: &x {c: 1}\n  - *x\nd: [1, 2]\n<<: {e: 3}\n", first_line=5)
    assert document.locate(()) == (5, 1)
    assert document.locate(("a", 0, "b", "c")) == (6, 15)
    assert document.locate(("a", 1, "c")) == (6, 15)
    assert document.locate(("d", 1)) == (8, 8)
    assert document.locate(("e",)) == (9, 9)
    assert document.locate(("a", 0, "missing", "deeper")) == (6, 5)
    assert document.locate(("a", 7)) == (6, 3)
    assert document.locate(("d", "no key")) == (8, 4)


def test_duplicate_keys_are_noticed_and_the_last_value_counts() -> None:
    document = parse(b"a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert document.value == {"a": 3, "b": {"c": 2}}
    assert [tuple(duplicate) for duplicate in document.duplicates] == [(4, 3, "c", False), (5, 1, "a", False)]


@pytest.mark.parametrize(
    ("inside", "is_override"), [("<<: *x\n  a: 2", True), ("<<: [*x, *x]", True), ("a: 2\n  <<: *x", False)]
)
def test_what_is_merged_is_there_to_be_set_anew(inside: str, is_override: bool) -> None:
    document = parse(f"x: &x {{a: 1}}\nb:\n  {inside}".encode())
    assert [each.is_override for each in document.duplicates] == [is_override]


def test_numbers_and_strings_are_different_keys_until_they_are_written() -> None:
    assert not parse(b'"1": a\n1: b').duplicates
    assert parse(b"1: a\n01: b").duplicates


@pytest.mark.parametrize(("repeats", "refused"), [(98, False), (396, True)])
def test_aliases_may_make_up_a_share_of_a_document(repeats: int, refused: bool) -> None:
    # Each alias counts as the 1,001 nodes that it repeats, and as itself.
    anchored = "a: &a [" + "1," * 1000 + "]\n"
    text = anchored + "b: [" + "*a," * repeats + "]\n"
    if refused:
        with pytest.raises(YamlError, match="aliases repeat too much of the document"):
            parse(text.encode())
    else:
        assert len(parse(text.encode()).value["b"]) == repeats


def test_text_behind_the_end_of_a_document_is_noticed() -> None:
    assert parse(b"a: 1\n...\nb: 2\n").unread == (2, 4)
    assert parse(b"a: 1\n...\n").unread is None
    assert parse(b'"a":1').unread == (1, 4)


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("", []),
        ("a\n", [(0, 2, 1)]),
        ("---\na\n", [(4, 6, 2)]),
        ("a\n---\nb\n", [(0, 2, 1), (6, 8, 3)]),
        ("a\n--- # c\n---\nb", [(0, 2, 1), (14, 15, 4)]),
        ("a\n---", [(0, 2, 1)]),
        ("a: |\n  ---\nb", [(0, 12, 1)]),
        ("a\r\n---\r\nb", [(0, 3, 1), (8, 9, 3)]),
    ],
)
def test_documents_are_parted_by_lines_that_begin_with_dashes(text: str, chunks: list[tuple[int, int, int]]) -> None:
    assert list(split(text.encode())) == [Chunk(*chunk) for chunk in chunks]


def test_a_separator_with_something_behind_it_is_refused() -> None:
    first, error, second = split(b"a\n---b\nc")
    assert (first, second) == (Chunk(0, 2, 1), Chunk(7, 8, 3))
    assert isinstance(error, YamlError)
    assert (error.line, error.column) == (2, 4)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text("ab:\"'\\ é\n", max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc .~1", max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_json_is_yaml(value: object) -> None:
    assert parse(json.dumps(value).encode()).value == value


@given(st.text("abc:-?[]{}&*!|>'\"%@`#, \n\t~<01.", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(YamlError):
        assert parse(text.encode()).locate(("a", 0)) >= (1, 1)
