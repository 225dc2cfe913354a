"""`kexplain fleet`: on which of several clusters pods fit."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option, utf8
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import ReportFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class FleetFlags(Struct, frozen=True, kw_only=True):
    """The clusters to ask."""

    panel: ClassVar = "The clusters"

    cluster: Annotated[Words, option()] = ()
    clusters: Annotated[Words, option()] = ()
    contexts: Annotated[Words, option(callback=lambda values: [utf8(value) for value in values or ()])] = ()
    workers: Annotated[int | None, option(min=1)] = None
    dask: Annotated[str, option(callback=utf8)] = ""


class Request(Struct, frozen=True, kw_only=True):
    """On which of my clusters would this fit? A row a cluster, first those that one would choose.

    For example:
        kexplain fleet pod.yaml --cluster east=a.json --cluster west=b.json  # clusters in files
        kexplain fleet pod.yaml --contexts 'prod-*'  # live clusters, by their contexts
        kexplain fleet train.yaml --clusters snapshots/ -o json  # every snapshot of a directory
    """

    reports: ClassVar = Kind.FLEET
    without_pods: ClassVar = "none"

    pods: PodFlags
    clusters: FleetFlags
    scheduler: CycleFlags
    report: ReportFlags
    connection: ConnectionFlags
