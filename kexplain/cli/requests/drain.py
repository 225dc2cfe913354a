"""`kexplain drain`: where everybody would go, and who would be left without a place."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, argument, option, utf8
from kexplain.cli.flags.report import FixFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class FailOn(StrEnum):
    """What fails of several nodes that are to go one by one."""

    ALL = "all"
    ANY = "any"


class NodeFlags(Struct, frozen=True, kw_only=True):
    """The nodes to drain."""

    panel: ClassVar = "What to drain"

    node_names: Annotated[Words, argument()] = ()
    selector: Annotated[str, option("-l", callback=utf8)] = ""
    force: Annotated[bool, option()] = False
    delete_emptydir_data: Annotated[bool, option()] = False
    ignore_daemonsets: Annotated[bool, option()] = False
    disable_eviction: Annotated[bool, option()] = False
    apply: Annotated[Words, option()] = ()
    each: Annotated[bool, option()] = False
    by: Annotated[str, option()] = ""
    fail_on: Annotated[FailOn, option()] = FailOn.ALL
    one_by_one: Annotated[bool, option()] = False
    surge: Annotated[int, option(min=0)] = 0


class Request(Struct, frozen=True, kw_only=True):
    """Where do the pods of these nodes go, and who is left without a place?

    Nothing is drained: pods leave as kubectl drain would have them leave, and are placed anew.

    For example:
        kexplain drain node-3  # a node of the live cluster
        kexplain drain --each --cluster dump.json  # which of all nodes could be drained now
        kexplain drain --each --fail-on any --apply new.yaml --cluster dump.json  # N+1 after a change, in a pipeline
        kexplain drain -l pool=batch --one-by-one --cluster dump.json  # a rolling upgrade
    """

    reports: ClassVar = Kind.DRAIN

    nodes: NodeFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: FixFlags
    connection: ConnectionFlags
