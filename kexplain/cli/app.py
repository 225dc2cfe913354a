"""The commands and their options."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from kexplain import __version__
from kexplain.cli import options
from kexplain.cli.connection_flags import ConnectionFlags, with_connection_flags

DEFAULT_COMMAND = "explain"
COMMANDS = (
    DEFAULT_COMMAND,
    "diff",
    "lint",
    "rules",
    "plugins",
    "snapshot",
    "schema",
    "completion",
    "version",
)

SUMMARY = "Why didn't my pod schedule? Runs the whole scheduling cycle of kube-scheduler offline, and explains it."

app = typer.Typer(
    name="kexplain",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=SUMMARY,
)

_HELP = {"help_option_names": ["-h", "--help"]}
_EPILOG = (
    "Other commands: kexplain diff, kexplain lint, kexplain rules, kexplain plugins, kexplain snapshot, "
    "kexplain schema, kexplain completion bash|zsh|fish, kexplain version. Exit codes: 0 everything fits, "
    "1 something does not, 2 usage or input, 3 the cluster could not be read, 70 a bug."
)


class Shell(StrEnum):
    """Shells that completion can be printed for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


class Document(StrEnum):
    """Kinds of documents that -o json prints."""

    REPORT = "report"
    DIFF = "diff"
    PLUGINS = "plugins"
    LINT = "lint"
    RULES = "rules"
    SETTINGS = "settings"


class FailOn(StrEnum):
    """From which severity on lint fails."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@app.command(DEFAULT_COMMAND, epilog=_EPILOG, context_settings=_HELP)
@with_connection_flags
def explain(  # noqa: PLR0917 (the options are the interface)
    pods: options.Pods = None,
    filename: options.Filename = None,
    nodes: options.Nodes = None,
    running: options.RunningPods = None,
    cluster: options.ClusterFiles = None,
    recursive: options.Recursive = False,
    namespace: options.Namespace = "",
    all_namespaces: options.AllNamespaces = False,
    selector: options.LabelSelector = "",
    field_selector: options.FieldSelector = "",
    replicas: options.Replicas = None,
    config: options.Config = "",
    policy: options.Policy = "",
    max_pd_volumes: options.MaxPdVolumes = None,
    kubernetes_version: options.KubernetesVersion = "",
    feature_gates: options.FeatureGates = None,
    scheduler_name: options.SchedulerName = "",
    percentage_of_nodes_to_score: options.Percentage = None,
    call_extenders: options.CallExtenders = False,
    start_index: options.StartIndex = 0,
    node: Annotated[str, typer.Option(metavar="NAME", help="Everything about that node.")] = "",
    plugin: Annotated[str, typer.Option(metavar="NAME", help="Only what that plugin says.")] = "",
    all_failures: Annotated[
        bool, typer.Option("--all-failures", help="Also what lies behind the first rejection, in full.")
    ] = False,
    no_preemption: options.NoPreemption = False,
    top: options.Top = 10,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FORMAT[=FILE]",
            help="text, wide, name, json, yaml, markdown, csv or event; may be given several times, with a file each.",
        ),
    ] = None,
    color: options.Colors = options.Color.AUTO,
    width: options.Width = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Raw and normalized scores, how they come about, every step.")
    ] = False,
    quiet: options.Quiet = False,
    *,
    connection: ConnectionFlags,
) -> int:
    """Why do these pods not schedule, or why do they land where they land?

    kexplain pod/web -n shop, or kexplain pod.yaml --nodes nodes.yaml --pods pods.yaml; without POD, every pod that is
    pending
    """
    # The engine is imported only by the command that runs it: --help stays fast.
    from kexplain.cli.connection import connection_or_none  # noqa: PLC0415
    from kexplain.cli.explain import Request, run  # noqa: PLC0415
    from kexplain.cli.inputs import Inputs  # noqa: PLC0415
    from kexplain.cli.scheduler import parse_feature_gates  # noqa: PLC0415
    from kexplain.config.scheduler_settings import SchedulerSettings  # noqa: PLC0415

    return run(
        Request(
            inputs=Inputs(
                references=[*(pods or []), *(filename or [])],
                cluster=[*(nodes or []), *(running or []), *(cluster or [])],
                recursive=recursive,
                namespace=namespace,
                all_namespaces=all_namespaces,
                selector=selector,
                field_selector=field_selector,
                replicas=replicas,
                connection=connection_or_none(connection, os.environ),
            ),
            scheduler=SchedulerSettings(
                config=config,
                policy=policy,
                max_pd_volumes=max_pd_volumes,
                kubernetes_version=kubernetes_version,
                feature_gates=parse_feature_gates(feature_gates or []),
                scheduler_name=scheduler_name,
                percentage_of_nodes_to_score=percentage_of_nodes_to_score,
                preempts=not no_preemption,
                calls_extenders=call_extenders,
                traces_everything=all_failures or bool(node or plugin),
            ),
            start_index=start_index,
            node=node,
            plugin=plugin,
            all_failures=all_failures,
            top=top,
            outputs=output or ["text"],
            color=color.value,
            width=width,
            verbose=verbose,
            quiet=quiet,
        )
    )


@app.command(context_settings=_HELP)
@with_connection_flags
def diff(  # noqa: PLR0917
    pods: options.Pods = None,
    filename: options.Filename = None,
    nodes: options.Nodes = None,
    running: options.RunningPods = None,
    cluster: options.ClusterFiles = None,
    recursive: options.Recursive = False,
    namespace: options.Namespace = "",
    all_namespaces: options.AllNamespaces = False,
    selector: options.LabelSelector = "",
    field_selector: options.FieldSelector = "",
    replicas: options.Replicas = None,
    config: options.Config = "",
    policy: options.Policy = "",
    max_pd_volumes: options.MaxPdVolumes = None,
    kubernetes_version: options.KubernetesVersion = "",
    feature_gates: options.FeatureGates = None,
    scheduler_name: options.SchedulerName = "",
    percentage_of_nodes_to_score: options.Percentage = None,
    call_extenders: options.CallExtenders = False,
    start_index: options.StartIndex = 0,
    no_preemption: options.NoPreemption = False,
    to_config: Annotated[
        str, typer.Option(metavar="FILE", help="The configuration after the change; default is none at all.")
    ] = "",
    to_policy: Annotated[str, typer.Option(metavar="FILE", help="The Policy after the change.")] = "",
    to_kubernetes_version: Annotated[str, typer.Option(metavar="VERSION", help="The release after the change.")] = "",
    to_feature_gates: Annotated[
        list[str] | None, typer.Option(metavar="GATE=true|false,…", help="Feature gates that the change sets.")
    ] = None,
    to_cluster: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|DIR", help="The cluster after the change, in place of all that stood in it before."),
    ] = None,
    all_running: Annotated[
        bool, typer.Option("--all-running", help="Every running pod too, each taken out by itself and placed anew.")
    ] = False,
    top: options.Top = 10,
    output: Annotated[
        list[str] | None,
        typer.Option("-o", "--output", metavar="FORMAT[=FILE]", help="text, json or yaml; several with a file each."),
    ] = None,
    color: options.Colors = options.Color.AUTO,
    width: options.Width = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Also pods that only rank otherwise.")] = False,
    quiet: options.Quiet = False,
    *,
    connection: ConnectionFlags,
) -> int:
    """What changes for these pods with another configuration, release, Policy or cluster?

    kexplain diff --cluster prod.json --to-kubernetes-version 1.36
    """
    from kexplain.cli.connection import connection_or_none  # noqa: PLC0415
    from kexplain.cli.diff import Request, Variant, run  # noqa: PLC0415
    from kexplain.cli.inputs import Inputs  # noqa: PLC0415
    from kexplain.cli.scheduler import after_change, parse_feature_gates  # noqa: PLC0415
    from kexplain.config.scheduler_settings import SchedulerSettings  # noqa: PLC0415

    inputs = Inputs(
        references=[*(pods or []), *(filename or [])],
        cluster=[*(nodes or []), *(running or []), *(cluster or [])],
        recursive=recursive,
        namespace=namespace,
        all_namespaces=all_namespaces,
        selector=selector,
        field_selector=field_selector,
        replicas=replicas,
        connection=connection_or_none(connection, os.environ),
    )
    scheduler = SchedulerSettings(
        config=config,
        policy=policy,
        # It is for the sides that have a Policy.
        max_pd_volumes=max_pd_volumes if policy or not to_policy else None,
        kubernetes_version=kubernetes_version,
        feature_gates=parse_feature_gates(feature_gates or []),
        scheduler_name=scheduler_name,
        percentage_of_nodes_to_score=percentage_of_nodes_to_score,
        preempts=not no_preemption,
        calls_extenders=call_extenders,
    )
    changed = after_change(
        scheduler,
        config=to_config,
        policy=to_policy,
        max_pd_volumes=max_pd_volumes,
        kubernetes_version=to_kubernetes_version,
        feature_gates=parse_feature_gates(to_feature_gates or []),
    )
    return run(
        Request(
            before=Variant(inputs, scheduler),
            after=Variant(replace(inputs, cluster=to_cluster) if to_cluster else inputs, changed),
            all_running=all_running,
            start_index=start_index,
            top=top,
            outputs=output or ["text"],
            color=color.value,
            width=width,
            verbose=verbose,
            quiet=quiet,
        )
    )


@app.command(context_settings=_HELP)
def lint(  # noqa: PLR0917
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Manifests: files, directories, - for stdin.", show_default=False),
    ] = None,
    kustomize: Annotated[
        list[str] | None,
        typer.Option("-k", "--kustomize", metavar="DIR", help="Build that kustomization, with kustomize or kubectl."),
    ] = None,
    nodes: options.Nodes = None,
    running: options.RunningPods = None,
    cluster: options.ClusterFiles = None,
    recursive: options.Recursive = False,
    namespace: Annotated[
        str, typer.Option("-n", "--namespace", metavar="NAME", help="Where objects go that name no namespace.")
    ] = "",
    fail_on: Annotated[
        FailOn | None,
        typer.Option(metavar="error|warning|info", help="Fail from that severity on; error if nothing else is said."),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Succeed whatever is found.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Succeed where there is no Kubernetes object at all.")
    ] = False,
    enable_admission_plugins: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLUGIN,…",
            help="Optional ones that the API server runs: PodNodeSelector, PodTolerationRestriction, "
            "ExtendedResourceToleration, LimitPodHardAntiAffinityTopology.",
        ),
    ] = None,
    baseline: Annotated[str, typer.Option(metavar="FILE", help="Leave out what that file lists.")] = "",
    write_baseline: Annotated[
        str, typer.Option(metavar="FILE", help="List what is found in that file, and succeed.")
    ] = "",
    settings: Annotated[
        str,
        typer.Option(metavar="FILE|none", help="In place of the nearest .kexplain.yaml, looked for upwards from here."),
    ] = "",
    config: options.Config = "",
    policy: options.Policy = "",
    kubernetes_version: options.KubernetesVersion = "",
    feature_gates: options.FeatureGates = None,
    scheduler_name: options.SchedulerName = "",
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FORMAT[=FILE]",
            help="text, json, yaml, sarif, junit, tap, github or markdown; several with a file each.",
        ),
    ] = None,
    color: options.Colors = options.Color.AUTO,
    width: options.Width = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Also what is ignored, and why.")] = False,
    quiet: options.Quiet = False,
) -> int:
    """Could these manifests be created, would they schedule, and do they say what was meant?

    kexplain lint -R manifests/ --cluster cluster.json
    """
    from kexplain.cli.lint import Request, run  # noqa: PLC0415
    from kexplain.cli.scheduler import parse_feature_gates  # noqa: PLC0415
    from kexplain.config.scheduler_settings import SchedulerSettings  # noqa: PLC0415

    return run(
        Request(
            paths=paths or [],
            kustomizations=kustomize or [],
            cluster=[*(nodes or []), *(running or []), *(cluster or [])],
            recursive=recursive,
            namespace=namespace,
            scheduler=SchedulerSettings(
                config=config,
                policy=policy,
                kubernetes_version=kubernetes_version,
                feature_gates=parse_feature_gates(feature_gates or []),
                scheduler_name=scheduler_name,
            ),
            fail_on=fail_on.value if fail_on else "",
            exit_zero=exit_zero,
            allow_empty=allow_empty,
            admission_plugins=[name for text in enable_admission_plugins or [] for name in text.split(",") if name],
            baseline=baseline,
            write_baseline=write_baseline,
            settings=settings,
            outputs=output or ["text"],
            color=color.value,
            width=width,
            verbose=verbose,
            quiet=quiet,
        )
    )


@app.command(context_settings=_HELP)
def rules(
    rule: Annotated[str, typer.Argument(metavar="[ID]", help="The rule to show the page of.")] = "",
    output: Annotated[
        list[str] | None,
        typer.Option("-o", "--output", metavar="FORMAT[=FILE]", help="text, json, yaml or markdown."),
    ] = None,
    color: options.Colors = options.Color.AUTO,
    width: options.Width = None,
) -> int:
    """What lint looks for: all rules, or the page of one, with examples.

    kexplain rules node-selector-no-node
    """
    from kexplain.cli.rules import Request, run  # noqa: PLC0415

    return run(Request(rule=rule, outputs=output or ["text"], color=color.value, width=width))


@app.command(context_settings=_HELP)
def plugins(  # noqa: PLR0917
    config: options.Config = "",
    policy: options.Policy = "",
    max_pd_volumes: options.MaxPdVolumes = None,
    kubernetes_version: options.KubernetesVersion = "",
    feature_gates: options.FeatureGates = None,
    scheduler_name: options.SchedulerName = "",
    percentage_of_nodes_to_score: options.Percentage = None,
    output: Annotated[
        list[str] | None,
        typer.Option("-o", "--output", metavar="FORMAT[=FILE]", help="text, json or yaml; several with a file each."),
    ] = None,
    color: options.Colors = options.Color.AUTO,
    width: options.Width = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also what the release is like; so does --kubernetes-version.")
    ] = False,
) -> int:
    """Which plugins run where, in which order, with which weights and arguments?

    kexplain plugins --config scheduler.yaml
    """
    from kexplain.cli.plugins import Request, run  # noqa: PLC0415
    from kexplain.cli.scheduler import parse_feature_gates  # noqa: PLC0415
    from kexplain.config.scheduler_settings import SchedulerSettings  # noqa: PLC0415

    settings = SchedulerSettings(
        config=config,
        policy=policy,
        max_pd_volumes=max_pd_volumes,
        kubernetes_version=kubernetes_version,
        feature_gates=parse_feature_gates(feature_gates or []),
        scheduler_name=scheduler_name,
        percentage_of_nodes_to_score=percentage_of_nodes_to_score,
    )
    verbose = verbose or bool(kubernetes_version)
    request = Request(scheduler=settings, outputs=output or ["text"], color=color.value, width=width, verbose=verbose)
    return run(request)


@app.command(context_settings=_HELP)
@with_connection_flags
def snapshot(
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where it goes; - is stdout.")] = "",
    cluster: Annotated[
        list[str] | None,
        typer.Option("--cluster", metavar="FILE|DIR", help="Take it of these files, not of a live cluster."),
    ] = None,
    redact: Annotated[
        bool,
        typer.Option(
            "--redact",
            help="Replace names, label keys and values, and images, each by the same everywhere, so that verdicts "
            "stay. What stays: resources, drivers, devices, schedulers, well-known labels and namespaces.",
        ),
    ] = False,
    print_rbac: Annotated[
        bool, typer.Option("--print-rbac", help="Print the ClusterRole that reading a cluster takes, and read none.")
    ] = False,
    quiet: options.Quiet = False,
    *,
    connection: ConnectionFlags,
) -> int:
    """Save what scheduling reads of a cluster in one file, to be given to --cluster later.

    kexplain snapshot -o prod.snapshot
    """
    from kexplain.cli.connection import connection_or_none  # noqa: PLC0415
    from kexplain.cli.snapshot import Request, run  # noqa: PLC0415

    return run(
        Request(
            path=output,
            cluster=cluster or [],
            connection=connection_or_none(connection, os.environ),
            redact=redact,
            print_rbac=print_rbac,
            quiet=quiet,
        )
    )


@app.command(context_settings=_HELP)
def schema(
    document: Annotated[
        Document,
        typer.Argument(
            metavar="report|diff|plugins|lint|rules|settings",
            help="What explaining prints, or another command; settings is .kexplain.yaml.",
        ),
    ] = Document.REPORT,
) -> None:
    """Print the JSON Schema of -o json, or of .kexplain.yaml."""
    from kexplain.explain.output import Output  # noqa: PLC0415
    from kexplain.explain.records import Report  # noqa: PLC0415
    from kexplain.lint.findings import LintReport, RuleListing  # noqa: PLC0415
    from kexplain.lint.settings import settings_schema  # noqa: PLC0415
    from kexplain.render.json import schema as text  # noqa: PLC0415
    from kexplain.report.difference import DifferenceReport  # noqa: PLC0415
    from kexplain.report.listing import SchedulerListing  # noqa: PLC0415

    if document is Document.SETTINGS:
        sys.stdout.write(settings_schema())
        return
    records: dict[Document, type[Output]] = {
        Document.REPORT: Report,
        Document.DIFF: DifferenceReport,
        Document.PLUGINS: SchedulerListing,
        Document.LINT: LintReport,
        Document.RULES: RuleListing,
    }
    sys.stdout.write(text(records[document]))


@app.command(context_settings=_HELP)
def completion(
    shell: Annotated[
        Shell, typer.Argument(metavar="bash|zsh|fish", help="The shell to print a completion script for.")
    ],
) -> None:
    """Print a completion script: source <(kexplain completion bash)."""
    from kexplain.cli.completion import script  # noqa: PLC0415

    sys.stdout.write(script(shell.value))


@app.command(context_settings=_HELP)
def version() -> None:
    """Print the version, and the release of Kubernetes that is followed."""
    from kexplain.framework.features import DEFAULT_RELEASE  # noqa: PLC0415

    sys.stdout.write(f"kexplain {__version__} (kubernetes {DEFAULT_RELEASE})\n")
