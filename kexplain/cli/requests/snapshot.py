"""`kexplain snapshot`: what scheduling reads of a cluster, in one file."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option


class SnapshotFlags(Struct, frozen=True, kw_only=True):
    """What goes into the file."""

    panel: ClassVar = "The snapshot"

    output: Annotated[str, option("-o", is_output=True)] = ""
    cluster: Annotated[Words, option()] = ()
    redact: Annotated[bool, option()] = False
    print_rbac: Annotated[bool, option()] = False
    quiet: Annotated[bool, option("-q")] = False


class Request(Struct, frozen=True, kw_only=True):
    """Save what scheduling reads of a cluster in one file, for --cluster later.

    For example:
        kexplain snapshot -o prod.snapshot  # of the live cluster
        kexplain snapshot --redact -o - | gzip > bug.gz  # to send to somebody
    """

    snapshot: SnapshotFlags
    connection: ConnectionFlags
