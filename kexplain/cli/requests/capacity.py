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

    limit: Annotated[int | None, option(min=1, max=1_000_000)] = None
    until_pending: Annotated[bool, option()] = False
    proportions: Annotated[str, option()] = ""
    workers: Annotated[int | None, option(min=1)] = None
    dask: Annotated[str, option(callback=utf8)] = ""
    preempt: Annotated[bool, option()] = False
    figures: Annotated[bool, option()] = False


class CapacityFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the capacity."""

    verbose: Annotated[bool, option("-v")] = False


class Request(Struct, frozen=True, kw_only=True):
    """How many more of these pods fit, where, and what stops the next one?

    Without POD, the headroom of every workload that runs, the tightest first, and what the cluster has left.

    For example:
        kexplain capacity web.yaml --cluster dump.json  # how many more of a pod
        kexplain capacity --cluster dump.json  # the headroom of every workload
        kexplain capacity web.yaml db.yaml --until-pending --proportions 3,1  # of several pods in proportion
    """

    reports: ClassVar = Kind.CAPACITY
    without_pods: ClassVar = "every workload that runs"

    filling: FillingFlags
    pods: PodFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: CapacityFlags
    connection: ConnectionFlags
