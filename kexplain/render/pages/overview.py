"""All that is pending at a glance: a row a workload, with its diagnosis and what would help first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from kexplain.case.references import kind_with_pods
from kexplain.explanation.records import Agreement, PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.grouping import counted, grouped
from kexplain.parameters import parameter
from kexplain.remedies.records import Action, Rank
from kexplain.render.pages import Column, Page, Part, Prose, Sheet, State, Style, too_optimistic
from kexplain.render.pages.not_running import sheet
from kexplain.render.pages.paragraphs import anchor
from kexplain.render.pages.sentences import DASH, waits_for
from kexplain.render.pages.workloads import complaints, detail_of
from kexplain.render.view import View
from kexplain.report.groups import EACH_ITS_OWN, PodGroup
from kexplain.report.not_running import how_they_stand
from kexplain.report.records import Report
from kexplain.report.workloads import WorkloadReport
from kexplain.shell import command
from kexplain.words import clauses, joined, plural, some, verb

#: From this width on there is room for a table.
ROOMY = 160
_WORKLOADS_SHOWN = 2
_FITTING_SHOWN = 3
#: So many nodes are named for one reason why they are out of service; of more in all only the numbers are told.
_OUT_SHOWN, _OUT_NAMED = 3, 6
#: More rows than these nobody reads: pods that have the same wrong with them are then one row.
_MOST_ROWS = 8
_HEADS = (
    *(Column("PODS", is_number=True), Column("OF", Style.BOLD), Column("SINCE", Style.DIM, short="since")),
    *(Column("WHY"), Column("WHAT WOULD HELP", Style.REMEDY)),
)
#: What makes room for so many pods and no more.
_ROOM = (Action.ADD_NODE, Action.FREE, Action.MOVE_PODS)
_LATER = (Outcome.GATED, Outcome.NO_PROFILE, Outcome.DELETING)


class Pending(Struct):
    """Pods of one workload, or of several of a kind and namespace with the very same to say of them."""

    #: In their order.
    names: dict[str, None]
    places: list[int]
    group: PodGroup
    pod: PodExplanation
    why: str
    remedy: str
    since: str
    #: Of how many of the pods it is known that this helps them.
    helped: int = 0

    @property
    def of_what(self) -> str:
        """What those are that are only counted among the names."""
        counted = len(self.names) - _WORKLOADS_SHOWN
        what = "workload" if self.pod.pod.workload else "pod"
        return f" {what}{'s' if counted > 1 else ''}" if counted > 0 else ""

    @property
    def what_would_help(self) -> str:
        """The remedy, and for how many of the pods it was tried where that is not all."""
        remedies = self.pod.remedies if not self.group.scheduling_group else ()
        served = (each for each in remedies if each.action in _ROOM or each.serves is not None)
        room = next((each for each in served if each.text == self.remedy), None)
        tried = room.serves or 1 if room else self.helped or len(self.places)
        is_whole = tried >= len(self.places) or not self.remedy
        return self.remedy if is_whole else f"{self.remedy} (tried for {tried} of them)"

    def join(self, other: Pending) -> None:
        """Take over the pods of another row."""
        self.names |= other.names
        self.places += other.places
        self.since = _earliest([self.since, other.since])
        self.remedy = self.remedy or other.remedy
        self.helped += other.helped if other.remedy == self.remedy else 0

    @property
    def is_later(self) -> bool:
        """Whether no node was tried for them."""
        return self.group.outcome in _LATER


def is_summarized(report: Report, view: View) -> bool:
    """Whether a report has so many rows that details are for those who ask for them."""
    asks_for_more = view.is_detailed or view.all_failures or bool(view.node or view.plugin)
    return report.search is not None and not asks_for_more and len(_rows(report)) + len(report.workloads) > 1


def overview(report: Report, view: View) -> Page:
    """How many pods are pending, who is out of service, a row a workload, what would fit now, and how to see more.

    Then come those that are not created, and those that do not run.
    """
    found = pending(report)
    parts: list[Part] = [Prose([line]) for line in _out_of_service(report)]
    parts += [stuck_drains(report), *([_sheet(found, report, view)] if found else [])]
    if fitting := [pod for pod in report.pods if pod.fits]:
        names = some([f"{pod.pod.key} on {pod.choice.node}" for pod in fitting if pod.choice], _FITTING_SHOWN)
        more = f"{plural(len(fitting), 'more pod')} {verb(len(fitting), 'fits')} now: {names}"
        parts.append(Prose([more], style=Style.GOOD))
    parts.append(Prose(list(dict.fromkeys(_cautions(report, view))), style=Style.WARNING))
    parts += [_not_created(report.workloads)] if report.workloads else []
    parts += idle(report, view)
    parts += [] if view.in_full else _how_to_see_more(report, found, view)
    return Page(_headline(report, found), State.BAD, f"kubernetes {report.kubernetes_version}", parts)


def stuck_drains(report: Report) -> Prose:
    """Which drains go no further, and why."""
    lines = [line for each in report.out_of_service for line in each.drains]
    more = [f"{len(lines) - _FITTING_SHOWN} more drains wait"] if len(lines) > _FITTING_SHOWN else []
    return Prose([*lines[:_FITTING_SHOWN], *more], style=Style.WARNING)


def in_part(pods: Sequence[PodExplanation]) -> str:
    """For how many of these others are evicted, where that does not get room for all of them; else empty."""
    left = [pod for pod in pods if not (pod.preemption and pod.preemption.nominated_node)]
    evicting = len(pods) - len(left)
    if not (evicting and left) or any(pod.fits for pod in left):
        return ""
    why = next((f": {pod.diagnosis.text}" for pod in left if pod.diagnosis), "")
    return f"for {evicting} of them the scheduler evicts other pods to make room, and for {len(left)} it cannot{why}"


def idle(report: Report, view: View) -> list[Part]:
    """The pods that have a node and do not run."""
    return [] if not report.not_running else [sheet(report.not_running, view)]


def stopped(report: Report, view: View) -> Page:
    """The same by themselves, for those that are more than what is pending."""
    pods, waiting = plural(len(report.not_running), "pod"), len(report.pods)
    headline = f"{pods} {how_they_stand(report.not_running)}; {waiting} {verb(waiting, 'is')} pending"
    return Page(headline, State.BAD, parts=idle(report, view))


def _headline(report: Report, found: Sequence[Pending]) -> str:
    """How many pods are pending, how many are not even created, and how many have a node and do not run."""
    waiting, missing = sum(len(each.places) for each in found), sum(each.missing for each in report.workloads)
    reasons = f"{plural(waiting, 'pod')} pending, for {plural(len({each.why for each in found}), 'reason')}"
    uncreated = f"{missing if waiting else plural(missing, 'pod')} {verb(missing, 'has')} not been created"
    held, stopped = sum(not each.missing for each in report.workloads), len(report.not_running)
    without = f"{plural(held, 'workload')} {verb(held, 'has')} no pods"
    stuck = f"{stopped} {how_they_stand(report.not_running)}"
    return clauses(
        reasons if waiting else "", uncreated if missing else "", without if held else "", stuck if stopped else ""
    )


def _not_created(workloads: Iterable[WorkloadReport]) -> Sheet:
    """A row for workloads with the same wrong with them, the most missing pods first."""
    helps = ((each, next((found.text for found in each.remedies), "")) for each in workloads)
    alike = grouped(((_why_missing(each), text), each) for each, text in helps)
    counted = [(sum(each.missing for each in found), said, found) for said, found in alike.items()]
    ordered = sorted(counted, key=lambda row: -row[0])
    named = (
        (str(missing or DASH), [f"{each.namespace}/{each.name}" for each in found], said)
        for missing, said, found in ordered
    )
    rows = [(missing, some(names), *said) for missing, names, said in named]
    return Sheet("HAVE NOT BEEN CREATED", (*_HEADS[:2], *_HEADS[3:]), rows, stacked_below=ROOMY)


def pending(report: Report) -> list[Pending]:
    """What is pending, the most pods first, but those last that no node was tried for."""
    found = _merged(_rows(report), _mended_with, report)
    found = found if len(found) <= _MOST_ROWS else _merged(found, _wrong, report)
    return sorted(found, key=lambda each: (each.is_later, -len(each.places)))


def _rows(report: Report) -> list[Pending]:
    """A row for pods of one kind and namespace that are told the same."""
    rows: dict[tuple[object, ...], Pending] = {}
    for group in report.groups:
        for place in group.pods:
            pod = report.pods[place]
            workload = pod.pod.workload
            name, kind = (workload.name, workload.kind) if workload else (pod.pod.name, "")
            # Pods with nodes of their own are told of these, and one fault stops them.
            said = report.pods[group.pods[0]] if kind in EACH_ITS_OWN else pod
            why, remedy = _why(group, said), _remedy(group, said)
            wrong = group.scheduling_group or (why, remedy)
            key = (pod.pod.namespace, kind, group.outcome, wrong)
            row = rows.setdefault(key, Pending({}, [], group, pod, why, remedy, group.since))
            row.since = _earliest([row.since, group.since])
            row.names[f"{pod.pod.namespace}/{name}"] = None
            row.places.append(place)
            row.helped += bool(remedy)
    return _together(rows)


def _together(rows: Mapping[tuple[object, ...], Pending]) -> list[Pending]:
    """The rows, but one for pods of which some were searched for help: the same is wrong with the others.

    Of one workload there is one row, too, where what is left of the room differs from pod to pod.
    """
    keyed = [((*whose, row.group.scheduling_group), row) for (*whose, _), row in rows.items()]
    of_one = grouped(((*whose, tuple(row.names), _wrong(row)), (whose, row)) for whose, row in keyed)
    for (_, first), *others in of_one.values():
        for _, other in others:
            first.join(other)
    rows_by_wrong = grouped(((*whose, row.why), row) for (whose, row), *_ in of_one.values())
    for alike in rows_by_wrong.values():
        alike.sort(key=lambda row: -row.helped)
        if alike[0].remedy and not alike[-1].remedy:
            alike[0].join(alike.pop())
    return list(chain.from_iterable(rows_by_wrong.values()))


def _merged(rows: Iterable[Pending], common: Callable[[Pending], object], report: Report) -> list[Pending]:
    """One row for all that have this in common."""
    alike = grouped((common(row), row) for row in rows).values()
    return [_as_one(found, report) if len(found) > 1 else found[0] for found in alike]


def _wrong(row: Pending) -> object:
    """What the pods of a row have in common with others that have the same wrong with them.

    Where room is short, amounts and nodes may differ.
    """
    found = None if row.is_later else row.pod.diagnosis
    return found.alike if found else row.why


def _mended_with(row: Pending) -> object:
    """What undoes the fault, wherever the pods are that wait for it; for all else, the row itself."""
    found = None if row.is_later or row.group.scheduling_group else row.pod.diagnosis
    first = next(iter(row.pod.remedies), None)
    if found and first and first.rank is Rank.MENDS and first.text == row.remedy:
        return found.kind, found.culprit, row.remedy
    return tuple(row.places)


def _as_one(rows: Sequence[Pending], report: Report) -> Pending:
    """Several rows as one: what most of the pods are told, and what is known to help most of them."""
    largest = max(rows, key=lambda row: len(row.places))
    places = [place for row in rows for place in row.places]
    texts = Counter(found.text for place in places if (found := report.pods[place].diagnosis))
    helped = counted((row.remedy, row.helped) for row in rows)
    ((why, count),), ((remedy, known),) = texts.most_common(1), helped.most_common(1)
    kind = largest.pod.diagnosis.kind.replace("-", " ") if largest.pod.diagnosis else ""
    text = why if count == len(places) else f"{kind}, as in: {why}"
    names = dict.fromkeys(name for row in rows for name in row.names)
    since = _earliest([row.since for row in rows])
    return Pending(names, places, largest.group, largest.pod, text, remedy, since, known)


def _why_missing(workload: WorkloadReport) -> str:
    """What is wrong, with the amounts; without a diagnosis, what its controllers say."""
    if workload.diagnosis is None:
        return next(complaints(workload), "")
    return clauses(workload.diagnosis.text, "" if workload.held else detail_of(workload).rstrip("."))


def _sheet(found: list[Pending], report: Report, view: View) -> Sheet:
    rows = [
        (
            str(len(each.places)),
            f"{some([*each.names], _WORKLOADS_SHOWN)}{each.of_what}",
            _moment(each.since),
            clauses(each.why, in_part([report.pods[place] for place in each.places])),
            each.what_would_help,
        )
        for each in found
    ]
    anchors = [anchor(each.group.pods[0]) for each in found] if view.in_full else []
    return Sheet("", _HEADS, rows, stacked_below=ROOMY, anchors=anchors)


def _out_of_service(report: Report) -> Iterator[str]:
    """Who takes no pods at the moment, whoever asks."""
    found = report.out_of_service
    if found:
        count = sum(len(each.nodes) for each in found)
        are_few = sum(min(len(each.nodes), _OUT_SHOWN) for each in found) <= _OUT_NAMED
        named = [f"{some(each.nodes, _OUT_SHOWN)} ({each.trouble})" for each in found]
        who = joined(named if are_few else [f"{len(each.nodes)} {each.trouble}" for each in found])
        yield f"{count} of {plural(report.nodes, 'node')} {verb(count, 'is')} out of service: {who}"


def _how_to_see_more(report: Report, found: Sequence[Pending], view: View) -> Iterator[Part]:
    named = [(each.pod.pod.argument, each.pod.pod.namespace) for each in found[:1]]
    known = (each for each in report.workloads if kind_with_pods(each.kind))
    named += [(f"{each.kind.lower()}/{each.name}", each.namespace) for each in known]
    argument, namespace = next(iter(named), ("", ""))
    if view.again is None or not argument:
        said = f"{parameter('verbose')} says all of each, as does explain for one"
        yield Prose([said], style=Style.DIM, is_apart=True)
        return
    yield Prose([f"details: {parameter('verbose')} for all of them, or one at a time:"], style=Style.DIM, is_apart=True)
    yield Prose([command("kexplain", argument, namespace=namespace, flags=view.again)], style=Style.COMMAND)


def _cautions(report: Report, view: View) -> Iterator[str]:
    """What could not be evaluated, what is to be known of those that fit, and how many events differ."""
    for pod in report.pods:
        yield from too_optimistic(pod.not_evaluated)
    noted = grouped((note, pod.pod.key) for pod in report.pods if pod.fits for note in pod.notes)
    yield from (f"{some(keys, _FITTING_SHOWN)}: {note}" for note, keys in noted.items())
    differing = [each for group in report.groups for each in group.events if each.agreement is Agreement.DIFFERENT]
    if count := sum(each.pods for each in differing):
        differ = "event differs" if count == 1 else "events differ"
        how = "" if view.in_full else f"; {parameter('verbose')} shows how"
        yield f"{count} {differ} from what is said here{how}"


def _earliest(times: Iterable[str]) -> str:
    """The first of those that are known."""
    return min(filter(None, times), default="")


def _moment(timestamp: str) -> str:
    """Month, day and time of day to the minute, as they are in the timestamp."""
    return f"{timestamp[5:16].replace('T', ' ')} UTC" if timestamp.endswith("Z") else timestamp


def _why(group: PodGroup, pod: PodExplanation) -> str:
    """What somebody who knows the cluster would say, with the amounts."""
    found = pod.diagnosis
    if group.scheduling_group and pod.group is not None and group.outcome is not Outcome.ERROR:
        return clauses(waits_for(pod.group), *(each.text for each in group.causes[:1]))
    if pod.held is not None:
        return pod.diagnosis.text if pod.diagnosis else pod.held.text
    match group.outcome:
        case Outcome.UNSCHEDULABLE if found is not None:
            return f"{found.text}: {found.amounts}" if found.amounts else found.text
        case Outcome.NO_PROFILE:
            return f'left to scheduler "{group.scheduler_name}"'
        case Outcome.DELETING:
            return "being deleted"
        case _:
            return group.message


def _remedy(group: PodGroup, pod: PodExplanation) -> str:
    if pod.held is not None:
        return next((each.text for each in pod.remedies), "")
    match group.outcome:
        case Outcome.GATED if pod.gated_by == "DynamicResources":
            return "create the resource claims that it names"
        case Outcome.GATED if pod.group is not None:
            return f"create {'the rest of the group' if pod.group.there else f'group {pod.group.group}'}"
        case Outcome.GATED:
            return "whatever set the gates must remove them"
        case Outcome.NO_PROFILE:
            return "a scheduler of that name must run"
        case _:
            return next((each.text for each in pod.remedies), "")
