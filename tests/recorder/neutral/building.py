"""The corpus for others: recordings of schedulers in a format that needs no knowledge of kexplain."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.recorder.store import files, lines

FORMAT = "scheduling-decisions/v1"
HERE = Path(__file__).parent
ROOT = HERE.parents[2]
#: Which patch of each release decided.
RECORDED_FROM: Mapping[str, str] = {
    "1.23": "1.23.5",
    "1.24": "1.24.4",
    "1.25": "1.25.2",
    "1.26": "1.26.4",
    "1.27": "1.27.1",
    "1.28": "1.28.3",
    "1.29": "1.29.1",
    "1.30": "1.30.1",
    "1.31": "1.31.1",
    "1.32": "1.32.2",
    "1.33": "1.33.0",
    "1.34": "1.34.1",
    "1.35": "1.35.3",
    "1.36": "1.36.2",
}
_TEXTS = {"LICENSE": ROOT / "LICENSE", "README.md": HERE / "README.md", "schema.json": HERE / "schema.json"}

Row = dict[str, Any]


def build(archive: Path, recordings: Path) -> int:
    """Write the archive of all recordings of scheduling in a folder of folders such as v1.36; how many decisions."""
    contents = {name: file.read_bytes() for name, file in _TEXTS.items()}
    decisions = 0
    for release in sorted(RECORDED_FROM):
        folder = recordings / f"v{release}"
        for area, file in files(folder) if folder.is_dir() else ():
            rows = [neutral(json.loads(line), release) for line in lines(file)]
            decisions += sum(len(row["decisions"]) for row in rows)
            contents[f"v{release}/{area}.jsonl"] = b"".join(_line(row) for row in rows)
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(contents.items()))
    _write(archive, {"SHA256SUMS": sums.encode(), **contents})
    return decisions


def neutral(recorded: Row, release: str) -> Row:
    """A scenario as others read it."""
    expected = recorded["expected"]
    row = {
        "area": recorded["area"],
        "cluster": recorded["objects"],
        "decisions": [_decision(result) for result in expected["results"]],
        "format": FORMAT,
        "id": f"v{release}/{recorded['id']}",
        "kubernetes": RECORDED_FROM[release],
        "nodeOrder": expected["nodeOrder"],
        "startNodeIndex": recorded.get("startNodeIndex", 0),
        "weights": expected.get("weights", {}),
    }
    return {**row, "configuration": recorded["config"]} if "config" in recorded else row


def _decision(result: Row) -> Row:
    decision: Row = {"outcome": result["outcome"], "pod": result["pod"]}
    if message := result.get("message"):
        decision["message"] = message
    if rejected := dict(_whole_pod(result)):
        decision["preFilter"] = rejected
    if "evaluatedNodes" in result:
        fields = ("numFeasibleNodesToFind", "evaluatedNodes", "nextStartNodeIndex")
        decision["search"] = {field: result[field] for field in fields}
    decision["nodes"] = dict(sorted(_nodes(result).items()))
    if best := result.get("best"):
        decision |= {"best": sorted(best), "assumed": result["host"]}
    if preemption := _preemption(result.get("preemption") or {}):
        decision["preemption"] = preemption
    return decision


def _whole_pod(result: Row) -> Iterator[tuple[str, Row]]:
    """What PreFilter plugins said of the pod as a whole; those that had nothing to do are left out."""
    for plugin, answer in sorted(result.get("preFilter", {}).items()):
        match answer["code"]:
            case "Skip":
                continue
            case "Success":
                yield plugin, {"onlyNodes": sorted(answer["reasons"])}
            case code:
                yield plugin, {"code": code, "reasons": sorted(answer["reasons"])}


def _nodes(result: Row) -> dict[str, Row]:
    """By node: whether it is feasible, who rejected it, every objection, and what it scored."""
    nodes: dict[str, Row] = {name: {"feasible": True} for name in result.get("feasibleNodes", ())}
    for name, status in result.get("nodeStatus", {}).items():
        rejection = {"code": status["code"], "reasons": sorted(status.get("reasons", ()))}
        nodes[name] = {"feasible": False, "rejection": {**rejection, "plugin": status.get("plugin", "")}}
    for name, objections in result.get("matrix", {}).items():
        nodes.setdefault(name, {})["objections"] = {
            plugin: {"code": each["code"], "reasons": sorted(each.get("reasons", ()))}
            for plugin, each in sorted(objections.items())
        }
    for score in result.get("scores", ()):
        plugins = {
            plugin: dict(zip(("raw", "normalized", "weighted"), figures, strict=True))
            for plugin, figures in sorted(score["plugins"].items())
        }
        nodes[score["node"]] |= {"scores": plugins, "total": score["total"]}
    return nodes


def _preemption(recorded: Row) -> Row | None:
    candidates = sorted(recorded.get("candidates", ()), key=lambda each: str(each["node"]))
    if not candidates:
        return None
    by_node = {
        each["node"]: {"budgetViolations": each["pdbViolations"], "victims": each["pods"]} for each in candidates
    }
    return {"best": sorted(recorded["best"]), "candidates": by_node}


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode() + b"\n"


def _write(archive: Path, contents: Mapping[str, bytes]) -> None:
    """The same contents make the same bytes, wherever and whenever."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name, content in sorted(contents.items()):
            entry = tarfile.TarInfo(f"scheduling-decisions/{name}")
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
