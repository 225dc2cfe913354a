"""The typed facts behind a rejection; nothing ever parses a reason's text. In reports, `type` says which kind it is.

Here are those about nodes and pods. Evidence that one plugin alone gives may live beside that plugin.
"""

from __future__ import annotations

from msgspec import Struct

from kexplain.cluster import NodeInfo
from kexplain.cluster.host_ports import HostPort
from kexplain.cluster.node_info import used_of
from kexplain.cluster.pod_info import AffinityTerm
from kexplain.objects.core import Taint
from kexplain.objects.node_selectors import NodeTerm
from kexplain.objects.selectors import Requirement, Selector


class Evidence(Struct, frozen=True, rename="camel", tag_field="type", tag=True):
    """What all evidence has in common; `kexplain.explain.objections` says what each kind means to a reader.

    It is published as it is, unless a kind of objection has a `Fact` of its own for it.
    """


class InsufficientResource(Evidence, frozen=True):
    """A resource of which the node has too little left; amounts as in `Resource.amount`, pods counted.

    `used` is None where the node itself says it: nodes as large that lack the same have the evidence in common.
    """

    resource: str
    requested: int
    allocatable: int
    used: int | None = None

    def used_on(self, node_info: NodeInfo) -> int:
        """What pods take of it; with what is left it makes up the allocatable amount."""
        return used_of(self.resource)(node_info) if self.used is None else self.used

    def seen_on(self, node_info: NodeInfo) -> InsufficientResource:
        """The same with what it leaves to the node."""
        return InsufficientResource(self.resource, self.requested, self.allocatable, self.used_on(node_info))

    @property
    def never_fits(self) -> bool:
        """Whether the request exceeds what the node has in all, so that no eviction helps."""
        return self.requested > self.allocatable


class UntoleratedTaints(Evidence, frozen=True):
    """All taints that keep the pod off the node; upstream stops at the first."""

    taints: tuple[Taint, ...]


class Cordoned(Evidence, frozen=True):
    """The node is marked unschedulable."""


class OtherNodeName(Evidence, frozen=True):
    """The pod names another node."""

    wanted: str


class NodeLabelsMismatch(Evidence, frozen=True):
    """What of `nodeSelector`, and of each required term, the node does not meet."""

    unmet_labels: tuple[Requirement, ...]
    unmet_terms: tuple[tuple[NodeTerm, tuple[Requirement, ...]], ...]
    enforced: bool = False


class PortInUse(Evidence, frozen=True):
    """A host port that is taken already."""

    wanted: HostPort
    in_use: HostPort


class MissingTopologyLabel(Evidence, frozen=True):
    """The node is in no domain of a topology that the pod is spread over or kept near to."""

    topology_key: str


class SkewExceeded(Evidence, frozen=True):
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


class AffinityUnmatched(Evidence, frozen=True):
    """No pod that a required affinity term is about runs in the node's domain."""

    term: AffinityTerm
    domain: str | None


class AntiAffinityMatched(Evidence, frozen=True):
    """Pods that the pod wants to be away from run in the node's domain."""

    term: AffinityTerm
    domain: str
    matching: int


class ExistingAntiAffinity(Evidence, frozen=True):
    """Pods in the node's domain want to be away from this pod."""

    topology_key: str
    domain: str
    matching: int


class LeftOutByExtender(Evidence, frozen=True):
    """An extender left the node out of its answer without a word about it."""
