"""What is tried, and what is left of it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.case import PodToPlace
from kexplain.cluster import Cluster
from kexplain.errors import KexplainError
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies import pod_edits
from kexplain.remedies.records import Rank
from kexplain.remedies.steps import Step, deletion, of_pod
from kexplain.remedies.trials import Trials
from kexplain.scheduler.draining import uncordoned
from tests.factories import affinity, cluster, node, pod, selector, term, toleration

UNCORDON = Step(Node, "", "n1", uncordoned, command="kubectl uncordon n1")
TOLERATE = of_pod(pod_edits.tolerating([toleration("gpu")]))
UNSELECT = of_pod(pod_edits.without_node_selector(["disk"]))
ASKING = pod("web", cpu="2", node_selector={"disk": "ssd"})
CORDONED = cluster([node("n1", cordoned=True)], [pod("old", cpu="3", node="n1")])


def trials(asking: Pod = ASKING, there: Cluster = CORDONED) -> Trials:
    scheduler = build_scheduler()
    return Trials(scheduler.schedule(asking, there), scheduler)


def test_what_is_enough_says_where_the_pod_lands() -> None:
    tried = trials().attempt([UNCORDON, UNSELECT, deletion("default/old")])
    assert tried is not None
    assert (tried.decision.host, tried.remedy("x", "text", Rank.MENDS).nodes) == ("n1", ("n1",))
    assert [each.target.kind for each in tried.changes] == ["Pod", "Node", "Pod"]
    assert tried.commands == ("kubectl uncordon n1", "kubectl delete pod old --namespace=default")


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param([], id="nothing"),
        pytest.param([UNCORDON, UNSELECT], id="too-little"),
        pytest.param([deletion("default/nobody"), UNCORDON, UNSELECT], id="a-pod-that-is-not-there"),
    ],
)
def test_what_is_not_enough_leads_nowhere(steps: list[Step]) -> None:
    assert trials().attempt(steps) is None


def test_what_is_in_vain_is_left_out() -> None:
    tried = trials().minimal([UNCORDON, TOLERATE, UNSELECT, deletion("default/old")])
    assert tried is not None
    assert TOLERATE not in tried.steps
    assert len(tried.steps) == 3


def test_one_of_two_that_are_enough_is_kept() -> None:
    tried = trials(there=cluster([node("n1")])).minimal(
        [UNSELECT, of_pod(pod_edits.without_node_selector(["disk", "x"]))]
    )
    assert tried is not None
    assert tried.steps == (UNSELECT,)


def test_what_stands_in_the_way_of_one_node_is_asked_again() -> None:
    after = trials().node_after([UNCORDON, UNSELECT], "n1")
    assert after is not None
    assert [each.plugin for each in after.rejections] == ["NodeResourcesFit"]
    enough = trials().node_after([UNCORDON, UNSELECT, deletion("default/old")], "n1")
    assert enough is not None
    assert enough.rejections == ()


def test_a_port_that_two_pods_have_stays_taken() -> None:
    holders = [pod(name, ports=["80"], node="n1", uid=name) for name in ("a", "b")]
    asked = trials(pod("web", ports=["80"]), cluster([node("n1")], holders))
    assert asked.attempt([deletion("default/a")]) is None
    assert asked.attempt([deletion("default/a"), deletion("default/b")]) is not None


def test_too_many_trials_are_given_up() -> None:
    asked = trials(there=cluster([node(f"n{index}") for index in range(3)]))
    while not asked.gave_up:
        assert asked.attempt([TOLERATE]) is None
    assert asked.attempt([UNSELECT]) is None
    assert asked.minimal([UNSELECT]) is None


def test_a_few_trials_are_kept_for_what_comes_after() -> None:
    asked = trials(there=cluster([node(f"n{index}") for index in range(3)]))
    with asked.keeping_some():
        while not asked.gave_up:
            assert asked.attempt([TOLERATE]) is None
        assert asked.attempt([UNSELECT]) is None
    assert asked.attempt([UNSELECT]) is not None


def test_what_an_api_server_refuses_is_no_way_out() -> None:
    def refused(_: KubernetesObject) -> Pod:
        raise KexplainError("no")

    scheduler = build_scheduler()
    asked = Trials(scheduler.schedule(ASKING, CORDONED), scheduler, PodToPlace(ASKING, remake=refused))
    assert asked.attempt([UNCORDON, UNSELECT, deletion("default/old")]) is None


def test_a_selector_that_no_api_server_takes_is_no_way_out() -> None:
    wrong = term(selector(None, ("app", "", ())), "zone")
    asking = replace(ASKING, spec=replace(ASKING.spec, affinity=affinity(far=[wrong])))
    asked = Trials(build_scheduler().schedule(ASKING, CORDONED), build_scheduler(), PodToPlace(ASKING, made_of=asking))
    assert asked.attempt([UNCORDON, of_pod(pod_edits.preferring_apart("zone", "app=web"))]) is None


def test_pods_that_leave_are_placed_again() -> None:
    there = cluster([node("n1"), node("n2", cpu="3")], [pod("old", cpu="3", node="n1")])
    asked = trials(pod("web", cpu="4"), there)
    tried = asked.attempt([deletion("default/old")])
    assert tried is not None
    assert [(moved.name, host) for moved, host in asked.places(tried, [pod("old", cpu="3"), pod("big", cpu="9")])] == [
        ("old", "n2"),
        ("big", ""),
    ]


def test_without_a_scheduler_nothing_is_tried() -> None:
    asked = Trials(build_scheduler().schedule(ASKING, CORDONED))
    assert not asked.can_try
    assert (asked.attempt([UNSELECT]), asked.node_after([UNSELECT], "n1")) == (None, None)


def test_a_node_can_be_made_up() -> None:
    def bare(old: Node) -> Node:
        return uncordoned(replace(old, metadata=replace(old.metadata, labels={"disk": "ssd"})))

    tried = trials().attempt([Step(Node, "", "n1", bare), deletion("default/old")], at="n1")
    assert tried is not None
    assert tried.decision.host == "n1"


def made_from(revision: str, name: str, cpu: str, created: str) -> Pod:
    made = pod(name, cpu=cpu, labels={"controller-revision-hash": revision})
    return replace(made, metadata=replace(made.metadata, creation_timestamp=created))


@pytest.mark.parametrize(
    ("older", "serves"),
    [pytest.param("1", 3, id="of-another-template-first"), pytest.param("2", 2, id="of-one-template")],
)
def test_how_many_fit_in_the_order_of_the_queue(older: str, serves: int) -> None:
    new = made_from("2", "new", "3", "2026-11-02T08:00:00Z")
    others = [made_from(older, name, "1", "2026-11-01T08:00:00Z") for name in ("a", "b", "c")]
    scheduler = build_scheduler()
    asked = Trials(scheduler.schedule(new, cluster([node("n1", cordoned=True)])), scheduler, pending=others)
    tried = asked.attempt([UNCORDON])
    assert tried is not None
    assert asked.with_those_beside(tried).serves == serves
