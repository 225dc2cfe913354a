"""What PostFilter gets and gives: preemption as a dry run, with everything that it weighed.

Source: scheduler `framework/preemption`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Protocol

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.status import Code, Status
from kexplain.grouping import counted
from kexplain.objects.core import Pod


class NodeStatuses(Struct, frozen=True):
    """The rejections by node name, and what holds for every node that is not named."""

    by_node: Mapping[str, Status]
    absent: Status = msgspec.field(default=Status(Code.UNSCHEDULABLE_AND_UNRESOLVABLE))

    def get(self, node_name: str) -> Status:
        """The verdict on that node."""
        return self.by_node.get(node_name, self.absent)


class Reviewer(Protocol):
    """The extenders that are asked about candidates for preemption."""

    @property
    def seeks_victims(self) -> bool:
        """Whether any is asked for victims, also on nodes where nobody has to go for the plugins' sake."""

    def review(self, candidates: Sequence[Candidate]) -> Review | Status:
        """What they say of these candidates, of which there is at least one; a Status if one failed."""


class Reprieve(Struct, frozen=True):
    """Whether pods that were gone for a trial can stay: they cannot if something stops the pod once they are back.

    `violations` are those of disruption budgets if they leave.
    """

    pods: tuple[Pod, ...]
    violations: int
    stopped: Status | None


class Candidate(Struct, frozen=True):
    """A node on which evicting the victims would make the pod fit; victims are most important first.

    `violated_budgets` are the disruption budgets that the violating victims draw on, and `reprieves` all that could go,
    in the order in which they were tried to come back.
    """

    node_name: str
    victims: tuple[Pod, ...]
    pdb_violations: int
    violated_budgets: tuple[str, ...] = ()
    reprieves: tuple[Reprieve, ...] = ()


class Review(Struct, frozen=True):
    """The candidates that extenders leave, their victims perhaps changed, and the nodes that they turn down."""

    candidates: tuple[Candidate, ...]
    turned_down: Mapping[str, Status] = msgspec.field(default_factory=dict)


class LadderStep(Struct, frozen=True, rename="camel"):
    """One criterion of the choice among candidates, who was left after it, what all of them have in it, its code."""

    criterion: str
    remaining: tuple[str, ...]
    value: str = ""
    code: str = ""


class Preemption(Struct, frozen=True):
    """A preemption dry run over all nodes where it might help.

    `ineligible` says why nothing was tried at all. `best` are the candidates that upstream's criteria cannot
    tell apart: it picks any of them, kexplain the first. `rejections` are the nodes where evicting every pod
    of lower priority does not help either; nodes in neither place were ruled out by their filter verdict.
    Upstream ends its search over the `potential` nodes, from a random one on, once it has `enough` candidates and
    one of them violates no budget; 0 where it is not known.
    """

    ineligible: str = ""
    candidates: tuple[Candidate, ...] = ()
    ladder: tuple[LadderStep, ...] = ()
    best: tuple[str, ...] = ()
    rejections: Mapping[str, Status] = msgspec.field(default_factory=dict)
    potential: int = 0
    enough: int = 0

    @property
    def stops_early(self) -> bool:
        """Whether the search may end before all candidates are seen, and miss the best of them."""
        is_enough = 0 < self.enough < len(self.candidates)
        return is_enough and any(candidate.pdb_violations == 0 for candidate in self.candidates)

    @property
    def is_drawn(self) -> bool:
        """Whether another node may be nominated as well."""
        return self.stops_early or len(self.best) > 1


class PostFiltered(Struct, frozen=True):
    """A PostFilter plugin's answer; no status means that `nominated_node` would be made to fit.

    `message` is what there is to say of that. `deallocates` is the claim, as `namespace/name`, that would lose its
    devices for the next attempt.
    """

    status: Status | None
    nominated_node: str = ""
    preemption: Preemption | None = None
    message: str = ""
    deallocates: str = ""


def fit_error(
    number_of_nodes: int, statuses: NodeStatuses, *, pre_filter_message: str = "", post_filter_message: str = ""
) -> str:
    """The message of the FailedScheduling event, to the letter. Source: `framework.FitError.Error`."""
    message = f"0/{number_of_nodes} nodes are available:"
    if pre_filter_message:
        message += f" {pre_filter_message}."
    else:
        # Few distinct reasons for many nodes: those are counted first.
        said = [*Counter(map(attrgetter("reasons"), statuses.by_node.values())).items()]
        absent = number_of_nodes - len(statuses.by_node)
        said += [(statuses.absent.reasons, absent)] if absent > 0 else []
        counts = counted((reason, nodes) for reasons, nodes in said for reason in reasons)
        if counts:
            # Sorted as texts, so that 10 goes before 2; Go compares bytes, as UTF-8 orders code points.
            message += f" {', '.join(sorted(f'{count} {reason}' for reason, count in counts.items()))}."
    return f"{message} {post_filter_message}" if post_filter_message else message


def nodes_with_code(cluster: Cluster, statuses: NodeStatuses, code: Code) -> Sequence[NodeInfo]:
    """The nodes with this verdict, in the order in which the scheduler holds them."""
    by_node, absent = statuses.by_node, statuses.absent
    return [node_info for node_info in cluster.node_infos if by_node.get(node_info.name, absent).code is code]
