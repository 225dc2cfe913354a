"""What is on the page of a drain."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from kexplain.grouping import grouped
from kexplain.render.pages import Listing, Page, Prose, Sheet, State, Style, columns, numbers, resting_on
from kexplain.render.pages.causes import causes_of_groups
from kexplain.render.pages.held import standing_briefly
from kexplain.render.pages.sentences import DASH, promise, what_helps
from kexplain.render.view import View
from kexplain.report.drain_records import DrainedPod, DrainReport, DrainStep
from kexplain.report.groups import reasons
from kexplain.report.pack_records import PackReport
from kexplain.scheduler.draining import DAEMON_SET_STAYS, VIOLATES_BUDGET
from kexplain.words import clauses, listed, plural, some, verb

#: What ends `kubectl drain` with an error.
_IN_THE_WAY = ("Refused", "Blocked")
_SHOWN = 3
#: So many pods are named where the cause behind them is said.
_NAMED = 2
_WORDS = {"Unschedulable": "pending", "NotCreated": "not created", "NoProfile": "left to another scheduler"}
_STAYING = columns("POD", "NODE", "WHAT", "BECAUSE")


def page(report: DrainReport, view: View) -> Page:
    """Who is in the way or left without a place first, then where the others go."""
    if report.each:
        return _of_each(report)
    left = [pod for pod in report.pods if pod.is_left]
    moved = [pod for pod in report.pods if pod.is_moved]
    others = [pod for pod in report.pods if pod not in left and pod not in moved]
    staying = [pod for pod in others if not _is_daemon(pod)]
    return Page(
        clauses(_unplaced(report), _headline(report, left, moved)),
        State.of(not report.fails),
        f"kubernetes {report.kubernetes_version}",
        [
            *resting_on(report.rests_on),
            *[Prose([line], style=Style.WARNING) for line in landing_doubts(report.pods)],
            *_warnings(report),
            *pending_before(report),
            _would_help(report, view),
            *([_held_by_budgets(left)] if _is_long(left) else []),
            _left_behind(left),
            *causes_of_groups((reasons(pod.causes), (pod.pod, pod)) for pod in left if pod.causes),
            _moves(moved),
            _removal(report),
            Sheet("DO NOT MOVE", _STAYING, _staying(staying, _because)),
            _steps(report),
            *_ignored(others),
        ],
    )


def _moves(pods: Sequence[DrainedPod]) -> Sheet:
    held = {pod.pod: standing_briefly(pod.held) if pod.held else "" for pod in pods}
    goes = [(pod.pod, pod.from_node, pod.node or "", when(pod), held[pod.pod]) for pod in pods]
    return Sheet("MOVE", columns("POD", "FROM", "TO", "WHEN", "NOW"), goes)


def _would_help(report: DrainReport, view: View) -> Listing:
    """What would help those that are left without a place."""
    pending = [pod.pod for pod in report.pods if pod.remedies and pod.outcome == "Unschedulable"]
    who = pending[0] if len(pending) == 1 else "it"
    return what_helps([(text, each, promise(each, who)) for text, each in report.helps.items()], view.fix_flag)


def _of_each(report: DrainReport) -> Page:
    """Which nodes could be drained, and what stops the others."""
    stopped = [(_group(step), listed([*_reasons(report, step)], "; ")) for step in report.steps if step.left]
    clear = ((step, landing_doubts(_of_step(report, step))) for step in report.steps if not step.left)
    free = [(_group(step), str(step.moved), listed(doubts, "; ")) for step, doubts in clear]
    what, of = ("group", " of nodes") if any(step.together for step in report.steps) else ("node", "")
    count = f"{len(free)} of {plural(len(report.steps), what)}{of} could be drained now"
    return Page(
        clauses(_unplaced(report), f"{count}, each if the others stay" if free else count),
        State.of(not report.fails),
        f"kubernetes {report.kubernetes_version}",
        [
            *resting_on(report.rests_on),
            *pending_before(report),
            Sheet("COULD BE DRAINED", (*columns("NODE"), *numbers("PODS THAT MOVE"), *columns("BUT")), free),
            Sheet(
                "COULD NOT",
                columns("NODE", "BECAUSE"),
                stopped,
                notes=["ask about one alone for what would help it"] if stopped else [],
            ),
        ],
    )


def _reasons(report: DrainReport, step: DrainStep) -> Iterator[str]:
    """Which pods are left once these nodes are drained, on them or to make room for theirs, and why."""
    own = (pod for pod in _of_step(report, step) if pod.is_left)
    for (because, by), pods in grouped(((_briefly(pod), pod.preempted_by), pod.pod) for pod in own).items():
        yield f"{some(pods, _NAMED)}{f', preempted by {by}' if by else ''}: {because}"


def _of_step(report: DrainReport, step: DrainStep) -> list[DrainedPod]:
    """The pods on these nodes, and those that make room for them."""
    return [pod for pod in report.pods if (pod.drained or (pod.from_node,))[0] in step.nodes]


def landing_doubts(pods: Sequence[DrainedPod]) -> list[str]:
    """How many of those that move may not start where they land, node by node, and why."""
    moved = sum(pod.is_moved for pod in pods)
    doubts = grouped(((pod.node, pod.doubt), pod) for pod in pods if pod.doubt)
    return [f"{len(own)} of {moved} {verb(len(own), 'lands')} on {node}, {why}" for (node, why), own in doubts.items()]


def _unplaced(report: DrainReport) -> str:
    """Which pods of what is applied have no node, whoever is drained."""
    count = len(report.unplaced)
    return f"{some(report.unplaced, _NAMED)} of what is applied {verb(count, 'has')} no node" if count else ""


def pending_before(report: DrainReport | PackReport) -> list[Prose]:
    """Which pods had no node before any left."""
    names, behind = [*report.pending_before], ", and may need a node that goes"
    if isinstance(report, DrainReport):
        names = [each for each in names if each not in report.unplaced]
        is_first = any(step.added for step in report.steps)
        behind = f", and {verb(len(names), 'is')} tried first" if is_first else ""
    text = f"{plural(len(names), 'pod')} {verb(len(names), 'was')} already pending{behind}"
    return [Prose([f"{text}: {some(names, _NAMED)}"], style=Style.DIM)] if names else []


def _group(step: DrainStep) -> str:
    """The node, or what the nodes of a group share and how many there are."""
    return f"{step.together} ({plural(len(step.nodes), 'node')})" if step.together else step.nodes[0]


def _left_behind(pods: Sequence[DrainedPod]) -> Sheet:
    """Without what is the same for all: the node, and the reason where it stands below, perhaps with all names."""
    cells = _staying(pods, _by_budget if _is_long(pods) else _because)
    has_nodes, has_reasons = (len({cell[place] for cell in cells}) > 1 for place in (1, 3))
    is_explained = all(pod.causes for pod in pods) and not has_reasons
    has_ends = {cell[2] for cell in cells} != {_WORDS["Unschedulable"]}
    is_shared = len(cells) > _NAMED and not (is_explained or has_reasons)
    shown = (True, has_nodes, has_ends, not (is_explained or is_shared))
    if len(pods) <= _NAMED and not any(shown[1:]):
        return Sheet("")
    rows = [_with(cell, shown) for cell in cells]
    return Sheet(_title(pods), _STAYING, rows, notes=[f"all of them: {cells[0][3]}"] if is_shared else [])


def _with(cells: Iterable[str], shown: Iterable[bool]) -> tuple[str, ...]:
    return tuple(cell if is_shown else "" for cell, is_shown in zip(cells, shown, strict=True))


def _is_long(pods: Iterable[DrainedPod]) -> bool:
    """Whether budgets keep several pods, so that what one misses is said once."""
    return sum(map(len, _budgets(pods).values())) > 1


def _title(pods: Sequence[DrainedPod]) -> str:
    are_pending = {pod.outcome for pod in pods} == {"Unschedulable"}
    return f"LEFT WITHOUT A PLACE{'' if are_pending else ', OR IN THE WAY'}"


def _is_daemon(pod: DrainedPod) -> bool:
    return pod.message == DAEMON_SET_STAYS


def _ignored(pods: Sequence[DrainedPod]) -> list[Prose]:
    """How many pods come with every node, and stay."""
    count = sum(map(_is_daemon, pods))
    text = f"kubectl drain ignores {plural(count, 'DaemonSet pod')}"
    return [Prose([text], style=Style.DIM, is_apart=True)] if count else []


def _staying(pods: Sequence[DrainedPod], because: Callable[[DrainedPod], str]) -> list[tuple[str, ...]]:
    return [(pod.pod, pod.from_node, _what(pod), because(pod)) for pod in pods]


def _by_budget(pod: DrainedPod) -> str:
    return f"PodDisruptionBudget {some(pod.held_up_by)}" if pod.held_up_by else _because(pod)


def _removal(report: DrainReport) -> Sheet:
    """Why an autoscaler does not take the nodes away, those that share a reason in one row."""
    groups = grouped(((each.by, each.text), each) for each in report.removal)
    rows = [
        (
            some(list(dict.fromkeys(each.node for each in found)), _SHOWN),
            *said,
            some([pod for each in found for pod in each.pods], _SHOWN),
        )
        for said, found in groups.items()
    ]
    return Sheet("WHAT KEEPS AUTOSCALERS FROM TAKING THEM AWAY", columns("NODE", "AUTOSCALER", "BECAUSE", "PODS"), rows)


def _because(pod: DrainedPod) -> str:
    """What is wrong, or why it stays."""
    return pod.diagnosis.text if pod.diagnosis else pod.message or ""


def _headline(report: DrainReport, left: Sequence[DrainedPod], moved: Sequence[DrainedPod]) -> str:
    nodes = some(report.nodes, 3)
    if report.stopped_at:
        return f"the drain of {nodes} stops at {report.stopped_at}: {_left(left)}"
    if any(pod.outcome in _IN_THE_WAY for pod in left):
        return f"{nodes} cannot be drained as it stands: {_left(left)}"
    if left:
        return f"draining {nodes} leaves {_left(left)}"
    moving = f"{plural(len(moved), 'pod')} {verb(len(moved), 'moves')}" if moved else "no pod has to move"
    doubtful = sum(bool(pod.doubt) for pod in moved)
    some_of = f"{doubtful} of them " if doubtful < len(moved) else ""
    where = f", {some_of}to where {'it' if doubtful == 1 else 'they'} may not start" if doubtful else ""
    return f"{nodes} can be drained: {moving}{where}"


def _left(left: Sequence[DrainedPod]) -> str:
    missing = sum(pod.outcome == "NotCreated" for pod in left)
    in_the_way = [pod for pod in left if pod.outcome in _IN_THE_WAY]
    elsewhere = sum(pod.outcome == "NoProfile" for pod in left)
    pending = len(left) - missing - elsewhere - len(in_the_way)
    parts = [f"{plural(pending, 'pod')} without a place{_making_room(left, pending)}"] if pending else []
    parts += [f"{plural(elsewhere, 'pod')} to another scheduler"] if elsewhere else []
    parts += [f"{plural(missing, 'pod')} that {verb(missing, 'is')} not made again"] if missing else []
    parts += [f"{plural(len(in_the_way), 'pod')} in the way{_held(in_the_way)}"] if in_the_way else []
    return ", ".join(parts)


def _making_room(left: Sequence[DrainedPod], pending: int) -> str:
    """` (2 of them preempted by shop/pay-1)`"""
    by = [pod.preempted_by for pod in left if pod.preempted_by and pod.outcome == "Unschedulable"]
    of_them = "" if len(by) == pending else f"{len(by)} of them "
    return f" ({of_them}preempted by {some([*dict.fromkeys(by)], 1)})" if by else ""


def _held(in_the_way: Sequence[DrainedPod]) -> str:
    """` (3 held by 2 PodDisruptionBudgets, 2 by shop/web; 2 that kubectl drain refuses; 1 that nobody stops)`"""
    refused = sum(pod.outcome == "Refused" for pod in in_the_way)
    held, budgets = sum(bool(pod.held_up_by) for pod in in_the_way), _budgets(in_the_way)
    by = [f"{plural(len(budgets), 'PodDisruptionBudget')}, {len(own)} by {key}" for key, own in budgets.items()]
    parts = [f"{held} held by {by[0] if by[1:] else f'PodDisruptionBudget {next(iter(budgets))}'}"] if by else []
    stuck = len(in_the_way) - held - refused
    parts += [
        f"{count} that {what}" for count, what in ((refused, "kubectl drain refuses"), (stuck, "nobody stops")) if count
    ]
    return f" ({'; '.join(parts)})" if parts else ""


def _budgets(pods: Iterable[DrainedPod]) -> dict[str, list[DrainedPod]]:
    """Those of the pods that each budget keeps, the budget that keeps most first."""
    found = grouped((key, pod) for pod in pods if pod.outcome in _IN_THE_WAY for key in pod.held_up_by)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _held_by_budgets(left: Sequence[DrainedPod]) -> Sheet:
    """What each budget misses, where several pods are held."""
    rows = [(key, str(len(own)), _briefly(own[0])) for key, own in _budgets(left).items()]
    return Sheet("BUDGETS IN THE WAY", (*columns("BUDGET"), *numbers("PODS"), *columns("BECAUSE")), rows)


def _briefly(pod: DrainedPod) -> str:
    """What is wrong; of a budget, without what is the same for all budgets."""
    return _because(pod).removeprefix(f"{VIOLATES_BUDGET} The disruption ")


def _warnings(report: DrainReport) -> list[Prose]:
    refused = dict.fromkeys(pod.from_node for pod in report.pods if pod.outcome == "Refused")
    left = f"kubectl drain leaves {some([*refused], _SHOWN)} as {'it is' if len(refused) == 1 else 'they are'}"
    text = f"{left}; what follows is what would happen without the pods it refuses"
    return [Prose([text], style=Style.WARNING)] if refused else []


def _what(pod: DrainedPod) -> str:
    by = f", preempted by {pod.preempted_by}" if pod.preempted_by else ""
    return f"{_WORDS.get(pod.outcome, pod.outcome.lower())}{by}"


def when(pod: DrainedPod) -> str:
    """When a pod leaves."""
    if pod.preempted_by:
        return f"preempted by {pod.preempted_by}"
    if pod.held_up_by:
        return f"in round {pod.round}, once the PodDisruptionBudget {some(pod.held_up_by, 2)} allows it"
    return "at once"


def _steps(report: DrainReport) -> Sheet:
    # The step that fails is what one looks for.
    in_order = sorted(report.steps, key=lambda step: not step.left)
    told = in_order if len(in_order) > 1 or report.stopped_at else []
    rows = [(some(step.nodes, 3), some(step.added, 3) or DASH, str(step.moved), str(step.left)) for step in told]
    title = "ONE BY ONE" if in_order == [*report.steps] else "ONE BY ONE, WHERE IT STOPS FIRST"
    return Sheet(title, (*columns("NODE", "FRESH NODES FIRST"), *numbers("MOVE", "LEFT")), rows)
