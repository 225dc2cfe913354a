"""`kexplain what-if`: nodes added or gone, workloads scaled, manifests applied."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option, utf8
from kexplain.cli.flags.report import TableFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.spelling import as_argument
from kexplain.load.text.source import STDIN
from kexplain.parameters import are_spelled
from kexplain.render import Kind


class AskedChange(NamedTuple):
    """A change as it was asked for: the field of its option, and the value."""

    option: str
    value: str

    def __str__(self) -> str:
        # What an agent hands over is no stream to it.
        value = STDIN if self.value == "-" and are_spelled(as_argument) else self.value
        return f"{self.option.replace('_', '-')} {value}"


class ChangeFlags(Struct, frozen=True, kw_only=True):
    """The changes, any number of each; they are made in the order in which they are given."""

    panel: ClassVar = "The changes, in their order"

    add_node: Annotated[Words, option()] = ()
    remove_node: Annotated[Words, option()] = ()
    cordon: Annotated[Words, option()] = ()
    uncordon: Annotated[Words, option()] = ()
    taint: Annotated[Words, option()] = ()
    label: Annotated[Words, option()] = ()
    scale: Annotated[Words, option()] = ()
    resize: Annotated[Words, option()] = ()
    requests: Annotated[Words, option()] = ()
    delete_pods: Annotated[Words, option()] = ()
    apply: Annotated[Words, option()] = ()
    set: Annotated[Words, option()] = ()
    changes: Annotated[Words, option()] = ()

    def in_order(self, order: Sequence[str]) -> Iterator[AskedChange]:
        """The changes in the order in which their options were given."""
        values = {name: iter(getattr(self, name)) for name in self.__struct_fields__}
        for name in order:
            if name in values and (value := next(values[name], None)) is not None:
                yield AskedChange(name, value)


class PlaceFlags(Struct, frozen=True, kw_only=True):
    """The namespace of what the changes name without one."""

    panel: ClassVar = "The comparison"

    namespace: Annotated[str, option("-n", callback=utf8)] = ""
    all_running: Annotated[bool, option()] = False
    figures: Annotated[bool, option()] = False


class Request(Struct, frozen=True, kw_only=True):
    """What becomes pending, and what fits, if nodes, workloads or pods change?

    Nothing is changed: the pods of the changed cluster are placed, and compared with those of the cluster as it is.

    For example:
        kexplain what-if --add-node 2=pool:general --scale deploy/web=40  # grow
        kexplain what-if --remove-node node-3 --cluster dump.json  # shrink
        kexplain pod.yaml -o json | kexplain what-if --apply pod.yaml --changes -  # try a remedy
    """

    reports: ClassVar = Kind.WHAT_IF

    change: ChangeFlags
    comparison: PlaceFlags
    cluster: ClusterFlags
    scheduler: CycleFlags
    report: TableFlags
    connection: ConnectionFlags
