"""Draw scenarios, and have a scheduler decide them: what recordings are made of.

    python -m tests.recorder draw [--area AREA]... [--seed N] [--count N] -o FOLDER
    python -m tests.recorder deep RECORDER FOLDER -o RECORDINGS/v1.36

`draw` writes a file of scenarios for each area. The same seed draws the same scenarios; of every area as many as
--count says.

`deep` has RECORDER, the program that deep/ becomes within a checkout of Kubernetes (deep/README.md), decide every
scenario in FOLDER, or in the files there, compressed or not; --replay assumes the nodes that were assumed when they
were recorded before, as a scheduler takes any of several best ones. What it wrote is compared by

    python -m tests.conformance RECORDINGS
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .deep_recording import RecorderError, record
from .scenario import AREAS, scenarios
from .store import write


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked, say what was written, and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.does(options))
    except RecorderError as fault:
        print(f"tests.recorder: {fault}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.recorder", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    drawing = commands.add_parser("draw", help="draw scenarios")
    drawing.add_argument("--area", action="append", choices=AREAS, help="of this area only; may be repeated")
    drawing.add_argument("--seed", type=int, default=0, metavar="N")
    drawing.add_argument("--count", type=int, default=20, metavar="N", help="scenarios of each area")
    drawing.set_defaults(does=_draw)
    recording = commands.add_parser("deep", help="have a scheduler decide them, plugin by plugin")
    recording.add_argument("recorder", type=Path, metavar="RECORDER")
    recording.add_argument("scenarios", type=Path, metavar="FOLDER")
    recording.add_argument("--replay", action="store_true", help="assume the nodes that were assumed before")
    recording.set_defaults(does=_deep)
    for command in (drawing, recording):
        command.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    return parser


def _draw(options: argparse.Namespace) -> int:
    for area in options.area or AREAS:
        written = write(options.output / f"{area}.jsonl.gz", scenarios(area, options.seed, options.count))
        print(f"{area}: {written} scenarios")
    return 0


def _deep(options: argparse.Namespace) -> int:
    for area, written in record(options.recorder, options.scenarios, options.output, replay=options.replay):
        print(f"{area}: {written} scenarios")
    return 0


if __name__ == "__main__":
    sys.exit(main())
