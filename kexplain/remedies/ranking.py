"""The remedies that were found, in order: by rank, then by what people would rather do, then on most nodes."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from kexplain.cluster.siblings import turn
from kexplain.objects.changes import Change
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.remedies.trials import Trials, Tried

#: For how many remedies it is tried whom they serve.
SERVED = 3
#: The place in the order, within a rank, of what was not tried; what is twice as far back goes once anything was.
UNTRIED = 20


class _Found(NamedTuple):
    order: int
    remedy: Remedy
    tried: Tried | None
    key: Hashable

    @property
    def is_passed_over(self) -> bool:
        """Whether it is only worth a word where nothing else is known."""
        return self.order >= 2 * UNTRIED

    @property
    def identity(self) -> Hashable:
        """What it does, or, where nothing changes, what it is about."""
        remedy = self.remedy
        if remedy.changes:
            # What is undone as a whole has a command of its own.
            return remedy.action == Action.CHANGE_ROLLOUT, msgspec.json.encode(remedy.changes)
        return remedy.action, remedy.nodes, remedy.bundle, self.key


class Ranking:
    """The remedies found so far."""

    def __init__(self) -> None:
        self._found: list[_Found] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, order: int, remedy: Remedy | None, tried: Tried | None = None, key: Hashable = None) -> None:
        """Add a remedy, if it is one; `key` tells those apart that change nothing and are about the same nodes."""
        if remedy is not None:
            self._found.append(_Found(order if tried else order + UNTRIED, remedy, tried, key))

    @property
    def has_tried(self) -> bool:
        """Whether anything is known to be enough."""
        return any(each.tried for each in self._found)

    @property
    def has_wanted(self) -> bool:
        """The same of what is no last resort."""
        return any(each.tried is not None and each.remedy.rank < Rank.LAST_RESORT for each in self._found)

    @property
    def has_any(self) -> bool:
        """Whether there is anything of that, or something that people can do where the pod belongs."""
        return self.has_wanted or any(
            each.remedy.rank <= Rank.ADDS_NODES and not each.is_passed_over for each in self._found
        )

    def has_more_than(self, count: int) -> bool:
        """Whether anything was added after the first few that was tried, or names nodes."""
        return any(each.tried or each.remedy.nodes for each in self._found[count:])

    def remedies(self, trials: Trials) -> list[Remedy]:
        """Each once, in order; of the first few it is tried how many of the pending pods they serve, too."""
        distinct: dict[Hashable, _Found] = {}
        for each in sorted(self._found, key=lambda each: (each.remedy.rank, each.order, -len(each.remedy.nodes))):
            distinct.setdefault(each.identity, each)
        shown = [each for each in distinct.values() if not (self.has_tried and each.is_passed_over)]
        every, waiting = _without_more_than_needed([*_serving(shown, trials)]), 1 + len(trials.pending)
        # Of a set that makes one pod after the other, what helps all comes before what ends at the next one.
        return sorted(every, key=lambda each: (each.rank, waiting < (each.pending or 0) > (each.serves or 0)))


def _without_more_than_needed(found: Sequence[Remedy]) -> Iterator[Remedy]:
    """All but what does something besides what is enough by itself, for as many pods; rollouts go back whole."""
    for each in found:
        of_same = (other for other in found if other.tried and other.changes != each.changes)
        fewer = (one for one in of_same if one.changes and all(_is_part(part, each.changes) for part in one.changes))
        is_more = any(other.rank <= each.rank and (other.serves or 0) >= (each.serves or 0) for other in fewer)
        if each.action == Action.CHANGE_ROLLOUT or not is_more:
            yield each


def _is_part(part: Change, changes: Iterable[Change]) -> bool:
    """Whether the changes make that change, too; what removes a whole map removes all that is in it."""
    for each in changes:
        if each == part:
            return True
        if each.target == part.target and part.operations:
            removed = tuple(f"{one['path']}/" for one in each.operations if one["op"] == "remove")
            gone = [one for one in part.operations if one["op"] == "remove" and one["path"].startswith(removed)]
            if all(one in each.operations or one in gone for one in part.operations):
                return True
    return False


def _serving(found: Sequence[_Found], trials: Trials) -> Iterator[Remedy]:
    pending = trials.pending
    for number, each in enumerate(found):
        wanted = max(each.tried.wanted if each.tried else 0, 1 + len(pending))
        serves = each.tried.serves if each.tried and wanted > 1 else None
        if serves is None and number < SERVED and each.tried is not None and (pending or trials.earlier):
            serves = trials.with_those_beside(each.tried).serves
        if serves != 0:
            rivals = _rivals(each.tried, trials) if each.tried and number < SERVED else ()
            counted = {"serves": serves, "pending": wanted} if serves is not None and wanted > 1 else {}
            yield replace(each.remedy, rivals=rivals, **counted)


def _rivals(tried: Tried, trials: Trials) -> tuple[str, ...]:
    """Pods that are tried before this one or after it, as it happens, and then leave it no room; empty without."""
    pod = trials.decision.pod
    equal = tuple(each.key for each in trials.others if turn(each) == turn(pod))
    return equal if equal and trials.with_those_beside(tried, pod).serves == 0 else ()
