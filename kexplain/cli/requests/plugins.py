"""`kexplain plugins`: the scheduler that the options describe."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument, option
from kexplain.cli.flags.report import OutputFlags
from kexplain.cli.flags.scheduler import SchedulerFlags
from kexplain.render import Kind


class ListingFlags(OutputFlags, frozen=True, kw_only=True):
    """What is shown of the scheduler."""

    verbose: Annotated[bool, option("-v")] = False


class Request(Struct, frozen=True, kw_only=True):
    """Which plugins run where, in which order, with which weights and arguments; or all about one of them.

    For example:
        kexplain plugins --config scheduler.yaml  # every profile of a configuration
        kexplain plugins --kubernetes-version 1.34  # the default profile of a release
        kexplain plugins --kubernetes-version 1.36,1.38  # what differs between two releases
        kexplain plugins NodeResourcesFit  # what one looks at, what it says and what helps
    """

    panel: ClassVar = "What to show"
    reports: ClassVar = Kind.PLUGINS

    plugin: Annotated[str, argument()] = ""
    scheduler: SchedulerFlags
    report: ListingFlags
