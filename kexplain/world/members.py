"""The pods of a workload while it is followed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.own_pods import Key
from kexplain.case.records import RolloutFigures
from kexplain.objects.core import Pod, PodStatus
from kexplain.objects.problem import Problem
from kexplain.scheduler.pod_copies import anew

UNWANTED = "its controller wants no other in its place"


class Member(Struct, eq=False):
    """A pod, as it stands in the queue or the cluster, its node if it has one, and whether it serves.

    `is_new` says whether it is of the newest template. `slot` is the ordinal or the node that it was made for.
    """

    pod: Pod
    is_new: bool = True
    node: str = ""
    is_ready: bool = False
    slot: str = ""


class Refused(Struct, frozen=True):
    """Why a pod was not created: each field at fault, and what is wrong with it."""

    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        return "; ".join(each.in_words for each in self.problems)


class Rollout(RolloutFigures, frozen=True, kw_only=True):
    """The same with the pods behind it."""

    refusals: tuple[Refused, ...] = ()
    #: Those without a node, the new ones first.
    waiting: tuple[Pod, ...] = ()
    #: How many new pods it makes at most beside the old ones, in words.
    bounds: str = ""
    #: Those that are being deleted and never leave.
    stuck: tuple[Pod, ...] = ()
    #: Those that run and are not ready, which others wait for.
    unready: tuple[Pod, ...] = ()

    @property
    def short(self) -> int:
        """How many of its pods have no node, or are not even there."""
        return self.pending + self.not_created

    @property
    def end(self) -> str:
        """How far it gets where it has not all pods of the newest template, in words; empty where it has."""
        if self.complete or not self.short:
            return ""
        if not self.old:
            return f"stops at {self.placed} of {self.desired}"
        return f"stalls at {self.new} of {self.desired} new{f' ({self.bounds})' if self.bounds else ''}"

    @property
    def is_lacking(self) -> bool:
        """Whether pods that it wants are not created, be it that it wants one more beside the old ones."""
        return self.not_created > 0 and self.placed < self.desired

    @property
    def why_not_again(self) -> str:
        """Why nothing comes in place of a pod that is gone; empty where that is not known."""
        if not self.not_created and self.placed + self.pending < self.desired:
            return f"the rollout of {self.kind} {self.name} takes an old pod away anyway"
        if not self.is_lacking:
            # Another is in its place; what is refused, if anything is, is one pod more, beside the old ones.
            return f"{self.kind} {self.name} has all {self.desired} pods that it wants without it"
        reasons = [*map(str, self.refusals), *(f"{pod.name} has to run first" for pod in self.waiting)]
        reasons += [f"{pod.name}, which is being deleted and nobody stops, has to go first" for pod in self.stuck]
        reasons += [f"{pod.name} is not ready, and has to be first" for pod in self.unready]
        return next(iter(reasons), "")


class Scaled(Struct, frozen=True):
    """A number of pods for a workload of which only the pods were read."""

    kind: str
    namespace: str
    name: str
    pods: tuple[Pod, ...]
    replicas: int


class ResizeOutcome(StrEnum):
    """What a kubelet does about a resize: at once, once there is room, or never on this node; or it is not let in."""

    DONE = "Done"
    DEFERRED = "Deferred"
    INFEASIBLE = "Infeasible"
    #: By an API server, so that the pod stays as it is.
    REFUSED = "Refused"


class Resized(Struct, frozen=True, rename="camel"):
    """A pod that was to be resized on its node, what became of that, and why not more."""

    pod: str
    container: str
    node: str
    outcome: ResizeOutcome
    because: str = ""


class Pods(Struct, eq=False):
    """The pods of one template, and those that were lost: what comes in their place goes by their names."""

    members: list[Member] = msgspec.field(default_factory=list)
    lost: list[Member] = msgspec.field(default_factory=list)
    #: How many were ever lost.
    losses: int = 0
    #: Those that are being deleted and never leave, as nobody stops them: in their place nothing comes.
    stuck: list[Member] = msgspec.field(default_factory=list)

    def lose(self, member: Member) -> None:
        """One more is gone, and another may come in its place."""
        self.lost.append(member)
        self.losses += 1

    @property
    def available(self) -> int:
        return sum(member.is_ready for member in self.members)


def in_place_of(lost: Member, made: Pod, *, is_new: bool) -> Pod:
    """What a controller makes in place of a pod that was lost, `made` of its template; it goes by the same name.

    Of the same template it is as the lost one was: webhooks, which nobody knows here, have had both in hand.
    """
    if lost.is_new != is_new:
        return replace(made, metadata=replace(made.metadata, name=lost.pod.name))
    again = anew(lost.pod)
    return replace(again, metadata=replace(again.metadata, uid=None, creation_timestamp=None), status=PodStatus())


def rollout_of(
    key: Key,
    members: Iterable[Member],
    *,
    complete: bool,
    desired: int,
    not_created: int,
    kept_old_by: str,
    refusals: Iterable[Refused | None],
    bounds: str = "",
) -> Rollout:
    """How far a workload with these pods has got."""
    every = list(members)
    pending = sorted((each for each in every if not each.node), key=lambda each: not each.is_new)
    kind, namespace, name = key
    return Rollout(
        kind=kind,
        namespace=namespace,
        name=name,
        complete=complete,
        desired=desired,
        placed=len(every) - len(pending),
        new=sum(bool(each.node) and each.is_new for each in every),
        old=sum(not each.is_new for each in every),
        pending=len(pending),
        not_created=not_created,
        kept_old_by=kept_old_by,
        refusals=tuple(each for each in refusals if each is not None),
        waiting=tuple(each.pod for each in pending),
        bounds=bounds,
    )


def deletion_order(members: Sequence[Member]) -> list[Member]:
    """The order in which a replica set does without pods.

    Source: controller `ActivePodsWithRanks`, whose last criteria depend on times that nobody knows beforehand.
    """
    ready_by_node = Counter(member.node for member in members if member.is_ready)

    def rank(member: Member) -> tuple[bool, bool, int, int, str]:
        created = member.pod.metadata.creation_timestamp or "~"
        newest_first = "".join(chr(0x10FFFF - ord(char)) for char in created)
        return bool(member.node), member.is_ready, _cost(member.pod), -ready_by_node[member.node], newest_first

    return sorted(members, key=rank)


def _cost(pod: Pod) -> int:
    written = (pod.metadata.annotations.deletion_cost if pod.metadata.annotations else None) or ""
    bare = written.removeprefix("-")
    return int(written) if bare.isascii() and bare.isdigit() and len(bare) < len("4294967296") else 0
