"""Spoils scenarios and runs commands on them, each in bounds of time and memory.

    python -m tests.fuzzing --inputs 100000 --seed 7

An input is made of the seed and its number alone: `--only NUMBER` runs it once more and leaves its files. What ends
with anything but a verdict or a message, takes too long or too much memory is told, once a kind.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from tests.fuzzing.running import Outcome, outcomes, run_one


def main(arguments: list[str]) -> int:
    """0 if every input ended as it should."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    asked = parser.parse_args(arguments)
    if asked.only is not None:
        directory = Path(f"fuzzed-{asked.seed}-{asked.only}")
        directory.mkdir()
        print(run_one(asked.seed, asked.only, directory), directory)
        return 0
    codes: Counter[int] = Counter()
    kinds: dict[str, Outcome] = {}
    for number, outcome in enumerate(outcomes(asked.seed, range(asked.first, asked.first + asked.inputs)), 1):
        codes[outcome.code] += 1
        if outcome.problem and outcome.kind not in kinds:
            kinds[outcome.kind] = outcome
            print(outcome, flush=True)
        if number % 1000 == 0:
            print(f"{number} inputs, {len(kinds)} kinds of problems, {dict(codes)}", flush=True)
    print(f"{asked.inputs} inputs, {len(kinds)} kinds of problems, {dict(codes)}")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
