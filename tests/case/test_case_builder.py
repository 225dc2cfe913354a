from __future__ import annotations

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed

from kexplain.api import build_scheduler
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.own_pods import OwnerChains
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import Deployment, DeploymentSpec, ReplicaSet, ReplicaSetMeta, WorkloadSpec
from kexplain.objects.core import (
    Namespace,
    Node,
    Pod,
    PodResourceClaim,
    PodTemplateSpec,
    ResourceQuota,
    ResourceQuotaSpec,
    ResourceQuotaStatus,
)
from kexplain.objects.core.namespaces import NamespaceMeta
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.objects.scheduling import PriorityClass
from tests.factories import controlled_by, node, pod


def contents(*objects: KubernetesObject) -> Contents:
    loaded = Loaded()
    loaded.add(Segment("cluster.json", Nowhere(), list(objects)))
    return Contents(loaded, loaded.objects, build_scheduler(), "shop")


def running(name: str, on: str) -> Pod:
    return pod(name, node=on, phase="Running")


def test_pods_are_placed_as_an_api_server_would_store_them() -> None:
    web = changed(pod("web"), metadata=changed(pod("web").metadata, namespace=None))
    (placed,) = CaseBuilder(contents(web)).pods(web, None)
    assert (placed.pod.namespace, placed.pod.status.phase, placed.made_of) == ("shop", "Pending", web)
    assert placed.pod.spec.scheduler_name == "default-scheduler"


def test_a_running_pod_is_placed_again_without_its_node() -> None:
    there = running("web", "n1")
    (placed,) = CaseBuilder(contents(there)).pods(there, None)
    assert (placed.pod.spec.node_name, placed.running) == (None, there)


def test_a_finished_pod_does_not_run() -> None:
    done = pod("done", node="n1", phase="Succeeded")
    (placed,) = CaseBuilder(contents(done)).pods(done, None)
    assert (placed.pod.spec.node_name, placed.running) == (None, None)
    assert placed.notes == ("finished on n1; explained as if it were placed now",)


def test_the_cluster_has_all_but_what_is_left_out() -> None:
    gone, kept = running("gone", "n1"), running("kept", "n1")
    cluster = CaseBuilder(contents(node("n1"), gone, kept)).cluster({id(gone)})
    assert [each.pod.name for each in cluster.node_info_by_name["n1"].pods] == ["kept"]


def test_objects_may_be_edited_before_they_are_built() -> None:
    read = contents(node("n1"), running("web", "n1"))
    edited = replace(read, objects=[each for each in read.objects if isinstance(each, Node)])
    assert not CaseBuilder(edited).cluster(()).node_info_by_name["n1"].pods


def test_a_node_without_a_name_is_given_one() -> None:
    unnamed = changed(node(""), metadata=changed(node("").metadata, name=None, generate_name="spare-"))
    cluster = CaseBuilder(contents(node("n1"), unnamed, unnamed)).cluster(())
    assert sorted(cluster.node_info_by_name) == ["n1", "spare-1", "spare-2"]


def test_objects_without_a_namespace_are_in_the_one_that_is_meant() -> None:
    claim = PersistentVolumeClaim(metadata=ClaimMeta(name="data"))
    cluster = CaseBuilder(contents(node("n1"), claim)).cluster(())
    assert [each.key for each in cluster.listers.every(PersistentVolumeClaim)] == ["shop/data"]


def test_replicas_are_admitted_once_and_keep_their_names_and_claims() -> None:
    template = PodTemplateSpec(
        spec=replace(pod().spec, resource_claims=(PodResourceClaim(name="gpu", resource_claim_template_name="gpu"),))
    )
    web = Deployment(api_version="apps/v1", metadata=ObjectMeta(name="web"), spec=DeploymentSpec(template=template))
    claims = ResourceClaimTemplate(api_version="resource.k8s.io/v1", metadata=ObjectMeta(name="gpu"))
    first, second = (placed.pod for placed in CaseBuilder(contents(web, claims)).pods(web, 2))
    assert first.spec is second.spec
    assert first.spec.tolerations
    assert (first.name[-2:], second.name[-2:]) == ("-0", "-1")
    assert first.status.resource_claim_statuses != second.status.resource_claim_statuses
    assert [len(each.status.resource_claim_statuses or ()) for each in (first, second)] == [1, 1]


def test_who_else_uses_most_of_a_quota() -> None:
    """Neither its own pods count, nor those that have ended, nor those of other namespaces."""
    spec = WorkloadSpec(replicas=4, template=PodTemplateSpec(spec=pod("x", cpu="1").spec))
    web = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="shop", uid="web"), spec=spec)
    quota = ResourceQuota(
        metadata=ObjectMeta(name="team", namespace="shop"),
        spec=ResourceQuotaSpec(hard={"requests.cpu": "4"}),
        status=ResourceQuotaStatus(hard={"requests.cpu": "4"}, used={"requests.cpu": "4"}),
    )
    objects: list[KubernetesObject] = [node("n1"), quota, web]
    for owner, number, phase, home in (
        ("web", 3, "Running", "shop"),
        ("load", 2, "Running", "shop"),
        ("other", 1, "Pending", "shop"),
        ("done", 3, "Succeeded", "shop"),
        ("away", 3, "Running", "elsewhere"),
    ):
        by = controlled_by("ReplicaSet", owner)
        names = (f"{owner}-{place}" for place in range(number))
        objects += (pod(name, cpu="1", node="n1", phase=phase, namespace=home, owner=by) for name in names)
    own = OwnerChains(objects, "shop").own_pods("ReplicaSet", "shop", "web")
    (excess,) = CaseBuilder(contents(*objects)).with_next_pod(own).excesses
    assert (excess.others, excess.then) == (("ReplicaSet load", 2 * 10**9), ("ReplicaSet other", 10**9))


@pytest.mark.parametrize(
    ("replicas", "pods", "cpu", "expected"),
    [
        pytest.param(2, 1, "1", ["requests.cpu"], id="one is missing"),
        pytest.param(1, 1, "1", [], id="none is missing"),
        pytest.param(2, 1, "0", [], id="the quota does not count it"),
    ],
)
def test_the_quotas_that_the_next_pod_exceeds(replicas: int, pods: int, cpu: str, expected: list[str]) -> None:
    spec = WorkloadSpec(replicas=replicas, template=PodTemplateSpec(spec=pod("x", cpu=cpu).spec))
    web = ReplicaSet(metadata=ReplicaSetMeta(name="web", namespace="shop", uid="web"), spec=spec)
    quota = ResourceQuota(
        metadata=ObjectMeta(name="team", namespace="shop"),
        spec=ResourceQuotaSpec(hard={"requests.cpu": "1"}),
        status=ResourceQuotaStatus(hard={"requests.cpu": "1"}, used={"requests.cpu": "1"}),
    )
    by = controlled_by("ReplicaSet", "web")
    there = [pod(f"web-{number}", cpu="1", node="n1", namespace="shop", owner=by) for number in range(pods)]
    own = OwnerChains([web, *there], "shop").own_pods("ReplicaSet", "shop", "web")
    builder = CaseBuilder(contents(node("n1"), quota, web, *there))
    assert [each.resource for each in builder.with_next_pod(own).excesses] == expected
    # Nor is anything said of one that waits for another, or of what was not read.
    for later in (replace(own, waits_for="web-0"), replace(own, controllers=())):
        assert builder.with_next_pod(later) == later


@pytest.mark.parametrize(
    ("uid", "refused"), [(None, ["priorityClassName", *["containers"] * 4]), ("u", [])], ids=["new", "stored"]
)
def test_what_a_cluster_has_was_not_refused(uid: str | None, refused: list[str]) -> None:
    """Its namespace may have taken other pods then."""
    restricted = {"pod-security.kubernetes.io/enforce": "restricted"}
    others: list[KubernetesObject] = [
        PriorityClass(metadata=ObjectMeta(name="low", uid="low"), value=1),
        Namespace(metadata=NamespaceMeta(name="shop", uid="shop", labels=restricted)),
    ]
    web = pod("web", namespace="shop", uid=uid)
    web = replace(web, spec=replace(web.spec, priority_class_name="high"))
    (placed,) = CaseBuilder(contents(node("n1"), *others, web)).pods(web, None)
    assert [each.path[1] for each in placed.refusals] == refused
