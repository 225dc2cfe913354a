"""What the message of an event means, part by part, as it is rendered and as JSON publishes it under `kexplain/v1`."""

from collections.abc import Iterable
from itertools import combinations

from kexplain.explain.output import Output
from kexplain.explain.records import Document
from kexplain.explanation.records import PodExplanation, ReasonDifference
from kexplain.framework.trace import Outcome
from kexplain.messages.message import parse_message
from kexplain.messages.paraphrases import paraphrased
from kexplain.messages.part import Message, Part, Section
from kexplain.messages.text import Releases

#: Some releases name the first taint of a node, others none.
_TAINTS = "TaintToleration"
#: The releases that do not count nodes which a plugin excluded before it looked at them.
_COUNT_NOT_ALL = Releases(last="1.31")
_PROBABLY = "no scheduler that kexplain knows words it so; probably, "


class EventPart(Output, frozen=True):
    """One text of a message.

    `section` is filter, postFilter, preemption, pod or autoscaler. `count` is on how many nodes, or node groups, the
    text holds; null where it is not about nodes. Where nobody is `known` to say it in these words, `meaning` is what it
    probably means, or empty. `eviction` is helps or no: whether evicting pods from such a node can lift it; empty where
    that is not the question. `releases` are those that say it in these words; empty for all. `nodes` are those that
    the text is about, where a cluster was at hand to ask.
    """

    text: str
    section: str
    count: int | None
    plugin: str
    meaning: str
    known: bool
    check: str = ""
    eviction: str = ""
    releases: str = ""
    nodes: tuple[str, ...] = ()


class Today(Output, frozen=True):
    """What is decided of the pod in the cluster that was given, where a message says something else.

    `outcome` is that of the pod, with the node where it lands, if it does; `differences` are the reasons that hold for
    another number of nodes.
    """

    outcome: Outcome
    nodes: int
    node: str = ""
    differences: tuple[ReasonDifference, ...] = ()


class ExplainedEvent(Output, frozen=True):
    """A message taken apart.

    `reportedBy` is the component that says it, by what stands beside the message or else by its form; empty if neither
    tells. `total` is the number of nodes; null where the message counts none. `cut` says that its end is missing, and
    `withoutReason` on how many nodes at least it then names no reason. `today` is what differs in the cluster that was
    given; null where none was, where nothing does, or the message counts no nodes. `atOdds` are two of its texts that
    no release says both; it `countsAll` if one of them is only of releases that count every node.
    """

    message: str
    total: int | None
    parts: tuple[EventPart, ...]
    counts_add_up: bool
    cut: bool = False
    without_reason: int = 0
    pod: str = ""
    reported_by: str = ""
    today: Today | None = None
    at_odds: tuple[EventPart, ...] = ()
    counts_all: bool = False


class EventReport(Document, frozen=True, kw_only=True):
    """Every message that was asked about."""

    kind: str = "EventReport"
    events: tuple[ExplainedEvent, ...]


def explain_message(
    message: str, pod: str = "", explanation: PodExplanation | None = None, *, reported_by: str = ""
) -> ExplainedEvent:
    """What a message means; with the explanation of the pod that it is about, the nodes behind each part."""
    parsed = parse_message(message)
    parts = tuple(_part(part, explanation) for part in parsed.parts)
    said = [(part.text.releases, told) for part, told in zip(parsed.parts, parts, strict=True) if part.text]
    at_odds = ((each, other) for (one, each), (two, other) in combinations(said, 2) if one.excludes(two))
    return ExplainedEvent(
        message=message,
        total=parsed.nodes,
        parts=parts,
        at_odds=next(at_odds, ()),
        counts_all=any(releases.excludes(_COUNT_NOT_ALL) for releases, _ in said),
        counts_add_up=parsed.counts_add_up,
        cut=parsed.is_cut,
        without_reason=parsed.unsaid if parsed.is_cut or not parsed.counts_add_up else 0,
        pod=pod,
        reported_by=reported_by or parsed.said_by,
        today=_today(parsed, explanation) if explanation and parsed.nodes is not None else None,
    )


def _today(there: Message, explanation: PodExplanation) -> Today | None:
    choice, total = explanation.choice, explanation.nodes.total
    if explanation.outcome is not Outcome.UNSCHEDULABLE:
        return Today(outcome=explanation.outcome, nodes=total, node=choice.node if choice else "")
    before, now = _by_reason(there), _by_reason(parse_message(explanation.message))
    none = "", 0
    counts = ((words, before.get(key, none)[1], now.get(key, none)[1]) for key, (words, _) in {**before, **now}.items())
    differences = tuple(
        ReasonDifference(reason=words, there=then, here=here) for words, then, here in counts if then != here
    )
    if not differences and total == there.nodes:
        return None
    return Today(outcome=explanation.outcome, nodes=total, differences=differences)


def _by_reason(message: Message) -> dict[str, tuple[str, int]]:
    """The words of each reason, and on how many nodes it holds; what releases word differently is one reason."""
    found: dict[str, tuple[str, int]] = {}
    for part in message.parts:
        if part.section is Section.FILTER:
            key = part.source if part.source == _TAINTS else part.meaning or part.words
            words, count = found.get(key, (part.words, 0))
            found[key] = words, count + (part.count or 0)
    return found


def _part(part: Part, explanation: PodExplanation | None) -> EventPart:
    text = part.text
    meant = None if part.is_known or part.section is Section.AUTOSCALER else paraphrased(part.words)
    return EventPart(
        text=part.words,
        section=part.section.value,
        count=part.count,
        plugin=part.source,
        meaning=part.meaning or _beginning(part) or (_PROBABLY + meant.meaning if meant else ""),
        known=part.is_known,
        check=meant.check if meant else part.check,
        eviction=text.eviction.value if text else "",
        releases=str(text.releases) if text else "",
        nodes=tuple(_nodes(part, explanation)) if explanation else (),
    )


def _beginning(part: Part) -> str:
    """What a text that was cut off may have been."""
    candidates = [candidate.template for candidate in part.candidates]
    if not candidates:
        return ""
    more = f" or {len(candidates) - 1} more" if len(candidates) > 1 else ""
    return f"cut off: begins like “{candidates[0]}”{more}"


def _nodes(part: Part, explanation: PodExplanation) -> Iterable[str]:
    """The nodes that are rejected for this reason today."""
    for verdict in explanation.node_verdicts:
        if verdict.stopped_by is not None and part.words in verdict.stopped_by.reasons:
            yield verdict.node
