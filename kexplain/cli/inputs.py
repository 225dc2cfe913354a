"""What a command reads, and what it says beside its report."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any, BinaryIO

from msgspec.structs import replace

from kexplain.case import Case, Inputs, Wanted, load_case
from kexplain.case.case_builder import Contents
from kexplain.case.field_checks import with_all_faults
from kexplain.case.loading import load_contents
from kexplain.case.pods_to_place import NothingToPlaceError
from kexplain.case.references import parted
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import where_looked
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.live import live_cluster
from kexplain.cli.output import kept, terminal_width
from kexplain.cli.progress import Progress
from kexplain.cli.spelling import as_argument
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import InputError, UsageError
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.load import Loaded
from kexplain.load.live.connection import Connection
from kexplain.parameters import are_spelled, parameter
from kexplain.render.harmless import printable

#: What is in the files of a cluster, where this process has read them before it was asked.
read_before: dict[tuple[str, ...], Loaded] = {}


#: What is not there without files and without a cluster, and a command that names some.
_MISSING = ("nothing to explain", "kexplain pod.yaml --nodes nodes.yaml")


def load_inputs(
    request: Any, pods: PodFlags, scheduler: SchedulerSettings, missing: tuple[str, str] = _MISSING, **more: Any
) -> Case:
    """The pods to place, the cluster of a request around them, and that scheduler; `more` is said of what is wanted.

    Raises what `load_case` does, and UsageError if nothing was named.
    """
    cluster, found = request.cluster, request.connection.connection()
    if found is None and not cluster.files:
        _check_offline(pods.references, *missing)
    check_stdin([*pods.references, *cluster.files])
    asked = wanted(pods, **more)
    # What prints no reports has no such flag.
    with watched(quiet=getattr(getattr(request, "report", None), "quiet", False)) as progress:
        given = inputs(cluster, found, pods.namespace, scheduler, progress)
        try:
            case = load_case(pods.references, given, asked)
        except (InputError, NothingToPlaceError) as error:
            refused = _all_faults(error, pods, cluster, scheduler)
            raise refused if refused.faults else error from None
    case = _with_instance_types(case, cluster.instance_types) if cluster.instance_types else case
    kept.append(case)
    return case


def load_cluster(request: Any, given: Iterable[str], namespace: str = "") -> Contents:
    """The objects of the cluster that a command is about, where some of what is `given` may be standard input.

    Raises UsageError if no cluster was named, and as `load_contents` does.
    """
    found, files = request.connection.connection(), request.cluster.files
    if not files and found is None:
        raise UsageError("there is no cluster", "name files with --cluster, or a kubeconfig file")
    check_stdin([*files, *given])
    with watched(quiet=request.report.quiet) as reading:
        return load_contents(inputs(request.cluster, found, namespace, request.scheduler.settings(), reading))


def wanted(pods: PodFlags, **more: Any) -> Wanted:
    """Which pods are to be placed, as their flags say and what else is known. Raises UsageError as `selection` does."""
    return Wanted(pods.replicas, pods.selection(), pods.all_namespaces, strict=pods.validate.strict, **more)


def _all_faults(
    error: InputError | NothingToPlaceError, pods: PodFlags, cluster: ClusterFlags, scheduler: SchedulerSettings
) -> InputError:
    """The faults of manifests, all at once, if some are what has stopped the run; else those that are known."""
    files = [each for each in parted(pods.references)[0] if each != "-"]
    known = error if isinstance(error, InputError) else InputError(())
    is_written = known is not error or any(each.line and each.source not in cluster.files for each in known.faults)
    if not files or not is_written or pods.validate.strict is None:
        return known
    return with_all_faults(known, files, scheduler.kubernetes_version or DEFAULT_RELEASE)


def inputs(
    cluster: ClusterFlags,
    connection: Connection | None = None,
    namespace: str = "",
    scheduler: SchedulerSettings | None = None,
    progress: Progress | None = None,
) -> Inputs:
    """What flags name: files, or the live cluster of a connection."""
    cluster, notes = at_time(cluster)
    return Inputs(
        cluster.files,
        live=None if connection is None else partial(live_cluster, connection),
        namespace=namespace,
        settings=scheduler,
        recursive=cluster.recursive,
        stdin=standard_input(),
        progress=progress.loaded if progress else None,
        known=read_before.get(tuple(cluster.files)),
        notes=notes,
    )


def at_time(cluster: ClusterFlags) -> tuple[ClusterFlags, tuple[str, ...]]:
    """The cluster as it was at the time that is asked for, and which that is. Raises UsageError as `nearest` does."""
    if not cluster.at:
        return cluster, ()
    if not cluster.cluster:
        instead = "for instance: --cluster snapshots/ --at 03:00"
        raise UsageError("--at chooses among snapshots, and none are named", instead)
    from kexplain.load.snapshot.times import nearest  # noqa: PLC0415 (few runs look back)

    taken, wanted = nearest(cluster.cluster, cluster.at)
    return replace(cluster, cluster=(taken.path,), at=""), (taken.told_at(wanted),)


def _with_instance_types(case: Case, path: str) -> Case:
    """The case with a table of the cloud's instance types. Raises UsageError on a file that has none."""
    from kexplain.load.instance_types import load_instance_types  # noqa: PLC0415 (few runs have such a table)

    return replace(case, cluster=case.cluster.replacing(load_instance_types(path).objects))


@contextmanager
def watched(*, quiet: bool) -> Iterator[Progress]:
    """What shows how far reading is, on a terminal, until it ends in whichever way."""
    progress = Progress(quiet=quiet)
    try:
        yield progress
    finally:
        progress.end()


def _check_offline(references: Sequence[str], missing: str, example: str) -> None:
    """Raise UsageError if nothing can be read where neither a cluster nor files that describe one are at hand."""
    looked = where_looked(os.environ)
    of_cluster = f"name a kubeconfig file with {parameter('kubeconfig')}"
    if not references:
        instead = of_cluster if are_spelled(as_argument) else f"for instance: {example}; or {of_cluster}"
        raise UsageError(f"{missing}: no cluster is at hand ({looked}), and no file is named", instead)
    paths, names = parted(references)
    if names and not paths:
        instead = f"{of_cluster}, or files with {parameter('cluster')}"
        raise UsageError(f"no cluster to find {names[0].name} in: {looked}", instead)


def check_stdin(words: list[str]) -> None:
    """Raise UsageError if stdin is named twice."""
    if words.count("-") > 1:
        raise UsageError("stdin (-) can be read only once")


def standard_input() -> BinaryIO:
    """Standard input as bytes; a process may be started without."""
    return sys.stdin.buffer if sys.stdin is not None else BytesIO()


def print_notes(notes: Iterable[str], *, quiet: bool) -> None:
    """Notes on stderr, beside the report, if they are wanted; on a terminal they are broken between words."""
    for note in () if quiet else notes:
        for line in _broken(f"kexplain: note: {printable(note)}"):
            print(line, file=sys.stderr)  # noqa: T201


def _broken(note: str) -> Iterable[str]:
    if not sys.stderr.isatty():
        return [note]
    from kexplain.render.blocks import Item, Text  # noqa: PLC0415 (what ends in an error shows no page)

    return [line.plain for line in Item(Text(), Text(note)).lines(terminal_width(sys.stderr))]
