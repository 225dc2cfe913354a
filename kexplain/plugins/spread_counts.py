"""What PodTopologySpread counts: matching pods by topology domain, with the lowest count at hand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice

import msgspec
from msgspec import Struct

from kexplain.cluster import NodeInfo
from kexplain.framework.plugin import MAX_NODE_SCORE
from kexplain.framework.status import Status
from kexplain.objects.core import Node
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Selector
from kexplain.objects.well_known import HOSTNAME

#: Upstream's minimum where no domain is eligible.
NO_MINIMUM = 2**31 - 1


class SpreadConstraint(Struct, frozen=True):
    """A spread constraint with its selector parsed and its defaults filled in."""

    max_skew: int
    topology_key: str
    selector: Selector
    min_domains: int
    honors_affinity: bool
    honors_taints: bool


class DomainCounts:
    """How many matching pods each eligible domain has, with the two lowest counts at hand.

    Two are enough since a dry run only ever changes the pods of one node, so of one domain. `verdicts` is what the
    counts mean for a domain, None for a node without any; it stands until they change.
    """

    __slots__ = ("_second", "count_by_domain", "lowest", "verdicts")

    def __init__(self, count_by_domain: dict[str, int]) -> None:
        self.count_by_domain = count_by_domain
        self.lowest: tuple[int, str | None] = _lowest(count_by_domain)
        self._second: tuple[int, str | None] | None = None
        self.verdicts: dict[str | None, Status | None] = {}

    @property
    def second(self) -> tuple[int, str | None]:
        """The lowest count but one; only dry runs ask for it."""
        if self._second is None:
            self._second = _lowest({d: count for d, count in self.count_by_domain.items() if d != self.lowest[1]})
        return self._second

    def add(self, domain: str, delta: int) -> None:
        """Count a pod in, or out with -1."""
        self.verdicts = {}
        lowest, second = self.lowest, self.second
        count = self.count_by_domain.get(domain, 0) + delta
        self.count_by_domain[domain] = count
        if domain == lowest[1]:
            lowest = (count, domain)
        elif domain == second[1]:
            second = (count, domain)
        elif count < lowest[0]:
            lowest, second = (count, domain), lowest
        elif count < second[0]:
            second = (count, domain)
        self.lowest, self._second = (second, lowest) if lowest[0] > second[0] else (lowest, second)

    def copy(self) -> DomainCounts:
        """An independent copy."""
        copy = DomainCounts.__new__(DomainCounts)
        copy.count_by_domain = self.count_by_domain.copy()
        copy.lowest = self.lowest
        copy._second = self.second  # noqa: SLF001 - its own kind
        copy.verdicts = self.verdicts.copy()
        return copy


def _lowest(count_by_domain: Mapping[str, int]) -> tuple[int, str | None]:
    """The lowest count and the first domain that has it."""
    counts = list(count_by_domain.values())
    if not counts:
        return NO_MINIMUM, None
    count = min(counts)
    return count, next(islice(count_by_domain, counts.index(count), None))


class EligibleDomains(Struct, frozen=True):
    """The domain of each node whose pods a constraint counts; `zeros` has a count for every domain."""

    by_node: Mapping[str, str]
    zeros: Mapping[str, int]


class SpreadFilterState(Struct):
    """The hard constraints, with the counts of each."""

    constraints: tuple[SpreadConstraint, ...]
    required: RequiredNodeAffinity
    counts: list[DomainCounts]
    #: Per constraint whether the pod itself is counted; it never changes, so it is shared.
    own: tuple[int, ...]
    #: All three, constraint by constraint.
    checks: tuple[tuple[SpreadConstraint, DomainCounts, int], ...] = ()

    def __post_init__(self) -> None:
        self.checks = tuple(zip(self.constraints, self.counts, self.own, strict=True))


class SpreadScoreState(Struct, frozen=True):
    """The soft constraints, the counts of each over the feasible nodes' domains, and their weights.

    Counts over hostnames are by node, and nodes without a matching pod are missing.
    """

    constraints: tuple[SpreadConstraint, ...]
    counts: tuple[Mapping[str, int], ...]
    weights: tuple[float, ...]
    ignored: set[str] = msgspec.field(default_factory=set)

    def working(self, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The raw score in figures, and the normalized one by those of all nodes."""
        if node_info.name in self.ignored:
            return "it lacks a label that a constraint names, so 0"
        terms, score = dict(self._terms(node_info)), raw[node_info.name]
        highest, lowest = (pick(each for name, each in raw.items() if name not in self.ignored) for pick in (max, min))
        said = f"no node has more, so {MAX_NODE_SCORE}"
        if highest:
            share = MAX_NODE_SCORE * (highest + lowest - score) // highest
            said = f"{MAX_NODE_SCORE} × ({highest} + {lowest} − {score}) / {highest} = {share}"
        total = f"{' + '.join(terms) or 'no domain of a constraint'} = {sum(terms.values()):.2f}, so {score}; {said}"
        return total if self.constraints else ""

    def _terms(self, node_info: NodeInfo) -> Iterator[tuple[str, float]]:
        """What each constraint adds to the score, in figures and as a number."""
        for constraint, by_domain, weight in zip(self.constraints, self.counts, self.weights, strict=True):
            key, more = constraint.topology_key, constraint.max_skew - 1
            if (domain := node_info.labels.get(key)) is not None:
                count = by_domain.get(node_info.name, 0) if key == HOSTNAME else by_domain[domain]
                where = "on its host" if key == HOSTNAME else f"in {key}={domain}"
                skew = f" + maxSkew {constraint.max_skew} − 1" if more else ""
                yield f"{count} {where} × ln({round(math.exp(weight)) - 2} + 2){skew}", count * weight + more


class Keyed(Struct, frozen=True, cache_hash=True):
    """The topology keys of several constraints; its hash is worked out once, as each of them looks things up by it."""

    keys: tuple[str, ...]

    def has_all(self, node: Node) -> bool:
        """Whether the node has a label for each."""
        labels = node.labels
        return all(key in labels for key in self.keys)
