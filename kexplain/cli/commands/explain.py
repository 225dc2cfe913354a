"""The default command: load, schedule, render."""

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from kexplain.api import Case, ExplainOptions, Explanations, Report, SchedulerSettings, one_by_one
from kexplain.case.node_names import whole_name
from kexplain.case.references import parted
from kexplain.cli.flags.declaring import words_for
from kexplain.cli.flags.report import Target
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write, write_patch
from kexplain.cli.progress import Progress
from kexplain.cli.requests.explain import ExplanationFlags, Request
from kexplain.cli.spelling import as_argument
from kexplain.diagnosis.records import Kind
from kexplain.errors import InputError, RightsError, UsageError
from kexplain.explanation.advised import Advised
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.parameters import are_spelled, parameter
from kexplain.render.view import DRAWN_NODES, View
from kexplain.report.shared_verdicts import shares
from kexplain.words import clauses, did_you_mean, some

#: Formats that show the first rows of each table, and of several pods that fit only where they land.
FOR_PEOPLE = frozenset({"text", "name", "event"})

#: What is never printed.
_SECRETS = ("token", "password")
#: Formats with a map of the nodes.
MAPS = frozenset({"html"})
#: Formats that show what plugins said before they were asked about nodes.
TRACES = frozenset({"simulator"})


def run(request: Request) -> int:
    """0 if every pod fits, 1 if one does not or has not even been created; reports on the way."""
    shown = request.report
    targets = shown.targets(request.reports)
    try:
        case = load_inputs(request, request.pods, _settings(request), own_pods=True, node=shown.node)
    except RightsError as missing:
        # Most runs need no more than what is imported so far.
        from kexplain.cli import own_status  # noqa: PLC0415

        return own_status.run(request, missing)
    except InputError:
        if not shown.fixes or not _correct(request, "it cannot be read"):
            raise
        return run(replace(request, report=replace(shown, fix=None, write=False))) if shown.write else 1
    if shown.node and not case.pods and (on_nodes := [each for own in case.workloads for each in own.pods]):
        # How a workload that runs fares on a node is how one of its pods would.
        first = replace(request.pods, pods=(f"pod/{on_nodes[0].name}",), namespace=on_nodes[0].namespace)
        return run(replace(request, pods=first))
    profiles = case.scheduler.profiles.values()
    known = [plugin.name for profile in profiles for plugin in (*profile.filter, *profile.score)]
    check_plugin(shown.plugin, known, "filter or score plugin")
    names = case.cluster.node_info_by_name
    request, shown = _with_node(request, names)
    asked, scheduler, has_maps = _asked(shown, targets, case), request.scheduler, _has(targets, MAPS)
    found = one_by_one(
        case, asked, start_index=scheduler.start_index, until_settled=scheduler.until_settled, with_places=has_maps
    )
    print_notes(found.head.notes, quiet=shown.quiet)
    report = _reported(found, request, targets, list(names), case)
    if shown.write:
        # What is then; what there is to note has been said.
        return run(replace(request, report=replace(shown, fix=None, write=False, quiet=True)))
    return int(not _is_well(report) or _is_in_part(case))


def _asked(shown: ExplanationFlags, targets: Sequence[Target], case: Case) -> ExplainOptions:
    """What is wanted of explanations."""
    is_for_people = _is_for_people(targets, len(case.pods) * len(case.cluster.node_infos))
    rows = shown.top or None if is_for_people and not shown.node and not shown.plugin else None
    is_brief = len(case.pods) > 1 and not shown.verbose and rows is not None
    advised = None
    if case.searched and is_for_people and not shown.fixes:
        advised = Advised(in_full=not is_brief or shown.all_failures or _has(targets, MAPS))
    return ExplainOptions(
        node=shown.node,
        score_details=(shown.top or None) if shown.verbose else 0,
        shown=rows,
        is_brief=is_brief,
        with_pre_filters=_has(targets, TRACES),
        last_resorts=shown.seeks_last_resorts,
        advised=advised,
        with_walk=shown.shows_search or _has(targets, MAPS),
        with_walked_nodes=shown.shows_everything,
    )


def _with_node(request: Request, names: Collection[str]) -> tuple[Request, ExplanationFlags]:
    """The request with the whole name of its node. Raises UsageError if there is none of that name."""
    shown = request.report
    if not shown.node:
        return request, shown
    shown = replace(shown, node=whole_name(shown.node, names))
    return replace(request, report=shown), shown


def _is_well(report: Report) -> bool:
    """Whether all pods have a place and run there, and none is missing."""
    has_fit = all(pod.outcome is Outcome.SCHEDULED and not _is_stuck(pod) for pod in report.pods)
    is_complete = all(workload.is_complete for workload in report.workloads)
    return has_fit and is_complete and not (report.not_running or (report.settled and report.settled.pending))


def _is_in_part(case: Case) -> bool:
    """Whether all that is pending was asked for, and not all that there is could be read."""
    return case.searched is not None and case.builder is not None and bool(case.builder.contents.loaded.in_part)


def _is_stuck(pod: PodExplanation) -> bool:
    """Whether a pod that fits does not run for all that: a Job that is to be started later is no failure."""
    return pod.held is not None and pod.held.kind is not Kind.SUSPENDED


def _reported(
    found: Explanations, request: Request, targets: Sequence[Target], node_names: Sequence[str], case: Case
) -> Report:
    shown = request.report
    progress, pods = Progress(quiet=shown.quiet), len(case.pods)
    if not shown.fixes and (shown.group_nodes or shares(pods, 1 if shown.node else len(node_names))):
        from kexplain.cli.streaming import write_streamed  # noqa: PLC0415

        return write_streamed(found, node_names, _view(request), shown, targets, lambda each: progress.over(each, pods))
    report = found.report(tuple(progress.over(found.pods, pods)))
    if not shown.fixes:
        write(report, shown, targets, _view(request))
        return report
    _helped(report, request, case)
    return report


def _helped(report: Report, request: Request, case: Case) -> None:
    """Print what mends a manifest that is refused, or a remedy. Raises UsageError where there is neither."""
    number, are_advised = request.report.fix, any(each.remedies for each in report.pods)
    is_refused = any(each.refused and not each.claims_refused for each in report.workloads)
    is_first = is_refused and not (number and (number > 1 or are_advised))
    if is_first and _correct(request, "an API server refuses it as it is"):
        return
    if is_first:
        then = f"; {parameter('fix', '1')} shows what helps once it is accepted" if are_advised else ""
        raise UsageError("an API server refuses it, and no correction is certain", f"change it by hand{then}")
    _fix(report, request, case)


def _fix(report: Report, request: Request, case: Case) -> None:
    """Print, or write, a remedy. Raises UsageError where nothing can be printed, which is an answer for agents."""
    from kexplain.cli.fixes import NothingToPrintError, built, fix, write_fix  # noqa: PLC0415

    shown, again = request.report, _view(request).again
    number = shown.fix or 1
    if shown.write:
        print_notes([write_fix(report.pods, number, again, built(case))], quiet=shown.quiet)
        return
    uncreated = [each for workload in report.workloads for each in workload.remedies]
    try:
        text, notes = fix(report.pods, number, uncreated, again, built(case))
    except NothingToPrintError as nothing:
        said = clauses(nothing.message, nothing.hint or "")
        if not (are_spelled(as_argument) or _is_well(report)):
            raise
        text, notes = (f"{said}\n", ()) if are_spelled(as_argument) else ("", (said,))
    write_patch(text)
    print_notes(notes, quiet=shown.quiet)


def _correct(request: Request, why: str) -> bool:
    """Print, or write, what is certain to mend manifests, which comes before all that helps; whether anything is."""
    from kexplain.cli.commands.lint import correct_refused  # noqa: PLC0415 (as all of `--fix`)

    paths = [each for each in parted(request.pods.references)[0] if each != "-"]
    return bool(paths) and correct_refused(paths, request, why)


def _view(request: Request) -> View:
    """What to show, and how to look at the same again, unless an agent asks, who runs no commands."""
    of_scheduler = words_for(request.scheduler, without=("until_settled", "start_index"))
    again = [*words_for(request.cluster), *words_for(request.connection, without=_SECRETS), *of_scheduler]
    runs_commands = not are_spelled(as_argument)
    return replace(request.report.view(), again=tuple(again) if runs_commands else None, fix_flag=parameter("fix"))


def _settings(request: Request) -> SchedulerSettings:
    """The scheduler, which asks every plugin about every node where that is shown."""
    shown = request.report
    traces_everything = shown.all_failures or shown.shows_everything or bool(shown.node or shown.plugin)
    return replace(request.scheduler.settings(), traces_everything=traces_everything)


def _has(targets: Sequence[Target], formats: Collection[str]) -> bool:
    return any(target.format in formats for target in targets)


def _is_for_people(targets: Sequence[Target], nodes: int) -> bool:
    """Whether the first rows of each table suffice, as they do where there are too many nodes to draw them all."""
    formats = FOR_PEOPLE | MAPS if nodes > DRAWN_NODES else FOR_PEOPLE
    return all(target.format in formats for target in targets)


def check_plugin(name: str, known: Sequence[str], what: str) -> None:
    """Raise UsageError on a name that is not known."""
    if name and name not in known:
        raise UsageError(f'there is no {what} "{name}"', _nearest(name, known))


def _nearest(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or f"there are {some(list(dict.fromkeys(known)), 8)}"
