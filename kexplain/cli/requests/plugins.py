"""`kexplain plugins`: the scheduler that the options describe."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from kexplain.cli.flags.declaring import option
from kexplain.cli.flags.report import OutputFlags
from kexplain.cli.flags.scheduler import SchedulerFlags
from kexplain.render import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingFlags(OutputFlags):
    """What is shown of the scheduler."""

    verbose: Annotated[
        bool, option("-v", daily=True, help="Show what the release is like, as --kubernetes-version does.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Which plugins run where, in which order, with which weights and arguments?"""

    examples: ClassVar = (
        ("kexplain plugins --config scheduler.yaml", "every profile of a configuration"),
        ("kexplain plugins --kubernetes-version 1.34", "the default profile of a release"),
    )
    reports: ClassVar = Kind.PLUGINS

    scheduler: SchedulerFlags
    report: ListingFlags
