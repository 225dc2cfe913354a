"""Something that would help, before it is tried."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

from msgspec import Struct

from kexplain.remedies.changes import AnyStep, PodStep, Step
from kexplain.remedies.edits import Edit


class Proposal(Struct, frozen=True, dict=True):
    """Something that would help; `order` puts what people would rather do first.

    With an `edit` of the pod, it is tried and named with the nodes that it is enough for. Without, `nodes` are those
    that it is enough for. A last resort is named only if no edit of the same objection is enough anywhere.
    """

    action: str
    text: str
    edit: Edit | None = None
    nodes: tuple[str, ...] = ()
    order: int = 2
    is_last_resort: bool = False
    #: What is done to other objects than the pod.
    steps: tuple[Step, ...] = ()
    #: Whether the edit only shows where the pod would fit: nobody would make it.
    is_stand_in: bool = False

    @cached_property
    def steps_to_try(self) -> tuple[AnyStep, ...]:
        """All that is done, to the pod first; empty where there is nothing that could be tried."""
        return (*((PodStep(self.edit),) if self.edit else ()), *self.steps)


class Certainty(IntEnum):
    """How sure it is that a change outside the pod is enough, most certain first."""

    #: The pod then fits on the node.
    FITS = 0
    #: The node needs the change, and perhaps more.
    NEEDED = 1
    #: Every node needs it, and only then will it show which nodes fit.
    NEEDED_ANYWHERE = 2


class Lift(Struct, frozen=True):
    """A change outside the pod that lifts an objection; `effort` compares changes of one kind."""

    action: str
    text: str
    effort: int = 0
    certainty: Certainty = Certainty.FITS
