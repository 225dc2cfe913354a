"""`kexplain what-if`: nodes added or gone, workloads scaled, manifests applied."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option, utf8
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind


class AskedChange(NamedTuple):
    """A change as it was asked for: the field of its option, and the value."""

    option: str
    value: str

    def __str__(self) -> str:
        return f"{self.option.replace('_', '-')} {self.value}"


class ChangeFlags(Struct, frozen=True, kw_only=True):
    """The changes, any number of each; they are made in the order in which they are given."""

    panel: ClassVar = "The changes, in their order"

    add_node: Annotated[
        Words,
        option(metavar="[N=]like:NODE|pool:NAME|FILE", daily=True, help="Add N nodes like one, of a pool or a file."),
    ] = ()
    remove_node: Annotated[Words, option(metavar="NODE", daily=True, help="Remove a node.")] = ()
    cordon: Annotated[Words, option(metavar="NODE", daily=True, help="Cordon a node.")] = ()
    uncordon: Annotated[Words, option(metavar="NODE", daily=True, help="Uncordon a node.")] = ()
    taint: Annotated[
        Words,
        option(metavar="NODE KEY=VALUE:EFFECT", daily=True, help="Taint a node; KEY- removes a taint."),
    ] = ()
    label: Annotated[
        Words, option(metavar="NODE KEY=VALUE", daily=True, help="Label a node; KEY- removes a label.")
    ] = ()
    scale: Annotated[
        Words, option(metavar="KIND/NAME=N", daily=True, help="Scale a workload to N pods: deploy/web=40.")
    ] = ()
    delete_pods: Annotated[
        Words, option(metavar="LABELS", daily=True, help="Delete the pods with these labels: app=web.")
    ] = ()
    apply: Annotated[Words, option(metavar="FILE", daily=True, help="Apply manifests, new ones and changed ones.")] = ()
    set: Annotated[
        Words,
        option(
            metavar="KIND/NAME PATH=VALUE",
            daily=True,
            help="Set a field: deploy/web spec.template.spec.priority=100. A VALUE is read as YAML.",
        ),
    ] = ()
    changes: Annotated[
        Words,
        option(metavar="FILE", daily=True, help="Make the changes of a report's remedies, from kexplain -o json."),
    ] = ()

    def in_order(self, order: Sequence[str]) -> Iterator[AskedChange]:
        """The changes in the order in which their options were given."""
        values = {name: iter(getattr(self, name)) for name in self.__struct_fields__}
        for name in order:
            if name in values and (value := next(values[name], None)) is not None:
                yield AskedChange(name, value)


class PlaceFlags(Struct, frozen=True, kw_only=True):
    """The namespace of what the changes name without one."""

    panel: ClassVar = "The comparison"

    namespace: Annotated[
        str, option("-n", metavar="NAME", callback=utf8, daily=True, help="Namespace of objects that name none.")
    ] = ""
    all_running: Annotated[
        bool, option(daily=True, help="Also list running pods that would land elsewhere if they were placed now.")
    ] = False


class Request(Struct, frozen=True, kw_only=True):
    """What becomes pending, and what fits, if nodes, workloads or pods change?

    Nothing is changed: the pods of the changed cluster are placed, and compared with those of the cluster as it is.
    """

    examples: ClassVar = (
        ("kexplain what-if --add-node 2=pool:general --scale deploy/web=40", "grow"),
        ("kexplain what-if --remove-node node-3 --cluster dump.json", "shrink"),
        ("kexplain pod.yaml -o json | kexplain what-if --apply pod.yaml --changes -", "try a remedy"),
    )
    reports: ClassVar = Kind.WHAT_IF

    change: ChangeFlags
    comparison: PlaceFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: TableFlags
    connection: ConnectionFlags
