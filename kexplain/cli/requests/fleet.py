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

    cluster: Annotated[
        Words,
        option(
            metavar="[NAME=]FILE|DIR",
            daily=True,
            help="A cluster: a dump, a snapshot or a directory of manifests, and what to call it. Can be repeated.",
        ),
    ] = ()
    clusters: Annotated[
        Words, option(metavar="DIR", daily=True, help="A directory in which each file or directory is a cluster.")
    ] = ()
    contexts: Annotated[
        Words,
        option(
            metavar="PATTERN",
            callback=lambda values: [utf8(value) for value in values or ()],
            daily=True,
            help="The live clusters of the kubeconfig's contexts with such names: prod-*.",
        ),
    ] = ()
    workers: Annotated[
        int | None, option(min=1, metavar="N", help="Processes to ask clusters in parallel; default is one per core.")
    ] = None
    dask: Annotated[str, option(metavar="ADDRESS", callback=utf8, help="Spread clusters over Dask workers.")] = ""


class Request(Struct, frozen=True, kw_only=True):
    """On which of my clusters would this fit? A row a cluster, first those that one would choose."""

    examples: ClassVar = (
        ("kexplain fleet pod.yaml --cluster east=a.json --cluster west=b.json", "clusters in files"),
        ("kexplain fleet pod.yaml --contexts 'prod-*'", "live clusters, by their contexts"),
        ("kexplain fleet train.yaml --clusters snapshots/ -o json", "every snapshot of a directory"),
    )
    reports: ClassVar = Kind.FLEET
    without_pods: ClassVar = "none"

    pods: PodFlags
    clusters: FleetFlags
    scheduler: CycleFlags
    report: ReportFlags
    connection: ConnectionFlags
