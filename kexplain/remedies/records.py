"""What is published of a remedy, and of the nodes that an autoscaler may add."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kexplain.explain.autoscaling import GroupTrouble, NodeGroup, NodeOnItsWay, NodePoolObjection, Refusal
from kexplain.explain.hindrances import hindrance
from kexplain.explain.objections import AnyFact
from kexplain.explain.output import Output
from kexplain.objects.changes import Change
from kexplain.words import joined, plural

if TYPE_CHECKING:
    from kexplain.explain.hindrances import Hindrance


class Action(StrEnum):
    """What a remedy does, as scripts know it; a name that was published stays."""

    WAIT_FOR_PREEMPTION = "wait-for-preemption"
    WAIT_FOR_DELETION = "wait-for-deletion"
    WAIT_FOR_DEALLOCATION = "wait-for-deallocation"
    WAIT_FOR_NODE = "wait-for-node"
    WAIT = "wait"
    RESUME = "resume"
    CHANGE_QUEUE = "change-queue"
    CHECK_CONTROLLER = "check-controller"
    CHECK_MANIFEST = "check-manifest"
    CHECK_NODE = "check-node"
    USE_CLAIM = "use-claim"
    CREATE_CLAIM = "create-claim"
    CHANGE_STORAGE = "change-storage"
    CHANGE_DEVICES = "change-devices"
    REMOVE_NODE_NAME = "remove-node-name"
    UNCORDON = "uncordon"
    MEND_NODE = "mend-node"
    LABEL_NODE = "label-node"
    REMOVE_TAINT = "remove-taint"
    TOLERATE = "tolerate"
    ADD_NODE = "add-node"
    REQUEST_LESS = "request-less"
    RAISE_QUOTA = "raise-quota"
    RELAX_NODE_AFFINITY = "relax-node-affinity"
    ADD_NAMESPACES = "add-namespaces"
    RELAX_AFFINITY = "relax-affinity"
    RUN_POD = "run-pod"
    RELAX_ANTI_AFFINITY = "relax-anti-affinity"
    HONOR_TAINTS = "honor-taints"
    RELAX_SPREAD = "relax-spread"
    CHANGE_ROLLOUT = "change-rollout"
    MAKE_ANEW = "make-anew"
    CHANGE_HOST_PORT = "change-host-port"
    SCALE = "scale"
    FREE = "free"
    MOVE_PODS = "move-pods"
    RAISE_PRIORITY = "raise-priority"
    DROP_CLAIM = "drop-claim"
    DROP_VOLUME = "drop-volume"
    COMBINE = "combine"
    GIVE_UP = "give-up"


class Rank(IntEnum):
    """Whether somebody who knows the cluster would want it, the most wanted first."""

    #: It happens without anybody's doing.
    BY_ITSELF = 0
    #: It undoes the fault where it is.
    MENDS = 1
    #: It adds capacity where the pod belongs.
    ADDS_NODES = 2
    #: The pod asks for a little less.
    LOOSENS = 3
    #: Others go elsewhere, where all of them find a place.
    MOVES = 4
    #: It crosses a reservation, gives up what the pod is there for, or leaves somebody else without a place.
    LAST_RESORT = 5


class Remedy(Output, frozen=True):
    """Something that would help, and the nodes that the pod would fit on then.

    `action` is a word for scripts, such as `tolerate`, `request-less`, `free`, `uncordon` or `check-manifest`.
    If `tried`, `changes` were applied and the pod was decided anew: it fits, and without any of them it does not; only
    of the nodes of a `bundle`, which are changed alike, fewer may be enough for it. `commands` are the same changes for
    a shell.

    `rank` says how much somebody who knows the cluster would want it: 0 happens by itself, 1 undoes the fault, 2 adds
    nodes where the pod belongs, 3 asks for a little less, 4 moves others to where they all fit, and 5 is a last
    resort: it crosses a reservation, gives up what the pod is there for, or leaves somebody else without a place.
    `serves` of the `pending` pods of the workload fit then, those among them that a StatefulSet makes later; null where
    that was not tried. `rivals` are pods of the same priority and second, which leave it no room if they come first.
    """

    action: str
    text: str
    nodes: tuple[str, ...] = ()
    tried: bool = False
    changes: tuple[Change, ...] = ()
    commands: tuple[str, ...] = ()
    rank: int = 3
    bundle: tuple[str, ...] = ()
    serves: int | None = None
    pending: int | None = None
    rivals: tuple[str, ...] = ()

    @property
    def only_shows(self) -> bool:
        """Whether its commands change nothing: they show what has to be known first."""
        return bool(self.commands) and not self.changes and all(line.startswith(_SHOWING) for line in self.commands)

    @property
    def is_printable(self) -> bool:
        """Whether there is a command for it, or a change of a manifest."""
        return bool(self.commands) or any(each.in_manifest for each in self.changes)


#: How commands begin that change nothing.
_SHOWING = ("kubectl api-resources", "kubectl describe", "kubectl get", "kubectl logs")
#: What keeps a NodePool from adding any node.
_REFUSED_TO_ALL = (Refusal.LIMIT, Refusal.NODE_CLASS, Refusal.NOT_READY, Refusal.STATIC)


class NewNodeObjection(Output, frozen=True):
    """One plugin's objection to the new node."""

    plugin: str
    detail: str
    facts: tuple[AnyFact, ...] = ()


class NewNode(Output, frozen=True):
    """What one more node of a pool would come to.

    It would be like the node `like`: the newest of so many `nodes`, or of those of another zone or size of the pool if
    only one like that takes the pod; `zone` is set where the pool has no node in that zone yet. `companions` run on
    each of them: DaemonSets, and pods of the kubelet. `fits` is null where the pool has no node to go by, and where
    there are too many nodes to try. `stoppedBy` is what the node would be turned down for. `nodePool` is what keeps
    Karpenter from adding a node, as far as its NodePool says; null where there is none of that name. `caution` is why
    the node may have to be of another size. `weight` is that of the NodePool: the greatest is asked first.
    `nodeGroups` are those of cluster-autoscaler for the pool, and `onTheirWay` nodes that were asked for already.
    `said` is what an autoscaler says of the pod, where nothing tells of the pool itself, and the pool is `passedOver`
    where it says that a node of it would not do.
    """

    pool: str
    nodes: int
    like: str = ""
    fits: bool | None = None
    stopped_by: tuple[NewNodeObjection, ...] = ()
    companions: tuple[str, ...] = ()
    node_pool: tuple[NodePoolObjection, ...] | None = None
    zone: str = ""
    caution: str = ""
    weight: int | None = None
    node_groups: tuple[NodeGroup, ...] = ()
    on_their_way: tuple[NodeOnItsWay, ...] = ()
    said: str = ""
    passed_over: bool = False

    @property
    def refused(self) -> str:
        """Why no autoscaler adds a node; empty where one may, or none is known."""
        said = [each.text for each in self.node_pool or ()]
        if self._has_no_group_left:
            said += [f"{group.base}: {group.text}" for group in self.node_groups]
        return joined(said) or next((each.says for each in self._hindrances), "")

    @property
    def _has_no_group_left(self) -> bool:
        return bool(self.node_groups) and all(group.troubles for group in self.node_groups)

    @property
    def _hindrances(self) -> list[Hindrance]:
        """What its groups, the nodes that it has asked for, or events say is in the way of all its nodes."""
        said = [group.text for group in self.node_groups] if self._has_no_group_left else []
        failing = [claim.message for claim in self.on_their_way if claim.fails]
        said += [*(failing if len(failing) == len(self.on_their_way) else ()), self.said]
        if not any(said):
            return []
        found = [hindrance(text) for text in said if text]
        return list(dict.fromkeys(each for each in found if each is not None))

    @property
    def hindered_by(self) -> tuple[str, ...]:
        """In a few words, what keeps the pool from growing, whatever pods are like; empty where nothing does."""
        full = [group for group in self.node_groups if GroupTrouble.AT_MAXIMUM in group.troubles]
        at_most = [f"node group {each.base} has its maximum of {plural(each.most or 0, 'node')}" for each in full]
        lasting = [each for each in self.node_pool or () if each.kind in _REFUSED_TO_ALL]
        of_pool = [f"{each.text} (NodePool {self.pool})" for each in lasting]
        told = [each.says for each in self._hindrances]
        unknown = [f"it assumes that nodes of empty node group {self.pool} lack that label"] if self.is_unknown else ()
        return (*(at_most if self._has_no_group_left else ()), *of_pool, *told, *unknown)

    @property
    def help(self) -> str:
        """What people would do about what the cloud refuses; empty where that is nothing anybody knows."""
        group = f"node group {self.node_groups[0].base}" if self.node_groups else f"pool {self.pool}"
        return next((each.help_for(group) for each in self._hindrances), "")

    @property
    def is_refused_to_all(self) -> bool:
        """Whether Karpenter adds no node of the pool, whatever pods are like."""
        return bool(self.node_pool) and all(each.kind in _REFUSED_TO_ALL for each in self.node_pool or ())

    @property
    def by(self) -> str:
        """Which autoscaler has the say, where one has."""
        of_machines = "the Machine API" if self.on_their_way else "cluster-autoscaler"
        return "Karpenter" if self.node_pool is not None else of_machines

    @property
    def is_unknown(self) -> bool:
        """Whether it is of a group without nodes, whose autoscaler cannot tell what they would be like."""
        return self.passed_over and not self.nodes

    @property
    def may_come(self) -> bool:
        """Whether an autoscaler is known that may add the node."""
        return self.is_managed and not (self.refused or self.passed_over)

    @property
    def is_managed(self) -> bool:
        """Whether an autoscaler is known that has the say."""
        return self.node_pool is not None or bool(self.node_groups)


class Remedies(NamedTuple):
    """What would help, the most wanted first, and what was left aside: last resorts in words."""

    remedies: tuple[Remedy, ...]
    last_resorts: tuple[str, ...] = ()
    #: What was taken for granted.
    notes: tuple[str, ...] = ()


#: What would help, the best first.
Helps: TypeAlias = tuple[Remedy, ...]
