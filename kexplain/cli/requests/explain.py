"""`kexplain POD`: why pods do not schedule, or where they land."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import option
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class QueueFlags(CycleFlags, frozen=True, kw_only=True):
    """The scheduler, and how far its queue is followed."""

    until_settled: Annotated[
        bool,
        option(
            daily=True,
            help="Follow the queue to its end. Preemption is carried out: victims leave, and come back if they have a "
            "controller.",
        ),
    ] = False


class ExplanationFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the decisions."""

    verbose: Annotated[
        bool,
        option(
            "-v",
            daily=True,
            help="Show all scores and every step. Raw and normalized scores come with how they are computed.",
        ),
    ] = False
    node: Annotated[str, option(metavar="NAME", daily=True, help="Show everything about that node.")] = ""
    plugin: Annotated[str, option(metavar="NAME", help="Show only what that plugin says.")] = ""
    all_failures: Annotated[bool, option(daily=True, help="Show what else would reject each node.")] = False
    all_remedies: Annotated[bool, option(help="Show everything that would help, last resorts included.")] = False
    fix: Annotated[
        int | None,
        option(
            min=1,
            metavar="N",
            help="Print what would help, the Nth of the list, as a diff of the manifest or as commands. Nothing is "
            "applied.",
        ),
    ] = None


class Request(Struct, frozen=True, kw_only=True):
    """Why do these pods not schedule, or why do they land where they land?"""

    examples: ClassVar = (
        ("kexplain pod/web -n shop", "a pod of the live cluster"),
        ("kexplain pod.yaml --nodes nodes.yaml", "a manifest, without any cluster"),
        ("kexplain --cluster dump.json", "every pending pod in a dump"),
    )
    reports: ClassVar = Kind.EXPLANATION

    pods: PodFlags
    cluster: ClusterFlags
    scheduler: QueueFlags
    report: ExplanationFlags
    connection: ConnectionFlags
