"""`kexplain fleet`: on which of several clusters pods fit."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from kexplain.api import Report, explain
from kexplain.case import Case, Inputs, Wanted, load_case
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.inputs import check_stdin, inputs, standard_input, wanted
from kexplain.cli.output import write
from kexplain.cli.parallel import done_by
from kexplain.cli.progress import Progress
from kexplain.cli.requests.fleet import FleetFlags, Request
from kexplain.errors import ClusterError, InputError, KexplainError, UsageError
from kexplain.explanation.records import PodExplanation
from kexplain.report.fleet import ROOM, FleetMember, ranked
from kexplain.scheduler.replica_capacity import fill, replicas_of
from kexplain.world.replicas import claims_of_replicas


class _Asked(Struct, frozen=True):
    """A cluster to ask: its name, and its files or how it is reached."""

    name: str
    files: tuple[str, ...] = ()
    connection: ConnectionFlags | None = None


def _members(
    request: Request, pods: Wanted, asked: Sequence[_Asked], stdin: bytes, places: range
) -> Iterator[FleetMember]:
    """How the pods fare in these clusters; whoever takes a share of the work has a copy of what is asked."""
    for each in asked[places.start : places.stop : places.step]:
        try:
            case = load_case(request.pods.references, _inputs(request, each, stdin), pods)
            found = _member(each.name, case, request.scheduler.start_index)
        except KexplainError as error:
            found = FleetMember(cluster=each.name, error=_line(error))
        yield found


def _inputs(request: Request, each: _Asked, stdin: bytes) -> Inputs:
    connection = each.connection.connection() if each.connection else None
    settings, namespace = request.scheduler.settings(), request.pods.namespace
    return replace(inputs(ClusterFlags(cluster=each.files), connection, namespace, settings), stdin=BytesIO(stdin))


def run(request: Request) -> int:
    """0 if all pods fit on some cluster, else 1."""
    shown, pods = request.report, request.pods
    targets = shown.targets(request.reports)
    check_stdin(list(pods.references))
    asked = tuple(_asked(request.clusters, request.connection))
    if not asked:
        instead = "name some with --cluster NAME=FILE, --clusters DIR or --contexts PATTERN"
        raise UsageError("no cluster to ask", instead)
    stdin = standard_input().read() if "-" in pods.references else b""
    work = partial(_members, request, wanted(pods, own_pods=True), asked, stdin)
    flags, progress = request.clusters, Progress(quiet=shown.quiet)
    report = ranked(progress.over(done_by(work, FleetMember, len(asked), flags, least=1), len(asked), "clusters"))
    write(report, shown, targets)
    if all(each.error for each in report.clusters):
        raise ClusterError("no cluster could be read", report.clusters[0].error)
    return int(not any(each.fits for each in report.clusters))


def _asked(flags: FleetFlags, connection: ConnectionFlags) -> Iterator[_Asked]:
    """The clusters in the order of the flags. Raises UsageError on two of one name, and on patterns without any."""
    found = [*_in_files(flags), *_in_contexts(flags.contexts, connection)]
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise UsageError(f"two clusters are called {twice}", f"give one another name: --cluster NAME={twice}")
    yield from found


def _in_files(flags: FleetFlags) -> Iterator[_Asked]:
    for word in flags.cluster:
        name, equals, path = word.partition("=")
        yield _Asked(name, (path,)) if equals and not Path(word).exists() else _Asked(_called(word), (word,))
    for folder in flags.clusters:
        try:
            inside = sorted(each for each in Path(folder).iterdir() if not each.name.startswith("."))
        except OSError as error:
            raise UsageError(f"{folder} is no directory that can be read", error.strerror) from None
        yield from (_Asked(_called(each.name), (str(each),)) for each in inside)


def _called(path: str) -> str:
    """What a cluster is called by its file."""
    return Path(path).name.partition(".")[0] or path


def _in_contexts(patterns: Sequence[str], connection: ConnectionFlags) -> Iterator[_Asked]:
    if not patterns:
        return
    from kexplain.load.live.kubeconfig import read_kubeconfig  # noqa: PLC0415 (most fleets are files)

    described = connection.connection()
    try:
        known = read_kubeconfig([path for path in (described.kubeconfig if described else ()) if Path(path).exists()])
    except (OSError, ValueError) as error:
        raise ClusterError(f"the kubeconfig cannot be read: {error}", "see kubectl config view") from None
    for pattern in patterns:
        found = [name for name in known.contexts if fnmatchcase(name, pattern)]
        if not found:
            raise UsageError(f"no context is called {pattern}", f"there are {', '.join(known.contexts) or 'none'}")
        yield from (_Asked(name, connection=replace(connection, context=name)) for name in found)


def _line(error: KexplainError) -> str:
    """The first line of what is wrong, and how many more there are."""
    first, *others = error.message.split("\n")
    return f"{first} (and {len(others)} more)" if isinstance(error, InputError) and others else first


def _member(name: str, case: Case, start_index: int = 0) -> FleetMember:
    """How the pods of a case fare in its cluster."""
    report = explain(case, start_index=start_index, shown=1, is_brief=True)
    stopped = next((pod for pod in report.pods if not pod.fits), None)
    # One that is refused stands for all that are missing of its workload.
    made = [pod for pod in report.pods if not report.refuses(pod)]
    missing = sum(workload.missing for workload in report.workloads)
    return FleetMember(
        cluster=name,
        kubernetes_version=report.kubernetes_version,
        nodes=len(case.cluster.node_infos),
        pods=len(made) + missing,
        fitting=sum(pod.fits for pod in made),
        room=_room(case, start_index),
        stopped_by=_why(report, stopped),
        helps=next((remedy.text for remedy in (stopped.remedies if stopped else ())), ""),
    )


def _why(report: Report, stopped: PodExplanation | None) -> str:
    """Why one fits nowhere, or else why an API server refuses some, in words; empty where all is well."""
    if stopped is not None:
        return stopped.diagnosis.text if stopped.diagnosis else stopped.message
    missing = [each for each in report.workloads if each.missing]
    return next((each.text for own in missing for each in own.messages), "not all pods are created" if missing else "")


def _room(case: Case, start_index: int) -> int | None:
    """How many copies of the first pod fit, as far as they are counted; they evict nobody."""
    if not case.pods or case.pods[0].pod.group is not None:
        return None
    copies = replicas_of([case.pods[0].pod], claims=claims_of_replicas(case.pods[:1], case.cluster))
    filled = fill(case.scheduler.without_post_filter(), case.cluster, islice(copies, ROOM), start_index)
    return len(filled.placements)
