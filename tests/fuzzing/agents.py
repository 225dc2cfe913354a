"""Asks `kexplain mcp` about spoiled scenarios, with arguments as agents make them up; each answer is a real run.

    python -m tests.fuzzing.agents --inputs 500 --seed 7

A tool may refuse; it may not report an internal error, nor take too long.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError

from kexplain.cli.agents import server
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.requests.mcp import Request
from tests.fuzzing.commands import Input
from tests.fuzzing.scenarios import known, spoiled

#: Of a processor, start-up included.
SECONDS = 15
_ODD: tuple[Any, ...] = ("", "-", "--fix", "a b", "../x", "x" * 300, "\u202e", "\x00", 0, None, [], {"a": 1}, [""])
_NEVER = ("internal error", "Traceback")


def asked(seed: int, number: int, directory: Path) -> tuple[str, dict[str, Any], str]:
    """A tool, what it is asked, and what it says; raises nothing that a client would not see."""
    chance = Random(f"{seed}:agents:{number}")  # noqa: S311 (it has to be the same again)
    files = spoiled(known(), chance)
    for name, file in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.text)
    tool, arguments = _question(Input(files, chance), chance)
    served = server(Request(cluster=ClusterFlags(cluster=[str(directory)]), connection=ConnectionFlags()))

    async def run() -> str:
        async with Client(served) as client:
            try:
                result = await client.call_tool(tool, arguments)
            except MCPError as error:
                return str(error)
            return "".join(getattr(each, "text", "") for each in result.content)

    return tool, arguments, anyio.run(run)


def _question(given: Input, chance: Random) -> tuple[str, dict[str, Any]]:
    """A tool with arguments, one of which is odd now and then."""
    reference, _, namespace = given.reference()
    manifest = chance.choice(given.texts).decode(errors="replace")
    tool, arguments = chance.choice(
        (
            ("explain", {"pod": reference, "namespace": namespace, "detail": chance.random() < 0.5}),
            ("explain", {"manifest": manifest}),
            ("pending", {"detail": chance.random() < 0.5}),
            ("capacity", {"pod": reference, "namespace": namespace}),
            ("drain", {"nodes": [given.name("Node")]}),
            ("what_if", {"scale": [f"{reference}=3"], "cordon": [given.name("Node")]}),
            ("what_if", {"apply": manifest, "remove_nodes": [given.name("Node")]}),
            ("event", {"message": manifest[:2000]}),
            ("lint", {"manifest": manifest}),
        )
    )
    made: dict[str, Any] = dict(arguments)
    if chance.random() < 0.3:
        made[chance.choice([*made])] = chance.choice(_ODD)
    return tool, made


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
            tool, given, said = asked(options.seed, number, Path(directory))
        seconds = _processor_seconds() - began
        counts[tool] += 1
        if seconds > SECONDS or any(each in said for each in _NEVER):
            problems += 1
            print(
                f"{number}: {tool} {json.dumps(given, default=str)[:300]} ({seconds:.0f} s): {said[:300]}", flush=True
            )
    print(f"{sum(counts.values())} questions, {problems} problems, {dict(sorted(counts.items()))}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
