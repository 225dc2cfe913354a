"""Objections for want of devices. Claims are named `namespace/name`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.framework.evidence.devices import ClaimElsewhere, TakenDevice, UnmetCombination, UnmetRequest
from kexplain.plugins.devices.extended import as_asked
from kexplain.words import plural, some

CLAIMS = ("resourceClaims",)


class DeviceRequests(Objection[UnmetRequest, UnmetRequest]):
    """The node has too few devices for a request."""

    fields = (CLAIMS,)
    same = ("claim", "request", "stage")

    def facts(self, evidence: UnmetRequest, node_info: NodeInfo, lookup: Lookup) -> Iterator[UnmetRequest]:
        """The request as the user wrote it."""
        claim, request = as_asked(lookup.pod, evidence.claim, evidence.request)
        yield replace(evidence, claim=claim, request=request)

    def words(self, fact: UnmetRequest) -> str:
        return self.words_for_all({"": fact})

    def words_for_all(self, facts_by_node: Mapping[str, UnmetRequest]) -> str:
        """What is needed, and where devices drop out on these nodes together."""
        facts = tuple(facts_by_node.values())
        first = facts[0]
        wanted = f"{plural(first.wanted, 'device') if first.wanted else 'all devices'} of class {first.device_class}"
        return f"{requested(first.claim, first.request)} needs {wanted}: {_shortage(facts)}"


def requested(claim: str, request: str) -> str:
    """A request of a claim; without a claim, an extended resource of a container."""
    return f"claim {claim}, request {request}" if claim else request


def _shortage(facts: Sequence[UnmetRequest]) -> str:
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


def _too_few_match(facts: Sequence[UnmetRequest]) -> str:
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


def _obstacles(facts: Sequence[UnmetRequest]) -> Iterable[str]:
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
    users = ((each.claim, ", ".join(each.users)) for each in taken)
    texts = dict.fromkeys(f"{claim} (pod {pods})" if pods else claim or "unknown" for claim, pods in users)
    return some(list(texts))


class DeviceCombinations(Objection[UnmetCombination, UnmetCombination]):
    """Requests cannot be met together."""

    fields = (CLAIMS,)
    same = ("claims", "requests", "attribute")

    def words(self, fact: UnmetCombination) -> str:
        names = " and ".join(fact.requests)
        if not fact.attribute:
            return f"{claims_text(fact)}: enough devices for each of {names}, but not for all of them"
        rule = "must differ in" if fact.distinct else "must share"
        values = "; ".join(
            f"{request} could have {some(values)}" if values else f"no device for {request} has it"
            for request, values in fact.values_by_request.items()
        )
        return f"{claims_text(fact)}: {names} {rule} {fact.attribute}" + (f" ({values})" if values else "")


def claims_text(fact: UnmetCombination) -> str:
    """The claims that cannot be met together."""
    return f"claim{'' if len(fact.claims) == 1 else 's'} {', '.join(fact.claims)}"


class ClaimsElsewhere(Objection[ClaimElsewhere, ClaimElsewhere]):
    """A claim has devices that the node cannot use."""

    fields = (CLAIMS,)
    same = ("claim", "nodes")

    def words(self, fact: ClaimElsewhere) -> str:
        users = f", used by pod {some(fact.users)}" if fact.users else ""
        if not fact.nodes:
            return f"claim {fact.claim} is allocated, but its devices could not be made ready{users}"
        return f"claim {fact.claim} is already allocated to devices for {fact.nodes}{users}"
