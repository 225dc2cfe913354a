"""The commands and their options."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from kexplain import __version__

DEFAULT_COMMAND = "explain"
COMMANDS = (DEFAULT_COMMAND, "schema", "completion", "version")

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
    "Other commands: kexplain schema, kexplain completion bash|zsh|fish, kexplain version. "
    "Exit codes: 0 everything fits, 1 something does not, 2 usage or input, 70 a bug."
)

INPUT = "Input"
SCHEDULER = "Scheduler"
OUTPUT = "Output"


class Color(StrEnum):
    """When to use colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Shell(StrEnum):
    """Shells that completion can be printed for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


#: What says which scheduler decides; every command that runs one has them.
ConfigOption = Annotated[
    str,
    typer.Option(metavar="FILE", help="A KubeSchedulerConfiguration, or a ConfigMap or static pod with one."),
]
PolicyOption = Annotated[
    str,
    typer.Option(metavar="FILE", help="A legacy Policy, as of Kubernetes 1.22 and before; default-1.4 is that of 1.4."),
]
KubernetesVersionOption = Annotated[
    str, typer.Option(metavar="VERSION", help="The release to decide as, such as 1.34.", show_default=False)
]
FeatureGatesOption = Annotated[
    list[str] | None,
    typer.Option(metavar="GATE=true|false,…", help="Feature gates of the scheduler that are not at their default."),
]
SchedulerNameOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The schedulerName that this scheduler answers to; default-scheduler if nothing else is said.",
    ),
]
PercentageOption = Annotated[
    int | None,
    typer.Option(min=0, max=100, metavar="PERCENT", help="0 works it out from the size of the cluster."),
]


@app.command(DEFAULT_COMMAND, epilog=_EPILOG, context_settings=_HELP)
def explain(  # noqa: PLR0917 (the options are the interface)
    pods: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POD",
            help="What to place: a file, a directory, - for stdin, or the name of something in the cluster that "
            "--cluster gives (NAME, pod/NAME, deploy/NAME).",
            show_default=False,
        ),
    ] = None,
    filename: Annotated[
        list[str] | None,
        typer.Option("-f", "--filename", metavar="FILE", help="The same as POD, as kubectl spells it."),
    ] = None,
    nodes: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Nodes: YAML, JSON, kubectl get -o json|yaml, a directory or -."),
    ] = None,
    running: Annotated[
        list[str] | None,
        typer.Option("--pods", metavar="FILE", help="Pods that run already. Any file may hold any kinds."),
    ] = None,
    cluster: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|DIR", help="Anything else that stands in the cluster, or all of it."),
    ] = None,
    recursive: Annotated[bool, typer.Option("-R", "--recursive", help="Descend into subdirectories.")] = False,
    namespace: Annotated[
        str, typer.Option("-n", "--namespace", metavar="NAME", help="Where objects are that name no namespace.")
    ] = "default",
    replicas: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Place N pods of each workload, not one.")
    ] = None,
    config: ConfigOption = "",
    policy: PolicyOption = "",
    kubernetes_version: KubernetesVersionOption = "",
    feature_gates: FeatureGatesOption = None,
    scheduler_name: SchedulerNameOption = "",
    percentage_of_nodes_to_score: PercentageOption = None,
    start_index: Annotated[
        int, typer.Option(min=0, metavar="N", help="Where the round robin over nodes stands before the first pod.")
    ] = 0,
    node: Annotated[str, typer.Option(metavar="NAME", help="Everything about that node.")] = "",
    plugin: Annotated[str, typer.Option(metavar="NAME", help="Only what that plugin says.")] = "",
    all_failures: Annotated[
        bool, typer.Option("--all-failures", help="Also what lies behind the first rejection, in full.")
    ] = False,
    no_preemption: Annotated[bool, typer.Option("--no-preemption", help="Leave out the preemption dry run.")] = False,
    top: Annotated[int, typer.Option(min=0, metavar="N", help="Rows of a table; 0 shows all.")] = 10,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FORMAT[=FILE]",
            help="text, wide, name, json, yaml, markdown, csv or event; may be given several times, with a file each.",
        ),
    ] = None,
    color: Annotated[
        Color, typer.Option(metavar="auto|always|never", help="NO_COLOR and FORCE_COLOR count where this is auto.")
    ] = Color.AUTO,
    width: Annotated[
        int | None, typer.Option(min=20, metavar="COLUMNS", help="Columns to fill, also where it is piped.")
    ] = None,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Raw and normalized scores, every step.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No notes on stderr.")] = False,
) -> int:
    """Why do these pods not schedule, or why do they land where they land?

    kexplain pod.yaml --nodes nodes.yaml --pods pods.yaml
    """
    # The engine is imported only by the command that runs it: --help stays fast.
    from kexplain.cli.explain import Request, run  # noqa: PLC0415
    from kexplain.cli.scheduler import parse_feature_gates  # noqa: PLC0415
    from kexplain.config.settings import SchedulerSettings  # noqa: PLC0415

    return run(
        Request(
            references=[*(pods or []), *(filename or [])],
            cluster=[*(nodes or []), *(running or []), *(cluster or [])],
            recursive=recursive,
            namespace=namespace,
            replicas=replicas,
            scheduler=SchedulerSettings(
                config=config,
                policy=policy,
                kubernetes_version=kubernetes_version,
                feature_gates=parse_feature_gates(feature_gates or []),
                scheduler_name=scheduler_name,
                percentage_of_nodes_to_score=percentage_of_nodes_to_score,
                preempts=not no_preemption,
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
def schema() -> None:
    """Print the JSON Schema of -o json."""
    from kexplain.render.json import schema as text  # noqa: PLC0415

    sys.stdout.write(text())


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
