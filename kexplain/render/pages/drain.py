"""What is on the page of a drain."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from kexplain.grouping import grouped
from kexplain.render.pages import Listing, Page, Prose, Sheet, State, Style, columns, numbers, resting_on
from kexplain.render.pages.causes import causes_of_groups
from kexplain.render.pages.held import standing_briefly
from kexplain.render.pages.sentences import DASH, promise, what_helps
from kexplain.render.view import View
from kexplain.report.drain_records import DrainedPod, DrainReport, DrainStep
from kexplain.report.groups import reasons
from kexplain.scheduler.draining import DAEMON_SET_STAYS, MIRROR_STAYS, VIOLATES_BUDGET, Fate
from kexplain.words import clauses, joined, listed, plural, some, verb

#: What ends `kubectl drain` with an error.
_IN_THE_WAY = ("Refused", "Blocked")
_SHOWN = 3
#: So many pods are named where the cause behind them is said.
_NAMED = 2
_WORDS = {"Unschedulable": "pending", "NotCreated": "not created", "NoProfile": "left to another scheduler"}
#: What nobody has to care about, by its message: what kubectl drain does with it, and what it is.
_ASIDE = {DAEMON_SET_STAYS: ("ignores", "DaemonSet pod"), MIRROR_STAYS: ("leaves", "static pod")}
_STAYING = columns("POD", "NODE", "WHAT", "BECAUSE")


def page(report: DrainReport, view: View) -> Page:
    """Who is in the way or left without a place first, then where the others go."""
    if report.each:
        return _of_each(report)
    left = [pod for pod in report.pods if pod.is_left]
    moved = [pod for pod in report.pods if pod.is_moved]
    others = [pod for pod in report.pods if not (pod.is_left or pod.is_moved or pod.message in _ASIDE)]
    return Page(
        clauses(_unplaced(report), _headline(report, left, moved)),
        State.of(not report.fails),
        f"kubernetes {report.kubernetes_version}",
        [
            *resting_on(report.rests_on),
            *[Prose([line], style=Style.WARNING) for line in landing_doubts(report.pods)],
            *_warnings(report),
            *pending_before(report.pending_before, report.unplaced),
            _would_help(report, view),
            *([_held_by_budgets(left)] if _is_long(left) else []),
            _left_behind(left),
            *causes_of_groups((reasons(pod.causes), (pod.pod, pod)) for pod in left if pod.causes),
            _moves(moved),
            _removal(report),
            Sheet("DO NOT MOVE", _STAYING, [(pod.pod, pod.from_node, _what(pod), _because(pod)) for pod in others]),
            _steps(report),
            *_left_aside(report.pods),
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
    what = ("group of nodes", "groups of nodes") if any(step.together for step in report.steps) else ("node",)
    count = f"{len(free)} of {plural(len(report.steps), *what)} could be drained now"
    return Page(
        clauses(_unplaced(report), f"{count}, each if the others stay" if free else count),
        State.of(not report.fails),
        f"kubernetes {report.kubernetes_version}",
        [
            *resting_on(report.rests_on),
            *pending_before(report.pending_before, report.unplaced),
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
    for (because, by), pods in grouped(((briefly(_because(pod)), pod.preempted_by), pod.pod) for pod in own).items():
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


def pending_before(names: Iterable[str], unplaced: Collection[str] = ()) -> list[Prose]:
    """Which pods had no node before any left, but for those of what is applied."""
    waiting = [name for name in names if name not in unplaced]
    text = f"{plural(len(waiting), 'pod')} {verb(len(waiting), 'was')} already pending: {some(waiting, _NAMED)}"
    return [Prose([text], style=Style.DIM)] if waiting else []


def _group(step: DrainStep) -> str:
    """The node, or what the nodes of a group share and how many there are."""
    return f"{step.together} ({plural(len(step.nodes), 'node')})" if step.together else step.nodes[0]


def _left_behind(pods: Sequence[DrainedPod]) -> Sheet:
    """Without what is the same for all: the node, and the reason where it stands below, perhaps with all names."""
    because = _by_budget if _is_long(pods) else _because
    reasons = [*{because(pod) for pod in pods}]
    is_explained = all(pod.causes for pod in pods)
    is_shared = len(reasons) == 1 and (is_explained or len(pods) > _NAMED)
    rows = _differing(pods, (lambda _: "") if is_shared else because)
    if len(pods) <= _NAMED and not any(cell for row in rows for cell in row[1:]):
        return Sheet("")
    title = "LEFT WITHOUT A PLACE" if _are_pending(pods) else "LEFT WITHOUT A PLACE, OR IN THE WAY"
    notes = [f"all of them: {reasons[0]}"] if is_shared and not is_explained else []
    return Sheet(title, _STAYING, rows, notes=notes)


def _differing(pods: Sequence[DrainedPod], because: Callable[[DrainedPod], str]) -> list[tuple[str, ...]]:
    """A row a pod, with its node where they differ, and what becomes of it where some are not just pending."""
    nodes, ends = {pod.from_node for pod in pods}, {_what(pod) for pod in pods}
    has_node, has_end = len(nodes) > 1, ends != {_WORDS["Unschedulable"]}
    return [(pod.pod, pod.from_node if has_node else "", _what(pod) if has_end else "", because(pod)) for pod in pods]


def _are_pending(pods: Iterable[DrainedPod]) -> bool:
    return {pod.outcome for pod in pods} == {"Unschedulable"}


def _is_long(pods: Iterable[DrainedPod]) -> bool:
    """Whether budgets keep several pods, so that what one misses is said once."""
    return sum(map(len, _budgets(pods).values())) > 1


def _left_aside(pods: Iterable[DrainedPod]) -> list[Prose]:
    """How many pods come with their nodes and stay."""
    count = Counter(pod.message for pod in pods)
    said = [f"{verbs} {plural(count[message], noun)}" for message, (verbs, noun) in _ASIDE.items() if count[message]]
    return [Prose([f"kubectl drain {joined(said)}"], style=Style.DIM, is_apart=True)] if said else []


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
    doubtful = sum(bool(pod.doubt) for pod in moved)
    some_of = f"{doubtful} of them " if doubtful < len(moved) else ""
    where = f", {some_of}to where {'it' if doubtful == 1 else 'they'} may not start" if doubtful else ""
    return f"{nodes} can be drained: {moving(report.pods)}{where}"


def moving(pods: Sequence[DrainedPod]) -> str:
    """How many pods move, and which nobody makes again."""
    moved, gone = sum(pod.is_moved for pod in pods), [pod.pod for pod in pods if pod.outcome == Fate.GONE]
    leaving = f"{plural(moved, 'pod')} {verb(moved, 'moves')}" if moved else "no pod has to move"
    return f"{leaving}, and {some(gone, 1)} {verb(len(gone), 'does')} not come back" if gone else leaving


def _left(left: Sequence[DrainedPod]) -> str:
    """`1 pod without a place, 3 pods held by 2 PodDisruptionBudgets (2 by shop/web), 1 pod that nobody stops`"""
    budgets = [(key, len(own)) for key, own in _budgets(left).items()]
    first = "".join(f"PodDisruptionBudget {key}" for key, _ in budgets[:1])
    several = "".join(f"{len(budgets)} PodDisruptionBudgets ({count} by {key})" for key, count in budgets[:1])
    words = {
        "Unschedulable": f"without a place{_making_room(left)}",
        "NoProfile": "left to another scheduler",
        "NotCreated": "that cannot be made again",
        "Held": f"held by {several if budgets[1:] else first}",
        "Refused": "that kubectl drain refuses",
        "Blocked": "that nobody stops",
    }
    ends = ("Held" if pod.outcome == "Blocked" and pod.held_up_by else pod.outcome for pod in left)
    counts = Counter(end if end in words else "Unschedulable" for end in ends)
    return ", ".join(f"{plural(counts[end], 'pod')} {said}" for end, said in words.items() if counts[end])


def _making_room(left: Sequence[DrainedPod]) -> str:
    """` (2 of them preempted by shop/pay-1)`"""
    pending = [pod for pod in left if pod.outcome == "Unschedulable"]
    by = [pod.preempted_by for pod in pending if pod.preempted_by]
    of_them = "" if len(by) == len(pending) else f"{len(by)} of them "
    return f" ({of_them}preempted by {some([*dict.fromkeys(by)], 1)})" if by else ""


def _budgets(pods: Iterable[DrainedPod]) -> dict[str, list[DrainedPod]]:
    """Those of the pods that each budget keeps, the budget that keeps most first."""
    found = grouped((key, pod) for pod in pods if pod.outcome in _IN_THE_WAY for key in pod.held_up_by)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _held_by_budgets(left: Sequence[DrainedPod]) -> Sheet:
    """What each budget misses, where several pods are held."""
    rows = [(key, str(len(own)), briefly(_because(own[0]))) for key, own in _budgets(left).items()]
    return Sheet("BUDGETS IN THE WAY", (*columns("BUDGET"), *numbers("PODS"), *columns("BECAUSE")), rows)


def briefly(reason: str) -> str:
    """Why a pod stays; of a budget, without what is the same for all budgets."""
    return reason.removeprefix(f"{VIOLATES_BUDGET} The disruption ")


def _warnings(report: DrainReport) -> list[Prose]:
    refused = dict.fromkeys(pod.from_node for pod in report.pods if pod.outcome == "Refused")
    text = f"kubectl drain evicts nothing from {some([*refused], _SHOWN)} as long as it refuses a pod there"
    return [Prose([f"{text}; below is what would become of the others"], style=Style.WARNING)] if refused else []


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
