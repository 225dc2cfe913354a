"""What helps against objections because of pods that would be spread unevenly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster.siblings import placed_siblings
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.spreading import SkewFact, TopologyLabelFact
from kexplain.objects.core import Pod, TopologySpreadConstraint
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH, POD_TEMPLATE_HASH
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank

#: Labels that tell the pods of one revision of a workload from those of another.
_PER_REVISION = (POD_TEMPLATE_HASH, CONTROLLER_REVISION_HASH)


class AgainstSkews(Against[SkewFact]):
    """Pods would be spread too unevenly."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[SkewFact]]) -> Iterator[Proposal]:
        """Count only nodes that the pod may run on, if that is enough; else allow the least skew that does."""
        least = min((fact for facts in facts_by_node.values() for fact in facts), key=lambda fact: fact.skew)
        key = least.topology_key
        if not home.pod.spec.topology_spread_constraints:
            yield _of_its_own(key, home.pod)
            return

        if least.domains < least.min_domains:
            fewer = pod_edits.spreading(key, lambda each: replace(each, min_domains=least.domains))
            yield proposed("spread/domains", least, key, edit=fewer, order=0)
            yield proposed("spread/new-domain", key, is_enough=None)
        honoring = pod_edits.spreading(key, lambda each: replace(each, node_taints_policy="Honor"))
        rank = Rank.MENDS if _counts_others(least, home) else Rank.LOOSENS
        yield proposed("spread/honor-taints", key, edit=honoring, rank=rank, order=1)
        yield replace(_allowing(least.skew, key), for_more=lambda more: _allowing(least.skew + more, key))
        keys = list(dict.fromkeys(fact.topology_key for facts in facts_by_node.values() for fact in facts))
        softer = pod_edits.in_turn(*(pod_edits.spreading(each, _soft) for each in keys))
        yield proposed("spread/anyway", keys, edit=softer, is_fallback=True)


def _allowing(skew: int, key: str) -> Proposal:
    edit = pod_edits.spreading(key, lambda each: replace(each, max_skew=max(each.max_skew, skew)))
    return Proposal(Action.RELAX_SPREAD, f"allow maxSkew {skew} over {key}", edit)


def _counts_others(skew: SkewFact, home: Scene) -> bool:
    """Whether a domain with as few pods as any has only nodes that are kept for others, and so never gets more."""
    kept = frozenset(home.circles.reserved)
    held = {node.name for _, node in placed_siblings(home.pod, home.cluster)}
    domains = home.cluster.names_by_label(skew.topology_key).items()
    closed = ((domain, names) for domain, names in domains if kept.issuperset(names))
    return any(domain == skew.minimum_domain or held.isdisjoint(names) for domain, names in closed)


def _of_its_own(topology_key: str, pod: Pod) -> Proposal:
    """A constraint in place of those that the scheduler has for pods without any."""
    labels = {key: value for key, value in pod.labels.items() if key not in _PER_REVISION}
    return proposed("spread/of-its-own", topology_key, edit=pod_edits.spreading_over(topology_key, labels))


def _soft(constraint: TopologySpreadConstraint) -> TopologySpreadConstraint:
    # Only a hard constraint may say how many domains there must be.
    return replace(constraint, when_unsatisfiable="ScheduleAnyway", min_domains=None)


class AgainstTopologyLabels(Against[TopologyLabelFact]):
    """The node is in no domain to spread over."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[TopologyLabelFact]]) -> Iterator[Proposal]:
        """Spread over it only where that is possible."""
        keys = list(dict.fromkeys(fact.topology_key for fact in next(iter(facts_by_node.values()))))
        if not home.pod.spec.topology_spread_constraints:
            yield _of_its_own(keys[0], home.pod)
            return
        if all(any(home.cluster.names_by_label(key)) for key in keys):
            yield proposed("spread/label", home.nodes_in_words([*facts_by_node]), keys, is_enough=None)
        softer = pod_edits.in_turn(*(pod_edits.spreading(key, _soft) for key in keys))
        yield proposed("spread/anyway", keys, edit=softer)
