"""Asks `kexplain mcp` about spoiled scenarios, with arguments as agents make them up.

    python -m tests.fuzzing.agents --inputs 500 --seed 7

Here each answer is a real run, through a client; `tests.fuzzing` asks the same of the tools within its own process. A
tool may refuse; it may not report an internal error, nor take too long.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import anyio
from mcp import Client
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from kexplain.cli import agent_runs, agents
from kexplain.cli import main as command
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.requests.mcp import Request
from tests.fuzzing.commands import Input
from tests.fuzzing.scenarios import File, known, spoiled, written

#: Of a processor, start-up included.
SECONDS = 15
#: Marks and what is said of the rest stand beside the longest answer.
_LONGEST = agent_runs.LONGEST + 500
_ODD: tuple[Any, ...] = ("", "-", "--fix", "a b", "../x", "x" * 300, "\u202e", "\x00", 0, None, [], {"a": 1}, [""])
_PARTS = ("pods", "pods.0", "pods.0.remedies", "pods.1.nodeVerdicts", "nodeNames", "x", "pods.99999999999999999999")
_NEVER = ("internal error", "Traceback")


class Question(NamedTuple):
    """What a tool is asked."""

    tool: str
    arguments: dict[str, Any]


def question(files: Mapping[str, File], chance: Random) -> Question:
    """A tool with arguments, one of which is odd now and then."""
    given = Input(files, chance)
    reference, _, namespace = given.reference()
    manifest = chance.choice(given.texts).decode(errors="replace")
    node = given.name("Node")
    tool, arguments = chance.choice(
        (
            ("explain", {"pod": reference, "namespace": namespace, "detail": chance.random() < 0.5}),
            ("explain", {"manifest": manifest, "detail": chance.random() < 0.5}),
            ("explain", {"pod": reference, "namespace": namespace, "detail": True, "part": chance.choice(_PARTS)}),
            ("pending", {"detail": chance.random() < 0.5}),
            ("pending", {"detail": True, "part": chance.choice(_PARTS), "first": chance.choice((0, 1, 10**20))}),
            ("remedy", {"pod": reference, "namespace": namespace, "number": chance.choice((1, 1, 2, 9))}),
            ("remedy", {"manifest": manifest, "number": chance.choice((1, 1, 2, 9))}),
            ("capacity", {"pod": reference, "namespace": namespace}),
            ("capacity", {}),
            ("drain", {"nodes": [node]}),
            ("what_if", {"scale": [f"{reference}=3"], "cordon": [node], "namespace": namespace}),
            ("what_if", {"apply": manifest, "remove_nodes": [node]}),
            ("what_if", {"add_nodes": [f"2=like:{node}"], "taint": [f"{node} a=b:NoExecute"], "label": [f"{node} a-"]}),
            ("what_if", {"set_field": [f"{reference} spec.priority=3"], "delete_pods": ["app"], "uncordon": [node]}),
            ("event", {"message": manifest[:2000]}),
            ("lint", {"manifest": manifest}),
        )
    )
    made: dict[str, Any] = dict(arguments)
    if made and chance.random() < 0.15:
        made[chance.choice([*made])] = chance.choice(_ODD)
    return Question(tool, made)


def answered(asked: Question, directory: Path) -> int:
    """0 if a tool answers about the files here, 2 if it refuses; what it proposes is asked about, too."""
    request = Request(
        cluster=ClusterFlags(cluster=(str(directory),)), scheduler=CycleFlags(), connection=ConnectionFlags()
    )
    alone = patch("kexplain.cli.agent_runs.can_share", lambda: False)
    with patch("kexplain.cli.agent_runs.subprocess.run", _run), alone:
        try:
            said = _answer(asked, request)
            for changes in _proposed(said) if asked.tool == "explain" else ():
                _answer(Question("what_if", {"changes": json.dumps(changes)}), request)
        except (ToolError, ValidationError):
            return 2
    return 0


def _answer(asked: Question, request: Request) -> str:
    tool = agents._tool(agents.questions(request)[asked.tool])
    said: str = tool.fn(**tool.fn_metadata.validate_arguments(asked.arguments))
    assert len(said) < _LONGEST, len(said)
    return said


def _proposed(said: str) -> list[Any]:
    """The changes of the first remedies, if this is a report in JSON."""
    if not said.startswith("{"):
        return []
    pods = json.loads(said).get("pods")
    remedies = (pods[0].get("remedies") or [] if isinstance(pods[0], dict) else []) if pods else []
    return [each["changes"] for each in remedies[:2] if each.get("changes")]


def _run(line: list[str], *, cwd: str, input: bytes, **_: object) -> subprocess.CompletedProcess[bytes]:  # noqa: A002
    """The same run within this process."""
    out, err = BytesIO(), BytesIO()
    texts = [TextIOWrapper(each, encoding="utf-8", errors="replace") for each in (out, err)]
    before = Path.cwd()
    os.chdir(cwd)
    try:
        with redirect_stdout(texts[0]), redirect_stderr(texts[1]), patch("sys.stdin", TextIOWrapper(BytesIO(input))):
            code = command.run(line[3:])
            for each in texts:
                each.flush()
    finally:
        os.chdir(before)
    return subprocess.CompletedProcess(line, code, out.getvalue(), err.getvalue())


def asked(seed: int, number: int, directory: Path) -> tuple[Question, str]:
    """A question, and what a client is told; raises nothing that it would not see."""
    chance = Random(f"{seed}:agents:{number}")  # noqa: S311 (it has to be the same again)
    files = spoiled(known(), chance)
    written(files, directory)
    made = question(files, chance)
    served = agents.server(
        Request(cluster=ClusterFlags(cluster=(str(directory),)), scheduler=CycleFlags(), connection=ConnectionFlags())
    )

    async def run() -> str:
        async with Client(served) as client:
            try:
                result = await client.call_tool(made.tool, made.arguments)
            except MCPError as error:
                return str(error)
            return "".join(getattr(each, "text", "") for each in result.content)

    return made, anyio.run(run)


def _processor_seconds() -> float:
    """What the runs that answered have used so far."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments: list[str]) -> int:
    """0 if every question was answered or refused."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    problems = 0
    for number in range(options.inputs):
        began = _processor_seconds()
        with TemporaryDirectory() as directory:
            (tool, given), said = asked(options.seed, number, Path(directory))
        seconds = _processor_seconds() - began
        counts[tool] += 1
        if seconds > SECONDS or any(each in said for each in _NEVER):
            problems += 1
            shown = json.dumps(given, default=str)[:300]
            print(f"{number}: {tool} {shown} ({seconds:.0f} s): {said[:300]}", flush=True)
    print(f"{sum(counts.values())} questions, {problems} problems, {dict(sorted(counts.items()))}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
