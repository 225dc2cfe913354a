"""Objections of nodes to most pods: taints and cordons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.changes import to_node
from kexplain.explain.objections.objection import Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.framework.evidence import Cordoned, UntoleratedTaints
from kexplain.objects.core import Node, Pod, Taint, Toleration
from kexplain.objects.well_known import (
    CONTROL_PLANE,
    NODE_CONDITIONS,
    NOT_READY,
    OLD_CONTROL_PLANE,
    UNREACHABLE,
    UNSCHEDULABLE,
)
from kexplain.scheduler.draining import uncordoned
from kexplain.words import some

#: What admission makes every pod tolerate.
DEFAULT_TOLERATION_KEYS = (NOT_READY, UNREACHABLE)


class TaintFact(Fact, frozen=True, tag="UntoleratedTaint"):
    """A taint that the pod does not tolerate; `near_miss` is a toleration of its key that misses it."""

    key: str
    value: str
    effect: str
    near_miss: str = ""


class Taints(Objection[UntoleratedTaints, TaintFact]):
    """The pod does not tolerate the node's taints."""

    evidence = UntoleratedTaints
    fact = TaintFact
    fields = (("tolerations",),)

    def facts(self, evidence: UntoleratedTaints, node_info: NodeInfo, lookup: Lookup) -> Iterator[TaintFact]:  # noqa: ARG002
        """One fact a taint."""
        for taint in evidence.taints:
            miss = _near_miss(lookup.pod, taint)
            yield TaintFact(key=taint.key, value=taint.value or "", effect=taint.effect, near_miss=miss)

    def words(self, fact: TaintFact) -> str:
        """The taint, and what the pod tolerates instead."""
        return f"untolerated taint {_named(fact)}"

    def key(self, fact: TaintFact) -> str:
        """The taint."""
        return _taint(fact)

    def cause(self, facts_by_node: Mapping[str, Sequence[TaintFact]]) -> str:
        """All taints, which are the same on each node."""
        facts = next(iter(facts_by_node.values()))
        return f"untolerated taint{'' if len(facts) == 1 else 's'} {' and '.join(map(_named, facts))}"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[TaintFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Tolerate them; a node whose condition taints it is to be repaired."""
        node, taints = next(iter(facts_by_node.items()))
        edit = edits.tolerating(
            [Toleration(key=t.key, operator="Equal", value=t.value or None, effect=t.effect) for t in taints]
        )
        conditions = [NODE_CONDITIONS[taint.key] for taint in taints if taint.key in NODE_CONDITIONS]
        if conditions:
            text = f"repair {node}, which {conditions[0]}; kubectl describe node {node} shows why"
            yield Proposal("mend-node", text, edit, order=4, is_stand_in=True)
            return
        if any(taint.key == UNSCHEDULABLE for taint in taints):
            yield Proposal("uncordon", f"uncordon {node}", edit, order=5, is_stand_in=True, is_last_resort=True)
            return
        order = 5 if any(taint.key in (CONTROL_PLANE, OLD_CONTROL_PLANE) for taint in taints) else 4
        yield Proposal("tolerate", f"tolerate {' and '.join(map(_taint, taints))}", edit, order=order)

    def here(self, node_info: NodeInfo, facts: Sequence[TaintFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Take the taints off, but for those that say what ails the node, or what it is."""
        if any(taint.key in (*NODE_CONDITIONS, CONTROL_PLANE, OLD_CONTROL_PLANE) for taint in facts):
            return
        removed = {(taint.key, taint.effect) for taint in facts}

        def untainted(node: Node) -> Node:
            left = tuple(taint for taint in node.spec.taints or () if (taint.key, taint.effect) not in removed)
            return replace(node, spec=replace(node.spec, taints=left or None))

        name = node_info.name
        command = f"kubectl taint node {name} {' '.join(f'{key}:{effect}-' for key, effect in sorted(removed))}"
        text = f"remove the {'taint' if len(facts) == 1 else 'taints'} {' and '.join(map(_taint, facts))} from {name}"
        yield Proposal("remove-taint", text, order=6, steps=(to_node(name, untainted, command),))


def _taint(fact: TaintFact) -> str:
    """A taint as `kubectl taint` writes it."""
    return f"{fact.key}={fact.value}:{fact.effect}" if fact.value else f"{fact.key}:{fact.effect}"


def _named(fact: TaintFact) -> str:
    return _taint(fact) + (f" (the pod tolerates only {fact.near_miss})" if fact.near_miss else "")


def _near_miss(pod: Pod, taint: Taint) -> str:
    """The toleration of the same key that does not fit the taint; empty if there is none."""
    for toleration in pod.spec.tolerations or ():
        # Every pod tolerates these two for a while: it says nothing about what was meant.
        if toleration.key == taint.key and taint.key not in DEFAULT_TOLERATION_KEYS:
            value = f"={toleration.value}" if toleration.value else ""
            effect = f":{toleration.effect}" if toleration.effect else ""
            return f"{toleration.key}{value}{effect}"
    return ""


class CordonFact(Fact, frozen=True, tag="Cordoned"):
    """The node is marked unschedulable."""


class Cordons(Objection[Cordoned, CordonFact]):
    """The node is cordoned."""

    evidence = Cordoned
    fact = CordonFact
    fields = (("tolerations",),)

    def words(self, fact: CordonFact) -> str:  # noqa: ARG002
        """That it is cordoned."""
        return "cordoned"

    def together(self, facts_by_node: Mapping[str, CordonFact]) -> str:  # noqa: ARG002
        """That they are, and how to undo it."""
        return "cordoned (undo with kubectl uncordon)"

    def covers(self, fact: CordonFact, other: Fact) -> bool:  # noqa: ARG002
        """Whether it is the taint that comes with a cordon."""
        return isinstance(other, TaintFact) and other.key == UNSCHEDULABLE

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[CordonFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Uncordon the nodes; to the pod that is as good as tolerating it."""
        toleration = Toleration(key=UNSCHEDULABLE, operator="Exists")
        text = f"uncordon {some(list(facts_by_node))}"
        edit = edits.tolerating([toleration])
        yield Proposal("uncordon", text, edit, order=5, is_stand_in=True, is_last_resort=True)

    def here(self, node_info: NodeInfo, facts: Sequence[CordonFact], lookup: Lookup) -> Iterator[Proposal]:  # noqa: ARG002
        """Uncordon this one."""
        name = node_info.name
        step = to_node(name, uncordoned, f"kubectl uncordon {name}")
        yield Proposal("uncordon", f"uncordon {name}", order=5, steps=(step,))
