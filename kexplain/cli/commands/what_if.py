"""`kexplain what-if`: nodes added or gone, workloads scaled, manifests applied."""

from msgspec.structs import replace
from typer._click.globals import get_current_context

from kexplain.api import decided, notes_on
from kexplain.case.loading import pending_case
from kexplain.case.pods_to_place import check_namespace
from kexplain.cli.changes import after_changes
from kexplain.cli.help import ORDER
from kexplain.cli.inputs import load_cluster, print_notes
from kexplain.cli.output import kept, write
from kexplain.cli.progress import Progress
from kexplain.cli.requests.what_if import Request
from kexplain.errors import UsageError
from kexplain.report.cluster_figures import compared_figures, placed_by
from kexplain.report.what_if import Before, what_if

#: Changes that files say.
_FILES = ("apply", "changes", "requests")


def run(request: Request) -> int:
    """0 if no pod that had a place, or is new, is without one after the changes, else 1."""
    shown = request.report
    targets = shown.targets(request.reports)
    asked = list(request.change.in_order(get_current_context().meta.get(ORDER, ())))
    if not asked:
        raise UsageError("no change is given", "for instance: kexplain what-if --scale deploy/web=40 --cordon node-3")
    given = (each.value for each in asked if each.option in _FILES)
    contents = load_cluster(request, given, request.comparison.namespace)
    if request.comparison.namespace and not any(each.option in _FILES for each in asked):
        check_namespace(request.comparison.namespace, contents.objects)
    progress = Progress(quiet=shown.quiet)
    start_index, recursive, comparison = request.scheduler.start_index, request.cluster.recursive, request.comparison
    case = pending_case(contents)
    pods = [*progress.over(decided(case, start_index=start_index), len(case.pods))]
    before = Before(case, pods, notes_on(case))
    after = after_changes(contents, asked, case.cluster, start_index, recursive=recursive, within=comparison.namespace)
    all_running = comparison.all_running
    report = what_if(before, after, asked, start_index=start_index, all_running=all_running, top=shown.top)
    if comparison.figures:
        placed, waiting = placed_by([each.decision for each in before.pods], case.cluster)
        figures = compared_figures(placed, after.cluster, (waiting, len(after.settled.waiting)))
        report = replace(report, figures=figures)
    progress.end()
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    kept.append((before, after))
    return int(report.is_worse)
