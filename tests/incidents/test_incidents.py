"""What reports say first of clusters as people had them, beside what was wrong and what mended it.

A case has the objects of a dump, and a `truth`: what the first sentence and the two lines below it have to say (any of
`cause_any`, all of `cause_all`), what a right remedy is (`fix_any`), what nobody would propose first (`bad`), what is
not true (`false`), and what the report on the whole cluster has to name (`overview`). All are regular expressions,
written before the first run. `open` has what is not met yet.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.golden.command_line import run
from tests.sampling import some

CASES = sorted((Path(__file__).parent / "cases").glob("*.json.gz"))
WIDTH = ["--width", "80"]


def said(patterns: Iterable[str], text: str) -> list[str]:
    """The patterns that the text has."""
    return [each for each in patterns if re.search(each, text, re.IGNORECASE)]


def in_one_line(text: str) -> str:
    return " ".join(re.sub(r" +--fix \d+$|\(kubernetes [^)]*\)", "", text, flags=re.MULTILINE).split())


def beginning(text: str) -> str:
    """The first sentence, and two lines below it."""
    lines = text.strip("\n").splitlines()
    sentence = next((place for place, line in enumerate(lines) if not line.strip() or line[0] == " "), len(lines))
    below = [line for line in lines[sentence : sentence + 2] if "WHAT WOULD HELP" not in line and "→" not in line]
    return in_one_line("\n".join([*lines[:sentence], *below]))


def remedies(report: Any) -> Iterator[Sequence[Any]]:
    """Every list of remedies that has any."""
    if isinstance(report, dict):
        if found := [each for each in report.get("remedies") or () if "action" in each]:
            yield found
        for key, value in report.items():
            if key != "remedies":
                yield from remedies(value)
    elif isinstance(report, list):
        for each in report:
            yield from remedies(each)


def is_right(remedy: Any, rules: Sequence[Any]) -> bool:
    """Whether it is one of those that mend it."""
    targets = [each.get("target") or {} for each in remedy.get("changes") or ()]
    about = " ".join([*(f"{each.get('kind')}/{each.get('name')}" for each in targets), remedy["text"]])
    fields = {"action": remedy["action"], "text": remedy["text"], "target": about}
    return any(all(said([pattern], fields[name]) for name, pattern in rule.items()) for rule in rules)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name.partition(".")[0])
def test_what_was_wrong_and_what_mends_it_come_first(case: Path, tmp_path: Path) -> None:
    content = json.loads(gzip.decompress(case.read_bytes()))
    truth, dump = content["truth"], tmp_path / "dump.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": content["objects"]}))
    both = ["-o", "text", "-o", "json=report.json"]
    report = run([*truth["target"], "--cluster", "dump.json", *WIDTH, *both], tmp_path)
    overview = run(["--cluster", "dump.json", *WIDTH], tmp_path)
    published = json.loads((tmp_path / "report.json").read_text())
    is_one = any("/" in word for word in truth["target"])
    found = list(remedies(published))
    first = (found[0] if is_one else [each for some in found for each in some]) if found else []

    missed = set()
    begins = beginning(report.stdout) if is_one else in_one_line(report.stdout)
    if not said(truth["cause_any"], begins) or set(truth.get("cause_all", [])) - {
        *said(truth.get("cause_all", []), begins)
    }:
        missed.add("cause")
    right = [is_right(each, truth["fix_any"]) for each in first[:3]]
    missed |= {name for name, is_met in (("first", right[:1] == [True]), ("in three", any(right))) if not is_met}
    if first and not right[0] and said(truth.get("bad", []), first[0]["text"]):
        missed.add("wrong")
    everything = in_one_line(report.stdout + overview.stdout)
    if said(truth.get("false", []), everything) or report.returncode != truth["exit"]:
        missed.add("false")
    if set(truth.get("overview", [])) - {*said(truth.get("overview", []), in_one_line(overview.stdout))}:
        missed.add("silent")
    assert missed == set(truth.get("open", [])), report.stdout


@pytest.mark.parametrize("case", [*some(CASES, 4)], ids=lambda path: path.name.partition(".")[0])
def test_pods_that_do_not_run_and_their_nodes_can_be_asked_about(case: Path, tmp_path: Path) -> None:
    objects = json.loads(gzip.decompress(case.read_bytes()))["objects"]
    (tmp_path / "dump.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
    stopped = next(filter(_is_stopped, objects), None)
    name = [] if stopped is None else [f"pod/{stopped['metadata']['name']}", "-n", stopped["metadata"]["namespace"]]
    for words in (name, ["drain", "--each"]):
        assert run([*words, "--cluster", "dump.json"], tmp_path).returncode in (0, 1)


def _is_stopped(obj: Any) -> bool:
    """Whether it is a pod that has a node and is not ready."""
    is_placed = obj["kind"] == "Pod" and obj["spec"].get("nodeName")
    ready = [each.get("status") for each in obj.get("status", {}).get("conditions", []) if each.get("type") == "Ready"]
    return bool(is_placed and ready != ["True"])
