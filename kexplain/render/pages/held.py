"""Sentences about pods that something else than the scheduler keeps from running."""

from kexplain.diagnosis.records import Hold, Kind, OnceAdmitted
from kexplain.explanation.records import PodExplanation
from kexplain.framework.trace import Outcome
from kexplain.render.pages import worded
from kexplain.tables import table
from kexplain.words import some

#: How it stands with pods that have a node, and with others, by what is wrong: with one of them, and with several.
_STANDING = table("held", dict[str, dict[str, dict[str, str]]])
_ONCE = worded("once held pods are free", dict[Kind, str])


def is_held(held: Hold, verb: str = "is") -> str:
    """How it stands with a pod that something keeps from running, or with several (`are`)."""
    if held.kind is Kind.NOT_TRIED:
        return ""
    standing = _STANDING["with a node" if held.node else "without one"]
    return f" {standing.get(held.kind, standing['other'])[verb].format(node=held.node, by=held.by)}"


def standing_briefly(held: Hold) -> str:
    """How it stands with a pod that has a node, and why in a word or a few."""
    return f"{is_held(held).strip()} ({held.reason or held.text})"


def held_lines(pod: PodExplanation) -> list[str]:
    """What holds the pod back, in its own words, what would help, and what the scheduler would say then."""
    held, then = pod.held, pod.once_admitted
    if held is None:
        return []
    message = " ".join(map(str.strip, held.message.splitlines()))
    said = " ".join(filter(None, (held.reason, f"({message})" if message and held.reason else message)))
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
    return _ONCE.get(held.kind, "it is made anew" if held.node else "admitted")
