"""Pods that wait for what clusters seldom have, each in a cluster of two or three nodes, by what keeps them waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.cluster import Cluster
from kexplain.explanation.records import PodExplanation
from kexplain.objects.apps import ReplicaSet, ReplicaSetMeta, WorkloadSpec
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import LimitRange, LimitRangeItem, LimitRangeSpec, Node, NodeCondition, Pod, PodTemplateSpec
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.well_known import OLD_ZONE
from tests.factories import (
    HOSTNAME,
    ZONE,
    affinity,
    cluster,
    controlled_by,
    in_,
    node,
    node_affinity,
    node_term,
    pod,
    selector,
    spread,
    term,
    toleration,
)
from tests.storage_factories import DRIVER, claim, csi_driver, csi_node, persistent_volume, storage_class, uses

Seldom = tuple[Pod, Cluster]
SELDOM: dict[str, Callable[[], Seldom]] = {}
WEB: Mapping[str, Any] = {"labels": {"app": "web"}, "owner": controlled_by("ReplicaSet", "web")}
POOL = {"cloud.google.com/gke-nodepool": "main"}


def seldom(make: Callable[[], Seldom]) -> Callable[[], Seldom]:
    SELDOM[make.__name__] = make
    return make


@cache
def explained() -> Mapping[str, PodExplanation]:
    """Each of them, by name."""
    return {name: explain(Case(around, (PodToPlace(waits),))).pods[0] for name, (waits, around) in _made()}


def _made() -> Iterable[tuple[str, Seldom]]:
    return ((name, make()) for name, make in SELDOM.items())


def with_conditions(made: Node, **status: str) -> Node:
    conditions = tuple(NodeCondition(type=name, status=each) for name, each in status.items())
    return replace(made, status=replace(made.status, conditions=conditions))


# ------------------------------------------------------------------------------------------ who takes the room


def runs(count: int, slots: int = 110, cpu: str = "1") -> Cluster:
    """A node with so many runs of a CronJob, and all that makes them."""
    cron_job = CronJob(metadata=ObjectMeta(name="sync", namespace="default"))
    above = controlled_by("CronJob", "sync", api_version="batch/v1")
    names = [f"sync-{number}" for number in range(count)]
    jobs = [Job(metadata=ObjectMeta(name=each, namespace="default", owner_references=(above,))) for each in names]
    owners = [controlled_by("Job", each, api_version="batch/v1") for each in names]
    pods = [pod(f"{owner.name}-p", node="n1", cpu=cpu, owner=owner) for owner in owners]
    return cluster([node("n1", pods=slots)], pods, cron_job, *jobs)


@seldom
def runs_of_a_cron_job_take_the_cpu() -> Seldom:
    return pod("web", cpu="2"), runs(4)


@seldom
def runs_of_a_cron_job_take_the_slots() -> Seldom:
    return pod("web"), runs(4, slots=4, cpu="100m")


def scaled(*more: KubernetesObject) -> Cluster:
    """A node that is full of what an autoscaler scales, of which more waits."""
    autoscaler = HorizontalPodAutoscaler(metadata=ObjectMeta(name="mailer", namespace="default"))
    target = replace(autoscaler.spec.scale_target_ref, kind="StatefulSet", name="mailer")
    autoscaler = replace(autoscaler, spec=replace(autoscaler.spec, scale_target_ref=target, max_replicas=9))
    pods = [pod(f"mailer-{at}", node="n1", cpu="1", owner=controlled_by("StatefulSet", "mailer")) for at in range(4)]
    return cluster([node("n1")], pods, autoscaler, *more)


@seldom
def what_an_autoscaler_scales_takes_the_cpu() -> Seldom:
    return pod("web", cpu="2"), scaled(pod("mailer-9", cpu="1", owner=controlled_by("StatefulSet", "mailer")))


@seldom
def its_own_autoscaler_takes_the_cpu() -> Seldom:
    waits = pod("mailer-9", cpu="1", owner=controlled_by("StatefulSet", "mailer"))
    return waits, scaled(waits)


@seldom
def most_of_it_is_overhead() -> Seldom:
    made = pod("web", cpu="500m", overhead={"cpu": "4"})
    return replace(made, spec=replace(made.spec, runtime_class_name="kata")), cluster([node("n1")])


@seldom
def a_default_asks_for_more_than_is_left() -> Seldom:
    item = LimitRangeItem(type="Container", default_request={"cpu": "3"})
    limits = LimitRange(metadata=ObjectMeta(name="defaults", namespace="default"), spec=LimitRangeSpec(limits=(item,)))
    template = PodTemplateSpec(spec=pod("web").spec)
    makes = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="default"), spec=WorkloadSpec(template=template))
    there = cluster([node("n1")], [pod("other", cpu="2", node="n1")], limits, makes)
    return pod("web-1", cpu="3", **WEB), there


@seldom
def its_requests_were_raised_above_what_is_left() -> Seldom:
    template = PodTemplateSpec(spec=pod("web", cpu="500m").spec)
    makes = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="default"), spec=WorkloadSpec(template=template))
    return pod("web-1", cpu="3", **WEB), cluster([node("n1")], [pod("other", cpu="2", node="n1")], makes)


@seldom
def kubelets_take_no_pods() -> Seldom:
    return pod("web"), cluster([node("n1", pods=0), node("n2", pods=0)])


@seldom
def all_kubelets_run_as_many_as_they_can() -> Seldom:
    there = [pod(f"p-{name}", node=name) for name in ("n1", "n2")]
    return pod("web"), cluster([node("n1", pods=1), node("n2", pods=1)], there)


@seldom
def others_of_its_maker_are_offered_instead() -> Seldom:
    nodes = [node("n1", further={"acme.com/gpu": "4"}), node("n2", further={"acme.com/gpu": "2", "acme.com/nic": "1"})]
    there = [pod("a", further={"acme.com/gpu": "3"}, node="n1"), pod("b", further={"acme.com/nic": "1"}, node="n2")]
    return pod("web", further={"acme.com/accelerator": "1"}), cluster(nodes, there)


# ------------------------------------------------------------------------------------------------- nodes, taints


@seldom
def nodes_are_kept_for_several_others() -> Seldom:
    nodes = [node("n1", taints=["a=b:NoSchedule"]), node("n2", taints=["c=d:NoSchedule"])]
    return pod("web"), cluster(nodes)


@seldom
def one_is_full_the_other_has_a_taint() -> Seldom:
    nodes = [node("n1", labels=POOL), node("n2", labels=POOL, taints=["maintenance=true:NoSchedule"])]
    return pod("web", cpu="3"), cluster(nodes, [pod("other", cpu="2", node="n1")])


@seldom
def ready_with_a_taint_of_those_that_start() -> Seldom:
    starting = node("n1", taints=["node.cilium.io/agent-not-ready=true:NoExecute"])
    return pod("web"), cluster([with_conditions(starting, Ready="True")])


@seldom
def evicted_for_memory() -> Seldom:
    text = (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. "
        "Container main was using 6Gi, request is 64Mi, has larger consumption of memory. "
    )
    gone = pod("hog", node="n1", phase="Failed", owner=controlled_by("StatefulSet", "hog"))
    gone = replace(gone, status=replace(gone.status, reason="Evicted", message=text))
    pressed = node("n1", taints=["node.kubernetes.io/memory-pressure:NoSchedule"])
    return pod("web"), cluster([with_conditions(pressed, Ready="True", MemoryPressure="True")], [], gone)


@seldom
def no_node_is_left_of_those_drained() -> Seldom:
    kept = persistent_volume(reach=[node_term(in_(ZONE, "a"))])
    nodes = [node("n1", zone="a", cordoned=True), node("n2", zone="b")]
    return pod("web", volumes=uses("data")), cluster(nodes, [], storage_class(), claim(volume="pv"), kept)


# ------------------------------------------------------------------------------------------------------- neighbours


@seldom
def near_pods_where_it_cannot_be() -> Seldom:
    near = affinity(near=[term({"app": "db"}, HOSTNAME)])
    there = [pod("db", labels={"app": "db"}, node="n1")]
    nodes = [node("n1", cpu="1", labels={"disk": "hdd"}), node("n2", labels={"disk": "ssd"})]
    return pod("web", affinity=near, node_selector={"disk": "ssd"}), cluster(nodes, there)


@seldom
def near_pods_on_nodes_for_others() -> Seldom:
    near = affinity(near=[term({"app": "db"}, HOSTNAME)])
    there = [pod("db", labels={"app": "db"}, node="n1", tolerations=[toleration("for", "db")])]
    return pod("web", affinity=near), cluster([node("n1", taints=["for=db:NoSchedule"]), node("n2")], there)


@seldom
def near_pods_of_a_label_that_was_its_own() -> Seldom:
    near = affinity(near=[term({"app": "web-v1"}, HOSTNAME)])
    return pod("web", labels={"app": "web"}, affinity=near), cluster([node("n1")], [pod("other", node="n1")])


@seldom
def pods_of_its_own_workload_keep_away() -> Seldom:
    far = affinity(far=[term({"app": "web"}, ZONE)])
    there = [pod(f"web-{name}", node=name, affinity=far, **WEB) for name in ("n1", "n2")]
    return pod("web-9", **WEB), cluster([node("n1", zone="a"), node("n2", zone="b")], there)


@seldom
def some_have_the_port_and_some_a_pod_to_keep_away_from() -> Seldom:
    far = affinity(far=[term({"app": "db"}, HOSTNAME)])
    there = [
        pod("db", labels={"app": "db"}, node="n1"),
        pod("proxy", ports=["80"], node="n2"),
        pod("proxy-2", ports=["80"], node="n3"),
    ]
    return pod("web", ports=["80"], affinity=far), cluster([node("n1"), node("n2"), node("n3")], there)


@seldom
def too_many_there_or_its_port_in_use() -> Seldom:
    there = [pod(f"web-{at}", node="n1", **WEB) for at in range(2)] + [pod("proxy", ports=["80"], node="n2")]
    waits = pod("web-9", ports=["80"], spread=[spread(ZONE, {"app": "web"})], **WEB)
    return waits, cluster([node("n1", zone="a"), node("n2", zone="b")], there)


@seldom
def a_zone_without_nodes_for_it_has_the_fewest() -> Seldom:
    there = [pod("web-1", node="n1", **WEB)]
    waits = pod("web-9", cpu="3", spread=[spread(ZONE, {"app": "web"})], **WEB)
    full = pod("other", cpu="4", node="n2")
    return waits, cluster([node("n1", zone="a"), node("n2", zone="b")], [*there, full])


# ---------------------------------------------------------------------------------------------------------- storage


def manual(**fields: Any) -> list[KubernetesObject]:
    """A claim of a class whose volumes are made by hand."""
    return [
        storage_class("manual", provisioner="kubernetes.io/no-provisioner"),
        claim(storage_class="manual", **fields),
    ]


@seldom
def a_volume_has_other_labels_than_its_claim_selects() -> Seldom:
    there = [*manual(selector=selector({"disk": "ssd"})), persistent_volume(storage_class="manual")]
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], *there)


@seldom
def a_claim_selects_labels_by_expressions() -> Seldom:
    by = selector(None, ("disk", "In", ["ssd"]))
    there = [*manual(selector=by), persistent_volume(storage_class="manual")]
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], *there)


@seldom
def a_claim_without_a_class() -> Seldom:
    there = [claim(storage_class=""), persistent_volume(storage_class="", size="1Gi")]
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], *there)


@seldom
def a_claim_is_in_another_namespace() -> Seldom:
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], storage_class(), claim(namespace="shop"))


@seldom
def the_zone_of_a_volume_has_another_name() -> Seldom:
    kept = persistent_volume(reach=[node_term(in_(OLD_ZONE, "a"))], labels={OLD_ZONE: "a"})
    there = [storage_class(), claim(volume="pv"), kept]
    return pod("web", volumes=uses("data")), cluster([node("n1", zone="a"), node("n2", zone="b")], [], *there)


@seldom
def a_label_of_nodes_is_in_another_domain_now() -> Seldom:
    return pod("web", node_selector={"rank": "gold"}), cluster([node("n1", labels={"example.com/rank": "gold"})])


@seldom
def the_node_of_a_volume_is_gone() -> Seldom:
    local = persistent_volume(reach=[node_term(in_(HOSTNAME, "n9"))])
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], storage_class(), claim(volume="pv"), local)


@seldom
def the_node_of_a_volume_goes_by_another_label() -> Seldom:
    local = persistent_volume(reach=[node_term(in_(HOSTNAME, "n1.example.com"))])
    return pod("web", volumes=uses("data")), cluster([node("n1")], [], storage_class(), claim(volume="pv"), local)


@seldom
def nodes_are_without_the_driver_of_a_volume() -> Seldom:
    there = [storage_class(), claim(), csi_driver(must_be_there=True), csi_node("n1", {}), csi_node("n2", {})]
    return pod("web", volumes=uses("data")), cluster([node("n1"), node("n2")], [], *there)


@seldom
def every_volume_the_driver_can_attach_is_attached() -> Seldom:
    there = [storage_class(), claim("a", volume="pv-a"), claim("b", volume="pv-b"), csi_driver()]
    there += [persistent_volume("pv-a", driver=DRIVER), persistent_volume("pv-b", driver=DRIVER)]
    used = pod("other", volumes=uses("a"), node="n1")
    return pod("web", volumes=uses("b")), cluster([node("n1")], [used], *there, csi_node("n1", {DRIVER: 1}))


@seldom
def a_term_asks_for_a_field() -> Seldom:
    fields = node_affinity(node_term(in_("disk", "ssd"), fields=[in_("metadata.name", "n1")]))
    return pod("web", affinity=affinity(node=fields)), cluster([node("n1"), node("n2", labels={"disk": "ssd"})])
