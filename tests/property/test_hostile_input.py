"""Whatever a file holds, a command ends with a report or a message: never with an internal error."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from kexplain.cli.main import run

FIXTURES = Path(__file__).parents[2] / "fixtures"
#: Small scenarios that differ in what they touch; each run spoils one file of one of them.
SCENARIOS = (
    "anti-affinity-of-existing-pods",
    "cpu-fragmented",
    "devices-on-different-numa-nodes",
    "everything-pending",
    "match-fields-pin",
    "preemption-pdb-only-candidate",
    "pod-level-resources",
    "rolling-update-anti-affinity",
    "runtime-class-overhead",
    "spread-min-domains",
    "statefulset-volume-claim-template",
    "volume-in-another-zone",
)
COMMANDS = (
    ("{pod}", "--cluster", "."),
    ("{pod}", "--cluster", ".", "-o", "json", "--replicas", "2"),
    ("--cluster", "."),
    ("--cluster", ".", "--until-settled"),
    ("capacity", "{pod}", "--cluster", "."),
    ("drain", "worker-1", "--cluster", "."),
    ("what-if", "--cluster", ".", "--apply", "{pod}"),
    ("diff", "--cluster", ".", "--all-running", "--to-kubernetes-version", "1.30"),
    ("lint", "-R", ".", "--cluster", "."),
)
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**31, 2**63, 10**30, 1.5, 1e308, float("nan"), "", "x", "-1", "1e9999", "9" * 400, "1Gi"),
    *("\x00", "٣", "😀", "[b]x[/b]", "%s{0}", "NoSchedule", "In", [], {}, [None], {"": None}, [1, "a", {}]),
)
FRAGMENTS = (b"\xff", b"\xed\xa0\x80", b"\t", b": ", b"- ", b"&a ", b"*a ", b"{a:}", b"\"\\'", b"|", b"---\n", b"\x00")
EXPECTED_CODES = (0, 1, 2)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _paths(inner, (*path, key))


def _with_odd_values(text: bytes, chance: random.Random) -> bytes:
    """The documents with some values replaced, removed or doubled."""
    documents = list(yaml.safe_load_all(text))
    for _ in range(chance.choice((1, 1, 3))):
        *steps, last = chance.choice([*_paths(documents)])
        holder: Any = documents
        for step in steps:
            holder = holder[step]
        match chance.randrange(4):
            case 0:
                del holder[last]
            case 1 if isinstance(holder, list):
                holder.append(deepcopy(holder[last]))
            case _:
                holder[last] = deepcopy(chance.choice(ODD))
        if not documents:
            return b""
    as_json = {"apiVersion": "v1", "kind": "List", "items": documents}
    return chance.choice((json.dumps(as_json), yaml.safe_dump_all(documents, allow_unicode=True))).encode()


def _with_odd_bytes(text: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(FRAGMENTS) + text[at + chance.randrange(3) :]


@pytest.mark.parametrize("seed", range(4))
def test_spoilt_files_end_in_a_report_or_a_message(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KUBECONFIG", "/dev/null")
    chance = random.Random(seed)  # noqa: S311 (the same spoilt files in every run)
    for count in range(60):
        scenario = FIXTURES / chance.choice(SCENARIOS)
        files = sorted(path for path in scenario.iterdir() if path.suffix in (".yaml", ".json"))
        directory = tmp_path / str(count)
        directory.mkdir()
        spoilt = chance.choice(files)
        for path in files:
            text = path.read_bytes()
            if path == spoilt:
                text = chance.choice((_with_odd_values, _with_odd_values, _with_odd_bytes))(text, chance)
            (directory / path.name).write_bytes(text)
        monkeypatch.chdir(directory)
        words = [word.replace("{pod}", chance.choice(files).name) for word in chance.choice(COMMANDS)]
        assert run(words) in EXPECTED_CODES, f"{words} in {directory}: {capsys.readouterr().err}"
