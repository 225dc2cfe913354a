"""What a pod asks of nodes, as far as they object because of it: wishes come from the pod, and hold for good."""

from collections.abc import Callable, Mapping, Sequence
from enum import IntFlag
from functools import partial

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import (
    AffinityUnmatched,
    Evidence,
    InsufficientResource,
    MissingTopologyLabel,
    NodeLabelsMismatch,
    OtherNodeName,
)
from kexplain.framework.evidence.devices import ClaimElsewhere, MissingDeviceClass, UndeclaredFeatures, UnmetRequest
from kexplain.framework.evidence.policies import LabelPresenceViolated, ServiceAffinityUnmatched
from kexplain.framework.evidence.storage import (
    DriverNotInstalled,
    NoVolumeToBind,
    ProvisionedElsewhere,
    TopologyNotAllowed,
    VolumeInOtherZone,
    VolumeOutOfReach,
)
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision
from kexplain.objects import quantity
from kexplain.objects.meta import RawQuantity
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.requests import PODS
from kexplain.objects.well_known import INSTANCE_TYPE, OLD_INSTANCE_TYPE, OLD_REGION, OLD_ZONE, REGION, ZONE


class Wish(IntFlag):
    """The kinds of wishes, in the order in which they narrow down where a pod belongs."""

    #: It names its node.
    NAME = 1
    #: Labels, by its node selector or required affinity.
    LABELS = 2
    #: Something that only some nodes offer: devices, huge pages, features of the kubelet.
    OFFER = 4
    #: A zone or a region, by label.
    ZONE = 8
    #: Where its volumes can be reached, or made.
    VOLUME = 16
    #: The driver of its volumes.
    DRIVER = 32
    #: A label that its pods are spread by.
    DOMAIN = 64
    #: Near other pods.
    NEAR = 128
    #: A node that is large enough when empty.
    SIZE = 256


#: Those by which a pod asks for nodes that are kept for such as it; the others only say where, or how large.
EXPLICIT = (Wish.NAME, Wish.LABELS, Wish.OFFER)
OTHERS = (Wish.ZONE, Wish.VOLUME, Wish.DRIVER, Wish.DOMAIN, Wish.NEAR, Wish.SIZE)
#: Wishes as plain numbers, which are quicker where every node is looked at.
_NONE, _OFFER, _LABELS, _ZONE, _SIZE = (each.value for each in (Wish(0), Wish.OFFER, Wish.LABELS, Wish.ZONE, Wish.SIZE))
#: Beside them: that the node has to be asked.
_ASKS = 2 * _SIZE
#: Labels that only say where a node is.
PLACES = frozenset({ZONE, REGION, OLD_ZONE, OLD_REGION})
#: Labels that machines come with, whose values nobody misspells into one another.
GIVEN = frozenset(
    {ZONE, REGION, OLD_ZONE, OLD_REGION, INSTANCE_TYPE, OLD_INSTANCE_TYPE, "kubernetes.io/arch", "kubernetes.io/os"}
)
_OF_WISHES: Mapping[Wish, Sequence[type[Evidence]]] = {
    Wish.NAME: [OtherNodeName], Wish.LABELS: [LabelPresenceViolated, ServiceAffinityUnmatched],
    Wish.OFFER: [MissingDeviceClass, UndeclaredFeatures], Wish.DRIVER: [DriverNotInstalled],
    Wish.DOMAIN: [MissingTopologyLabel], Wish.NEAR: [AffinityUnmatched],
    Wish.VOLUME: [
        ClaimElsewhere, VolumeOutOfReach, VolumeInOtherZone, NoVolumeToBind, TopologyNotAllowed, ProvisionedElsewhere,
    ],
}  # fmt: skip
_BY_EVIDENCE = {each: wish.value for wish, every in _OF_WISHES.items() for each in every}
#: What it is about that a PreFilter leaves nodes out.
_BY_PRE_FILTER = {"NodeAffinity": Wish.NAME.value, "VolumeBinding": Wish.VOLUME.value, "DynamicResources": _OFFER}


def _resource(evidence: InsufficientResource) -> int:
    if evidence.allocatable > 0:
        return _SIZE if evidence.requested > evidence.allocatable else _NONE
    if evidence.resource == PODS:
        # Whatever it is for, a node that takes no pods is out of order.
        return _NONE
    return _ASKS


def _having(statuses: Sequence[Status], cluster: Cluster) -> Sequence[Sequence[bool]]:
    """By resource of which these say that nothing is offered: whether each node's machine has some of it."""
    found = (each for status in statuses for each in status.evidence if type(each) is InsufficientResource)
    idle = [each.resource for each in found if _resource(each) == _ASKS]
    return [cluster.of_nodes((has_capacity, each), partial(has_capacity, each)) for each in idle]


def _has_all(columns: Sequence[Sequence[bool]], place: int) -> bool:
    return all(column[place] for column in columns)


def has_capacity(resource: str, node_info: NodeInfo) -> bool:
    """Whether the machine has some of it, or pods there hold some, though nothing may be had at the moment.

    What is shared or cut into slices is reported under another name, as `nvidia.com/gpu.shared` is.
    """
    offered = node_info.allocatable.amounts()
    if any(name.startswith(f"{resource}.") for name in offered):
        return False
    if not is_nothing((node_info.node.status.capacity or {}).get(resource)):
        return True
    vendor = resource.partition("/")[0] + "/"
    is_renamed = any(name.startswith(vendor) and count > 0 for name, count in offered.items())
    return node_info.requested.amount(resource) > 0 and not is_renamed


def is_nothing(amount: RawQuantity | None) -> bool:
    """Whether an amount is none at all, or not given."""
    return amount is None or quantity.value(amount) <= 0


def _labels(evidence: NodeLabelsMismatch) -> int:
    unmet = (*evidence.unmet_labels, *(each for _, requirements in evidence.unmet_terms for each in requirements))
    return _ZONE if unmet and all(each.key in PLACES for each in unmet) else _LABELS


def _request(evidence: UnmetRequest) -> int:
    return _NONE if evidence.matching or evidence.unusable_pools else _OFFER


_CLOSER: Mapping[type[Evidence], Callable[..., int]] = {
    InsufficientResource: _resource, NodeLabelsMismatch: _labels, UnmetRequest: _request,
}  # fmt: skip


def is_about_machines(required: RequiredNodeAffinity) -> bool:
    """Whether it asks for nothing but what machines come with, and every term for some of that."""
    terms = [required.labels, *(term.labels for term in required.terms or ())]
    return any(terms) and all(each.key in GIVEN for labels in terms for each in labels)


def wishes_unmet(decision: Decision) -> dict[str, int]:
    """What each node does not meet, as numbers; those that meet everything may be missing."""
    column, cluster = decision.matrix.column, decision.cluster
    known = {number: _unmet(statuses) for number, statuses in column.said.items()}
    unmet = [*map(known.__getitem__, column.numbers)]
    asking = {number: _having(column.said[number], cluster) for number, each in known.items() if each & _ASKS}
    for place, number in enumerate(column.numbers) if asking else ():
        if number in asking:
            unmet[place] = unmet[place] & ~_ASKS | (_NONE if _has_all(asking[number], place) else _OFFER)
    found = dict(zip(cluster.node_info_by_name, unmet, strict=False))
    for names, wish in _left_out(decision):
        for name in cluster.node_info_by_name:
            if name not in names:
                found[name] = found.get(name, _NONE) | wish
    return found


def _left_out(decision: Decision) -> list[tuple[frozenset[str], int]]:
    """The nodes that each PreFilter lets in which leaves others out, with what that is about."""
    told = ((plugin, one) for plugin, one in decision.pre_filter.items() if isinstance(one, PreFiltered))
    return [(one.node_names, _BY_PRE_FILTER.get(plugin, _LABELS)) for plugin, one in told if one.node_names is not None]


def _unmet(statuses: Sequence[Status]) -> int:
    """What these say is unmet; with `_ASKS` where that takes the node."""
    unmet = _NONE
    for status in statuses:
        for evidence in status.evidence:
            kind = type(evidence)
            closer = _CLOSER.get(kind)
            unmet |= closer(evidence) if closer else _BY_EVIDENCE.get(kind, _NONE)
    return unmet
