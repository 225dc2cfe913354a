"""`kexplain drain`: where everybody would go, and who would be left without a place."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kexplain.case import Case, PodToPlace
from kexplain.case.loading import pending_case
from kexplain.case.node_names import whole_name
from kexplain.cli.changes import after_changes
from kexplain.cli.fixes import fix
from kexplain.cli.inputs import load_cluster, print_notes
from kexplain.cli.output import write, write_patch
from kexplain.cli.progress import Progress
from kexplain.cli.requests.drain import FailOn, Request
from kexplain.cli.requests.pack import Request as PackRequest
from kexplain.cluster import Cluster
from kexplain.cluster.listers import waits_for_volume
from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.objects.node_pools import pool_names
from kexplain.objects.pod_selection import asked, parse_label_selector
from kexplain.objects.well_known import ZONE
from kexplain.parameters import parameter
from kexplain.report.drain import Draining
from kexplain.scheduler.draining import DrainOptions
from kexplain.words import plural


def run(request: Request) -> int:
    """0 if all that leave or are applied find a place and none is in the way, else 1; with --each as --fail-on says."""
    shown, asked = request.report, request.nodes
    targets = shown.targets(request.reports)
    case, unplaced = changed_case(request, apply=asked.apply)
    names = chosen_nodes(asked.node_names, asked.selector, case.cluster)
    progress = Progress(quiet=shown.quiet)
    total = sum(len(case.cluster.node_info_by_name[name].pods) for name in names)
    draining = Draining(
        case,
        DrainOptions(asked.force, asked.delete_emptydir_data, asked.disable_eviction),
        asked.one_by_one or asked.surge > 0,
        asked.surge,
        request.scheduler.start_index,
        lambda done: progress.placed(done, total, "pods"),
    )
    if asked.each:
        report = draining.of_each(_together(asked.by, names, case.cluster))
        report = replace(report, all_have_to_go=asked.fail_on is FailOn.ANY)
    else:
        report = draining.report(names)
    report = replace(report, unplaced=unplaced)
    progress.end()
    print_notes(report.notes, quiet=shown.quiet)
    if shown.fixes:
        text, said = fix((), shown.fix or 1, [*report.helps.values()])
        write_patch(text)
        print_notes(said, quiet=shown.quiet)
    else:
        write(report, shown, targets, replace(shown.view(), fix_flag=parameter("commands")))
    return int(report.fails)


def changed_case(request: Request | PackRequest, **files: Sequence[str]) -> tuple[Case, tuple[str, ...]]:
    """The cluster once the files are applied, by options of what-if, and everybody is where they will be then.

    With the pods that have no node only since then.
    """
    asked = [(option, path) for option, paths in files.items() for path in paths]
    contents = load_cluster(request, (path for _, path in asked))
    before = pending_case(contents)
    if not (asked or before.pods):
        return before, ()
    recursive = request.cluster.recursive
    after = after_changes(contents, asked, before.cluster, request.scheduler.start_index, recursive=recursive)
    kept = [each for each in before.pods if each.pod.key in after.settled.placed]
    awaiting = [each for each in kept if waits_for_volume(each.pod, before.cluster.listers)]
    pods = (*awaiting, *(PodToPlace(each.pod) for each in after.settled.waiting))
    notes = (*before.notes, *after.notes)
    known = {each.pod.key for each in before.pods}
    unplaced = tuple(each.pod.key for each in pods if each.pod.key not in known)
    return Case(after.cluster, pods, notes, contents.scheduler, builder=after.builder_at_the_end), unplaced


def chosen_nodes(node_names: Sequence[str], text: str, cluster: Cluster) -> Sequence[str]:
    """The nodes of these names or labels; all where neither says which. Raises UsageError on unknown ones."""
    names = list(cluster.node_info_by_name)
    if not text:
        return list(dict.fromkeys(whole_name(name, cluster.node_info_by_name) for name in node_names)) or names
    selector = asked(parse_label_selector, text, "--selector ")
    found = [info.name for info in cluster.node_infos if selector.matches(info.node.labels)]
    if not found:
        raise UsageError(f"no node has the labels {text}", f"there are {plural(len(names), 'node')}")
    return found


def _together(by: str, names: Sequence[str], cluster: Cluster) -> Mapping[str, Sequence[str]]:
    """The nodes that go together, by what they share; each by itself unless something is asked for."""
    infos = [cluster.node_info_by_name[name] for name in names]
    shared: Mapping[str, str] = {name: name for name in names}
    if by == "pool":
        shared = pool_names(info.node for info in infos)
    elif by:
        key = ZONE if by == "zone" else by
        shared = {info.name: info.labels.get(key, f"no {by}") for info in infos}
        if names and not any(key in info.labels for info in infos):
            raise UsageError(f'no node has a label "{key}"', "kubectl get nodes --show-labels lists what they have")
    return grouped((shared[name], name) for name in names)
