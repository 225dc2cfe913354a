"""`kexplain snapshot`: what scheduling reads of a cluster, in one file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from kexplain.cli.atomic import write_atomically
from kexplain.cli.connection import live_cluster
from kexplain.cli.inputs import print_notes, standard_input
from kexplain.errors import UsageError
from kexplain.load import Loaded, load
from kexplain.load.live.api_resources import EVERYTHING, cluster_role
from kexplain.load.live.connection import Connection
from kexplain.load.snapshot.redaction import redacted
from kexplain.load.snapshot.snapshot_file import encode_snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asks for; `cluster` are files to take it of, in place of a live cluster."""

    path: str
    cluster: Sequence[str]
    connection: Connection | None
    redact: bool
    print_rbac: bool
    quiet: bool


def run(request: Request) -> int:
    """0, with the file written, or the rights printed that it takes to read a cluster."""
    if request.print_rbac:
        sys.stdout.write(cluster_role())
        return 0
    if not request.path:
        raise UsageError("where should the snapshot go?", "for instance: kexplain snapshot -o cluster.snapshot")
    if request.path == "-" and sys.stdout.isatty():
        raise UsageError("a snapshot is nothing for a terminal", "name a file with -o, or send it through a pipe")
    loaded = _read(request)
    if request.redact:
        loaded = redacted(loaded)
    taken_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = encode_snapshot(loaded, taken_at=taken_at, redacted=request.redact)
    if request.path == "-":
        sys.stdout.buffer.write(content)
    else:
        write_atomically(request.path, content)
    if not request.quiet:
        print_notes([*loaded.notes, f"{len(loaded.objects)} objects in {len(content)} bytes"])
    return 0


def _read(request: Request) -> Loaded:
    if request.cluster:
        return load(request.cluster, stdin=standard_input())
    if request.connection is None:
        raise UsageError(
            "there is no cluster to take a snapshot of",
            "name a kubeconfig file with --kubeconfig, or files with --cluster",
        )
    return live_cluster(request.connection).read(EVERYTHING)
