from __future__ import annotations

import pytest

from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.taints import CordonFact, TaintFact, Taints
from kexplain.framework.evidence import UntoleratedTaints
from kexplain.objects.core import Taint, Toleration
from kexplain.objects.well_known import NODE_CONDITIONS
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
    ("facts", "action", "text", "order"),
    [
        ([taint()], "tolerate", f"tolerate {BATCH}", 4),
        ([taint(), taint("gpu", "")], "tolerate", f"tolerate {BATCH} and gpu:NoSchedule", 4),
        (
            [taint("node-role.kubernetes.io/control-plane", "")],
            "tolerate",
            "tolerate node-role.kubernetes.io/control-plane:NoSchedule",
            5,
        ),
        (
            [taint("node.kubernetes.io/not-ready", "")],
            "mend-node",
            "repair n0, which is not ready; kubectl describe node n0 shows why",
            4,
        ),
        ([CordonFact()], "uncordon", "uncordon n0", 5),
    ],
)
def test_what_would_help(facts: list[TaintFact], action: str, text: str, order: int) -> None:
    (proposal,) = proposals(*facts)
    assert (proposal.action, proposal.text, proposal.order) == (action, text, order)
    assert proposal.edit is not None
    added = proposal.edit(pod()).spec.tolerations
    assert added is not None
    assert len(added) == len(facts)


def test_every_condition_reads_as_a_clause() -> None:
    assert all(text.startswith(("is ", "has ")) for text in NODE_CONDITIONS.values())


def test_a_cordon_covers_its_own_taint_only() -> None:
    assert covers(CordonFact(), CORDON)
    assert not covers(CordonFact(), taint())
    assert not covers(CordonFact(), ResourceFact(resource="cpu", requested=1, free=0, allocatable=0, used=0))
    assert not covers(CORDON, CordonFact())
    assert cause(CordonFact(), CordonFact()) == "cordoned (undo with kubectl uncordon)"
