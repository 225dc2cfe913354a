"""What helps against objections because of claims on devices."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.devices import claims_text, holders_text
from kexplain.framework.evidence.devices import ClaimElsewhere, UnmetCombination, UnmetRequest
from kexplain.objects.core import Pod
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.resources import MODERATE
from kexplain.remedies.looser_claims import Looser, deallocated, doing_without, loosened, unconstrained
from kexplain.remedies.moved_pods import named
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.ranking import UNTRIED
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.smaller_requests import requesting_less
from kexplain.words import some


class AgainstDeviceRequests(Against[UnmetRequest]):
    """The node has too few devices for a request."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[UnmetRequest]]) -> Iterator[Proposal]:
        """See why devices are tainted; request fewer of an extended resource, or do without."""
        taints = [[taint for fact in facts for taint in fact.taints] for facts in facts_by_node.values()]
        if all(taints):
            named = some(list(dict.fromkeys(map(str, chain.from_iterable(taints)))))
            yield proposed("devices/tainted", named, nodes=tuple(facts_by_node), order=-UNTRIED)
        yield from (_fewer(fact, home.pod) for fact in next(iter(facts_by_node.values())) if not fact.claim)
        yield from doing_without((fact.claim for facts in facts_by_node.values() for fact in facts), home.pod)

    def by_hand(self, fact: UnmetRequest) -> Proposal:
        """What would make more devices do; others may still stand in the way."""
        rank = Rank.LAST_RESORT if fact.stage == "free" and fact.taken else Rank.LOOSENS
        return Proposal(Action.CHANGE_DEVICES, _more_devices(fact), rank=rank, is_enough=False)

    def at_node(self, node_info: NodeInfo, facts: Sequence[UnmetRequest], home: Scene) -> Iterator[Proposal]:
        """Ask for fewer or for any, tolerate what taints them, or end what uses them."""
        for fact in facts:
            yield from _with_less(fact, home)
            if fact.taken:
                yield from _freeing(fact, home)
        if len(facts) > 1:
            firsts = [next(_with_less(fact, home), None) for fact in facts]
            if all(firsts):
                every = [each for each in firsts if each]
                steps = tuple(step for each in every for step in each.steps)
                yield Proposal(Action.CHANGE_DEVICES, " and ".join(each.text for each in every), steps=steps)


def _fewer(fact: UnmetRequest, pod: Pod) -> Proposal:
    """As many of an extended resource as the node has devices for."""
    resource, left = fact.request.partition(" ")[0], min(fact.free, fact.matching)
    edit = requesting_less(pod, {resource: left})
    rank = Rank.LOOSENS if left >= MODERATE * fact.wanted else Rank.LAST_RESORT
    return proposed("devices/fewer", left or None, resource, fact, edit=edit, rank=rank, is_fallback=not left)


def _more_devices(fact: UnmetRequest) -> str:
    if fact.stage == "none":
        return f"provide devices of class {fact.device_class} (is their driver running?)"
    if fact.stage == "match":
        own = [s for s in fact.selectors if s.matching < s.asked and s.owner.startswith("claim ")]
        if own:
            return f"relax {own[-1].expression} in request {fact.request}"
        fewer = f", or request at most {fact.matching}" if fact.matching else ""
        return f"add devices of class {fact.device_class}{fewer}"
    if fact.taken:
        short = max(fact.wanted - fact.free, 1)
        devices = "a device" if short == 1 else f"{short} devices"
        return f"free {devices}: stop what uses claim {holders_text(fact.taken)}"
    if fact.taints:
        return f"tolerate {some(fact.taints)} in request {fact.request}"
    return f"request less capacity in {fact.request}"


def _with_less(fact: UnmetRequest, home: Scene) -> Iterator[Proposal]:
    """The claim with a request that asks for less, in each way that may help, the least first."""
    found = []
    if fact.stage == "match" and any(s.matching < s.asked and s.owner.startswith("claim ") for s in fact.selectors):
        found.append(Looser.ANY)
    if 0 < min(fact.free, fact.matching) < fact.wanted:
        found.append(Looser.FEWER)
    if fact.taints:
        found.append(Looser.TOLERANT)
    if fact.too_small:
        found.append(Looser.SMALLER)
    return loosened(fact.claim, fact.request, found, home, max(min(fact.free, fact.matching), 1), fact.wanted)


def _freeing(fact: UnmetRequest, home: Scene) -> Iterator[Proposal]:
    """End what holds as many devices as are missing."""
    short = max(fact.wanted - fact.free, 1)
    holders = [each for each in fact.taken if each.claim][:short]
    pods = _users([(each.claim, each.users) for each in holders], home)
    if holders and pods is not None:
        claims = list(dict.fromkeys(each.claim for each in holders))
        steps = tuple(deallocated(claims, pods, home))
        yield proposed("devices/free", [pod.key for pod in pods], claims, steps=steps)


def _users(users_by_claim: Sequence[tuple[str, Sequence[str]]], home: Scene) -> list[Pod] | None:
    """The pods that use the claims, in whose namespaces they are; None if one is not there or may not be evicted."""
    keys = [f"{claim.partition('/')[0]}/{user}" for claim, users in users_by_claim for user in users]
    return named(list(dict.fromkeys(keys)), home.cluster) if keys else []


class AgainstDeviceCombinations(Against[UnmetCombination]):
    """Requests cannot be met together."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[UnmetCombination]]) -> Iterator[Proposal]:
        yield from doing_without(
            (claim for facts in facts_by_node.values() for fact in facts for claim in fact.claims), home.pod
        )

    def by_hand(self, fact: UnmetCombination) -> Proposal:
        return proposed("devices/combination", fact, claims_text(fact), is_enough=False)

    def at_node(self, node_info: NodeInfo, facts: Sequence[UnmetCombination], home: Scene) -> Iterator[Proposal]:
        """Drop the constraint, or a request."""
        fact = facts[0]
        for claim in fact.claims:
            if fact.attribute:
                yield from unconstrained(claim, fact.attribute, home)
            else:
                for request in reversed(fact.requests):
                    yield from loosened(claim, request, [Looser.DROPPED], home)


class AgainstClaimsElsewhere(Against[ClaimElsewhere]):
    """A claim has devices that the node cannot use."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[ClaimElsewhere]]) -> Iterator[Proposal]:
        yield from doing_without((fact.claim for facts in facts_by_node.values() for fact in facts), home.pod)

    def by_hand(self, fact: ClaimElsewhere) -> Proposal:
        return proposed("devices/other-claim", fact, is_enough=False)

    def at_node(self, node_info: NodeInfo, facts: Sequence[ClaimElsewhere], home: Scene) -> Iterator[Proposal]:
        """End what uses it, so that it is allocated anew."""
        fact = facts[0]
        pods = _users([(fact.claim, fact.users)], home)
        if pods is not None:
            steps = tuple(deallocated([fact.claim], pods, home))
            yield proposed("devices/recreate", [pod.key for pod in pods], fact, steps=steps)
