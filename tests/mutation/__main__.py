"""Put small faults into lines that are new, one at a time, and see whether a test beside them notices.

    python -m tests.mutation [--since REV] [--sample N] [--seed TEXT] [--seconds S] [PATH...]

Without a PATH, lines count that a branch has changed since it left origin/main; on main itself, those of the last
commits. Which of their mutants are tried is drawn by the seed, the newest commit unless one is given. Each is tried
against the tests of its room and some of the recorded command lines.

The exit status is 1 if too few are noticed. What survives is listed: write the test that it lacks, or see that it makes
no difference.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from .changed_lines import _git, changed_lines
from .mutants import Mutant, mutant, places
from .trial import copied, is_noticed

ROOT = Path(__file__).parents[2]
#: What is drawn differs from commit to commit, and some make no difference. Of lines whose mutants are noticed as they
#: should be, 17 in 20, one draw in 25,000 falls below this; of those that nobody has tested, nearly every one.
ENOUGH = 0.5


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run, print, and return the exit status."""
    options = _parser().parse_args(arguments)
    every = [*_places(root, options.paths, options.since)]
    if not every:
        print("mutation: no line of the package is new")
        return 0
    seed = options.seed or _git(root, "rev-parse", "HEAD")
    drawn = random.Random(seed).sample(every, min(options.sample, len(every)))  # noqa: S311 - the same ones again
    made = [(module, mutant((root / module).read_text(encoding="utf-8"), number)) for module, number in drawn]
    tried = [*_tried(root, made, options.seconds)]
    survivors = [found for found, noticed in tried if not noticed]
    for module, each in survivors:
        print(f"{module}:{each.line}: nobody notices\n  - {_short(each.before)}\n  + {_short(each.after)}")
    killed = len(tried) - len(survivors)
    print(f"mutation: {killed} of {len(tried)} noticed, drawn from {len(every)} by {seed[:12]}")
    return int(killed < ENOUGH * len(tried))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH", help="modules or folders, as kexplain/remedies")
    parser.add_argument("--since", default="", metavar="REV")
    parser.add_argument("--sample", type=int, default=20, metavar="N")
    parser.add_argument("--seed", default="", metavar="TEXT")
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="for all of them")
    return parser


def _places(root: Path, paths: Sequence[str], since: str) -> Iterator[tuple[str, int]]:
    """Every mutant: its module, and its number there."""
    lines_by_module: Mapping[str, Container[int] | None] = changed_lines(root, since)
    if paths:
        found = (root / path for path in paths)
        files = (file for each in found for file in ([each] if each.is_file() else each.rglob("*.py")))
        lines_by_module = {file.relative_to(root).as_posix(): None for file in sorted(files)}
    for module, lines in lines_by_module.items():
        # What was changed may be gone since.
        if (root / module).exists():
            text = (root / module).read_text(encoding="utf-8")
            yield from ((module, number) for number, line in enumerate(places(text, lines)) if line)


def _tried(root: Path, drawn: Sequence[tuple[str, Mutant]], seconds: int) -> Iterator[tuple[tuple[str, Mutant], bool]]:
    """Each mutant with whether it is noticed, as many as there is time for."""
    end = time.monotonic() + seconds
    jobs = min(os.cpu_count() or 1, len(drawn))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            copies.put(copied(root, Path(folder, f"copy-{job}")))

        def tried(each: tuple[str, Mutant]) -> bool | None:
            copy = copies.get()
            try:
                left = end - time.monotonic()
                return is_noticed(copy, each[0], each[1].text, left) if left > 0 else None
            finally:
                copies.put(copy)

        for each, noticed in zip(drawn, pool.map(tried, drawn), strict=True):
            if noticed is not None:
                yield each, noticed


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 110 else f"{line[:107]}..."


if __name__ == "__main__":
    sys.exit(main())
