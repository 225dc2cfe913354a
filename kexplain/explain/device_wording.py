"""Facts about devices in words: of one node, of all nodes with one cause, and what would help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import assert_never

from kexplain.explain.device_records import (
    ClaimElsewhereFact,
    DeviceFact,
    DeviceHolder,
    MissingDeviceClassFact,
    UndeclaredFeaturesFact,
    UnmetDeviceCombinationFact,
    UnmetDeviceRequestFact,
)
from kexplain.words import some

#: How many examples of holders or values are named.
EXAMPLES = 3


def device_words(fact: DeviceFact) -> str:
    """The fact in a line, with its numbers."""
    match fact:
        case UnmetDeviceRequestFact():
            return f"{requested(fact.claim, fact.request)} needs {_wanted(fact)}: {_shortage([fact])}"
        case UnmetDeviceCombinationFact():
            return _combination(fact)
        case ClaimElsewhereFact():
            return _elsewhere(fact)
        case MissingDeviceClassFact():
            known = f"; there are {some(fact.known)}" if fact.known else ""
            return f"request {fact.request}: device class {fact.device_class} does not exist{known}"
        case UndeclaredFeaturesFact():
            return f"kubelet does not declare {' and '.join(fact.features)}"
        case _:
            assert_never(fact)


def device_key(fact: DeviceFact) -> str:
    """What makes facts of several nodes the same cause: all but the numbers of the node."""
    match fact:
        case UnmetDeviceRequestFact():
            return f"{fact.claim} {fact.request} {_stage(fact)}"
        case UnmetDeviceCombinationFact():
            return f"{fact.claims} {fact.requests} {fact.attribute}"
        case ClaimElsewhereFact():
            return f"{fact.claim} {fact.nodes}"
        case MissingDeviceClassFact() | UndeclaredFeaturesFact():
            return device_words(fact)
        case _:
            assert_never(fact)


def device_cause(facts_by_node: Mapping[str, DeviceFact]) -> str:
    """The facts of all nodes that have one cause in common."""
    facts = list(facts_by_node.values())
    requests = [fact for fact in facts if isinstance(fact, UnmetDeviceRequestFact)]
    if len(requests) < len(facts) or not requests:
        return device_words(facts[0])
    return f"{requested(requests[0].claim, requests[0].request)} needs {_wanted(requests[0])}: {_shortage(requests)}"


def device_lift(fact: DeviceFact) -> str:
    """What would make the node do."""
    match fact:
        case UnmetDeviceRequestFact():
            return _lift_request(fact)
        case UnmetDeviceCombinationFact() if fact.attribute:
            rule = "distinctAttribute" if fact.distinct else "matchAttribute"
            return f"drop the constraint {rule} {fact.attribute} from {_claims(fact.claims)}"
        case UnmetDeviceCombinationFact():
            return f"request fewer devices in {_claims(fact.claims)}"
        case ClaimElsewhereFact():
            return f"use another claim than {fact.claim}, or delete it once nothing uses it, to allocate it anew"
        case MissingDeviceClassFact():
            close = get_close_matches(fact.device_class, fact.known, n=1)
            return f"create device class {fact.device_class}" + (f" (was {close[0]} meant?)" if close else "")
        case UndeclaredFeaturesFact():
            return f"turn on {' and '.join(fact.features)} in the kubelet"
        case _:
            assert_never(fact)


def device_lift_is_enough(fact: DeviceFact) -> bool:
    """Whether what `device_lift` says is sure to lift the objection, whatever else the claims ask for."""
    return isinstance(fact, UndeclaredFeaturesFact)


def requested(claim: str, request: str) -> str:
    """A request of a claim; without a claim, an extended resource of a container."""
    return f"claim {claim}, request {request}" if claim else request


def _wanted(fact: UnmetDeviceRequestFact) -> str:
    if not fact.wanted:
        return f"all devices of class {fact.device_class}"
    return f"{_devices(fact.wanted)} of class {fact.device_class}"


def _stage(fact: UnmetDeviceRequestFact) -> str:
    """How far devices got: none there, too few that match, or too few that can be had."""
    if not fact.offered:
        return "none"
    return "match" if fact.matching < max(fact.wanted, 1) else "free"


def _shortage(facts: Sequence[UnmetDeviceRequestFact]) -> str:
    """Where devices drop out, over all nodes together."""
    several = len(facts) > 1
    if _stage(facts[0]) == "none":
        pools = some(list(dict.fromkeys(pool for fact in facts for pool in fact.unusable_pools)))
        problem = f" (pool {pools} is being updated or contradicts itself)" if pools else ""
        return f"{'these nodes offer' if several else 'the node offers'} none{problem}"
    offered, matching, free = (sum(getattr(fact, name) for fact in facts) for name in ("offered", "matching", "free"))
    if _stage(facts[0]) == "match":
        return _too_few_match(facts)
    most = max(fact.free for fact in facts)
    text = f"{matching} of {_devices(offered)} {'match' if matching > 1 else 'matches'}, {free} free"
    if several and most:
        text += f" (at most {most} on a node)"
    return "; ".join([text, *_obstacles(facts)])


def _too_few_match(facts: Sequence[UnmetDeviceRequestFact]) -> str:
    """What each selector that turned devices down has left; where none did, how many there are."""
    texts = []
    for index, selector in enumerate(facts[0].selectors):
        asked = sum(fact.selectors[index].asked for fact in facts)
        matching = sum(fact.selectors[index].matching for fact in facts)
        if matching < asked:
            owner = f" ({selector.owner})" if selector.owner.startswith("class ") else ""
            texts.append(f"{matching or 'none'} of {_devices(asked)} {_meets(matching)} {selector.expression}{owner}")
    most = max(fact.matching for fact in facts)
    if not texts or most:
        texts.append(f"at most {most} on a node" if len(facts) > 1 else f"the node has {most}")
    return "; ".join(texts)


def _devices(number: int) -> str:
    return f"{number} device{'' if number == 1 else 's'}"


def _meets(number: int) -> str:
    return "meet" if number > 1 else "meets"


def _obstacles(facts: Sequence[UnmetDeviceRequestFact]) -> Iterable[str]:
    taken = [holder for fact in facts for holder in fact.taken]
    if taken:
        yield f"{len(taken)} taken by {_holders(taken)}"
    taints = list(dict.fromkeys(taint for fact in facts for taint in fact.taints))
    if taints:
        yield f"tainted {some(taints)}"
    too_small = sum(fact.too_small for fact in facts)
    if too_small:
        yield f"{too_small} with too little left"


def _holders(taken: Sequence[DeviceHolder]) -> str:
    texts = dict.fromkeys(
        f"{each.claim} (pod {', '.join(each.users)})" if each.users else each.claim or "unknown" for each in taken
    )
    return some(list(texts))


def _combination(fact: UnmetDeviceCombinationFact) -> str:
    names = " and ".join(fact.requests)
    if not fact.attribute:
        return f"{_claims(fact.claims)}: enough devices for {names} each, but not for all of them"
    rule = "must differ in" if fact.distinct else "must share"
    values = "; ".join(
        f"{request} could have {some(values)}" if values else f"no device for {request} has it"
        for request, values in fact.values_by_request.items()
    )
    return f"{_claims(fact.claims)}: {names} {rule} {fact.attribute}" + (f" ({values})" if values else "")


def _elsewhere(fact: ClaimElsewhereFact) -> str:
    users = f", used by pod {some(fact.users)}" if fact.users else ""
    if not fact.nodes:
        return f"claim {fact.claim} is allocated, but its devices could not be made ready{users}"
    return f"claim {fact.claim} is allocated already, to devices for {fact.nodes}{users}"


def _lift_request(fact: UnmetDeviceRequestFact) -> str:
    stage = _stage(fact)
    if stage == "none":
        return f"have devices of class {fact.device_class} offered (is their driver running?)"
    if stage == "match":
        failed = [each for each in fact.selectors if each.matching < each.asked]
        own = [each for each in failed if each.owner.startswith("claim ")]
        if own:
            return f"loosen {own[-1].expression} of request {fact.request}"
        return f"add devices of class {fact.device_class}" + (
            f", or request at most {fact.matching}" if fact.matching else ""
        )
    if fact.taken:
        short = max(fact.wanted - fact.free, 1)
        return f"free {_devices(short) if short > 1 else 'a device'}: end what uses claim {_holders(fact.taken)}"
    if fact.taints:
        return f"tolerate {some(fact.taints)} in request {fact.request}"
    return f"request less in {fact.request}"


def _claims(names: Sequence[str]) -> str:
    return f"claim{'' if len(names) == 1 else 's'} {', '.join(names)}"
