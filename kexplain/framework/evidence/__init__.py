"""The typed facts behind a rejection; nothing ever parses a reason's text.

Here are those about nodes and pods. Evidence that one plugin alone gives may live beside that plugin.
"""

from __future__ import annotations

from dataclasses import dataclass

from kexplain.cluster.pod_info import AffinityTerm, HostPort
from kexplain.objects.core import Taint
from kexplain.objects.node_selectors import NodeTerm
from kexplain.objects.selectors import Requirement, Selector


class Evidence:
    """What all evidence has in common; `kexplain.explain.objections` says what each kind means to a reader."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InsufficientResource(Evidence):
    """A resource of which the node has too little left; amounts as in `Resource.amount`, pods counted."""

    resource: str
    requested: int
    used: int
    allocatable: int

    @property
    def free(self) -> int:
        """What is left on the node; negative where it is overcommitted."""
        return self.allocatable - self.used

    @property
    def never_fits(self) -> bool:
        """Whether the request exceeds what the node has in all, so that no eviction helps."""
        return self.requested > self.allocatable


@dataclass(frozen=True, slots=True)
class UntoleratedTaints(Evidence):
    """All taints that keep the pod off the node; upstream stops at the first."""

    taints: tuple[Taint, ...]


@dataclass(frozen=True, slots=True)
class Cordoned(Evidence):
    """The node is marked unschedulable."""


@dataclass(frozen=True, slots=True)
class OtherNodeName(Evidence):
    """The pod names another node."""

    wanted: str


@dataclass(frozen=True, slots=True)
class NodeLabelsMismatch(Evidence):
    """What of `nodeSelector`, and of each required term, the node does not meet."""

    unmet_labels: tuple[Requirement, ...]
    unmet_terms: tuple[tuple[NodeTerm, tuple[Requirement, ...]], ...]
    enforced: bool = False


@dataclass(frozen=True, slots=True)
class PortInUse(Evidence):
    """A host port that is taken already."""

    wanted: HostPort
    in_use: HostPort


@dataclass(frozen=True, slots=True)
class MissingTopologyLabel(Evidence):
    """The node is in no domain of a topology that the pod is spread over or kept near to."""

    topology_key: str


@dataclass(frozen=True, slots=True)
class SkewExceeded(Evidence):
    """Placing the pod in this domain would leave the pods spread too unevenly.

    The skew is `matching + own - minimum`, where `own` is 1 if the pod itself is counted. The minimum counts
    as 0 while there are fewer domains than `min_domains`; `minimum_domain` is one that has it.
    """

    topology_key: str
    domain: str
    selector: Selector
    matching: int
    own: int
    minimum: int
    minimum_domain: str | None
    max_skew: int
    domains: int
    min_domains: int

    @property
    def skew(self) -> int:
        """The skew that there would be."""
        return self.matching + self.own - self.minimum


@dataclass(frozen=True, slots=True)
class AffinityUnmatched(Evidence):
    """No pod that a required affinity term is about runs in the node's domain."""

    term: AffinityTerm
    domain: str | None


@dataclass(frozen=True, slots=True)
class AntiAffinityMatched(Evidence):
    """Pods that the pod wants to be away from run in the node's domain."""

    term: AffinityTerm
    domain: str
    matching: int


@dataclass(frozen=True, slots=True)
class ExistingAntiAffinity(Evidence):
    """Pods in the node's domain want to be away from this pod."""

    topology_key: str
    domain: str
    matching: int


@dataclass(frozen=True, slots=True)
class LeftOutByExtender(Evidence):
    """An extender left the node out of its answer without a word about it."""
