"""`kexplain POD`: why pods do not schedule, or where they land."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import option
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import FixFlags
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.render import Kind

if TYPE_CHECKING:
    from kexplain.render.view import View


class QueueFlags(CycleFlags, frozen=True, kw_only=True):
    """The scheduler, and how far its queue is followed."""

    until_settled: Annotated[bool, option()] = False


class ExplanationFlags(FixFlags, frozen=True, kw_only=True):
    """What is shown of the decisions."""

    #: How often it is said.
    verbose: Annotated[int, option("-v", count=True)] = 0  # type: ignore[assignment] # other commands only ask whether
    node: Annotated[str, option()] = ""
    plugin: Annotated[str, option()] = ""
    all_failures: Annotated[bool, option()] = False
    all_remedies: Annotated[bool, option()] = False
    group_nodes: Annotated[bool, option()] = False
    write: Annotated[bool, option()] = False

    @property
    def shows_everything(self) -> bool:
        """Whether the last step of the ladder is asked for, in either spelling."""
        return self.verbose > 1 or any(each.partition("=")[0] == "wide" for each in self.output)

    @property
    def shows_search(self) -> bool:
        """Whether it is said how the search over the nodes went."""
        return self.verbose > 0 or self.shows_everything or bool(self.node)

    @property
    def seeks_last_resorts(self) -> bool:
        """Whether last resorts are sought, too; `--fix` may name one of them, as they come behind all others."""
        return self.all_remedies or self.shows_everything or (self.fix or 0) > 1

    def view(self) -> "View":
        """The same, with all that the steps of the ladder stand for."""
        view = replace(super().view(), verbose=self.verbose > 0)
        return view.with_everything() if self.verbose > 1 else view


class Request(Struct, frozen=True, kw_only=True):
    """Why do these pods not schedule, or why do they land where they land?

    For example:
        kexplain pod/web -n shop  # a pod of the live cluster
        kexplain pod.yaml --nodes nodes.yaml  # a manifest, without any cluster
        kexplain --cluster dump.json  # every pending pod in a dump
    """

    reports: ClassVar = Kind.EXPLANATION

    pods: PodFlags
    cluster: ClusterFlags
    scheduler: QueueFlags
    report: ExplanationFlags
    connection: ConnectionFlags
