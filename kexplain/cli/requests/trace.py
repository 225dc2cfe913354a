"""`kexplain trace`: the scheduling cycle, step by step."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import option
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class TraceFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the attempts."""

    node: Annotated[str, option()] = ""
    plugin: Annotated[str, option()] = ""


class Request(Struct, frozen=True, kw_only=True):
    """How does the scheduler decide? Every extension point in order, and every node in the order of the search.

    For example:
        kexplain trace pod/web -n shop  # a pod of the live cluster
        kexplain trace pod.yaml --nodes nodes.yaml --top 0  # every node in its turn
        kexplain trace pod/web --cluster dump.json -o otlp=trace.json  # spans for a viewer of traces
    """

    reports: ClassVar = Kind.TRACE

    pods: PodFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: TraceFlags
    connection: ConnectionFlags
