from __future__ import annotations

import pytest

from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.taints import CordonFact, TaintFact, Taints
from kexplain.explain.output import Fact
from kexplain.framework.evidence import UntoleratedTaints
from kexplain.objects.core import Node, Taint, Toleration
from kexplain.objects.well_known import NODE_CONDITIONS
from kexplain.remedies.against import against
from kexplain.remedies.records import Action, Rank
from tests.explain.objections.asking import cause, cause_of, covers, key, proposals, words
from tests.factories import cluster, node, pod


def taint(key: str = "dedicated", value: str = "batch", effect: str = "NoSchedule", near_miss: str = "") -> TaintFact:
    return TaintFact(key=key, value=value, effect=effect, near_miss=near_miss)


BATCH = "dedicated=batch:NoSchedule"
MISSED = taint(near_miss="dedicated=web")
CORDON = TaintFact(key="node.kubernetes.io/unschedulable", value="", effect="NoSchedule")


@pytest.mark.parametrize(
    ("facts", "one", "many"),
    [
        pytest.param([taint()], f"untolerated taint {BATCH}", f"untolerated taint {BATCH}", id="one"),
        pytest.param([taint(value="")], "untolerated taint dedicated:NoSchedule",
                     "untolerated taint dedicated:NoSchedule", id="without-a-value"),
        pytest.param([MISSED], f"untolerated taint {BATCH} (the pod tolerates only dedicated=web)",
                     f"untolerated taint {BATCH} (the pod tolerates only dedicated=web)", id="near-miss"),
        pytest.param([taint(), taint("gpu", "", "NoExecute")],
                     f"untolerated taint {BATCH}; untolerated taint gpu:NoExecute",
                     f"untolerated taints {BATCH} and gpu:NoExecute", id="two"),
        pytest.param([CordonFact()], "cordoned", "cordoned (undo with kubectl uncordon)", id="cordon"),
    ],
)  # fmt: skip
def test_words(facts: list[TaintFact], one: str, many: str) -> None:
    assert words(*facts) == one
    assert cause_of({"n0": facts, "n1": facts}) == many


def test_near_misses_are_one_cause_with_the_taint() -> None:
    assert key(taint()) == key(MISSED) == BATCH
    assert key(taint()) != key(taint(effect="NoExecute"))


@pytest.mark.parametrize(
    ("tolerations", "near_miss"),
    [
        ([], ""),
        ([Toleration(key="other", value="batch")], ""),
        ([Toleration(key="dedicated", value="web")], "dedicated=web"),
        ([Toleration(key="dedicated", operator="Exists", effect="NoExecute")], "dedicated:NoExecute"),
        ([Toleration(key="dedicated", value="web", effect="NoSchedule")], "dedicated=web:NoSchedule"),
        ([Toleration(key="dedicated", operator="Equals", value="batch")], "dedicated=batch with operator Equals"),
    ],
)
def test_a_toleration_of_the_same_key_is_a_near_miss(tolerations: list[Toleration], near_miss: str) -> None:
    given = UntoleratedTaints((Taint(key="dedicated", value="batch", effect="NoSchedule"),))
    there = cluster([node("n1")])
    lookup = Lookup(pod(tolerations=tolerations), there)
    (fact,) = Taints().facts(given, there.node_infos[0], lookup)
    assert fact == taint(near_miss=near_miss)


def test_default_tolerations_are_no_near_miss() -> None:
    key = "node.kubernetes.io/not-ready"
    there = cluster([node("n1")])
    lookup = Lookup(pod(tolerations=[Toleration(key=key, operator="Exists", effect="NoExecute")]), there)
    (fact,) = Taints().facts(UntoleratedTaints((Taint(key=key, effect="NoSchedule"),)), there.node_infos[0], lookup)
    assert fact.near_miss == ""


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ([taint()], f"tolerate {BATCH}"),
        ([taint(), taint("gpu", "")], f"tolerate {BATCH} and gpu:NoSchedule"),
        (
            [taint("node-role.kubernetes.io/control-plane", "")],
            "tolerate node-role.kubernetes.io/control-plane:NoSchedule",
        ),
    ],
)
def test_what_would_help(facts: list[TaintFact], text: str) -> None:
    (proposal,) = proposals(*facts)
    assert (proposal.action, proposal.text, proposal.rank) == (Action.TOLERATE, text, Rank.MENDS)
    assert proposal.edit is not None
    added = proposal.edit(pod()).spec.tolerations
    assert added is not None
    assert len(added) == len(facts)


@pytest.mark.parametrize(
    ("sick", "fact", "text", "command"),
    [
        (
            node("n1", cordoned=True),
            CordonFact(),
            "uncordon n1, once the reason for the cordon is known",
            "kubectl uncordon n1",
        ),
        (
            node("n1", taints=["node.kubernetes.io/unreachable:NoSchedule"]),
            taint("node.kubernetes.io/unreachable", ""),
            "repair n1 (unreachable)",
            "",
        ),
        (
            node("n1", cordoned=True, taints=["node.kubernetes.io/not-ready:NoSchedule"]),
            CordonFact(),
            "repair and uncordon n1 (not ready)",
            "",
        ),
        (node("n1", taints=["a=b:NoSchedule"]), taint("a", "b"), "remove the taint a=b:NoSchedule from n1",
         "kubectl taint node n1 a:NoSchedule-"),
        (node("n1", taints=["karpenter.sh/disrupted:NoSchedule"]), taint("karpenter.sh/disrupted", ""), "", ""),
        (node("n1", taints=["node-role.kubernetes.io/control-plane:NoSchedule"]),
         taint("node-role.kubernetes.io/control-plane", ""),
         "remove the taint node-role.kubernetes.io/control-plane:NoSchedule from n1",
         "kubectl taint node n1 node-role.kubernetes.io/control-plane:NoSchedule-"),
    ],
)  # fmt: skip
def test_what_would_help_at_the_node(sick: Node, fact: Fact, text: str, command: str) -> None:
    there = cluster([sick])
    change = against(type(fact)).node_change(there.node_infos[0], [fact], Scene(pod(), there))
    assert (change.proposal(["n1"], "n1").text if change else "") == text
    if change is not None:
        (step,) = change.proposal(["n1"], "n1").steps
        assert (step.command, step.is_by_hand) == (command, not command)


def test_control_planes_keep_their_taint_beside_other_nodes() -> None:
    there = cluster([node("n1", taints=["node-role.kubernetes.io/control-plane:NoSchedule"]), node("n2")])
    fact = taint("node-role.kubernetes.io/control-plane", "")
    assert against(type(fact)).node_change(there.node_infos[0], [fact], Scene(pod(), there)) is None


def test_the_health_of_a_node_is_never_tolerated() -> None:
    assert proposals(taint("node.kubernetes.io/not-ready", "")) == []


def test_every_condition_reads_as_a_clause() -> None:
    assert all(text.startswith(("is ", "has ")) for text in NODE_CONDITIONS.values())


def test_a_cordon_covers_its_own_taint_only() -> None:
    assert covers(CordonFact(), CORDON)
    assert not covers(CordonFact(), taint())
    assert not covers(CordonFact(), ResourceFact(resource="cpu", requested=1, free=0, allocatable=0, used=0))
    assert not covers(CORDON, CordonFact())
    assert cause(CordonFact(), CordonFact()) == "cordoned (undo with kubectl uncordon)"
