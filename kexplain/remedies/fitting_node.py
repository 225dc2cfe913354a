"""A new node made to suit a pod, where one like those that are there would not do."""

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.diagnosis.driver_labels import zone_labels
from kexplain.diagnosis.findings.statement import told
from kexplain.explain.objections import AnyFact
from kexplain.explain.objections.affinity import AntiAffinityFact, ExistingAntiAffinityFact
from kexplain.explain.objections.labels import NodeSelectorFact
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.spreading import SkewFact, TopologyLabelFact
from kexplain.explain.objections.storage import VolumeOutOfReachFact
from kexplain.explain.objections.taints import TaintFact
from kexplain.explain.wording import amount
from kexplain.framework.evidence.devices import UndeclaredFeatures
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.node_pools import zone_of
from kexplain.objects.requests import CPU
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.remedies.against.labels import enforced_labels, missing_labels
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Rank
from kexplain.remedies.trials import NodeAfterSteps


class FittingNode:
    """A proposal of a new node, which is changed into what the pod needs as far as that is up to the node.

    One of the pod's own pool has the taints that all nodes there have.
    """

    def __init__(self, like: Proposal, *, is_own: bool = False) -> None:
        self._like = like
        self.is_own = is_own
        self._place = next(index for index, step in enumerate(like.steps) if isinstance(step.created, Node))
        self._wanted = _Wanted()
        self.proposal = like
        self.name = like.steps[self._place].name

    def note(self, after: NodeAfterSteps) -> bool:
        """Whether the node has something more now against what objects to it."""
        before, node = self._wanted.words(), after.node_info.node
        for fact in (fact for rejection in after.rejections for fact in rejection.facts):
            if self.is_own and isinstance(fact, TaintFact):
                continue
            self._wanted.note(fact, after.lookup.pod, node)
            if isinstance(fact, VolumeOutOfReachFact):
                self._wanted.places |= zone_labels(fact.volume, after.lookup.cluster)
        words = self._wanted.words()
        if words == before:
            return False
        steps = list(self._like.steps)
        steps[self._place] = replace(steps[self._place], created=self._wanted.made(node))
        text = f"{self._like.text}, but {words}"
        # A further zone is more than a node.
        is_zone = bool(self._wanted.domains.keys() - {HOSTNAME})
        rank, order = (max(self._like.rank, Rank.LOOSENS), 5) if is_zone else (self._like.rank, self._like.order + 1)
        self.proposal = replace(self._like, text=text, rank=rank, order=order, steps=tuple(steps))
        return True


class _Wanted(Struct):
    """What the node has to have, and must not have."""

    amounts: dict[str, int] = msgspec.field(default_factory=dict)
    labels: dict[str, str] = msgspec.field(default_factory=dict)
    domains: dict[str, str] = msgspec.field(default_factory=dict)
    #: Labels of the zone of a volume.
    places: dict[str, str] = msgspec.field(default_factory=dict)
    #: Features of the kubelet, in order.
    features: dict[str, None] = msgspec.field(default_factory=dict)
    #: Taints by key and effect, and how they read.
    taints: dict[tuple[str, str], str] = msgspec.field(default_factory=dict)

    def note(self, fact: AnyFact, pod: Pod, node: Node) -> None:
        """Add what lifts an objection to the node, as far as a node can."""
        match fact:
            case ResourceFact():
                self.amounts[fact.resource] = fact.requested + fact.used
            case TaintFact():
                self.taints[fact.key, fact.effect] = f"{fact.key}:{fact.effect}"
            case NodeSelectorFact():
                labels = enforced_labels([fact]) if fact.enforced_by_scheduler else missing_labels(pod, node)
                self.labels |= {key: value for key, value in labels.items() if value is not None and key != HOSTNAME}
            case UndeclaredFeatures():
                self.features |= dict.fromkeys(fact.features)
            case AntiAffinityFact() | ExistingAntiAffinityFact() | SkewFact() | TopologyLabelFact():
                self.domains[fact.topology_key] = f"new-{node.name}"[:63]
            case _:
                pass

    def made(self, node: Node) -> Node:
        # What drivers call the zone changes with it.
        zone = zone_of(node.labels) if ZONE in self.domains else ""
        moved = {key: self.domains[ZONE] for key, value in node.labels.items() if zone and value == zone}
        labels = {**node.labels, **self.labels, **moved, **self.domains, **self.places}
        taints = tuple(each for each in node.spec.taints or () if (each.key, each.effect) not in self.taints)
        status = replace(
            node.status,
            allocatable=self._raised(node.status.allocatable),
            capacity=self._raised(node.status.capacity) if node.status.capacity else None,
            declared_features=tuple(sorted({*(node.status.declared_features or ()), *self.features})) or None,
        )
        metadata = replace(node.metadata, labels=labels)
        return replace(node, metadata=metadata, spec=replace(node.spec, taints=taints or None), status=status)

    def _raised(self, amounts: ResourceList | None) -> ResourceList:
        least = {name: amount(name, least) if name == CPU else str(least) for name, least in self.amounts.items()}
        return {**(amounts or {}), **least}

    def words(self) -> str:
        """What tells the node apart from its like."""
        has = [f"{amount(name, least)} {name}" for name, least in self.amounts.items()]
        # What a volume wants goes before what the pod asks for, which has to change then.
        has += [f"label {key}={value}" for key, value in self.labels.items() if key not in self.places]
        zones, domains = dict.fromkeys(self.places.values()), (key.rpartition("/")[2] for key in self.domains)
        taints, features = self.taints.values(), self.features
        about = (list(each) for each in (has, zones, features, taints, domains))
        return str(told("node-made", *about)).removesuffix(", ")
