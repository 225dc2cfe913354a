"""`kexplain diff`: the same pods under two schedulers, or in two clusters."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option, utf8
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class FailOn(StrEnum):
    """The least change that fails."""

    ANY = "any"
    NODE = "node"
    VERDICT = "verdict"


class ChangeFlags(Struct, frozen=True, kw_only=True):
    """What differs on the second side."""

    panel: ClassVar = "The change"

    to_kubernetes_version: Annotated[
        str, option(metavar="VERSION", daily=True, help="The release to compare with.")
    ] = ""
    to_config: Annotated[
        str, option(metavar="FILE", daily=True, help="The configuration to compare with; default means none.")
    ] = ""
    to_feature_gates: Annotated[
        Words, option(metavar="GATE=true|false,…", daily=True, help="Feature gates that change.")
    ] = ()
    to_policy: Annotated[str, option(metavar="FILE", help="The Policy to compare with.")] = ""
    to_cluster: Annotated[Words, option(metavar="FILE|DIR", daily=True, help="The cluster to compare with.")] = ()
    all_running: Annotated[
        bool, option(daily=True, help="Also compare every running pod. Each is taken out by itself and placed anew.")
    ] = False
    fail_on: Annotated[
        FailOn,
        option(
            metavar="any|node|verdict",
            daily=True,
            help="Exit with 1 if anything changes (the default), if a pod lands elsewhere, or only if its outcome "
            "changes.",
        ),
    ] = FailOn.ANY
    workers: Annotated[
        int | None, option(min=1, metavar="N", help="Processes for --all-running; default is one per core.")
    ] = None
    dask: Annotated[
        str,
        option(metavar="ADDRESS", callback=utf8, help="Spread --all-running over Dask workers."),
    ] = ""


class DifferenceFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the difference."""

    verbose: Annotated[bool, option("-v", daily=True, help="Also show pods for which only ranks change.")] = False


class Request(Struct, frozen=True, kw_only=True):
    """What changes for these pods with another configuration, release, Policy or cluster?"""

    examples: ClassVar = (
        ("kexplain diff --cluster prod.json --to-kubernetes-version 1.36", "after an upgrade"),
        ("kexplain diff --to-config new.yaml --all-running", "every pod of the live cluster"),
    )
    reports: ClassVar = Kind.DIFFERENCE

    change: ChangeFlags
    pods: PodFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: DifferenceFlags
    connection: ConnectionFlags
