"""`kexplain snapshot`: what scheduling reads of a cluster, in one file."""

import sys
from datetime import UTC, datetime

from kexplain.cli.atomic import write_atomically
from kexplain.cli.inputs import print_notes, standard_input, watched
from kexplain.cli.live import live_cluster
from kexplain.cli.requests.snapshot import Request
from kexplain.errors import UsageError
from kexplain.load import Loaded, load
from kexplain.load.live.api_resources import SCHEDULING, cluster_role
from kexplain.load.loaded import unlisted_notes
from kexplain.load.snapshot.redaction import redacted
from kexplain.load.snapshot.snapshot_file import encode_snapshot


def run(request: Request) -> int:
    """0, with the file written, or the ClusterRole printed that reading a cluster needs."""
    asked = request.snapshot
    if asked.print_rbac:
        sys.stdout.write(cluster_role())
        return 0
    if asked.output == "-" and sys.stdout.isatty():
        raise UsageError("a terminal cannot show a snapshot", "name a file with -o, or pipe it to another program")
    loaded = _read(request)
    if asked.redact:
        loaded = redacted(loaded)
    taken_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = encode_snapshot(loaded, taken_at=taken_at, redacted=asked.redact)
    if asked.output == "-":
        sys.stdout.buffer.write(content)
    else:
        write_atomically(asked.output, content, mode=0o600)
    written = f"{len(loaded.objects)} objects in {len(content)} bytes"
    print_notes([*loaded.notes, *unlisted_notes(loaded.unlisted), written], quiet=asked.quiet)
    return 0


def _read(request: Request) -> Loaded:
    if request.snapshot.cluster:
        with watched(quiet=request.snapshot.quiet) as reading:
            return load(request.snapshot.cluster, stdin=standard_input(), progress=reading.loaded)
    connection = request.connection.connection()
    if connection is None:
        instead = "name a kubeconfig file with --kubeconfig, or files with --cluster"
        raise UsageError("there is no cluster to take a snapshot of", instead)
    source = live_cluster(connection)
    return source.read(SCHEDULING) + source.around()
