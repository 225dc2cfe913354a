"""Groups of pods that are scheduled together, as reports have them."""

from enum import StrEnum

import msgspec

from kexplain.explain.output import Output
from kexplain.explain.records import Score
from kexplain.framework.trace import Outcome


class GroupStanding(Output, frozen=True):
    """The group that a pod is scheduled with.

    `group` is its name with the namespace, `needs` how many of its pods must be able to run at once (null if it is no
    gang), `exist` how many there are, `placed` how many of these have a node, and `fitting` how many more fit, some of
    them perhaps only once others have left. `node` is where this pod fits, whether the group can run or not. Unless
    it is `there`, the object that describes the group is missing. If it `can_run`, its pods that fit are bound.
    """

    group: str
    there: bool
    needs: int | None = None
    exist: int = 0
    placed: int = 0
    fitting: int = 0
    node: str = ""
    can_run: bool = False

    @property
    def missing(self) -> int:
        """How many pods do not exist yet that the group needs."""
        return max((self.needs or 0) - self.exist, 0)


class MemberState(StrEnum):
    """How a pod of a group stands."""

    #: It has a node since before.
    PLACED = "Placed"
    FITS = "Fits"
    #: It fits once others have left.
    NEEDS_ROOM = "NeedsRoom"
    DOES_NOT_FIT = "DoesNotFit"
    #: It is not in the queue, or was not come to.
    NOT_TRIED = "NotTried"


class GroupMemberReport(Output, frozen=True):
    """A pod of a group, the node that it has or would get, and, if it fits on none, why."""

    pod: str
    state: MemberState
    node: str = ""
    because: str = ""


class GroupNodes(Output, frozen=True):
    """Nodes that stop the pods of a waiting group for one reason; `count` is how many.

    If they are `usedUp`, pods of the group fit there at first, and `takes` says how many of them each node takes;
    otherwise they turn down every pod of the group.
    """

    used_up: bool
    plugin: str
    text: str
    count: int
    nodes: tuple[str, ...]
    takes: dict[str, int] = msgspec.field(default_factory=dict)


class PlacementOutcome(Output, frozen=True):
    """A placement that a group was tried in: how many of its pods fit, and whether it can run there, or `because`.

    Only several placements that a group can run in have points.
    """

    name: str
    nodes: int
    fitting: int
    can_run: bool
    total: int | None = None
    scores: tuple[Score, ...] = ()
    because: str = ""


class SchedulingGroup(Output, frozen=True):
    """A group of pods that are scheduled together, as a whole.

    `outcome` is Scheduled, Unschedulable or Error, and null if it was not tried; `message` is that of its condition.
    `topologyKey` is the label whose value its nodes must share, and `placement` the value that was picked. `evicted`
    are the pods that leave for it, whether it can run then or not. `nodes` are all nodes that were tried for a group
    that waits, those that it uses up itself first, then by how many are alike.
    """

    name: str
    namespace: str
    there: bool
    needs: int | None = None
    exist: int = 0
    outcome: Outcome | None = None
    message: str = ""
    members: tuple[GroupMemberReport, ...] = ()
    topology_key: str = ""
    placement: str = ""
    placements: tuple[PlacementOutcome, ...] = ()
    awaits_preemption: bool = False
    evicted: tuple[str, ...] = ()
    nodes: tuple[GroupNodes, ...] = ()
