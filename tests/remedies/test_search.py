"""What is tried, and what is promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.explain.causes import causes
from kexplain.explain.objections import detail
from kexplain.explain.objections.affinity import AntiAffinityFact
from kexplain.explain.objections.ports import PortFact
from kexplain.explain.objections.resources import ResourceFact
from kexplain.explain.objections.storage import VolumeOutOfReachFact, VolumeZoneFact
from kexplain.explain.objections.taints import CordonFact, TaintFact
from kexplain.explain.records import NodeVerdict, Rejection, Verdict
from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.devices import ClaimElsewhere
from kexplain.framework.evidence.storage import AttachLimitExceeded
from kexplain.framework.status import Status, unresolvable
from kexplain.framework.trace import Decision, Outcome, Sampling
from kexplain.objects.core import Pod
from kexplain.remedies.records import Remedy
from kexplain.remedies.search import Sought, remedies
from kexplain.remedies.trials import GAVE_UP, Trials
from tests.factories import cluster, node, pod

TAINT = TaintFact(key="dedicated", value="batch", effect="NoSchedule")
OTHER_TAINT = TaintFact(key="gpu", value="", effect="NoSchedule")
CORDON_TAINT = TaintFact(key="node.kubernetes.io/unschedulable", value="", effect="NoSchedule")
PORT = PortFact(port=80, protocol="TCP", host_ip="0.0.0.0", held_by=())  # noqa: S104
CPU = ResourceFact(resource="cpu", requested=2000, free=1500, allocatable=4000, used=2500)
AWAY = AntiAffinityFact(topology_key="zone", domain="a", selector="app=db", matching=1, pods=("ns/x",))


def rejection(*facts: Evidence, plugin: str = "P") -> Rejection:
    return Rejection(plugin=plugin, code="Unschedulable", reasons=("why",), detail=detail(facts, ()), facts=facts)


def rejected(name: str, *rejections: Rejection) -> NodeVerdict:
    return NodeVerdict(node=name, verdict=Verdict.REJECTED, stopped_by=rejections[0], also=rejections[1:])


def trials(verdicts: Sequence[NodeVerdict], fits: Mapping[str, Sequence[str]]) -> Trials:
    """Trials in which `fits` are the nodes that take a pod once it tolerates a key ("" for any other change)."""

    def objections(changed: Pod, names: Sequence[str]) -> Mapping[str, Mapping[str, Status]]:
        keys = [toleration.key or "" for toleration in changed.spec.tolerations or ()] or [""]
        fit = {name for key in keys for name in fits.get(key, ())}
        return {name: {"P": unresolvable("no")} for name in names if name not in fit}

    there = cluster([node(verdict.node) for verdict in verdicts])
    sampling = Sampling(0, 0, 0, 0)
    return Trials(Decision(pod(), there, "", Outcome.UNSCHEDULABLE, sampling, objections=objections))


def found(*verdicts: NodeVerdict, fits: Mapping[str, Sequence[str]] | None = None) -> tuple[Remedy, ...]:
    """What helps, in such trials."""
    return remedies(trials(verdicts, fits or {}), causes(verdicts), verdicts).remedies


def test_what_was_tried_names_the_nodes_that_it_is_enough_for() -> None:
    verdicts = [rejected(name, rejection(TAINT)) for name in ("a", "b")]
    (remedy,) = found(*verdicts, fits={"dedicated": ["b"]})
    assert (remedy.action, remedy.nodes) == ("tolerate", ("b",))


def test_most_nodes_come_first_among_equals() -> None:
    verdicts = [rejected("a", rejection(TAINT)), *(rejected(name, rejection(OTHER_TAINT)) for name in "bc")]
    helpful = found(*verdicts, fits={"dedicated": ["a"], "gpu": ["b", "c"]})
    assert [remedy.nodes for remedy in helpful] == [("b", "c"), ("a",)]


def test_resources_are_looked_at_together_whatever_the_cause() -> None:
    memory = ResourceFact(resource="memory", requested=10, free=9, allocatable=10, used=1)
    verdicts = rejected("a", rejection(CPU)), rejected("b", rejection(memory))
    assert [(remedy.action, remedy.nodes) for remedy in found(*verdicts, fits={"": ["b"]})] == [
        ("request-less", ("b",))
    ]
    assert [(remedy.action, remedy.nodes) for remedy in found(*verdicts)] == [("free", ("b",))]


def test_a_last_resort_is_named_only_if_nothing_else_helps() -> None:
    away = rejected("a", rejection(AWAY))
    assert [remedy.nodes for remedy in found(away, fits={"": ["a"]})] == [("a",)]
    (last,) = found(away)
    assert (last.action, last.nodes) == ("combine", ())


@pytest.mark.parametrize("last_resorts", [False, True])
@pytest.mark.parametrize("fits", [False, True], ids=["nothing helps", "something helps"])
def test_that_not_all_was_tried_is_said_where_it_may_matter(*, fits: bool, last_resorts: bool) -> None:
    verdicts = [rejected("a", rejection(TAINT))]
    tried = trials(verdicts, {"dedicated": ["a"]} if fits else {})
    tried.gave_up = True
    helps = remedies(tried, causes(verdicts), verdicts, Sought(last_resorts=last_resorts)).remedies
    assert (GAVE_UP in [each.text for each in helps]) is (last_resorts or not fits)


def test_changes_outside_the_pod_are_named_where_they_take_least() -> None:
    full, fuller = (AttachLimitExceeded(driver="d", requested=1, attached=count, limit=2) for count in (2, 3))
    (remedy,) = found(*(rejected(name, rejection(fact)) for name, fact in (("a", fuller), ("b", full), ("c", full))))
    assert (remedy.text, remedy.nodes) == ("detach 1 volume of d, or add a node", ("b", "c"))


def test_changes_that_may_not_be_enough_promise_nothing() -> None:
    (remedy,) = found(rejected("a", rejection(ClaimElsewhere(claim="ns/c", nodes="zone=z"))))
    assert remedy.nodes == ()
    assert remedy.text.endswith(" (for a)")


def test_nothing_is_alone_that_others_object_to_too() -> None:
    both = rejected("a", rejection(TAINT), rejection(PORT, plugin="Q"))
    (cause,) = causes([both])
    assert cause.alone_on == ()
    (remedy,) = found(both, fits={"dedicated": ["a"]})
    assert remedy.text.startswith("no single change is enough; a comes closest: ")


def test_the_closest_node_is_described_if_nothing_would_do() -> None:
    near, also_near = (rejected(name, rejection(TAINT), rejection(PORT, plugin="Q")) for name in ("near", "left out"))
    far = rejected("far", rejection(TAINT, OTHER_TAINT), rejection(PORT, plugin="Q"))
    (remedy,) = found(near, far, replace(also_near, verdict=Verdict.EXCLUDED))
    assert remedy.text.startswith("no single change is enough; near comes closest: ")
    # The nodes of each kind of verdict come in order of their distance.
    (remedy,) = found(far, replace(near, verdict=Verdict.EXCLUDED))
    assert remedy.text == (
        "no single change is enough; near comes closest: untolerated taint dedicated=batch:NoSchedule; "
        "hostPort 80/TCP is taken"
    )
    assert remedy.nodes == ()


def test_what_goes_away_with_the_first_objection_does_not_count() -> None:
    far = VolumeOutOfReachFact(claim="ns/c", volume="pv", reachable_from="zone=a", actual={})
    zone = VolumeZoneFact(claim="ns/c", volume="pv", key="zone", values=("a",), actual=None)
    for first, behind in ((CordonFact(), CORDON_TAINT), (far, zone)):
        (cause,) = causes([rejected("a", rejection(first), rejection(behind, plugin="Q"))])
        assert cause.alone_on == ("a",)
    (cause,) = causes([rejected("a", rejection(CordonFact()), rejection(plugin="Q"))])
    assert cause.alone_on == ()


def test_numbers_of_nodes_make_no_causes_of_their_own() -> None:
    fuller = ResourceFact(resource="cpu", requested=2000, free=1000, allocatable=4000, used=3000)
    one, other = causes(
        [rejected("a", rejection(CPU)), rejected("b", rejection(TAINT, PORT)), rejected("c", rejection(fuller))]
    )
    assert (one.nodes, one.text) == (
        ("a", "c"),
        "cpu: needs 2; at most 1.5 free on one node (a), 2.5 on all of them together",
    )
    assert other.text == "untolerated taint dedicated=batch:NoSchedule; hostPort 80/TCP is taken"


def test_rejections_without_facts_are_told_apart_by_their_reasons() -> None:
    (cause,) = causes([rejected("a", rejection()), rejected("b", rejection())])
    assert (cause.text, cause.count) == ("why", 2)


def test_of_very_many_slips_no_more_are_mended_than_somebody_makes() -> None:
    labels = {f"a-long-label-{number}": "yes" for number in range(40)}
    asking = pod(node_selector={f"{name}x": "yes" for name in labels})
    there = cluster([node("n1", labels=labels)])
    scheduler = build_scheduler()
    trials = Trials(scheduler.schedule(asking, there), scheduler)
    found, *_ = remedies(trials, (), ())
    assert found
    assert [remedy.text for remedy in found if remedy.changes] == []


def test_data_that_has_to_be_restored_is_named_behind_another_objection() -> None:
    gone = VolumeOutOfReachFact(claim="ns/c", volume="pv", reachable_from="kubernetes.io/hostname=gone", actual={})
    verdicts = [rejected("n1", rejection(CPU), rejection(gone, plugin="VolumeBinding"))]
    asking, there = pod(), cluster([node("n1")])
    trials = Trials(build_scheduler().schedule(asking, there))
    found, *_ = remedies(trials, causes(verdicts), verdicts)
    assert found[0].text.startswith("restore the data of claim ns/c")
    assert found[0].nodes == ()
