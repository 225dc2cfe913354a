"""Sentences that several text formats share."""

from collections.abc import Iterable, Iterator, Sequence

from kexplain.explain.distance import rejections
from kexplain.explain.fares import NodeVerdicts
from kexplain.explain.gates import Gate
from kexplain.explain.group_records import GroupStanding
from kexplain.explain.objections.devices import requested
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.preemption import PreemptionReport
from kexplain.explain.records import ScoreTerms
from kexplain.explain.retry import Retry
from kexplain.explain.wording import amount
from kexplain.explanation.records import Agreement, Choice, NodeState, PodExplanation
from kexplain.framework.plugin import ScoreTerm
from kexplain.framework.trace import Outcome
from kexplain.framework.wake_events import FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.patterns import regex
from kexplain.remedies.records import Action, Remedy
from kexplain.render.pages import Entry, Listing, too_optimistic
from kexplain.render.pages.held import is_held
from kexplain.render.pages.running import any_node, running_verdict
from kexplain.words import clauses, plural, some, verb

DASH = "—"
#: How events begin about pods that a node was found for.
_BINDING = ("running PreBind plugin", "running Bind plugin", "running Reserve plugin", "running Permit plugin")
_FRACTION = regex(r"\.\d+")


def verdict(pod: PodExplanation) -> str:
    """The outcome in a sentence."""
    name, is_unschedulable = pod.pod.key, pod.outcome is Outcome.UNSCHEDULABLE
    if pod.held is None and is_unschedulable and pod.group is not None and pod.fits_in_its_group:
        return f"{name} fits on {pod.group.node} but waits for its group: {waits_for(pod.group)}"
    nominated = pod.preemption.nominated_node if pod.preemption and not (pod.held or pod.diagnosis) else ""
    later = f" until preemption makes room on {nominated}" if nominated and is_unschedulable else ""
    return f"{verdict_on(name, 1, pod)}{later}"


def verdict_on(who: str, count: int, pod: PodExplanation) -> str:
    """The outcome of so many pods that all fare like this one."""
    be = verb(count, "is")
    if pod.held is not None:
        return f"{who}{is_held(pod.held, be)}: {pod.held.text}"
    if pod.running is not None and count == 1:
        return running_verdict(who, pod, pod.running)
    match pod.outcome:
        case Outcome.SCHEDULED:
            return f"{who} {verb(count, 'fits')} and lands on {pod.choice.node if pod.choice else ''}"
        case Outcome.UNSCHEDULABLE:
            return f"{who} {verb(count, 'does')} not fit on {any_node(pod, count)}"
        case Outcome.GATED:
            known = pod.diagnosis.text if pod.diagnosis and pod.diagnosis.culprit else pod.message
            return f"{who} {be} not scheduled yet: {waits_for(pod.group) if pod.group else known}"
        case Outcome.NO_PROFILE:
            return f'{who} {be} left to scheduler "{pod.scheduler_name}"'
        case Outcome.DELETING:
            return f"{who} {be} not scheduled: {'it is' if count == 1 else 'they are'} being deleted"
        case _:
            return f"{who} cannot be scheduled: {pod.message}"


def advice(pod: PodExplanation) -> str:
    """What to do about a pod that no node was tried for; empty otherwise."""
    if pod.outcome is Outcome.GATED and pod.gated_by == "DynamicResources":
        return "it enters the queue once all claims that it refers to exist and belong to it"
    if pod.outcome is Outcome.GATED and pod.group is not None:
        return enters_queue(pod.group)
    if pod.outcome is Outcome.GATED:
        return f"it enters the queue once spec.schedulingGates is empty; {_removal(pod.gates)}"
    if pod.outcome is Outcome.NO_PROFILE:
        instead = f"{parameter('scheduler_name', pod.scheduler_name)} places it as that scheduler would"
        if len(pod.profiles) > 1:
            instead = f"the profiles here are {some(pod.profiles, 5)}"
        if pod.running is not None:
            return instead
        return f"it stays pending unless a scheduler of that name runs; {instead}"
    return ""


def waits_for(group: GroupStanding) -> str:
    """How far the group is from running."""
    if not group.there:
        return f"group {group.group} does not exist"
    if group.missing:
        exist = "none exists" if not group.exist else f"only {group.exist} {verb(group.exist, 'exists')}"
        return f"group {group.group} needs {plural(group.needs or 0, 'pod')} at once, and {exist}"
    have = group.placed + group.fitting
    if group.needs is None:
        return f"{have} of {plural(group.exist, 'pod')} of group {group.group} fit"
    if have >= group.needs:
        fit = f"{plural(have, 'pod')} of group {group.group} {'fits' if have == 1 else 'fit'}"
        return f"{fit}, and it needs {group.needs} at once"
    return f"{have} of the {plural(group.needs, 'pod')} that group {group.group} needs at once fit"


def enters_queue(group: GroupStanding) -> str:
    """What brings the pod into the queue, which nothing in a cluster says."""
    once = f"{plural(group.missing, 'more pod')} of the group {verb(group.missing, 'exists')}"
    return f"no event says so; the pod enters the queue once {once if group.there else 'that exists'}"


def as_sentence(line: str) -> str:
    """The line with a capital letter and a full stop."""
    return f"{line[:1].upper()}{line[1:]}."


def waiting_lines(retry: Retry) -> list[str]:
    """How long a pod waits, with a change that wakes it and without one."""
    if retry.seconds is None:
        return []
    back_off = f"{FIRST_BACKOFF_SECONDS} second after its first attempt and up to {LONGEST_BACKOFF_SECONDS} after many"
    return [f"it waits {back_off}, then for a change, but for no longer than {retry.seconds // 60} minutes"]


def _removal(gates: Sequence[Gate]) -> str:
    """Who has to remove the gates, and what is waited for."""
    known = [gate for gate in gates if gate.controller]
    if not known:
        return "the controller that set the gates must remove them"
    texts = [f"{each.controller} removes {each.name} once {each.waits_for} ({each.command})" for each in known]
    others = [gate.name for gate in gates if not gate.controller]
    return "; ".join([*texts, *([f"whatever set {some(others)} must remove it"] if others else [])])


def counts(pod: PodExplanation) -> str:
    """All nodes by what became of them, and how the search went where it did not see them all."""
    nodes, sampling = pod.nodes, pod.sampling
    parts = [f"fits on {nodes.feasible} of {nodes.total} nodes"]
    if nodes.rejected:
        parts.append(f"{nodes.rejected} rejected")
    if nodes.excluded:
        parts.append(f"{nodes.excluded} excluded by name")
    if nodes.not_evaluated and pod.group:
        parts.append(f"{nodes.not_evaluated} not looked at")
    elif nodes.not_evaluated and sampling:
        why = f"the search ended once {sampling.nodes_to_find} fit; kexplain trace shows its order"
        parts.append(f"{nodes.not_evaluated} not looked at ({why})")
    return ", ".join(parts)


def why_chosen(choice: Choice) -> list[str]:
    """Why the pod lands where it lands, and the devices that it gets there."""
    return [*_score_lines(choice), *_device_lines(choice)]


def _device_lines(choice: Choice) -> list[str]:
    devices_by_request = grouped((requested(each.claim, each.request), each.device) for each in choice.devices)
    return [f"{request} gets {some(devices, 4)}" for request, devices in devices_by_request.items()]


def _score_lines(choice: Choice) -> list[str]:
    if choice.total is None:
        return ["the only node that fits, so none is scored"]
    lines = []
    if len(choice.best) > 1:
        others = some([name for name in choice.best if name != choice.node], 4)
        picks = f"the scheduler picks one of the {len(choice.best)} at random"
        lines.append(f"{choice.total} points, tied with {others}; {picks}")
    if choice.runner_up is not None and choice.runner_up_total is not None:
        ahead = choice.total - choice.runner_up_total
        margins = ", ".join(f"{margin.plugin} {margin.weighted:+d}" for margin in choice.margins)
        lines.append(f"{choice.total} points, {ahead} more than {choice.runner_up}: {margins}")
    return lines or [f"{choice.total} points, the same as every node that fits"]


def term_cells(term: ScoreTerm) -> list[str]:
    """A resource's part in a score, cell by cell."""
    if not term.allocatable:
        return [term.resource, DASH, DASH, DASH, DASH, str(term.weight)]
    requested, allocatable = (amount(term.resource, each) for each in (term.requested, term.allocatable))
    return [term.resource, requested, allocatable, f"{term.utilization}%", str(term.score), str(term.weight)]


def mean(found: ScoreTerms) -> str:
    """The mean of a score's terms by weight, worked out, or what else it comes from."""
    if found.working:
        return found.working
    counted = [term for term in found.terms if term.counted]
    weights = sum(term.weight for term in counted)
    if not weights:
        return f"no resource counts, so {found.score}"
    total = sum(term.score * term.weight for term in counted)
    parts = " + ".join(f"{term.score}×{term.weight}" for term in counted)
    exact = "" if total % weights == 0 else f"{total / weights:.2f}, so "
    return f"({parts}) / {weights} = {exact}{found.score}"


def preemption_lines(preemption: PreemptionReport, top: int = 0) -> list[str]:
    """What preemption would do, the best first, at most `top` candidates."""
    if not preemption.eligible:
        return [preemption.ineligible_because]
    first = [*dict.fromkeys((preemption.nominated_node, *preemption.best))]
    places = {node: place for place, node in enumerate(first)}
    candidates = sorted(preemption.candidates, key=lambda candidate: places.get(candidate.node, len(places)))
    lines = []
    for candidate in candidates[: top or None]:
        victims = some([f"{victim.pod} (priority {victim.priority})" for victim in candidate.victims], 5)
        mark = "  ◂ would be nominated" if candidate.node == preemption.nominated_node else ""
        budgets = f" of {some(candidate.violated_budgets)}" if candidate.violated_budgets else ""
        violations = plural(candidate.pdb_violations, "PDB violation") + budgets
        lines.append(f"{candidate.node}: evict {victims}, {violations}{mark}")
    if top and len(candidates) > top:
        more = f"{len(candidates) - top} more nodes where eviction would help"
        lines.append(f"… and {more} ({parameter('top', '0')} shows all)")
    if preemption.decided_by:
        lines.append(f"chosen for: {preemption.decided_by}")
    elif len(preemption.best) > 1:
        lines.append(f"equally good: {some(preemption.best, 5)}; the scheduler takes any of them")
    if preemption.enough_candidates is not None:
        looks = f"the scheduler looks at {preemption.potential_nodes} nodes, starting at a random one, and stops at"
        lines.append(f"{looks} {plural(preemption.enough_candidates, 'candidate')}; it may miss the best of all")
    return lines


def no_help_lines(preemption: PreemptionReport) -> list[str]:
    """Where eviction does not help."""
    return [f"no help on {some(group.nodes, 4)}: {group.reason}" for group in preemption.not_helpful]


def ladder_lines(preemption: PreemptionReport) -> list[str]:
    """How victims were found on the node that would be nominated, and how the choice among candidates went."""
    valued = ((step, f" ({step.value})" if step.value else "") for step in preemption.steps)
    steps = [f"{step.criterion}{value}: leaves {some(step.remaining, 6)}" for step, value in valued]
    return [*_reprieve_lines(preemption), *steps]


def _reprieve_lines(preemption: PreemptionReport) -> Iterator[str]:
    """Who of those with lower priority may stay, in the order in which that is tried."""
    for candidate in preemption.candidates:
        if candidate.reprieves:
            yield f"on {candidate.node} all of lower priority go, and come back one by one while the pod still fits:"
        for each in candidate.reprieves:
            budget = f", {plural(each.violations, 'PDB violation')} if it goes" if each.violations else ""
            end = f"has to go ({', '.join(each.reasons)})" if each.stopped_by else "may stay"
            yield f"  {some(each.pods, 3)} (priority {each.priority}{budget}) {end}"


def node_lines(state: NodeState) -> list[str]:
    """How a node stood when the pod was tried."""
    there = [r for r in state.resources if r.allocatable or r.requested]
    rooms = ((r.resource, amount(r.resource, r.free), amount(r.resource, r.allocatable)) for r in there)
    lines = [", ".join([f"{name}: {free} free of {whole}" for name, free, whole in rooms])]
    if state.cordoned:
        lines.append("cordoned")
    if state.taints:
        lines.append(f"taints: {', '.join(state.taints)}")
    if state.nominated:
        lines.append(f"nominated to it: {some(state.nominated, 5)}")
    lines.append(f"labels: {', '.join(f'{key}={value}' for key, value in sorted(state.labels.items())) or 'none'}")
    return lines


def request_lines(pod: PodExplanation) -> list[str]:
    """How the requests add up that some node has too little for."""
    added_up = [each for each in pod.requests if each.parts]
    if not added_up:
        return []
    every = [said for each in NodeVerdicts.of(pod.node_verdicts).distinct for said in rejections(each.sample)]
    short = {fact.resource for each in every for fact in each.facts if isinstance(fact, ResourceFact)}
    needed = (each for each in added_up if each.resource in short)
    return [f"{each.resource} {amount(each.resource, each.requested)} = {each.parts}" for each in needed]


def warnings(pod: PodExplanation) -> Iterable[str]:
    """What the reader should know before trusting the verdict."""
    yield from too_optimistic(pod.not_evaluated)
    for call in pod.extender_calls:
        if call.is_passed_over:
            yield f"{call.extender} was asked to {call.verb}, failed and was ignored: {call.error}"
        if call.emptied:
            nodes = plural(call.emptied, "node")
            yield f"{call.extender} sent {nodes} back whole, which the scheduler scores as if no pod ran there"
    chosen = pod.choice.node if pod.choice else ""
    for each in NodeVerdicts.of(pod.node_verdicts).among((chosen,)) if chosen else ():
        if each.evicted_after_seconds is not None:
            seconds = each.evicted_after_seconds
            yield f"{chosen} would evict it after {seconds} s, as it tolerates a NoExecute taint for no longer"
    yield from pod.notes


def event_line(pod: PodExplanation) -> str:
    """What the scheduler itself has said about the pod, against what is said here; empty if it has said nothing."""
    event = pod.event
    if event is None:
        return ""
    whose = f"the event of {_moment(event.last_seen) or 'its scheduler'}"
    if event.reported_by and event.reported_by != pod.scheduler_name:
        whose += f" by {event.reported_by}"
    if event.times > 1:
        since = f" since {_moment(event.first_seen)}" if event.first_seen else ""
        whose += f" ({event.times} times{since})"
    match event.agreement:
        case Agreement.OTHER_OUTCOME if not pod.is_decided:
            return f"{whose} says: {event.message}"
        case Agreement.SAME:
            return f"{whose} says the same"
        case Agreement.SAME_REASONS:
            return f"{whose} gives the same reasons, each for as many nodes"
        case Agreement.OTHER_OUTCOME:
            return f"{whose} {_disagrees(pod)}: {event.message}{_changed(pod)}"
    return f"{whose} differs: {differences(pod)}"


def differences(pod: PodExplanation) -> str:
    """In what the event about a pod differs from what is said here; empty without one."""
    event = pod.event
    found = [f"{each.reason}: event {each.there}, now {each.here}" for each in event.differences] if event else []
    if event and event.nodes is not None and event.nodes != pod.nodes.total:
        found.insert(0, f"nodes: event {event.nodes}, now {pod.nodes.total}")
    return "; ".join(found) or (event.message if event else "")


def _disagrees(pod: PodExplanation) -> str:
    """Whether an event about a pod that has a place here is about the same place."""
    is_later = pod.event is not None and pod.event.message.startswith(_BINDING)
    return "says that it had a node, and could not be bound" if is_later and pod.choice else "disagrees"


def _changed(pod: PodExplanation) -> str:
    """That a pod fits now on nodes that turned it away; of one that failed later, when it was bound, none did."""
    turned_away = pod.event is not None and pod.event.nodes is not None
    return "; the cluster has changed since" if pod.outcome is Outcome.SCHEDULED and turned_away else ""


def simulator_line(pod: PodExplanation) -> str:
    """What kube-scheduler-simulator has written about the pod, against what is said here; empty without."""
    found = pod.simulator
    if found is None:
        return ""
    chose = f"chose {found.selected_node}" if found.selected_node else "found no node"
    nodes = [f"{each.node}: {each.there} there, {each.here} here" for each in found.differences]
    differs = f"it differs on {len(nodes)} of {plural(found.nodes, 'node')} ({some(nodes, 2)})" if nodes else ""
    same = "" if nodes else f"it says the same of {plural(found.nodes, 'node')}"
    other = ", which is not the best here" if pod.choice else ", which does not fit here"
    other = "" if found.agrees else other if found.selected_node else ", but one fits here"
    return clauses(f"by its annotations, kube-scheduler-simulator {chose}{other}", differs, same)


def autoscaler_lines(pod: PodExplanation) -> Iterator[str]:
    """What autoscalers have said of the pod, with what it means in general unless it is known what keeps it."""
    found = pod.diagnosis
    is_known = found is not None and (found.culprit is not None or "growth" in found.facts)
    for event in pod.autoscaler:
        when = f" of {_moment(event.last_seen)}" if event.last_seen else ""
        times = f", {event.times} times" if event.times > 1 else ""
        yield f"{event.reported_by or 'an autoscaler'} ({event.reason}{when}{times}): {event.message}"
        yield from () if is_known else (f"that means: {meaning}" for meaning in event.meaning)


def _moment(timestamp: str) -> str:
    """A timestamp to the second."""
    return _FRACTION.sub("", timestamp)


#: What is done to nodes, which the text names then.
_OF_NODES = (Action.UNCORDON, Action.MEND_NODE, Action.LABEL_NODE, Action.REMOVE_TAINT, Action.CHECK_NODE)


def _names_node(remedy: Remedy) -> bool:
    """Whether the text names the one node that the pod fits on then, as that is what is changed."""
    changed = {each.target.name for each in remedy.changes if each.target.kind == "Node"}
    return remedy.action in _OF_NODES and len(remedy.nodes) == 1 and (not changed or remedy.nodes[0] in changed)


def what_helps(remedies: Iterable[tuple[str, Remedy, str]], flag: str, note: str = "") -> Listing:
    """What would help: how each remedy reads, and what it promises; where it can, the flag prints it by its number."""
    numbered = ((f"{flag} {number}", *each) for number, each in enumerate(remedies, 1))
    entries = [
        Entry(text, promised, asked if flag and remedy.is_printable else "", remedy.commands)
        for asked, text, remedy, promised in numbered
    ]
    return Listing("WHAT WOULD HELP", entries, note)


def promise(remedy: Remedy, who: str = "it") -> str:
    """What becomes of the pod then, unless others that wait since the same second are faster; empty if not known."""
    rivals = f"{some(remedy.rivals, 2)}, created in the same second,"
    first = f", unless {rivals} {verb(len(remedy.rivals), 'takes')} the room"
    return f"{said}{first if remedy.rivals else ''}" if (said := _promise(remedy, who)) else ""


def _promise(remedy: Remedy, who: str) -> str:
    if remedy.serves is not None and remedy.pending is not None and remedy.pending > 1:
        if remedy.serves < remedy.pending:
            return f"then {remedy.serves} of {remedy.pending} pods {verb(remedy.serves, 'fits')}"
        return "then both pods fit" if remedy.pending == 2 else f"then all {remedy.pending} pods fit"
    is_of_bundle = bool(remedy.bundle) and {*remedy.nodes} <= {*remedy.bundle}
    if _names_node(remedy) or (remedy.action is Action.ADD_NODE and remedy.tried) or is_of_bundle:
        return f"then {who} fits there"
    return f"then {who} fits on {some(remedy.nodes, 3 if len(remedy.nodes) <= 3 else 1)}" if remedy.nodes else ""
