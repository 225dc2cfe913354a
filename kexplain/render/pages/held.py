"""Sentences about pods that something else than the scheduler keeps from running."""

from kexplain.diagnosis.records import Hold, Kind, OnceAdmitted
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.words import some


def is_held(held: Hold, verb: str = "is") -> str:
    """How it stands with a pod that something keeps from running, or with several (`are`)."""
    if held.kind is Kind.NOT_TRIED:
        return ""
    if held.node:
        return f" {_on_its_node(held, verb)}"
    match held.kind:
        case Kind.SUSPENDED:
            return f" {verb} not created"
        case Kind.QUEUE_ADMITTED:
            return f" {verb} let in by {held.by}"
        case Kind.CLAIM_NOT_PROVISIONED:
            return " waits for a volume" if verb == "is" else " wait for volumes"
        case _:
            return f" {verb} held back by {held.by}"


def _on_its_node(held: Hold, verb: str) -> str:
    """The same of a pod that has, or had, a node."""
    plural_verb = verb != "is"
    match held.kind:
        case Kind.PREEMPTED:
            return f"{'were' if plural_verb else 'was'} preempted on {held.node}"
        case Kind.STUCK_TERMINATING:
            return f"{verb} still being deleted"
        case Kind.EVICTED:
            return f"{'were' if plural_verb else 'was'} evicted from {held.node}"
        case Kind.RESIZE_DEFERRED | Kind.RESIZE_INFEASIBLE | Kind.RESIZE_FAILED:
            return f"{'run' if plural_verb else 'runs'} on {held.node} and {verb} not resized"
        case Kind.TURNED_AWAY:
            return f"{'were' if plural_verb else 'was'} turned away by the kubelet of {held.node}"
        case _:
            return f"{'have' if plural_verb else 'has'} node {held.node} and {'do' if plural_verb else 'does'} not run"


def held_lines(pod: PodExplanation) -> list[str]:
    """What holds the pod back, in its own words, what would help, and what the scheduler would say then."""
    held, then = pod.held, pod.once_admitted
    if held is None:
        return []
    said = " ".join(filter(None, (held.reason, f"({held.message})" if held.message and held.reason else held.message)))
    since = f"since {held.since}" if held.since else ""
    where = f"{held.object} ({held.api_version})" if held.api_version else held.object
    lines = [", ".join(filter(None, (where, since))) + (f": {said}" if said else "")] if where else []
    look = "scheduling ends here; next, look at" if held.node else "see"
    lines += [f"{look} {held.command}"] if held.command else []
    return [*lines, *([_then_line(_started(held), then)] if then else [])]


def ungated_line(pod: PodExplanation) -> str:
    """What the scheduler would say of a pod without its gates; of one that another scheduler takes, only why not."""
    then = pod.once_admitted
    if then is None or (then.nodes and pod.outcome is Outcome.NO_PROFILE):
        return ""
    return _then_line("no gate is left" if pod.gates else "a scheduler tries it", then)


def _then_line(once: str, then: OnceAdmitted) -> str:
    if not then.nodes:
        return f"once {once}, it would not fit: {then.message}"
    others = f" ({then.fits} nodes fit)" if then.fits > len(then.nodes) else ""
    return f"once {once}, it would fit on {some(then.nodes, 3)}{others}"


def _started(held: Hold) -> str:
    match held.kind:
        case Kind.SUSPENDED:
            return "it is started"
        case Kind.NOT_TRIED:
            return "it is tried"
        case Kind.CLAIM_NOT_PROVISIONED:
            return "its volume is there"
        case _ if held.node:
            return "it is made anew"
        case _:
            return "admitted"
