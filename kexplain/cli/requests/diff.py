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
    WORSE = "worse"


class ChangeFlags(Struct, frozen=True, kw_only=True):
    """What differs on the second side."""

    panel: ClassVar = "The change"

    to_kubernetes_version: Annotated[str, option()] = ""
    to_config: Annotated[str, option()] = ""
    to_feature_gates: Annotated[Words, option()] = ()
    to_policy: Annotated[str, option()] = ""
    to_cluster: Annotated[Words, option()] = ()
    from_time: Annotated[str, option(callback=utf8)] = ""
    to_time: Annotated[str, option(callback=utf8)] = ""
    all_running: Annotated[bool, option()] = False
    figures: Annotated[bool, option()] = False
    fail_on: Annotated[FailOn, option()] = FailOn.ANY
    workers: Annotated[int | None, option(min=1)] = None
    dask: Annotated[str, option(callback=utf8)] = ""


class DifferenceFlags(TableFlags, frozen=True, kw_only=True):
    """What is shown of the difference."""

    verbose: Annotated[bool, option("-v")] = False
    group_nodes: Annotated[bool, option()] = False


class Request(Struct, frozen=True, kw_only=True):
    """What changes for these pods with another configuration, release, Policy or cluster?

    For example:
        kexplain diff --cluster prod.json --to-kubernetes-version 1.36  # after an upgrade
        kexplain diff --to-config new.yaml --all-running  # every pod of the live cluster
        kexplain diff pod/web --cluster snapshots/ --from-time 02:00 --to-time 03:00  # what has changed since
    """

    reports: ClassVar = Kind.DIFFERENCE

    change: ChangeFlags
    pods: PodFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: DifferenceFlags
    connection: ConnectionFlags
