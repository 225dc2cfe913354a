"""Decide every recorded case anew, and count what is as recorded.

    python -m tests.conformance [PATH...] [--area AREA]... [--json FILE] [--jobs N] [--all]
    python -m tests.conformance [PATH...] --recorded

PATH is a folder named like v1.36, policy-v1.22, admission-v1.36, kinds-v1.36, capacity-v1.36, settled-v1.36,
workloads-v1.36, changes-v1.36, groups-v1.36, devices-v1.36, live-v1.36 or text, a folder of such folders, or one .jsonl
or .jsonl.gz file in one; without any, the recordings of this project. The folder's name says what was recorded.

The last line is `N passed, N failed`, counting decisions: pods that were scheduled or admitted, manifests, clusters
that were filled, nodes that were drained, queues that settled, workloads
and changes that were followed, texts that were read. A decision fails if one field of
it is not as recorded, if a field of its scenario is not, if kexplain refuses to decide, or if it crashes. Exit status 0
if none failed, 1 if some did, 2 if there was nothing to run.

--json writes the figures, all areas by corpus:

    {"v1.36": {"taints": {
        "passed": 150, "failed": 3,
        "fields": {"outcome": {"equal": 153, "total": 153}, ...},
        "differences": [{"id": "taints-0001", "pod": "default/p0", "field": "message",
                         "expected": "...", "got": "..."}, ... the first 20 of the area]}}}

Where a selector fails, what the CEL engine says may differ from what upstream's says, and nothing else may; how many
messages do is told, as is where the recorder's own API server failed behind a decision.

--all also tries every remedy that is proposed for a recorded pod that fits nowhere, of which the tests try two an area:
what it claims is applied to the recorded objects, and the pod is decided anew. It takes many times as long. Pods are
counted with the decisions; one fails for which a remedy does not do what it claims.

--recorded decides nothing, and prints the table of kexplain-exactness(7): what is recorded of which release.

The field `decided` counts the decisions that were neither refused nor crashed. Fields of a whole scenario, such as
`weights`, are counted once a scenario, and their differences name no pod.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import remedies
from .corpora import DEFAULT, CorpusError, find
from .recorded import as_markdown
from .report import as_json, differences, left_aside, table
from .run import run_all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print, and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        if options.recorded:
            print("\n".join(as_markdown(find(options.paths or [DEFAULT], options.area))))
            return 0
        return _run(options)
    except (CorpusError, OSError) as fault:
        print(f"tests.conformance: {fault}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="what to run")
    parser.add_argument("--area", action="append", default=[], help="run this area only; may be repeated")
    parser.add_argument("--all", action="store_true", help="try every remedy anew, too")
    parser.add_argument("--recorded", action="store_true", help="only print what is recorded of which release")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file")
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="run in N processes; as many as CPUs if not given",
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    tallies = run_all(find(options.paths or [DEFAULT], options.area), options.jobs)
    for line in (*table(tallies), "", *differences(tallies)):
        print(line)
    if options.json is not None:
        options.json.write_bytes(as_json(tallies))
    for line in left_aside(tallies):
        print(line)
    every = [tally for by_area in tallies.values() for tally in by_area.values()]
    passed, failed = sum(tally.passed for tally in every), sum(tally.failed for tally in every)
    if options.all:
        tried = remedies.run(remedies.areas(options.area), None, options.jobs)
        failed += tried["cases with faults"]
        passed += tried["cases"] - tried["cases with faults"]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
