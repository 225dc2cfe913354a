"""What is requested without being asked for."""

import pytest

from kexplain.api import Case, PodToPlace, explain
from kexplain.objects.apps import ReplicaSet, ReplicaSetMeta, WorkloadSpec
from kexplain.objects.core import Affinity, LimitRange, LimitRangeItem, LimitRangeSpec, PodTemplateSpec
from kexplain.objects.meta import ObjectMeta
from tests.factories import cluster, controlled_by, in_, node, node_affinity, node_term, pod

NAMES = ("n1", "gone")
OWNED = controlled_by("ReplicaSet", "web")
DEFAULTS = LimitRange(
    metadata=ObjectMeta(name="defaults", namespace="default"),
    spec=LimitRangeSpec(limits=(LimitRangeItem(type="Container", default_request={"cpu": "12"}),)),
)


@pytest.mark.parametrize(
    ("asked", "is_given"),
    [pytest.param(None, True, id="the-template-is-silent"), pytest.param("12", False, id="asked")],
)
def test_the_limit_range_is_named_that_asks_for_so_much(asked: str | None, is_given: bool) -> None:
    made_of = PodTemplateSpec(spec=pod("web", cpu=asked).spec)
    makes = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="default"), spec=WorkloadSpec(template=made_of))
    wanting = pod("web", cpu="12", owner=OWNED)
    there = cluster([node("n1", cpu=8)], (), DEFAULTS, makes)
    (found,) = explain(Case(there, (PodToPlace(wanting),))).pods
    assert found.diagnosis is not None
    given = "the default of LimitRange defaults, 12 cpu, is more than node n1 has (8)"
    assert found.diagnosis.text == (given if is_given else "12 cpu is more than node n1 has (8)")
    text = "request at most 8 cpu (now 12"
    text += ", the default of LimitRange defaults, as the template has none)" if is_given else ")"
    lowered = "lower the default request of LimitRange defaults to 8 cpu (now 12), and delete web to be made anew"
    assert [each.text for each in found.remedies[: 1 + is_given]] == ([lowered, text] if is_given else [text])


def test_a_kubelet_that_takes_no_pods_is_seen_to() -> None:
    (found,) = explain(Case(cluster([node("n1", pods=0)]), (PodToPlace(pod("web")),))).pods
    text = "see to the kubelet of n1, which takes no pods at all (its maxPods is 0, or was not read)"
    assert [(each.action, each.text) for each in found.remedies] == [("check-node", text)]


def test_what_raises_a_request_above_the_template_is_looked_for() -> None:
    made_of = PodTemplateSpec(spec=pod("web", cpu="500m").spec)
    makes = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="default"), spec=WorkloadSpec(template=made_of))
    there = cluster([node("n1", cpu=8)], (), makes)
    (found,) = explain(Case(there, (PodToPlace(pod("web", cpu="12", owner=OWNED)),))).pods
    assert found.diagnosis is not None
    raised = "12 cpu, raised from 500m as by a VerticalPodAutoscaler, is more than node n1 has (8)"
    assert (found.diagnosis.text, found.diagnosis.amounts) == (raised, "")
    text = "see what raises new pods' requests (cpu from 500m), such as a VerticalPodAutoscaler"
    assert (found.remedies[0].action, found.remedies[0].text) == ("check-controller", text)
    assert "request-less" not in [each.action for each in found.remedies]


def test_less_is_asked_of_a_pod_of_a_daemon_set_while_another_is_for_a_node_that_is_gone() -> None:
    owner = controlled_by("DaemonSet", "agent")
    only_on = {on: Affinity(node_affinity=node_affinity(node_term(fields=[in_("metadata.name", on)]))) for on in NAMES}
    waiting = [pod(f"agent-{on}", cpu=3, owner=owner, affinity=each) for on, each in only_on.items()]
    there = cluster([node("n1", cpu=2)])
    first, *_ = explain(Case(there, tuple(map(PodToPlace, waiting)))).pods
    assert first.remedies[0].text == "request at most 2 cpu (now 3)"
