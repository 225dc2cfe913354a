"""What a plugin answers. Source: kube-scheduler `framework.Status`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from operator import attrgetter

import msgspec

from kexplain.framework.evidence import Evidence
from kexplain.objects.core import GroupName


class Code(Enum):
    """Upstream's codes, spelled as upstream prints them."""

    SUCCESS = "Success"
    ERROR = "Error"
    UNSCHEDULABLE = "Unschedulable"
    UNSCHEDULABLE_AND_UNRESOLVABLE = "UnschedulableAndUnresolvable"
    SKIP = "Skip"
    #: At Permit: the pod has a node, and waits for something before it is bound.
    WAIT = "Wait"

    def __init__(self, value: str) -> None:
        #: Worked out once, as every verdict is asked.
        self.is_rejection = value.startswith("Unschedulable")


class Status(msgspec.Struct, frozen=True):
    """A rejection or an error: its code, upstream's texts, and the typed facts behind them.

    There is no Status for success: a plugin that has nothing against a pod answers None.
    """

    code: Code
    reasons: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    plugin: str = ""

    def by(self, plugin: str) -> Status:
        """This status as given by that plugin."""
        return Status(self.code, self.reasons, self.evidence, plugin)

    @property
    def is_rejection(self) -> bool:
        """Whether the pod is turned down, as opposed to something having gone wrong."""
        return self.code.is_rejection

    @property
    def message(self) -> str:
        """The reasons as upstream joins them."""
        return ", ".join(self.reasons)


class Rejections(msgspec.Struct, eq=False):
    """A filter's objections by node, kept up to date; `touched` are the nodes of which they may have changed so far."""

    by_node: dict[str, Status] = msgspec.field(default_factory=dict)
    touched: list[str] = msgspec.field(default_factory=list)


#: Those of a filter that objects to no node, which is then asked nothing.
NO_REJECTIONS = Rejections()


class Column(msgspec.Struct, eq=False):
    """Objections to all nodes of a cluster, in their order: each node's number, and all that a number stands for."""

    numbers: Sequence[int] = ()
    said: Mapping[int, tuple[Status, ...]] = {}

    @classmethod
    def of(cls, every_by_place: Mapping[int, tuple[Status, ...]], nodes: int) -> Column:
        """That of so many nodes with objections to those at these places: the very same to nodes that are alike."""
        numbers = [0] * nodes
        said: dict[int, tuple[Status, ...]] = {0: ()}
        number_by_id = {key: number for number, key in enumerate(dict.fromkeys(map(id, every_by_place.values())), 1)}
        for place, every in every_by_place.items():
            numbers[place] = number_by_id[id(every)]
            said[numbers[place]] = every
        return cls(numbers, said)

    def and_then(self, other: Column) -> Column:
        """Each node's objections before those to it in another column."""
        one, span = len(self.said), 1 + max(self.said, default=0)
        if one == 1 and not any(self.said.values()):
            return other
        if len(other.said) == 1 and not any(other.said.values()):
            return self
        numbers = [own + span * more for own, more in zip(self.numbers, other.numbers, strict=True)]
        return Column(numbers, {each: self.said[each % span] + other.said[each // span] for each in set(numbers)})

    @property
    def everys(self) -> list[tuple[Status, ...]]:
        """The objections node by node."""
        return [*map(self.said.__getitem__, self.numbers)]

    def by_name(self, names: Iterable[str]) -> dict[str, tuple[Status, ...]]:
        """The objections by the names of the nodes; those without any are missing."""
        found = dict(zip(names, self.everys, strict=True))
        return found if all(self.said.values()) else {name: every for name, every in found.items() if every}


_IS_REJECTION = attrgetter("code.is_rejection")


def are_rejections(verdicts: Iterable[Status | None]) -> bool:
    """Whether nothing has gone wrong; told without a step of Python each."""
    return all(map(_IS_REJECTION, {id(each): each for each in filter(None, verdicts)}.values()))


def unschedulable(reason: str, *evidence: Evidence) -> Status:
    """A rejection that evicting pods may help against."""
    return Status(Code.UNSCHEDULABLE, (reason,), evidence)


def unresolvable(reason: str, *evidence: Evidence) -> Status:
    """A rejection that no eviction helps against."""
    return Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE, (reason,), evidence)


def error(reason: str) -> Status:
    """Something went wrong where the real scheduler would fail too."""
    return Status(Code.ERROR, (reason,))


def group_not_found(name: GroupName) -> Status:
    """The error where the object of a group is looked for and not there."""
    return error(f'podgroup.scheduling.k8s.io "{name.name}" not found')
