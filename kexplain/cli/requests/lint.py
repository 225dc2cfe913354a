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

    paths: Annotated[Words, argument(metavar="PATH", help="Manifests: files, directories, - for stdin.")] = ()
    kustomize: Annotated[
        Words,
        option("-k", metavar="DIR", daily=True, help="Build a kustomization, with kustomize or kubectl."),
    ] = ()
    namespace: Annotated[
        str, option("-n", metavar="NAME", daily=True, help="The namespace of objects that name none.")
    ] = ""


class LintedClusterFlags(ClusterFlags, frozen=True, kw_only=True):
    """The files that describe the cluster, or that it is the live one."""

    live: Annotated[
        bool, option(daily=True, help="The cluster is the live one, which is only read. Its release is checked for.")
    ] = False
    recursive: Annotated[bool, option("-R", daily=True, help="Read subdirectories too.")] = False


class CheckFlags(Struct, frozen=True, kw_only=True):
    """What counts as a failure, and what an API server adds."""

    panel: ClassVar = "The checks"

    fail_on: Annotated[
        FailOn | None,
        option(metavar="error|warning|info", daily=True, help="The lowest severity that fails; default is error."),
    ] = None
    exit_zero: Annotated[bool, option(daily=True, help="Exit with 0 whatever is found.")] = False
    allow_empty: Annotated[bool, option(help="Succeed if there is no Kubernetes object at all.")] = False
    baseline: Annotated[str, option(metavar="FILE", daily=True, help="Leave out the findings in that file.")] = ""
    write_baseline: Annotated[
        str, option(metavar="FILE", daily=True, is_output=True, help="Write the findings to that file, and succeed.")
    ] = ""
    settings: Annotated[
        str,
        option(
            metavar="FILE|none",
            help="The settings to use. Default is the nearest .kexplain.yaml, in this directory or above.",
        ),
    ] = ""
    enable_admission_plugins: Annotated[
        Words,
        option(
            metavar="PLUGIN,…",
            help="Optional admission plugins that the API server runs: PodNodeSelector, PodTolerationRestriction, "
            "ExtendedResourceToleration, LimitPodHardAntiAffinityTopology.",
        ),
    ] = ()


class FindingFlags(ReportFlags, frozen=True, kw_only=True):
    """What is shown of the findings."""

    verbose: Annotated[bool, option("-v", daily=True, help="Also show what is ignored, and why.")] = False
    fix: Annotated[
        bool,
        option(
            daily=True,
            help="Print a diff that corrects what is certain. That is misspelt fields, missing and needless quotes, "
            "wrong units, and old API versions whose successor has the same fields.",
        ),
    ] = False
    write: Annotated[bool, option(daily=True, help="With --fix, change the files, and report what is left.")] = False


class Request(Struct, frozen=True, kw_only=True):
    """Could these manifests be created, would they schedule, and do they say what their author meant?"""

    examples: ClassVar = (
        ("kexplain lint -R manifests/", "without a cluster"),
        ("kexplain lint -R manifests/ --cluster cluster.json", "also whether everything schedules"),
        ("kexplain lint -R manifests/ --kubernetes-version 1.31,1.36", "before an upgrade"),
        ("kexplain lint -R manifests/ --live", "on the live cluster"),
        ("kexplain lint -R manifests/ --fix --write", "correct what is certain"),
        ("helm template chart/ | kexplain lint - -o sarif=lint.sarif", "in CI"),
    )
    reports: ClassVar = Kind.FINDINGS

    manifests: ManifestFlags
    cluster: LintedClusterFlags
    checks: CheckFlags
    scheduler: SchedulerFlags
    report: FindingFlags
    connection: ConnectionFlags
