"""What is published of a remedy."""

from enum import IntEnum, StrEnum

from kexplain.explain.output import Output
from kexplain.objects.changes import Change


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
    `serves` of the `pending` pods of the workload fit then; null where that was not tried.
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

    @property
    def is_printable(self) -> bool:
        """Whether there is a command for it, or a change of a manifest."""
        return bool(self.commands) or any(each.in_manifest for each in self.changes)
