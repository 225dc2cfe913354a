"""Objections of nodes to most pods: taints and cordons."""

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence import Cordoned, Evidence, UntoleratedTaints
from kexplain.objects.core import Pod, Taint
from kexplain.objects.node_service import trouble_of_taint
from kexplain.objects.well_known import NOT_READY, UNREACHABLE
from kexplain.words import listed

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

    fields = (("tolerations",),)

    def facts(self, evidence: UntoleratedTaints, node_info: NodeInfo, lookup: Lookup) -> Iterator[TaintFact]:
        for taint in evidence.taints:
            miss = _near_miss(lookup.pod, taint)
            yield TaintFact(key=taint.key, value=taint.value or "", effect=taint.effect, near_miss=miss)

    def reads(self, evidence: UntoleratedTaints) -> tuple[()]:
        return ()

    def words(self, fact: TaintFact) -> str:
        return f"untolerated taint {_named(fact)}"

    def key(self, fact: TaintFact) -> str:
        return taint_text(fact)

    def cause(self, facts_by_node: Mapping[str, Sequence[TaintFact]]) -> str:
        """All taints, which are the same on each node."""
        facts = next(iter(facts_by_node.values()))
        return f"untolerated taint{'' if len(facts) == 1 else 's'} {listed([*map(_named, facts)], ' and ')}"


def taint_text(fact: TaintFact) -> str:
    """A taint as `kubectl taint` writes it."""
    return f"{fact.key}={fact.value}:{fact.effect}" if fact.value else f"{fact.key}:{fact.effect}"


def _named(fact: TaintFact) -> str:
    return taint_text(fact) + (f" (the pod tolerates only {fact.near_miss})" if fact.near_miss else "")


def _near_miss(pod: Pod, taint: Taint) -> str:
    """The toleration of the same key that does not fit the taint; empty if there is none."""
    for toleration in pod.spec.tolerations or ():
        # Every pod tolerates these two for a while: it says nothing about what was meant.
        if toleration.key == taint.key and taint.key not in DEFAULT_TOLERATION_KEYS:
            value = f"={toleration.value}" if toleration.value else ""
            effect = f":{toleration.effect}" if toleration.effect else ""
            # Equal and Exists are told by the value.
            is_odd = toleration.operator not in (None, "", "Equal", "Exists")
            return f"{toleration.key}{value}{effect}{f' with operator {toleration.operator}' if is_odd else ''}"
    return ""


class CordonFact(Fact, frozen=True, tag="Cordoned"):
    """The node is marked unschedulable."""


class Cordons(Objection[Cordoned, CordonFact]):
    """The node is cordoned."""

    fields = (("tolerations",),)
    text = "cordoned"

    def words_for_all(self, facts_by_node: Mapping[str, CordonFact]) -> str:
        return "cordoned (undo with kubectl uncordon)"

    def covers(self, fact: CordonFact, other: Evidence) -> bool:
        """Whether it is the taint that comes with a cordon, or of what else ails the node: both are mended together."""
        return isinstance(other, TaintFact) and trouble_of_taint(other.key) is not None
