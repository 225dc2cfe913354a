"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

#: More would take minutes and gigabytes: every pod is reported with every node.
MAX_REPLICAS = 10_000


class Color(StrEnum):
    """When to use colours."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def _utf8(value: str) -> str:
    """A name as it is. Raises BadParameter on bytes that are no text: unlike a file's, it goes into reports."""
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise typer.BadParameter(f"{value} is not UTF-8")
    return value


# ------------------------------------------------------------------------------------------------------- input

Pods = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POD",
        help="What to place: a file, a directory, - for stdin, or the name of something in the cluster that "
        "--cluster gives, or in the live one (NAME, pod/NAME, deploy/NAME).",
        show_default=False,
    ),
]
Filename = Annotated[
    list[str] | None,
    typer.Option("-f", "--filename", metavar="FILE", help="The same as POD, as kubectl spells it."),
]
Nodes = Annotated[
    list[str] | None,
    typer.Option("--nodes", metavar="FILE", help="Nodes: YAML, JSON, kubectl get -o json|yaml, a directory or -."),
]
RunningPods = Annotated[
    list[str] | None,
    typer.Option("--pods", metavar="FILE", help="Pods that run already. Any file may hold any kinds."),
]
ClusterFiles = Annotated[
    list[str] | None,
    typer.Option("--cluster", metavar="FILE|DIR", help="Anything else that stands in the cluster, or all of it."),
]
Recursive = Annotated[bool, typer.Option("-R", "--recursive", help="Descend into subdirectories.")]
Namespace = Annotated[
    str,
    typer.Option(
        "-n",
        "--namespace",
        metavar="NAME",
        callback=_utf8,
        help="Where objects are that name no namespace; default is that of the kubeconfig's context where a live "
        "cluster is read, else default. Without POD, where to look for pending pods; default is all namespaces.",
    ),
]
AllNamespaces = Annotated[
    bool,
    typer.Option("-A", "--all-namespaces", help="Look for pods in all namespaces, whatever -n says."),
]
LabelSelector = Annotated[
    str,
    typer.Option(
        "-l",
        "--selector",
        metavar="LABELS",
        callback=_utf8,
        help="Only pods with these labels: app=web, app!=web, app in (web, api), app, !app, joined by commas.",
    ),
]
FieldSelector = Annotated[
    str,
    typer.Option(
        "--field-selector",
        metavar="FIELDS",
        callback=_utf8,
        help="Only pods whose fields are so, such as spec.schedulerName=mine; spec.nodeName and status.phase find "
        "running ones, too.",
    ),
]
Replicas = Annotated[
    int | None,
    typer.Option("--replicas", min=1, max=MAX_REPLICAS, metavar="N", help="Place N pods of each workload, not one."),
]

# --------------------------------------------------------------------------------------------------- scheduler

Config = Annotated[
    str,
    typer.Option(
        "--config",
        metavar="FILE",
        help="A KubeSchedulerConfiguration, or a ConfigMap or pod of kube-scheduler with one; the image of such a "
        "pod tells the release too.",
    ),
]
Policy = Annotated[
    str,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="A legacy Policy, as of Kubernetes 1.22 and before; default-1.4 is that of 1.4.",
    ),
]
MaxPdVolumes = Annotated[
    int | None,
    typer.Option(
        "--max-pd-volumes",
        metavar="N",
        min=1,
        help="With --policy, how many disks of a cloud each node takes: what KUBE_MAX_PD_VOLS was for.",
    ),
]
KubernetesVersion = Annotated[
    str,
    typer.Option(
        "--kubernetes-version",
        metavar="VERSION",
        help="The release to decide as, such as 1.34; else that of most kubelets.",
    ),
]
FeatureGates = Annotated[
    list[str] | None,
    typer.Option(
        "--feature-gates",
        metavar="GATE=true|false,…",
        help="Feature gates of the scheduler that are not at their default.",
    ),
]
SchedulerName = Annotated[
    str,
    typer.Option(
        "--scheduler-name",
        metavar="NAME",
        callback=_utf8,
        help="The schedulerName that this scheduler answers to; default-scheduler if nothing else is said. Not with "
        "--config, whose profiles have names.",
    ),
]
Percentage = Annotated[
    int | None,
    typer.Option(
        "--percentage-of-nodes-to-score",
        min=0,
        max=100,
        metavar="PERCENT",
        help="0 works it out from the size of the cluster. Goes before --config and all its profiles.",
    ),
]
StartIndex = Annotated[
    int,
    typer.Option(
        "--start-index", min=0, metavar="N", help="Where the round robin over nodes stands before the first pod."
    ),
]
CallExtenders = Annotated[
    bool,
    typer.Option(
        "--call-extenders",
        help="Send pods and nodes to the extenders of the configuration, and go by their answers.",
    ),
]
NoPreemption = Annotated[bool, typer.Option("--no-preemption", help="Leave out the preemption dry run.")]

# ------------------------------------------------------------------------------------------------------ output

Top = Annotated[int, typer.Option("--top", min=0, metavar="N", help="Rows of a table; 0 shows all.")]
Colors = Annotated[
    Color,
    typer.Option("--color", metavar="auto|always|never", help="NO_COLOR and FORCE_COLOR count where this is auto."),
]
Width = Annotated[
    int | None,
    typer.Option("--width", min=20, metavar="COLUMNS", help="Columns to fill, also where it is piped."),
]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No notes on stderr.")]
