"""What helps against one kind of objection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.framework.evidence import Evidence
from kexplain.objects.core import Pod
from kexplain.remedies.proposal import Lift, Proposal

FactT = TypeVar("FactT", bound=Evidence)


class Against(Generic[FactT]):
    """What helps against the objections with one kind of fact. It has no state.

    Each kind says so in one of two ways: `proposals` change the pod or look at all nodes together, `lift` changes
    something else, node by node.
    """

    fact: type[Any]
    #: Whether proposals are made once for all causes of this kind, rather than for each.
    spans_causes: ClassVar[bool] = False

    @classmethod
    def knowing_nothing_of(cls, fact: type[FactT]) -> Against[FactT]:
        """What says nothing, of facts that nothing helps against."""
        made = cls()
        made.fact = fact
        return made

    @property
    def has_lift(self) -> bool:
        """Whether `lift` may say anything at all."""
        return type(self).lift is not Against.lift

    def nearest_first(self, facts_by_node: Mapping[str, Sequence[FactT]]) -> Mapping[str, Sequence[FactT]]:
        """The same nodes, those first where the least is missing; as they come, unless a kind knows better."""
        return facts_by_node

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[FactT]]) -> Iterable[Proposal]:  # noqa: ARG002
        """What would help on nodes to which nothing else objects, `nearest_first`; `pod` is as it was admitted."""
        return ()

    def here(self, node_info: NodeInfo, facts: Sequence[FactT], lookup: Lookup) -> Iterable[Proposal]:  # noqa: ARG002
        """What would help on this one node: steps that change the node, what runs there, or other objects."""
        return ()

    def lift(self, fact: FactT) -> Lift | None:  # noqa: ARG002
        """What would have to change outside the pod; None for kinds with proposals."""
        return None
