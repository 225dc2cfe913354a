"""What helps against one kind of objection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, get_args

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence import Evidence
from kexplain.remedies.proposal import NodeChange, Proposal

FactT = TypeVar("FactT", bound=Evidence)


class Against(Generic[FactT]):
    """What helps against the objections with one kind of fact. It has no state.

    Each kind says so in one of two ways: `proposals` change the pod or look at all nodes together, `by_hand` changes
    something else, node by node.
    """

    #: As the base of each kind says.
    fact: type[Any]
    #: Whether proposals are made once for all causes of this kind, rather than for each.
    spans_causes: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        (cls.fact,) = get_args(vars(cls)["__orig_bases__"][0])

    @classmethod
    def knowing_nothing_of(cls, fact: type[FactT]) -> Against[FactT]:
        """What says nothing, of facts that nothing helps against."""
        made = cls()
        made.fact = fact
        return made

    @property
    def has_by_hand(self) -> bool:
        """Whether `by_hand` may say anything at all."""
        return type(self).by_hand is not Against.by_hand

    def nearest_first(self, facts_by_node: Mapping[str, Sequence[FactT]]) -> Mapping[str, Sequence[FactT]]:
        """The same nodes, those first where the least is missing; as they come, unless a kind knows better."""
        return facts_by_node

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[FactT]]) -> Iterable[Proposal]:
        """What would help on nodes to which nothing else objects, `nearest_first`; `pod` is as it was admitted."""
        return ()

    def node_change(self, node_info: NodeInfo, facts: Sequence[FactT], home: Scene) -> NodeChange | None:
        """What would help on this node by a change that others may need as well; None if there is none."""
        return None

    def at_node(self, node_info: NodeInfo, facts: Sequence[FactT], home: Scene) -> Iterable[Proposal]:
        """What would help on this one node: steps that change the node, what runs there, or other objects."""
        return ()

    def by_hand(self, fact: FactT) -> Proposal | None:
        """What would have to change outside the pod; None for kinds with proposals."""
        return None
