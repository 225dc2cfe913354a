"""What reading, admission and scheduling say of a manifest, as findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kexplain.explain.objections import BY_FACT
from kexplain.explain.objections.ports import PortFact
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.records import Cause
from kexplain.explanation.records import PodExplanation
from kexplain.framework.evidence import Evidence
from kexplain.framework.trace import Outcome
from kexplain.lint.rule import Rule
from kexplain.lint.rules.amounts import blamed
from kexplain.lint.rules.availability import host_ports
from kexplain.lint.rules.references import missing
from kexplain.lint.subjects import Workload
from kexplain.objects.problem import Path, Problem
from kexplain.objects.untrusted import at
from kexplain.words import clauses, plural, some, verb

if TYPE_CHECKING:
    from kexplain.lint.placement import Placement
    from kexplain.load.raw_manifests import Manifest
    from kexplain.world.members import Refused, Rollout

UNREADABLE = Rule("unreadable")
UNRENDERED = Rule("unrendered-template")
REPEATED_KEY = Rule("repeated-key")
REFUSED = Rule("refused")
DOES_NOT_FIT = Rule("does-not-fit")
ROLLOUT_STALLS = Rule("rollout-stalls")
NEEDS_PREEMPTION = Rule("needs-preemption")
BEYOND_ROOM = Rule("autoscaler-beyond-room")

RULES = (UNREADABLE, UNRENDERED, REPEATED_KEY, REFUSED, DOES_NOT_FIT, ROLLOUT_STALLS, NEEDS_PREEMPTION, BEYOND_ROOM)

#: Causes that lie with the nodes more than with the pod: others are to blame if there are any.
_OF_THE_NODES = ("TaintToleration", "NodeUnschedulable")
_SHOWN_CAUSES = 3
_UNTRIED = (Outcome.GATED, Outcome.NO_PROFILE, Outcome.DELETING)


class Verdict(Struct, frozen=True):
    """What becomes of a workload, and why; `path` is the field that is to blame, of the workload or of a manifest."""

    rule: Rule
    path: Path
    outcome: str
    why: str = ""
    manifest: Manifest | None = None
    #: What else keeps it out.
    besides: str = ""
    is_of_nodes: bool = False

    @property
    def brief(self) -> str:
        """What becomes of it, where another finding says why; empty where none can, as nodes are to blame."""
        return "" if self.is_of_nodes else clauses(self.outcome, self.besides)

    @property
    def problem(self) -> Problem:
        """Both in one message."""
        return Problem(self.path, f"{self.outcome}: {self.why}" if self.why else self.outcome)


def verdicts_on(placement: Placement) -> Iterator[Verdict]:
    """What there is to say of a workload: what is refused first, then what finds no place."""
    rollout, explanation = placement.rollout, placement.explanation
    if placement.is_at_most and rollout is not None:
        yield _beyond_room(placement, rollout)
        return
    yield from _not_made(placement)
    if rollout is None or explanation is None or placement.outcome in _UNTRIED:
        return
    explanation = _of_own_node(placement, explanation)
    path = _blamed(placement, explanation)
    if rollout.waiting and rollout.old:
        yield Verdict(ROLLOUT_STALLS, path, f"a rolling update {rollout.end}", _because(explanation))
    elif rollout.waiting:
        found = explanation.diagnosis
        besides, of_nodes = (found.besides, found.plugin in _OF_THE_NODES) if found else ("", False)
        of_nodes = of_nodes and path == placement.workload.at()
        left = _left_over(placement, rollout)
        yield Verdict(DOES_NOT_FIT, path, left, _because(explanation), besides=besides, is_of_nodes=of_nodes)
    elif placement.preempting:
        evicting = f"{placement.preempting} of {plural(rollout.desired, 'replica')} fit only by evicting others"
        whom = f" ({some(placement.victims)})" if placement.victims else ""
        yield Verdict(NEEDS_PREEMPTION, path, f"{evicting}{whom}", _because(explanation))


def _not_made(placement: Placement) -> Iterator[Verdict]:
    """Why pods, or the object that makes them, are refused, and whether they would find a place."""
    rollout = placement.rollout
    if placement.refused is not None:
        yield from _refused(placement, placement.refused, "")
    if rollout is not None and rollout.refusals and (short := _not_created(rollout)):
        yield from _refused(placement, rollout.refusals[0], f"{_of(short, rollout.desired)} created: ")
    if placement.besides is not None and placement.besides.outcome == Outcome.UNSCHEDULABLE.value:
        path = _blamed(placement, placement.besides)
        yield Verdict(DOES_NOT_FIT, path, "it would fit on no node either", _because(placement.besides))


def _beyond_room(placement: Placement, rollout: Rollout) -> Verdict:
    """That an autoscaler may ask for more replicas than there is room for."""
    wanted = f"{plural(rollout.desired, 'replica')} of {placement.workload.name}"
    why = _because(placement.explanation) if placement.explanation else ""
    there = f"there is room for {rollout.placed} of {wanted}"
    return Verdict(BEYOND_ROOM, ("spec", "maxReplicas"), there, why, placement.workload.scaler)


def _not_created(rollout: Rollout) -> int:
    """How many pods are not made; of a DaemonSet's update, those that would come beside the old ones."""
    return 0 if rollout.complete else rollout.not_created or rollout.old


def _refused(placement: Placement, refused: Refused, lost: str) -> Iterator[Verdict]:
    """Each field at fault: of the object, or of the pods that it makes."""
    workload = placement.workload
    within = workload.path if placement.refused is None else ()
    for problem in refused.problems:
        if missing(problem):
            # Whoever judges the manifest by itself says so.
            continue
        path: Path = (*within, *problem.path)
        if problem.path == ("spec",) and placement.refused is None:
            path = _replicas(workload) or workload.at()
        yield Verdict(REFUSED, path, f"{lost}{problem.in_words}" if lost else problem.message)


def _of_own_node(placement: Placement, explanation: PodExplanation) -> PodExplanation:
    """Of a daemon pod only what its own node objects to: all others turn it away for its pin."""
    if not placement.nodes:
        return explanation
    own = tuple(replace(cause, count=1) for cause in explanation.causes if placement.nodes[0] in cause.nodes)
    return replace(explanation, causes=own)


def _of(count: int, total: int) -> str:
    pods = plural(total, "pod")
    return f"none of {pods} is" if count == total else f"{count} of {pods} {verb(count, 'is')} not"


def _left_over(placement: Placement, rollout: Rollout) -> str:
    left, wanted = rollout.pending, rollout.desired
    if placement.nodes:
        return f"the pods for {left} of {wanted} nodes do not fit ({some(placement.nodes)})"
    if wanted == 1:
        return "it fits on no node"
    more = 0 if rollout.refusals else rollout.not_created
    later = f", and {more} more {verb(more, 'waits')} for it" if more else ""
    which = "none" if left == wanted else str(left)
    fits = "fits" if which in ("none", "1") else "fit"
    return f"{which} of {plural(wanted, 'replica')} {fits}{'' if which == 'none' else ' nowhere'}{later}"


def _because(explanation: PodExplanation) -> str:
    """What is wrong, then the causes, in the order of how many nodes they turn away."""
    if explanation.diagnosis is not None:
        return clauses(explanation.diagnosis.text, explanation.diagnosis.amounts, explanation.diagnosis.besides)
    if not explanation.causes:
        return explanation.message or explanation.outcome
    shown = [f"{cause.text} [{plural(cause.count, 'node')}]" for cause in explanation.causes[:_SHOWN_CAUSES]]
    more = len(explanation.causes) - len(shown)
    return "; ".join([*shown, *([f"and {more} more causes"] if more else [])])


# ------------------------------------------------------------------------------------------------- the blame


def _blamed(placement: Placement, explanation: PodExplanation) -> Path:
    """The field that the cause comes from which the message names first, or else the main one."""
    workload, diagnosis = placement.workload, explanation.diagnosis
    said, nodes = (diagnosis.plugin, diagnosis.nodes) if diagnosis else ("", ())

    def rank(cause: Cause) -> tuple[bool, ...]:
        return cause.plugin != said, {*nodes}.isdisjoint(cause.nodes), cause.plugin in _OF_THE_NODES

    causes = sorted(explanation.causes, key=rank)
    if not causes:
        return workload.at()
    cause = causes[0]
    has_some = placement.rollout is not None and placement.rollout.new
    is_of_all = has_some and cause.plugin == "NodeResourcesFit"
    return (is_of_all and _replicas(workload)) or _field(workload, cause, explanation)


def _replicas(workload: Workload) -> Path:
    """The field that says how many pods there are to be; empty where none does."""
    path: Path = ("spec", "replicas")
    return path if at(workload.manifest.value, *path) is not None else ()


def _field(workload: Workload, cause: Cause, explanation: PodExplanation) -> Path:
    """The first of the fields that the objection blames which the manifest sets; the pod as a whole if none is."""
    fact = _fact(cause, explanation)
    if isinstance(fact, ResourceFact):
        return blamed(workload, fact.resource)
    if isinstance(fact, PortFact):
        paths = [path for path, port in host_ports(workload) if port == fact.port]
    else:
        paths = [workload.at(*field) for field in (BY_FACT[type(fact)].fields if fact else ())]
    return next((path for path in paths if at(workload.manifest.value, *path)), workload.at())


def _fact(cause: Cause, explanation: PodExplanation) -> Evidence | None:
    """What a node of this cause objects to first."""
    rejections = (v.stopped_by for v in explanation.node_verdicts if v.node in cause.nodes and v.stopped_by)
    return next((fact for rejection in rejections for fact in rejection.facts), None)
