"""Messages of other forms than kube-scheduler's of today: those of its predecessors, of autoscalers and of queues."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.messages.named_patterns import NamedPatterns
from kexplain.messages.other_texts import (
    ADMISSION_TEXTS,
    CLUSTER_AUTOSCALER_TEXTS,
    EARLIER_NODE_TEXTS,
    EARLIER_POD_TEXTS,
    FARGATE_TEXTS,
    GKE_MESSAGES,
    KARPENTER_TEXTS,
    KUBELET_TEXTS,
    OTHER_NODE_TEXTS,
    OTHER_POD_TEXTS,
    SCALE_UP_FAILURES,
    VOLCANO_NODE_TEXTS,
)
from kexplain.messages.part import Message, Part, Section, counted, known
from kexplain.messages.text import Text
from kexplain.messages.texts import NODE_TEXTS, SCHEDULER

_FORM = NamedPatterns("other-forms")

CLUSTER_AUTOSCALER, FARGATE, KARPENTER = "cluster-autoscaler", "fargate-scheduler", "karpenter"
KUEUE, VOLCANO, KAI = "kueue", "volcano", "kai-scheduler"


def other_form(message: str, *, is_cut: bool) -> Message | None:
    """The message taken apart, if somebody else's messages have its form."""
    for form in _FORMS:
        if found := form(message):
            return replace(found, is_cut=is_cut or found.is_cut)
    return None


def _predicates(message: str) -> Message | None:
    """Until 1.9: the count follows in parentheses."""
    match = _FORM.predicates.fullmatch(message)
    if match is None:
        return None
    reasons = match["reasons"].strip()
    counted_reasons = _FORM.counted_behind.finditer(reasons)
    parts = [known(each["words"], Section.FILTER, _EARLIER, int(each["count"])) for each in counted_reasons]
    return Message(None, tuple(parts or [known(reasons, Section.FILTER, NODE_TEXTS)]), said_by=SCHEDULER)


def _node_by_node(message: str) -> Message | None:
    """Until 1.5: each node has its reasons."""
    for whole, each in ((_FORM.fit_in_no_node, _FORM.on_node), (_FORM.no_fit_found, _FORM.predicate)):
        if match := whole.fullmatch(message):
            nodes = each.finditer(match["reasons"])
            found = [reason for node in nodes for reason in _FORM.between_reasons.split(node["reasons"])]
            counts = Counter(reason.strip() for reason in found)
            parts = (known(words, Section.FILTER, _EARLIER, count) for words, count in counts.items())
            return Message(None, tuple(parts), said_by=SCHEDULER)
    return None


def _cluster_autoscaler(message: str) -> Message | None:
    match = _FORM.not_triggered.fullmatch(message)
    if match is not None:
        table = (*CLUSTER_AUTOSCALER_TEXTS, *NODE_TEXTS, *EARLIER_NODE_TEXTS)
        # Early versions name no reason.
        parts = [*counted(match["reasons"], Section.AUTOSCALER, table, None)] or [
            each for each in [known(message.rstrip(".:"), Section.AUTOSCALER, CLUSTER_AUTOSCALER_TEXTS)] if each.text
        ]
        return Message(None, tuple(parts), said_by=CLUSTER_AUTOSCALER)
    for form, texts in (
        (_FORM.not_in_group, (*NODE_TEXTS, *EARLIER_NODE_TEXTS)),
        (_FORM.scale_up_failed, SCALE_UP_FAILURES),
    ):
        if match := form.fullmatch(message):
            parts = [known(piece, Section.AUTOSCALER, texts) for piece in match["reasons"].split(", ")]
            return Message(None, tuple(parts), said_by=CLUSTER_AUTOSCALER)
    table = (*CLUSTER_AUTOSCALER_TEXTS, *_NAMED_FAILURES, *GKE_MESSAGES)
    return _alone(message, table, Section.AUTOSCALER, CLUSTER_AUTOSCALER)


def _karpenter(message: str) -> Message | None:
    """What stops the pod on each NodePool, one after the other, with the pools' names or without."""
    head = _FORM.karpenter_head.match(message)
    parts = [*_karpenter_errors(message[head.end() :] if head else message)]
    if all(part.text for part in parts[:-1]) and (head or len(parts) > 1) and not parts[-1].text:
        # Cut within its last error.
        parts[-1] = replace(parts[-1], candidates=tuple(_begun_errors(parts[-1].words)))
    if head or all(part.is_known for part in parts):
        return Message(None, tuple(parts), any(part.candidates for part in parts), KARPENTER)
    return None


def _begun_errors(words: str) -> Iterator[Text]:
    """What these words may be the beginning of."""
    if match := _FORM.node_pool.fullmatch(words):
        words = match["words"].lstrip("., \u2026")
    elif _FORM.node_pool_head.match(words):
        words = "daemonset overhead="
    yield from (text for text in KARPENTER_TEXTS if text.head.startswith(words))


def _karpenter_errors(reasons: str) -> Iterator[Part]:
    for each in _FORM.between_errors.split(reasons.rstrip(";")):
        # A message whose beginning is missing may close a parenthesis that it does not open.
        piece = each.removesuffix(")") if each.count(")") > each.count("(") else each
        piece = _FORM.elided.sub(", ", piece)
        match = _FORM.node_pool.fullmatch(_FORM.named_pool.sub("", piece))
        part = known(match["words"].lstrip("., \u2026") if match else piece, Section.AUTOSCALER, KARPENTER_TEXTS)
        yield Part(piece, part.section, None, part.text, part.names)


def _fargate(message: str) -> Message | None:
    return _alone(message.rstrip("."), FARGATE_TEXTS, Section.POD, FARGATE)


def _volcano(message: str) -> Message | None:
    """A group's message may end with that of its first pod."""
    origin = _FORM.origin.fullmatch(message)
    outer = [known(origin["words"], Section.POD, OTHER_POD_TEXTS)] if origin else []
    match = _FORM.unavailable.fullmatch(origin["origin"] if origin else message)
    if origin and match is None:
        inner = known(origin["origin"].rstrip("."), Section.POD, OTHER_POD_TEXTS)
        return Message(None, (*outer, inner), said_by=VOLCANO)
    if match is None:
        return None
    nodes = int(match["nodes"]) if match["nodes"] else None
    reasons = counted(match["reasons"], Section.FILTER, (*VOLCANO_NODE_TEXTS, *NODE_TEXTS), nodes)
    return Message(nodes, (*outer, *reasons), said_by=VOLCANO)


def _kai(message: str) -> Message | None:
    match = _FORM.not_found.fullmatch(message)
    if match is None:
        return None
    pieces = [piece.rstrip(".") for piece in re.split(r"\.?\s*\n|\. (?=\d+ )", match["reasons"])]
    parts = [part for each in pieces for part in counted(each, Section.FILTER, (*OTHER_NODE_TEXTS, *NODE_TEXTS), None)]
    return Message(None, tuple(parts), said_by=KAI)


def _kueue(message: str) -> Message | None:
    match = _FORM.pod_sets.fullmatch(message)
    if match is None:
        return None
    sets = _FORM.between_pod_sets.split(match["reasons"])
    pieces = [words.strip(". ") for pod_set in sets for words in _FORM.between_flavors.split(pod_set)]
    parts = (known(words, Section.POD, OTHER_POD_TEXTS) for words in pieces if words)
    return Message(None, tuple(parts), said_by=KUEUE)


def _others(message: str) -> Message | None:
    if found := _alone(message, EARLIER_POD_TEXTS, Section.POD, SCHEDULER):
        return found
    for table in (OTHER_POD_TEXTS, KUBELET_TEXTS, ADMISSION_TEXTS):
        if found := _alone(message, table, Section.POD, ""):
            return Message(None, found.parts, said_by=found.parts[0].source)
    return None


def _alone(message: str, table: Sequence[Text], section: Section, said_by: str) -> Message | None:
    for words in dict.fromkeys((message, message.rstrip("."))):
        part = known(words, section, table)
        if part.text in table:
            return Message(None, (part,), said_by=said_by)
    return None


#: The last of them says anything.
_NAMED_FAILURES = SCALE_UP_FAILURES[:-1]

_EARLIER = (*EARLIER_NODE_TEXTS, *NODE_TEXTS)

_FORMS: Iterable[Callable[[str], Message | None]] = (
    _predicates, _node_by_node, _cluster_autoscaler, _karpenter, _fargate, _volcano, _kai, _kueue, _others,
)  # fmt: skip
