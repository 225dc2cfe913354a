"""What helps against objections because of taints and cordons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.taints import CordonFact, TaintFact, taint_text
from kexplain.objects.core import Node, Pod, Toleration
from kexplain.objects.well_known import (
    CONTROL_PLANE,
    NODE_CONDITIONS,
    OLD_CONTROL_PLANE,
    UNSCHEDULABLE,
)
from kexplain.remedies import edits
from kexplain.remedies.against.against import Against
from kexplain.remedies.changes import to_node
from kexplain.remedies.proposal import Proposal
from kexplain.scheduler.draining import uncordoned
from kexplain.shell import command
from kexplain.words import some


class AgainstTaints(Against[TaintFact]):
    """The pod does not tolerate the node's taints."""

    fact = TaintFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[TaintFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Tolerate them; a node whose condition taints it is to be repaired."""
        node, taints = next(iter(facts_by_node.items()))
        edit = edits.tolerating(
            [Toleration(key=t.key, operator="Equal", value=t.value or None, effect=t.effect) for t in taints]
        )
        conditions = [NODE_CONDITIONS[taint.key] for taint in taints if taint.key in NODE_CONDITIONS]
        if conditions:
            text = f"repair {node}, which {conditions[0]}; {command('kubectl describe node', node)} shows why"
            yield Proposal("mend-node", text, edit, order=4, is_stand_in=True)
            return
        if any(taint.key == UNSCHEDULABLE for taint in taints):
            yield Proposal("uncordon", f"uncordon {node}", edit, order=5, is_stand_in=True, is_last_resort=True)
            return
        order = 5 if any(taint.key in (CONTROL_PLANE, OLD_CONTROL_PLANE) for taint in taints) else 4
        yield Proposal("tolerate", f"tolerate {' and '.join(map(taint_text, taints))}", edit, order=order)

    def here(self, node_info: NodeInfo, facts: Sequence[TaintFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Take the taints off, but for those that say what ails the node, or what it is."""
        if any(taint.key in (*NODE_CONDITIONS, CONTROL_PLANE, OLD_CONTROL_PLANE) for taint in facts):
            return
        removed = {(taint.key, taint.effect) for taint in facts}

        def untainted(node: Node) -> Node:
            left = tuple(taint for taint in node.spec.taints or () if (taint.key, taint.effect) not in removed)
            return replace(node, spec=replace(node.spec, taints=left or None))

        name = node_info.name
        step = to_node(name, untainted, command("kubectl taint node", name, *(f"{k}:{e}-" for k, e in sorted(removed))))
        text = (
            f"remove the {'taint' if len(facts) == 1 else 'taints'} {' and '.join(map(taint_text, facts))} from {name}"
        )
        yield Proposal("remove-taint", text, order=6, steps=(step,))


class AgainstCordons(Against[CordonFact]):
    """The node is cordoned."""

    fact = CordonFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[CordonFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Uncordon the nodes; to the pod that is as good as tolerating it."""
        toleration = Toleration(key=UNSCHEDULABLE, operator="Exists")
        text = f"uncordon {some(list(facts_by_node))}"
        edit = edits.tolerating([toleration])
        yield Proposal("uncordon", text, edit, order=5, is_stand_in=True, is_last_resort=True)

    def here(self, node_info: NodeInfo, facts: Sequence[CordonFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Uncordon this one."""
        name = node_info.name
        step = to_node(name, uncordoned, command("kubectl uncordon", name))
        yield Proposal("uncordon", f"uncordon {name}", order=5, steps=(step,))
