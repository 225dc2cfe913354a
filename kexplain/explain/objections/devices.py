"""Objections for want of devices. Claims are named `namespace/name`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence.devices import (
    ClaimElsewhere,
    SelectorCount,
    TakenDevice,
    UnmetCombination,
    UnmetRequest,
)
from kexplain.plugins.devices.extended import as_asked
from kexplain.words import plural, some

CLAIMS = ("resourceClaims",)


class UnmetDeviceRequestFact(Fact, frozen=True, tag="UnmetDeviceRequest"):
    """A request for which the node has too few devices; without a claim it is an extended resource of a container.

    Of `offered` devices on the node, `matching` are as class and request want them and `free` could be had;
    `wanted` is 0 where all matching devices are wanted. `tooSmall` devices have too little of a capacity left.
    """

    claim: str
    request: str
    device_class: str
    wanted: int
    offered: int
    matching: int
    free: int
    selectors: tuple[SelectorCount, ...] = ()
    taken: tuple[TakenDevice, ...] = ()
    taints: tuple[str, ...] = ()
    too_small: int = 0
    unusable_pools: tuple[str, ...] = ()

    @property
    def stage(self) -> str:
        """How far devices got: none there, too few that match, or too few that can be had."""
        if not self.offered:
            return "none"
        return "match" if self.matching < max(self.wanted, 1) else "free"


class DeviceRequests(Objection[UnmetRequest, UnmetDeviceRequestFact]):
    """The node has too few devices for a request."""

    evidence = UnmetRequest
    fact = UnmetDeviceRequestFact
    fields = (CLAIMS,)

    def facts(self, evidence: UnmetRequest, node_info: NodeInfo, lookup: Lookup) -> Iterator[UnmetDeviceRequestFact]:  # noqa: ARG002
        """All that is known of the request, taints as text."""
        claim, request = as_asked(lookup.pod, evidence.claim, evidence.request)
        yield UnmetDeviceRequestFact(
            claim=claim,
            request=request,
            device_class=evidence.device_class,
            wanted=evidence.wanted,
            offered=evidence.offered,
            matching=evidence.matching,
            free=evidence.free,
            selectors=evidence.selectors,
            taken=evidence.taken,
            taints=tuple(map(str, evidence.taints)),
            too_small=evidence.too_small,
            unusable_pools=evidence.unusable_pools,
        )

    def words(self, fact: UnmetDeviceRequestFact) -> str:
        """What is needed, and where devices drop out."""
        return self.together({"": fact})

    def key(self, fact: UnmetDeviceRequestFact) -> str:
        """The request, and how far devices got."""
        return f"{fact.claim} {fact.request} {fact.stage}"

    def together(self, facts_by_node: Mapping[str, UnmetDeviceRequestFact]) -> str:
        """What is needed, and where devices drop out on these nodes together."""
        facts = tuple(facts_by_node.values())
        first = facts[0]
        wanted = f"{plural(first.wanted, 'device') if first.wanted else 'all devices'} of class {first.device_class}"
        return f"{requested(first.claim, first.request)} needs {wanted}: {_shortage(facts)}"


def requested(claim: str, request: str) -> str:
    """A request of a claim; without a claim, an extended resource of a container."""
    return f"claim {claim}, request {request}" if claim else request


def _shortage(facts: Sequence[UnmetDeviceRequestFact]) -> str:
    several = len(facts) > 1
    match facts[0].stage:
        case "none":
            pools = some(list(dict.fromkeys(pool for fact in facts for pool in fact.unusable_pools)))
            problem = f" (pool {pools} is being updated or contradicts itself)" if pools else ""
            return f"{'these nodes offer' if several else 'the node offers'} none{problem}"
        case "match":
            return _too_few_match(facts)
    offered, matching, free = (sum(getattr(fact, name) for fact in facts) for name in ("offered", "matching", "free"))
    most = max(fact.free for fact in facts)
    text = f"{matching} of {plural(offered, 'device')} {'match' if matching > 1 else 'matches'}, {free} free"
    if several and most:
        text += f" (at most {most} on one node)"
    return "; ".join([text, *_obstacles(facts)])


def _too_few_match(facts: Sequence[UnmetDeviceRequestFact]) -> str:
    """What each selector that turned devices down has left; where none did, how many there are."""
    texts = []
    for index, selector in enumerate(facts[0].selectors):
        asked = sum(fact.selectors[index].asked for fact in facts)
        matching = sum(fact.selectors[index].matching for fact in facts)
        if matching < asked:
            owner = f" ({selector.owner})" if selector.owner.startswith("class ") else ""
            meets = "meet" if matching > 1 else "meets"
            texts.append(f"{matching or 'none'} of {plural(asked, 'device')} {meets} {selector.expression}{owner}")
    most = max(fact.matching for fact in facts)
    if not texts or most:
        texts.append(f"at most {most} on one node" if len(facts) > 1 else f"the node has {most}")
    return "; ".join(texts)


def _obstacles(facts: Sequence[UnmetDeviceRequestFact]) -> Iterable[str]:
    taken = [holder for fact in facts for holder in fact.taken]
    if taken:
        yield f"{len(taken)} taken by {holders_text(taken)}"
    taints = list(dict.fromkeys(taint for fact in facts for taint in fact.taints))
    if taints:
        yield f"tainted {some(taints)}"
    too_small = sum(fact.too_small for fact in facts)
    if too_small:
        yield f"{too_small} with too little left"


def holders_text(taken: Sequence[TakenDevice]) -> str:
    """The claims that hold devices, with the pods that use them."""
    texts = dict.fromkeys(
        f"{each.claim} (pod {', '.join(each.users)})" if each.users else each.claim or "unknown" for each in taken
    )
    return some(list(texts))


class UnmetDeviceCombinationFact(Fact, frozen=True, tag="UnmetDeviceCombination"):
    """Requests that could each be met, but not together.

    `attribute` is what their devices would have to share, or must not if `distinct`; empty if devices are too few.
    """

    claims: tuple[str, ...]
    requests: tuple[str, ...]
    attribute: str = ""
    distinct: bool = False
    values_by_request: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class DeviceCombinations(Objection[UnmetCombination, UnmetDeviceCombinationFact]):
    """Requests cannot be met together."""

    evidence = UnmetCombination
    fact = UnmetDeviceCombinationFact
    fields = (CLAIMS,)

    def facts(
        self,
        evidence: UnmetCombination,
        node_info: NodeInfo,  # noqa: ARG002
        lookup: Lookup,  # noqa: ARG002
    ) -> Iterator[UnmetDeviceCombinationFact]:
        """The requests, with the values as a mapping."""
        yield UnmetDeviceCombinationFact(
            claims=evidence.claims,
            requests=evidence.requests,
            attribute=evidence.attribute,
            distinct=evidence.distinct,
            values_by_request=dict(evidence.values_by_request),
        )

    def words(self, fact: UnmetDeviceCombinationFact) -> str:
        """What cannot be had together, and why."""
        names = " and ".join(fact.requests)
        if not fact.attribute:
            return f"{claims_text(fact)}: enough devices for each of {names}, but not for all of them"
        rule = "must differ in" if fact.distinct else "must share"
        values = "; ".join(
            f"{request} could have {some(values)}" if values else f"no device for {request} has it"
            for request, values in fact.values_by_request.items()
        )
        return f"{claims_text(fact)}: {names} {rule} {fact.attribute}" + (f" ({values})" if values else "")

    def key(self, fact: UnmetDeviceCombinationFact) -> str:
        """The requests, and what they would have to share."""
        return f"{fact.claims} {fact.requests} {fact.attribute}"


def claims_text(fact: UnmetDeviceCombinationFact) -> str:
    """The claims that cannot be met together."""
    return f"claim{'' if len(fact.claims) == 1 else 's'} {', '.join(fact.claims)}"


class ClaimsElsewhere(Objection[ClaimElsewhere, ClaimElsewhere]):
    """A claim has devices that the node cannot use."""

    evidence = ClaimElsewhere
    fact = ClaimElsewhere
    fields = (CLAIMS,)

    def words(self, fact: ClaimElsewhere) -> str:
        """Where the devices are, and who uses them."""
        users = f", used by pod {some(fact.users)}" if fact.users else ""
        if not fact.nodes:
            return f"claim {fact.claim} is allocated, but its devices could not be made ready{users}"
        return f"claim {fact.claim} is already allocated to devices for {fact.nodes}{users}"

    def key(self, fact: ClaimElsewhere) -> str:
        """The claim, and where its devices are."""
        return f"{fact.claim} {fact.nodes}"
