"""Spoils scenarios and runs commands on them, each in bounds of time and memory.

    python -m tests.fuzzing --inputs 100000 --seed 7
    python -m tests.fuzzing --as-they-stand

An input is made of the seed and its number alone: `--only NUMBER` runs it once more and leaves its files. What ends
with anything but a verdict or a message, takes too long or too much memory is told, once a kind. As they stand,
scenarios are run with every command in every format.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from pathlib import Path

from tests.fuzzing.running import Outcome, outcomes, run_one, unspoiled


class Tally:
    """What has become of the inputs so far."""

    def __init__(self) -> None:
        self.problems: dict[str, Outcome] = {}
        self._codes: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._slowest = self._largest = Outcome(0, 0, [], 0)

    def count(self, outcome: Outcome) -> None:
        """One more; a kind of problem is printed when it is met first."""
        self._codes[outcome.command][outcome.code] += 1
        self._slowest = max(self._slowest, outcome, key=lambda each: each.seconds)
        self._largest = max(self._largest, outcome, key=lambda each: each.memory)
        if outcome.problem and outcome.kind not in self.problems:
            self.problems[outcome.kind] = outcome
            print(outcome, flush=True)

    def __str__(self) -> str:
        codes = sum(self._codes.values(), Counter[int]())
        lines = [f"{codes.total()} inputs, {len(self.problems)} kinds of problems, {_sorted(codes)}"]
        lines += [f"  {name}: {counts.total()} {_sorted(counts)}" for name, counts in sorted(self._codes.items())]
        slow, large = self._slowest, self._largest
        lines.append(f"  slowest: {slow.seconds:.1f} s, --only {slow.number}: {slow.words}")
        lines.append(f"  largest: {large.memory >> 20} MB, --only {large.number}: {large.words}")
        return "\n".join(lines)


def _sorted(codes: Counter[int]) -> dict[int, int]:
    return dict(sorted(codes.items()))


def main(arguments: list[str]) -> int:
    """0 if every input ended as it should."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--as-they-stand", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.only is not None:
        directory = Path(f"fuzzed-{asked.seed}-{asked.only}")
        directory.mkdir()
        print(run_one(asked.seed, asked.only, directory.resolve()), directory)
        return 0
    tally = Tally()
    end = unspoiled() if asked.as_they_stand else asked.first + asked.inputs
    found = outcomes(asked.seed, range(asked.first, end), as_they_stand=asked.as_they_stand)
    for number, outcome in enumerate(found, 1):
        tally.count(outcome)
        if number % 1000 == 0:
            print(tally, flush=True)
    print(tally)
    return int(bool(tally.problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
