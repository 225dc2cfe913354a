"""What a report does not show is not put into words, and changes nothing of what it does show."""

from __future__ import annotations

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.config.component.default_profile import default_profile
from kexplain.explanation import ExplainOptions, explain
from kexplain.scheduler.cycle import Scheduler
from tests.factories import cluster, node, pod

SCHEDULER = Scheduler({"default-scheduler": default_profile()})
MADE = cluster([node(f"n{index}", cpu=str(index)) for index in range(8)])
FITS = SCHEDULER.schedule(pod(cpu="4"), MADE)
FITS_NOWHERE = SCHEDULER.schedule(pod(cpu="9"), MADE)


def test_only_what_is_shown_has_scores_and_words() -> None:
    whole, part = (explain(FITS, ExplainOptions(shown=shown)) for shown in (None, 2))
    assert [each.node for each in part.node_verdicts] == [each.node for each in whole.node_verdicts]
    assert [bool(each.scores) for each in part.node_verdicts] == [True, True, *[False] * 6]
    assert [each.node for each in part.node_verdicts if each.stopped_by and each.stopped_by.detail] == ["n3", "n2"]
    assert part.node_verdicts[:2] == whole.node_verdicts[:2]
    assert part.node_verdicts[4:6] == whole.node_verdicts[4:6]
    assert (part.causes, part.choice, part.nodes) == (whole.causes, whole.choice, whole.nodes)


def test_a_pod_that_fits_nowhere_keeps_causes_and_remedies() -> None:
    whole, part = (explain(FITS_NOWHERE, ExplainOptions(shown=shown, is_brief=shown == 1)) for shown in (None, 1))
    assert (part.causes, part.remedies, part.nodes) == (whole.causes, whole.remedies, whole.nodes)
    assert part.node_verdicts[0] == whole.node_verdicts[0]
    assert all(each.stopped_by and not each.stopped_by.detail for each in part.node_verdicts[1:])


def test_of_a_pod_that_fits_briefly_only_where_it_lands_is_explained() -> None:
    whole, brief = (explain(FITS, ExplainOptions(is_brief=is_brief)) for is_brief in (False, True))
    assert brief.node_verdicts == whole.node_verdicts[:1]
    assert (brief.choice, brief.nodes) == (whole.choice, whole.nodes)
    assert not brief.causes


def test_details_name_nominated_pods_only_where_their_room_counts() -> None:
    nominee = pod("first", cpu="2", priority=9, nominated="tainted", phase="Pending")
    other = pod("second", cpu="2", priority=9, nominated="small", phase="Pending")
    nodes = [node("tainted", cpu="4", taints=["a=b:NoSchedule"]), node("small", cpu="3")]
    decision = SCHEDULER.schedule(pod(cpu="2"), cluster(nodes, [nominee, other]))
    details = {each.node: each.stopped_by.detail for each in explain(decision).node_verdicts if each.stopped_by}
    assert details == {
        "small": "cpu 2 > 1 free (3 allocatable − 2 requested), keeping room for nominated default/second",
        "tainted": "untolerated taint a=b:NoSchedule",
    }


def test_the_room_that_is_kept_for_a_pod_is_not_in_its_own_way() -> None:
    own, full = pod("own", cpu="2", priority=9, nominated="n1"), pod("full", cpu="3", priority=99, node="n1")
    decision = SCHEDULER.schedule(own, cluster([node("n1", cpu="4")], [own, full]))
    explained = explain(decision)
    (verdict,) = explained.node_verdicts
    assert verdict.stopped_by
    assert verdict.stopped_by.detail == "cpu 2 > 1 free (4 allocatable − 3 requested)"
    assert explained.diagnosis
    assert "which is nominated" not in explained.diagnosis.text


def test_pods_that_leave_by_themselves_are_waited_for() -> None:
    old = pod("old", cpu="3", node="small", deleting=True)
    decision = SCHEDULER.schedule(pod(cpu="3"), cluster([node("small", cpu="3"), node("tiny", cpu="1")], [old]))
    first, *others = explain(decision, ExplainOptions(scheduler=SCHEDULER)).remedies
    assert (first.action, first.nodes) == ("wait-for-deletion", ("small",))
    assert first.text == "wait: default/old is leaving small (deleted, with time until 2026-01-01T00:00:00Z)"
    assert not any("default/old" in each.text for each in others)


def test_nodes_that_are_overcommitted_whatever_is_requested_come_last() -> None:
    """Before 1.28 a pod that requests anything does not fit where CPU is overcommitted, requested or not."""
    old = build_scheduler(SchedulerSettings(kubernetes_version="1.22"))
    running = [pod("a", cpu="2", node="crowded"), pod("b", memory="3Gi", node="full")]
    made = cluster([node("crowded", cpu="1", memory="4Gi"), node("full", memory="4Gi")], running)
    found = explain(old.schedule(pod(memory="2Gi"), made)).node_verdicts
    assert [each.node for each in found] == ["full", "crowded"]
