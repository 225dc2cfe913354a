"""Something that would help, before it is tried."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from kexplain.diagnosis.scene import Scene
from kexplain.objects.changes import Change
from kexplain.objects.core import Node, Pod
from kexplain.remedies.pod_edits import Edit
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.steps import Step, of_pod


class Proposal(Struct, frozen=True, dict=True):
    """Something that would help; `rank` and then `order` put what people would rather do first.

    With an `edit` of the pod, or `steps`, it is tried and named with the nodes that it is enough for. Without, `nodes`
    are those that it is enough for. A fallback is named only if nothing else is enough against the same objection.
    """

    action: Action
    text: str
    edit: Edit | None = None
    nodes: tuple[str, ...] = ()
    rank: Rank = Rank.LOOSENS
    order: int = 2
    is_fallback: bool = False
    #: How much it takes, among what people would do against the same objection.
    effort: int = 0
    #: Whether the pod then fits on the node, as far as is known; None where all nodes need it, and only then will show.
    is_enough: bool | None = True
    #: What is done to other objects than the pod.
    steps: tuple[Step, ...] = ()
    #: What does it, where it cannot be tried.
    changes: tuple[Change, ...] = ()
    commands: tuple[str, ...] = ()
    #: The same for so many pods more, where there is more of it.
    for_more: Callable[[int], "Proposal"] | None = None
    #: The same for so many pods more, which a rollout is to be tried with that does not get to its end.
    for_rollout: Callable[[int], "Proposal | None"] | None = None
    #: The same for these pods, too, each of which has a node of its own; None where no more of it serves them.
    for_others: Callable[[Sequence[Pod]], "Proposal | None"] | None = None

    @cached_property
    def steps_to_try(self) -> tuple[Step, ...]:
        """All that is done, to the pod first; empty where there is nothing that could be tried."""
        return (*((of_pod(self.edit),) if self.edit else ()), *self.steps)


class NodeChange(Struct, frozen=True):
    """A change of one or several nodes: those with equal `kind` are one remedy.

    `words` takes the nodes in words, `command` their names; without a command it is nothing that an API server does.
    """

    action: Action
    kind: Hashable
    edit: Callable[[Node], Node]
    words: Callable[[str], str]
    command: Callable[[Sequence[str]], str] | None = None
    rank: Rank = Rank.MENDS
    order: int = 2
    #: Whether it is proposed for each node by itself.
    is_alone: bool = False

    def proposal(self, names: Sequence[str], subject: str) -> Proposal:
        """The change of these nodes, which are done together; `subject` is how the text calls them."""
        command = self.command(names) if self.command else ""
        steps = tuple(
            Step(Node, "", name, self.edit, command=command, joins=index > 0, is_by_hand=self.command is None)
            for index, name in enumerate(names)
        )
        return Proposal(self.action, self.words(subject), rank=self.rank, order=self.order, steps=steps)

    def of_all(self, names: Sequence[str], subject: str) -> Proposal:
        """The change of these nodes, or of the first where any one of them would do."""
        if not self.is_alone:
            return self.proposal(names, subject)
        others = f" or another of {len(names)} such nodes" if names[1:] else ""
        return self.proposal(names[:1], f"{names[0]}{others}")

    def of_one(self, names: Sequence[str]) -> Proposal | None:
        """The first of several nodes brought back, which may be enough; None for other changes, and single nodes."""
        is_one_of_several = len(names) > 1 and self.action in (Action.UNCORDON, Action.MEND_NODE)
        return self.proposal(names[:1], "") if is_one_of_several else None


def ranked(proposal: Proposal, rank: Rank) -> Proposal:
    """The proposal, ranked no better than that."""
    return proposal if proposal.rank >= rank else replace(proposal, rank=rank)


def rank_on(scene: Scene, names: Iterable[str], rank: Rank = Rank.MENDS) -> Rank:
    """The rank if the pod belongs on all of these nodes: elsewhere it is a last resort."""
    return rank if all(map(scene.has, names)) else Rank.LAST_RESORT


def rank_back(scene: Scene, name: str) -> Rank:
    """The rank of a node that takes pods again: one in many that is out of service is not what is wrong."""
    is_usual = 2 * len(scene.circles.lapsed) < len(scene.circles.candidates)
    return rank_on(scene, [name], Rank.ADDS_NODES if is_usual else Rank.MENDS)
