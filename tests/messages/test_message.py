"""Messages taken apart: sections, counts, what was cut off, and what the recorded ones say."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kexplain.messages.message import parse_message
from kexplain.messages.part import Section, known
from kexplain.messages.text import any_of
from kexplain.messages.texts import NODE_TEXTS

CORPORA = Path(__file__).parents[2] / "fixtures" / "conformance"
_PLACEHOLDERS = re.compile(r"<[a-z_]+>")
#: Corpora that hold what API servers answered.
OF_API_SERVERS = ("admission", "kinds")

FILTERS_AND_PREEMPTION = (
    "0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated taint {team: a, b}. no new claims to "
    "deallocate, preemption: 0/5 nodes are available: 2 No preemption victims found for incoming pod, 3 Preemption is "
    "not helpful for scheduling."
)


@pytest.mark.parametrize(
    "words", ["too many pods", "Too many Pods", "node(s) didn't match pod topology spread constraint", "too many podz"]
)
def test_a_text_is_found_however_many_words_were_looked_for_before(words: str) -> None:
    table = tuple(NODE_TEXTS)
    alone = known(words, Section.FILTER, table)
    for number in range(200):
        assert known(f"{words[:3]} {number}", Section.FILTER, table).text is None
    assert known(words, Section.FILTER, table) == alone


def test_a_pattern_of_texts_has_each_of_them_and_no_more() -> None:
    every = any_of(NODE_TEXTS)
    for text in NODE_TEXTS:
        assert every.fullmatch(_PLACEHOLDERS.sub("1", text.template).upper())
    assert not every.fullmatch("anything")
    assert not any_of(()).fullmatch("")


def test_sections_and_counts() -> None:
    message = parse_message(FILTERS_AND_PREEMPTION)
    assert message.nodes == 5
    assert [(part.section, part.count, part.source) for part in message.parts] == [
        (Section.FILTER, 2, "NodeResourcesFit"),
        (Section.FILTER, 3, "TaintToleration"),
        (Section.POST_FILTER, None, "DynamicResources"),
        (Section.PREEMPTION, 2, "DefaultPreemption"),
        (Section.PREEMPTION, 3, "DefaultPreemption"),
    ]
    assert message.counts_add_up
    assert "{" not in message.parts[1].meaning
    assert "team=a, b" in message.parts[1].meaning


@pytest.mark.parametrize(
    ("message", "source", "in_meaning"),
    [
        pytest.param(
            'running "NodePorts" filter plugin: reading "PreFilterNodePorts" from cycleState: not found',
            "NodePorts",
            "PreFilterNodePorts",
            id="an-error-names-its-plugin-and-its-cause",
        ),
        pytest.param(
            "0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.",
            "TaintToleration",
            "the node is unreachable",
            id="a-taint-by-a-condition",
        ),
        pytest.param(
            "0/3 nodes are available: 3 node(s) had untolerated taint {dedicated: }.",
            "TaintToleration",
            "the taint dedicated, which",
            id="a-taint-without-a-value",
        ),
        pytest.param("waiting for scheduling gates: [a b]", "SchedulingGates", "a b", id="gates"),
        pytest.param(
            '0/3 nodes are available: persistentvolumeclaim "data" not found. not found',
            "VolumeBinding",
            "claim data",
            id="a-pre-filter-has-no-count",
        ),
        pytest.param(
            "pod didn't trigger scale-up: 2 max node group size reached",
            "cluster-autoscaler",
            "may not grow",
            id="cluster-autoscaler",
        ),
        pytest.param(
            'Failed to schedule pod, incompatible with nodepool "gpu", daemonset overhead={"cpu":"1"}, did not '
            'tolerate gpu=true:NoSchedule; incompatible with nodepool "cpu", no instance type has enough resources',
            "karpenter",
            "gpu=true:NoSchedule",
            id="karpenter",
        ),
    ],
)
def test_what_a_text_means(message: str, source: str, in_meaning: str) -> None:
    part = parse_message(message).parts[0]
    assert part.is_known
    assert part.source == source
    assert in_meaning in part.meaning


@pytest.mark.parametrize(
    ("message", "adds_up"),
    [
        pytest.param("0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods.", True, id="one-each"),
        pytest.param("0/3 nodes are available: 3 Insufficient cpu, 2 Too many pods.", True, id="several-a-node"),
        pytest.param("0/3 nodes are available: 1 Insufficient cpu.", False, id="too-few"),
        pytest.param("0/3 nodes are available: 4 Insufficient cpu.", False, id="more-than-nodes"),
        pytest.param("0/3 nodes are available: 1 Insufficient cpu, 1 node(s ...", True, id="cut"),
        pytest.param("no nodes available to schedule pods", True, id="no-counts"),
    ],
)
def test_counts_add_up(message: str, adds_up: bool) -> None:
    assert parse_message(message).counts_add_up is adds_up


def test_the_end_of_a_message_that_was_cut_off() -> None:
    message = parse_message("0/9 nodes are available: 4 Too many pods, 4 Insuffi ...")
    assert message.is_cut
    assert message.unsaid == 1
    assert message.parts[-1].is_known
    assert message.parts[-1].source == "NodeResourcesFit"


@pytest.mark.parametrize(
    "message",
    [
        "0/9 nodes are available: 4 Too many pods, 4 node(s) didn't match Pod's",
        "0/9 nodes are available: 9 Too many pods. preemption: 0/9 nodes are availa",
        "0/9 nodes are available: 9 Too many pods. preemption: 0/9 nodes are available: 9 No pre",
        "0/9 nodes are available: 4 Too many pods, 4 node(s) didn't m\u2026",
        "0/9 nodes are available: 4 Too many pods, 4",
    ],
)
def test_messages_that_tables_cut(message: str) -> None:
    parsed = parse_message(message)
    assert parsed.is_cut
    assert all(part.is_known for part in parsed.parts)


def test_names_end_where_they_must() -> None:
    (part,) = parse_message("0/1 nodes are available: 1 Insufficient example.com/gpu of the new kind.").parts
    assert not part.is_known
    parts = parse_message('running "VolumeBinding" filter plugin: Operation cannot be fulfilled on x "y": z').parts
    assert [(each.names or {})["plugin"] for each in parts] == ["VolumeBinding"]


@pytest.mark.parametrize(
    "words", ["node(s) had untolerated taint dedicated", "node(s) did not have free ports for the requested pod ports"]
)
def test_texts_as_people_type_them(words: str) -> None:
    (part,) = parse_message(f"0/1 nodes are available: 1 {words}.").parts
    assert part.is_known


def test_unknown_words_are_kept() -> None:
    message = parse_message("0/2 nodes are available: 1 moon is not full, 1 Insufficient cpu.")
    assert [(part.words, part.is_known) for part in message.parts] == [
        ("moon is not full", False),
        ("Insufficient cpu", True),
    ]


def test_every_recorded_message_is_understood() -> None:
    unknown = {part.words for message in {*_recorded()} for part in parse_message(message).parts if not part.is_known}
    assert unknown == set()


class _Recorded(msgspec.Struct):
    expected: Any


def _recorded() -> Iterator[str]:
    for corpus in sorted(CORPORA.rglob("*.jsonl.gz")):
        if corpus.parent.name.startswith(OF_API_SERVERS):
            continue
        for line in gzip.decompress(corpus.read_bytes()).splitlines():
            yield from _messages(msgspec.json.decode(line, type=_Recorded).expected)


def _messages(value: object) -> Iterator[str]:
    """Every `message` of a scheduler within what was recorded; what an API server answered is none."""
    within = [value]
    while within:
        value = within.pop()
        if isinstance(value, list):
            within += value
        elif isinstance(value, dict):
            within += value.values()
            message = value.get("message")
            if isinstance(message, str) and message and "causes" not in value and "code" not in value:
                yield message


@pytest.mark.parametrize(
    "text", ["0/{} nodes are available: 1 Insufficient cpu.", "0/3 nodes are available: {} Insufficient cpu."]
)
def test_numbers_without_end_are_no_counts(text: str) -> None:
    assert parse_message(text.format("9" * 4_400)) is not None
