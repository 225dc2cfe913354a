"""`kexplain drain`: where everybody would go, and who would be left without a place."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, argument, option, utf8
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class FailOn(StrEnum):
    """What fails of several nodes that are to go one by one."""

    ALL = "all"
    ANY = "any"


class NodeFlags(Struct, frozen=True, kw_only=True):
    """The nodes to drain."""

    panel: ClassVar = "What to drain"

    node_names: Annotated[Words, argument(metavar="NODE", help="The nodes, one after the other.")] = ()
    selector: Annotated[
        str, option("-l", metavar="LABELS", callback=utf8, daily=True, help="The nodes with these labels: pool=batch.")
    ] = ""
    force: Annotated[
        bool, option(daily=True, help="Delete pods that no controller would recreate, as kubectl drain does.")
    ] = False
    delete_emptydir_data: Annotated[
        bool, option(daily=True, help="Evict pods with emptyDir volumes, whose data is lost.")
    ] = False
    ignore_daemonsets: Annotated[
        bool, option(help="Accepted as kubectl does; pods of DaemonSets always stay here.")
    ] = False
    disable_eviction: Annotated[bool, option(help="Delete pods without asking their disruption budgets.")] = False
    apply: Annotated[
        Words, option(metavar="FILE", daily=True, help="Apply manifests first, new ones and changed ones.")
    ] = ()
    each: Annotated[
        bool,
        option(daily=True, help="Each node alone, the others as they are; without names, which of all nodes could go."),
    ] = False
    fail_on: Annotated[
        FailOn,
        option(
            metavar="all|any",
            daily=True,
            help="With --each, exit with 1 if no node can go (all, the default), or if any cannot (any): whether one "
            "may be lost.",
        ),
    ] = FailOn.ALL
    one_by_one: Annotated[
        bool, option(daily=True, help="A rolling upgrade: each node in turn, back in service before the next.")
    ] = False
    surge: Annotated[
        int,
        option(
            min=0,
            metavar="N",
            daily=True,
            help="A rolling upgrade by replacement: N fresh nodes of the same pools join before N nodes leave.",
        ),
    ] = 0


class Request(Struct, frozen=True, kw_only=True):
    """Where do the pods of these nodes go, and who is left without a place?

    Nothing is drained: pods leave as kubectl drain would have them leave, and are placed anew.
    """

    examples: ClassVar = (
        ("kexplain drain node-3", "a node of the live cluster"),
        ("kexplain drain --each --cluster dump.json", "which of all nodes could be drained now"),
        (
            "kexplain drain --each --fail-on any --apply new.yaml --cluster dump.json",
            "N+1 after a change, in a pipeline",
        ),
        ("kexplain drain -l pool=batch --one-by-one --cluster dump.json", "a rolling upgrade"),
    )
    reports: ClassVar = Kind.DRAIN

    nodes: NodeFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: TableFlags
    connection: ConnectionFlags
