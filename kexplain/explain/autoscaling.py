"""What is published of autoscalers: why a NodePool adds no node, node groups, and nodes that are on their way."""

from __future__ import annotations

import math
from enum import StrEnum

from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.patterns import regex
from kexplain.plugins.victims import seconds
from kexplain.words import clauses

#: How long autoscalers wait for a node that they have asked for, in seconds. Source: `max-node-provision-time` of
#: cluster-autoscaler, `registrationTTL` of Karpenter.
PATIENCE = 15 * 60
#: What the names of groups of some clouds end with.
_ENDING = regex(r"(?:-grp|-vmss)$")


class Refusal(StrEnum):
    """What keeps a NodePool from adding a node for a pod."""

    STATIC = "Static"
    NODE_CLASS = "NodeClass"
    SIZE = "Size"
    DELETING = "Deleting"
    NOT_READY = "NotReady"
    LIMIT = "Limit"
    TAINT = "Taint"
    REQUIREMENTS = "Requirements"
    MATCH_FIELDS = "MatchFields"


#: What nobody means a NodePool to be.
BROKEN = (Refusal.NODE_CLASS, Refusal.NOT_READY)


class NodePoolObjection(Output, frozen=True):
    """One reason why a NodePool adds no node for the pod."""

    kind: Refusal
    text: str


class GroupTrouble(StrEnum):
    """Why a node group does not grow."""

    AT_MAXIMUM = "AtMaximum"
    BACKED_OFF = "BackedOff"
    UNHEALTHY = "Unhealthy"
    #: Its autoscaler has stopped writing its status.
    SILENT = "Silent"


class NodeGroup(Output, frozen=True):
    """A node group: its nodes that are ready, how many it is to have, and the bounds of that.

    `troubles` are why it does not grow now, with words in `text`; without any, it may. `asOf` is when that was written.
    """

    name: str
    ready: int | None = None
    target: int | None = None
    least: int | None = None
    most: int | None = None
    troubles: tuple[GroupTrouble, ...] = ()
    text: str = ""
    as_of: str = ""

    @property
    def base(self) -> str:
        """The last part of its name, which tells it among the pools: of a URL, of a set of machines."""
        return _ENDING.sub("", self.name.rstrip("/").rpartition("/")[2])

    def silent_at(self, now: float) -> NodeGroup:
        """The group at that time: one who has written no status for long decides nothing any more."""
        if not PATIENCE <= now - seconds(self.as_of) < math.inf:
            return self
        text = f"it has written no status since {self.as_of}, so it decides nothing"
        return replace(self, troubles=(*self.troubles, GroupTrouble.SILENT), text=text)


class NodeOnItsWay(Output, frozen=True):
    """A NodeClaim or Machine without a node that is ready: the step it waits for, and what is said if that fails."""

    name: str
    pool: str
    since: str = ""
    waits_for: str = ""
    fails: bool = False
    message: str = ""
    kind: str = "NodeClaim"

    def __str__(self) -> str:
        state = f"waits to be {self.waits_for.lower()}" if self.waits_for else "has no node yet"
        since = f" since {self.since}" if self.since else ""
        return clauses(f"{self.kind} {self.name} {state}{since}", self.message if self.fails else "")
