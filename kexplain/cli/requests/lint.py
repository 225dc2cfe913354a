"""`kexplain lint`: manifests before they reach a cluster."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, argument, option
from kexplain.cli.flags.report import ReportFlags
from kexplain.cli.flags.scheduler import SchedulerFlags
from kexplain.render import Kind


class FailOn(StrEnum):
    """From which severity on lint fails."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class ManifestFlags(Struct, frozen=True, kw_only=True):
    """The manifests to look at."""

    panel: ClassVar = "What to lint"

    paths: Annotated[Words, argument()] = ()
    kustomize: Annotated[Words, option("-k")] = ()
    namespace: Annotated[str, option("-n")] = ""


class LintedClusterFlags(ClusterFlags, frozen=True, kw_only=True):
    """The files that describe the cluster, or that it is the live one."""

    live: Annotated[bool, option()] = False
    recursive: Annotated[bool, option("-R")] = False


class CheckFlags(Struct, frozen=True, kw_only=True):
    """What counts as a failure, and what an API server adds."""

    panel: ClassVar = "The checks"

    fail_on: Annotated[FailOn | None, option()] = None
    exit_zero: Annotated[bool, option()] = False
    allow_empty: Annotated[bool, option()] = False
    baseline: Annotated[str, option()] = ""
    write_baseline: Annotated[str, option(is_output=True)] = ""
    settings: Annotated[str, option()] = ""
    enable_admission_plugins: Annotated[Words, option()] = ()


class FindingFlags(ReportFlags, frozen=True, kw_only=True):
    """What is shown of the findings."""

    verbose: Annotated[bool, option("-v")] = False
    fix: Annotated[bool, option()] = False
    write: Annotated[bool, option()] = False


class Request(Struct, frozen=True, kw_only=True):
    """Could these manifests be created, would they schedule, and do they say what their author meant?

    For example:
        kexplain lint -R manifests/  # without a cluster
        kexplain lint -R manifests/ --cluster cluster.json  # also whether everything schedules
        kexplain lint -R manifests/ --kubernetes-version 1.31,1.36  # before an upgrade
        kexplain lint -R manifests/ --live  # on the live cluster
        kexplain lint -R manifests/ --fix --write  # correct what is certain
        helm template chart/ | kexplain lint - -o sarif=lint.sarif  # in CI
    """

    reports: ClassVar = Kind.FINDINGS

    manifests: ManifestFlags
    cluster: LintedClusterFlags
    checks: CheckFlags
    scheduler: SchedulerFlags
    report: FindingFlags
    connection: ConnectionFlags
