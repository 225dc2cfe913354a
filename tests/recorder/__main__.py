"""Draw scenarios, and have a scheduler decide them: what recordings are made of.

    python -m tests.recorder draw [--area AREA]... [--seed N] [--count N] -o FOLDER
    python -m tests.recorder deep RECORDER FOLDER -o RECORDINGS/v1.36
    python -m tests.recorder live --kubeconfig FILE FOLDER -o RECORDINGS
    python -m tests.recorder corpus [RECORDINGS] -o FILE.tar.gz
    python -m tests.recorder trees OLD NEW

`draw` writes a file of scenarios for each area. The same seed draws the same scenarios; of every area as many as
--count says.

`deep` has RECORDER, the program that deep/ becomes within a checkout of Kubernetes (deep/README.md), decide every
scenario in FOLDER, or in the files there, compressed or not; --replay assumes the nodes that were assumed when they
were recorded before, as a scheduler takes any of several best ones.

`live` puts them on a cluster, and records what its API shows: nodes, texts of events, pods that were evicted. It makes
nodes, namespaces and pods and deletes them, so it refuses a cluster that has no namespace made-for-recording, unless
--force is given. What a kubelet would do, it does itself; what only a configuration, drivers of storage or devices, or
hundreds of nodes show is for `deep`.

What they wrote is compared by

    python -m tests.conformance RECORDINGS

`corpus` packs recordings, those of this project if no others are named, for programs that know nothing of kexplain;
neutral/README.md says what is in the archive.

`trees` takes two trees of Kubernetes, or of projects that vendor its scheduler, and prints what differs in what is
followed here: gates, default plugins and weights, arguments, extension points, reasons and files of plugins, each with
where it belongs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.corpora import DEFAULT

from .deep_recording import RecorderError, record
from .live.attempts import SHOWN_LIVE, attempts
from .live.cluster import MARK, LiveCluster, LiveError
from .neutral.building import build
from .scenario import AREAS, scenarios
from .store import files, lines, write
from .trees.differing import differences
from .trees.differing import lines as told


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked, say what was written, and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.does(options))
    except (FileNotFoundError, LiveError, RecorderError) as fault:
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
    living = commands.add_parser("live", help="have a cluster's scheduler decide them")
    living.add_argument("scenarios", type=Path, metavar="FOLDER")
    living.add_argument("--kubeconfig", required=True, metavar="FILE")
    living.add_argument("--context", metavar="NAME")
    living.add_argument("--force", action="store_true", help="on any cluster; it will be written to")
    living.set_defaults(does=_live)
    packing = commands.add_parser("corpus", help="pack recordings for others")
    packing.add_argument("recordings", type=Path, nargs="?", default=DEFAULT, metavar="RECORDINGS")
    packing.set_defaults(does=_corpus)
    comparing = commands.add_parser("trees", help="what differs between two trees of Kubernetes")
    comparing.add_argument("old", type=Path, metavar="OLD")
    comparing.add_argument("new", type=Path, metavar="NEW")
    comparing.set_defaults(does=_trees)
    for command in (drawing, recording, living, packing):
        command.add_argument("-o", "--output", type=Path, required=True, metavar="PATH")
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


def _live(options: argparse.Namespace) -> int:
    cluster = LiveCluster(options.kubeconfig, options.context)
    if not options.force and not cluster.is_made_for_this():
        raise LiveError(f"nobody says that this cluster may be filled and emptied: kubectl create namespace {MARK}")
    folder = options.output / f"live-v{cluster.minor}"
    for area, file in files(options.scenarios):
        if area in SHOWN_LIVE:
            scenarios_of_area = [json.loads(line) for line in lines(file)]
            rows = (row for number, each in enumerate(scenarios_of_area) for row in attempts(cluster, each, number))
            print(f"{area}: {write(folder / f'{area}.jsonl.gz', rows)} attempts", flush=True)
    return 0


def _trees(options: argparse.Namespace) -> int:
    for line in told(differences(options.old, options.new)):
        print(line)
    return 0


def _corpus(options: argparse.Namespace) -> int:
    print(f"{build(options.output, options.recordings):,} decisions, {options.output.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
