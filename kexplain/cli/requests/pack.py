"""`kexplain pack`: which nodes can go together."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, argument, option, utf8
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class PackFlags(Struct, frozen=True, kw_only=True):
    """What to empty."""

    panel: ClassVar = "What to pack"

    node_names: Annotated[Words, argument()] = ()
    selector: Annotated[str, option("-l", callback=utf8)] = ""
    room_for: Annotated[Words, option("--for")] = ()
    namespace: Annotated[str, option("-n", callback=utf8)] = ""
    keep: Annotated[str, option(callback=utf8)] = ""
    requests: Annotated[Words, option()] = ()
    apply: Annotated[Words, option()] = ()
    force: Annotated[bool, option()] = False
    delete_emptydir_data: Annotated[bool, option()] = False
    within: Annotated[int, option(min=1)] = 60


class Request(Struct, frozen=True, kw_only=True):
    """Which nodes can go together, in which order, or which pods have to move to make room?

    Nothing is moved: the plan is tried to its end, and printed as commands.

    For example:
        kexplain pack --cluster dump.json  # the largest set of nodes that can go
        kexplain pack --for pod.yaml --cluster dump.json  # the fewest moves that make room
        kexplain pack --keep N+1 -l pool=batch --cluster dump.json  # of one pool, and any one node may still be lost
        kexplain pack --requests vpa.json --cluster dump.json  # once workloads have the requests that a VPA recommends
    """

    reports: ClassVar = Kind.PACK

    pack: PackFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: TableFlags
    connection: ConnectionFlags
