"""Whether a node is in service, as its taints and conditions say, and what ails it if not."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from kexplain.objects.core import Node
from kexplain.objects.selectors import PREFER_NO_SCHEDULE
from kexplain.patterns import regex
from kexplain.tables import sections


class Trouble(StrEnum):
    """Why a node takes no pods, whoever asks; what has to be mended before the others comes first."""

    SHUT_DOWN = "shut down"
    UNREACHABLE = "unreachable"
    NOT_READY = "not ready"
    MARKED = "marked as out of service"
    NO_NETWORK = "without network"
    DISK_PRESSURE = "under disk pressure"
    MEMORY_PRESSURE = "under memory pressure"
    PID_PRESSURE = "under PID pressure"
    STARTING = "not initialized yet"
    LEAVING = "being removed"
    CORDONED = "cordoned"


#: By the key of a taint, or a condition and its status.
_TROUBLES = {sign: Trouble(name) for name, signs in sections("node-troubles").items() for sign in signs}
#: What agents of networks, volumes and machines take off once they run on a node: `node.cilium.io/agent-not-ready`.
_AGENT = regex(
    r".*/(?:agent-)?not-ready|.*/uninitialized|.*/unregistered"
    r"|(?:startup|ignore)-taint\.cluster-autoscaler\.kubernetes\.io/.*"
)
#: What kubelets say of a network that is not there.
_NETWORK = ("NetworkPluginNotReady", "cni plugin not initialized", "cni config uninitialized")
#: What the handler of AWS says of a machine that is reclaimed, rebalanced or shut down for maintenance.
_TERMINATION = "aws-node-termination-handler/"
#: Whose taints are all about the moment, and others that are.
OWN_DOMAINS = ("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/")
_PASSING = ("DeletionCandidateOfClusterAutoscaler",)
_ORDER = {trouble: place for place, trouble in enumerate(Trouble)}


def trouble_of_taint(key: str) -> Trouble | None:
    """What a taint of that key says of its node; None if it says what the node is for."""
    known = _TROUBLES.get(key)
    if known is None and key.startswith(_TERMINATION):
        return Trouble.LEAVING
    return known or (Trouble.STARTING if _AGENT.fullmatch(key) else None)


def is_of_machine(key: str) -> bool:
    """Whether who takes that taint off says what machine the node is, without which nobody knows that."""
    return _TROUBLES.get(key) is Trouble.STARTING


def saying(node: Node, trouble: Trouble) -> list[str]:
    """The taints, by key, that say so of the node."""
    return [each.key for each in node.spec.taints or () if trouble_of_taint(each.key) is trouble]


def is_passing(key: str) -> bool:
    """Whether a taint of that key says how a node is at the moment, not what it is for."""
    return key.startswith(OWN_DOMAINS) or key in _PASSING or trouble_of_taint(key) is not None


class Service(Struct, frozen=True):
    """What ails a node, the most serious first.

    Pods that tolerate all taints of it may run there all the same, unless it has further troubles, `for_all`.
    """

    troubles: tuple[Trouble, ...]
    for_all: bool


def out_of_service(node: Node) -> Service | None:
    """What ails the node; None for one in service.

    A node that is cordoned and not ready is not ready: to uncordon it alone helps nobody.
    """
    tainted, others = set(_tainted(node)), set(_noted(node))
    found = tuple(sorted(tainted | others, key=_ORDER.__getitem__))
    return Service(found, for_all=not others <= tainted) if found else None


def waits_for_network(node: Node) -> bool:
    """Whether its kubelet says that nobody has set up a network there."""
    return any(each in (node.status.ready.message or "") for each in _NETWORK)


def lost(node: Node) -> str:
    """Why nobody on a node stops or starts pods: it is unreachable or not ready; empty if it is well."""
    service = out_of_service(node)
    trouble = service.troubles[0] if service else None
    return trouble.value if trouble in (Trouble.SHUT_DOWN, Trouble.UNREACHABLE, Trouble.NOT_READY) else ""


def _tainted(node: Node) -> Iterator[Trouble]:
    if node.spec.unschedulable:
        yield Trouble.CORDONED
    for taint in node.spec.taints or ():
        trouble = trouble_of_taint(taint.key)
        if trouble is not None and taint.effect != PREFER_NO_SCHEDULE:
            yield trouble


def _noted(node: Node) -> Iterator[Trouble]:
    if node.metadata.deletion_timestamp:
        yield Trouble.LEAVING
    for condition in node.status.conditions or ():
        trouble = _TROUBLES.get(f"{condition.type}={condition.status}")
        if trouble is not None:
            yield trouble
