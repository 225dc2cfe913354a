"""Messages of other forms than kube-scheduler's of today: those of its predecessors, of autoscalers and of queues."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

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
)
from kexplain.messages.part import Message, Part, Section, counted, known
from kexplain.messages.text import Text
from kexplain.messages.texts import NODE_TEXTS, SCHEDULER
from kexplain.patterns import regex

CLUSTER_AUTOSCALER, FARGATE, KARPENTER = "cluster-autoscaler", "fargate-scheduler", "karpenter"
KUEUE, VOLCANO, KAI = "kueue", "volcano", "kai-scheduler"

_PREDICATES = regex(
    r"(?:No nodes are available that match all of the (?:following )?predicates:{1,2}"
    r"|.*fit failure summary on nodes\s*:)\s*(?P<reasons>.*?)\.?",
    re.DOTALL,
)
#: Until 1.5: the reasons of each node, or the name of the predicate.
_FIT_IN_NO_NODE = regex(
    r"pod \([^()]*\) failed to fit in any node\s*(?P<reasons>(?:fit failure on node \([^()]*\): .*)?)", re.DOTALL
)
_ON_NODE = regex(r"fit failure on node \([^()]*\): (?P<reasons>.*?)\s*(?=fit failure on node \(|$)", re.DOTALL)
_BETWEEN_REASONS = regex(r", (?=[A-Z])")
_NO_FIT_FOUND = regex(r"failed to find fit for pod(?:,|: .*?) ?(?P<reasons>Node \S+: .*)", re.DOTALL)
_PREDICATE = regex(r"Node \S+: (?P<reasons>[A-Z][A-Za-z]*?)(?=Node |\s|$)")
#: cluster-autoscaler's log: what stops a pod in one node group.
_NOT_IN_GROUP = regex(
    r"(?:Pod \S+ can['\u2019]t be scheduled on (?P<group>\S+), )?predicate (?:checking error|failed): "
    r"(?:\w+ predicate mismatch, (?:cannot put \S+ on \S+, )?reason: )?"
    r"(?:can['\u2019]t schedule pod(?: \S+)?: predicate \\?\"\w+\\?\" didn['\u2019]t pass \(predicateReasons=\[)?"
    r"(?P<reasons>.*?)(?:\](?:; .*)?\)|; predicateName=.*|, taints on node: .*)?",
    re.DOTALL,
)
_COUNTED_BEHIND = regex(r"(?P<words>.+?) \((?P<count>\d{1,9})\)(?:, |$)", re.DOTALL)
_NOT_TRIGGERED = regex(
    r"[Pp]od didn['\u2019]t trigger scale-up(?: \(it wouldn['\u2019]t fit if a new node is added\))?"
    r":?\s*(?P<reasons>.*?)\.?",
    re.DOTALL,
)
_SCALE_UP_FAILED = regex(
    r"Node scale up in zones (?P<zones>.*?) ?(?:associated with this pod )?failed: "
    r"(?P<reasons>(?:(?!Pod is at risk).)*?)\.?(?: Pod is at risk of not being scheduled\.?)?",
    re.DOTALL,
)
#: Of its events, and of its log.
_KARPENTER_HEAD = regex(r"(?:Failed to|[Cc]ould not) schedule pod, ")
_NODE_POOL = regex(
    r'incompatible with (?:nodepool|provisioner)(?: "(?P<pool>[^"]*)")?, '
    r"(?:daemonset overhead=\{.*?\}, )?(?P<words>.*)",
    re.DOTALL,
)
#: Where somebody left the details out.
_ELIDED = regex(r",? (?:\.{3}|\u2026) (?=\w)")
#: How some releases name the pool behind the error.
_NAMED_POOL = regex(r',? \(?NodePool="[^"]*"\)?$')
_NODE_POOL_HEAD = regex(r"incompatible with (?:nodepool|provisioner)\b")
#: Where one error of Karpenter ends and the next begins; what is in parentheses belongs to the one before.
_BETWEEN_ERRORS = regex(r"; (?!specify )(?=[a-zA-Z])")
_UNAVAILABLE = regex(
    r"(?:In hyperNode \S+: )?(?:0/(?P<nodes>\d{1,9}) nodes are unavailable|all nodes are unavailable): "
    r"(?P<reasons>.*?)\.?",
    re.DOTALL,
)
_NOT_FOUND = regex(r"[Nn]o nodes with enough resources were found: (?P<reasons>.*?)\.?", re.DOTALL)
_POD_SETS = regex(r"(?:couldn['\u2019]t|failed to) assign flavors to pod set \S+?: (?P<reasons>.*?)\.?", re.DOTALL)
_BETWEEN_POD_SETS = regex(r"; (?:couldn['\u2019]t|failed to) assign flavors to pod set \S+?: ")
#: Kueue joins reasons by commas, which its reasons have inside as well.
_BETWEEN_FLAVORS = regex(
    r", (?=insufficient |[fF]lavor |untolerated |resource |skipping |could not |borrowing |topology )|\. (?=P)"
)
_ORIGIN = regex(r"(?P<words>.*?)\. Origin reason is:? ?(?:\S+: )?(?P<origin>(?:In hyper|0/|all nodes|\D).*)", re.DOTALL)


def other_form(message: str, *, is_cut: bool) -> Message | None:
    """The message taken apart, if somebody else's messages have its form."""
    for form in _FORMS:
        if found := form(message):
            return replace(found, is_cut=is_cut or found.is_cut)
    return None


def _predicates(message: str) -> Message | None:
    """Until 1.9: the count follows in parentheses."""
    match = _PREDICATES.fullmatch(message)
    if match is None:
        return None
    reasons = match["reasons"].strip()
    parts = [
        known(each["words"], Section.FILTER, _EARLIER, int(each["count"])) for each in _COUNTED_BEHIND.finditer(reasons)
    ]
    return Message(None, tuple(parts or [known(reasons, Section.FILTER, NODE_TEXTS)]), said_by=SCHEDULER)


def _node_by_node(message: str) -> Message | None:
    """Until 1.5: each node has its reasons."""
    for whole, each in ((_FIT_IN_NO_NODE, _ON_NODE), (_NO_FIT_FOUND, _PREDICATE)):
        if match := whole.fullmatch(message):
            found = [
                reason for node in each.finditer(match["reasons"]) for reason in _BETWEEN_REASONS.split(node["reasons"])
            ]
            counts = Counter(reason.strip() for reason in found)
            parts = (known(words, Section.FILTER, _EARLIER, count) for words, count in counts.items())
            return Message(None, tuple(parts), said_by=SCHEDULER)
    return None


def _cluster_autoscaler(message: str) -> Message | None:
    match = _NOT_TRIGGERED.fullmatch(message)
    if match is not None:
        table = (*CLUSTER_AUTOSCALER_TEXTS, *NODE_TEXTS, *EARLIER_NODE_TEXTS)
        # Early versions name no reason.
        parts = [*counted(match["reasons"], Section.AUTOSCALER, table, None)] or [
            each for each in [known(message.rstrip(".:"), Section.AUTOSCALER, CLUSTER_AUTOSCALER_TEXTS)] if each.text
        ]
        return Message(None, tuple(parts), said_by=CLUSTER_AUTOSCALER)
    match = _NOT_IN_GROUP.fullmatch(message)
    if match is not None:
        pieces = match["reasons"].split(", ")
        stops = (known(piece, Section.AUTOSCALER, (*NODE_TEXTS, *EARLIER_NODE_TEXTS)) for piece in pieces)
        return Message(None, tuple(stops), said_by=CLUSTER_AUTOSCALER)
    match = _SCALE_UP_FAILED.fullmatch(message)
    if match is not None:
        pieces = match["reasons"].split(", ")
        failures = (known(piece, Section.AUTOSCALER, SCALE_UP_FAILURES) for piece in pieces)
        return Message(None, tuple(failures), said_by=CLUSTER_AUTOSCALER)
    table = (*CLUSTER_AUTOSCALER_TEXTS, *_NAMED_FAILURES, *GKE_MESSAGES)
    return _alone(message, table, Section.AUTOSCALER, CLUSTER_AUTOSCALER)


def _karpenter(message: str) -> Message | None:
    """What stops the pod on each NodePool, one after the other, with the pools' names or without."""
    head = _KARPENTER_HEAD.match(message)
    parts = [*_karpenter_errors(message[head.end() :] if head else message)]
    if all(part.text for part in parts[:-1]) and (head or len(parts) > 1) and not parts[-1].text:
        # Cut within its last error.
        parts[-1] = replace(parts[-1], candidates=tuple(_begun_errors(parts[-1].words)))
    if head or all(part.is_known for part in parts):
        return Message(None, tuple(parts), any(part.candidates for part in parts), KARPENTER)
    return None


def _begun_errors(words: str) -> Iterator[Text]:
    """What these words may be the beginning of."""
    if match := _NODE_POOL.fullmatch(words):
        words = match["words"].lstrip("., \u2026")
    elif _NODE_POOL_HEAD.match(words):
        words = "daemonset overhead="
    yield from (text for text in KARPENTER_TEXTS if text.head.startswith(words))


def _karpenter_errors(reasons: str) -> Iterator[Part]:
    for each in _BETWEEN_ERRORS.split(reasons.rstrip(";")):
        # A message whose beginning is missing may close a parenthesis that it does not open.
        piece = each.removesuffix(")") if each.count(")") > each.count("(") else each
        piece = _ELIDED.sub(", ", piece)
        match = _NODE_POOL.fullmatch(_NAMED_POOL.sub("", piece))
        part = known(match["words"].lstrip("., \u2026") if match else piece, Section.AUTOSCALER, KARPENTER_TEXTS)
        yield Part(piece, part.section, None, part.text, part.names)


def _fargate(message: str) -> Message | None:
    return _alone(message.rstrip("."), FARGATE_TEXTS, Section.POD, FARGATE)


def _volcano(message: str) -> Message | None:
    """A group's message may end with that of its first pod."""
    origin = _ORIGIN.fullmatch(message)
    outer = [known(origin["words"], Section.POD, OTHER_POD_TEXTS)] if origin else []
    match = _UNAVAILABLE.fullmatch(origin["origin"] if origin else message)
    if origin and match is None:
        inner = known(origin["origin"].rstrip("."), Section.POD, OTHER_POD_TEXTS)
        return Message(None, (*outer, inner), said_by=VOLCANO)
    if match is None:
        return None
    nodes = int(match["nodes"]) if match["nodes"] else None
    reasons = counted(match["reasons"], Section.FILTER, (*_VOLCANO_NODE_TEXTS, *NODE_TEXTS), nodes)
    return Message(nodes, (*outer, *reasons), said_by=VOLCANO)


def _kai(message: str) -> Message | None:
    match = _NOT_FOUND.fullmatch(message)
    if match is None:
        return None
    pieces = [piece.rstrip(".") for piece in re.split(r"\.?\s*\n|\. (?=\d+ )", match["reasons"])]
    parts = [
        part for piece in pieces for part in counted(piece, Section.FILTER, (*OTHER_NODE_TEXTS, *NODE_TEXTS), None)
    ]
    return Message(None, tuple(parts), said_by=KAI)


def _kueue(message: str) -> Message | None:
    match = _POD_SETS.fullmatch(message)
    if match is None:
        return None
    pieces = [
        words.strip(". ")
        for pod_set in _BETWEEN_POD_SETS.split(match["reasons"])
        for words in _BETWEEN_FLAVORS.split(pod_set)
    ]
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


#: Volcano checks resources itself, and has kube-scheduler's plugins check the rest.
_VOLCANO_NODE_TEXTS: tuple[Text, ...] = (
    Text("Insufficient <resource>", VOLCANO, "the {resource} that the pod requests exceeds what is free on the node, "
         "or the node has none", "see Allocated resources in kubectl describe node"),
    *OTHER_NODE_TEXTS,
)  # fmt: skip

#: The last of them says anything.
_NAMED_FAILURES = SCALE_UP_FAILURES[:-1]

_EARLIER = (*EARLIER_NODE_TEXTS, *NODE_TEXTS)

_FORMS: Iterable[Callable[[str], Message | None]] = (
    _predicates,
    _node_by_node,
    _cluster_autoscaler,
    _karpenter,
    _fargate,
    _volcano,
    _kai,
    _kueue,
    _others,
)
