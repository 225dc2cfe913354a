"""`kexplain capacity`: how many more pods fit, where, and what stops the next one."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import option, utf8
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class FillingFlags(Struct, frozen=True, kw_only=True):
    """How far to fill the cluster."""

    panel: ClassVar = "How nodes are filled"

    limit: Annotated[
        int | None,
        option(
            min=1,
            max=1_000_000,
            metavar="N",
            daily=True,
            help="Stop at N of each. Without POD the default is 100, else 20000.",
        ),
    ] = None
    until_pending: Annotated[
        bool,
        option(
            daily=True,
            help="Place all PODs together, in the proportions of their replicas, until one does not fit.",
        ),
    ] = False
    proportions: Annotated[
        str, option(metavar="N,…", daily=True, help="With --until-pending, how many of each POD at a time: 3,1.")
    ] = ""
    workers: Annotated[
        int | None, option(min=1, metavar="N", help="Processes to count pods in parallel; default is one per core.")
    ] = None
    dask: Annotated[str, option(metavar="ADDRESS", callback=utf8, help="Spread pods over Dask workers.")] = ""
    preempt: Annotated[
        bool, option(daily=True, help="Let the replicas evict pods of lower priority; default is not to.")
    ] = False


class CapacityFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the capacity."""

    verbose: Annotated[bool, option("-v", daily=True, help="Show the nodes and causes of every pod.")] = False


class Request(Struct, frozen=True, kw_only=True):
    """How many more of these pods fit, where, and what stops the next one?

    Without POD, the headroom of every workload that runs, the tightest first, and what the cluster has left.
    """

    examples: ClassVar = (
        ("kexplain capacity web.yaml --cluster dump.json", "how many more of a pod"),
        ("kexplain capacity --cluster dump.json", "the headroom of every workload"),
        ("kexplain capacity web.yaml db.yaml --until-pending --proportions 3,1", "of several pods in proportion"),
    )
    reports: ClassVar = Kind.CAPACITY
    without_pods: ClassVar = "every workload that runs"

    filling: FillingFlags
    pods: PodFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: CapacityFlags
    connection: ConnectionFlags
