"""`kexplain snapshot`: what scheduling reads of a cluster, in one file."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option


class SnapshotFlags(Struct, frozen=True, kw_only=True):
    """What goes into the file."""

    panel: ClassVar = "The snapshot"

    output: Annotated[
        str, option("-o", metavar="FILE", daily=True, is_output=True, help="The file to write; - is stdout.")
    ] = ""
    cluster: Annotated[
        Words, option(metavar="FILE|DIR", daily=True, help="Take it from these files, not from a live cluster.")
    ] = ()
    redact: Annotated[
        bool,
        option(
            daily=True,
            help="Replace names, labels and images, so that verdicts stay the same. Each is replaced by the same text "
            "everywhere. Resources, drivers, devices, schedulers, and well-known labels and namespaces stay.",
        ),
    ] = False
    print_rbac: Annotated[
        bool, option(daily=True, help="Print the ClusterRole that reading a cluster needs, and stop.")
    ] = False
    quiet: Annotated[bool, option("-q", daily=True, help="Print no notes on stderr.")] = False


class Request(Struct, frozen=True, kw_only=True):
    """Save what scheduling reads of a cluster in one file, for --cluster later."""

    examples: ClassVar = (
        ("kexplain snapshot -o prod.snapshot", "of the live cluster"),
        ("kexplain snapshot --redact -o - | gzip > bug.gz", "to send to somebody"),
    )

    snapshot: SnapshotFlags
    connection: ConnectionFlags
