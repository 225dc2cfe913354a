from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from kexplain.case.references import Reference, Scope, find, parted
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import DaemonSet, DaemonSetMeta, Deployment
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta
from kexplain.objects.workload_status import WorkloadStatus
from tests.factories import controlled_by, pod

DEFAULT = Scope("default")
PODS = [pod("web"), pod("web", namespace="shop"), pod("db", namespace="shop"), pod("cache")]


def deployment(name: str) -> Deployment:
    return Deployment(metadata=ObjectMeta(name=name))


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        pytest.param("web", "Pod", "web", id="a bare name is a pod"),
        pytest.param("po/web", "Pod", "web", id="a pod by its short name"),
        pytest.param("Deploy/web", "Deployment", "web", id="a kind in any case"),
        pytest.param("statefulsets/web", "StatefulSet", "web", id="a plural"),
        pytest.param("cj/web", "CronJob", "web", id="a short name"),
        pytest.param("pods/web", "Pod", "web", id="pods"),
        pytest.param("deployment.apps/web", "Deployment", "web", id="a kind with its group"),
        pytest.param("deployments.v1.apps/web", "Deployment", "web", id="a kind with version and group"),
    ],
)
def test_a_name_is_a_reference(text: str, kind: str, name: str) -> None:
    assert parted([text, text]) == ([], [Reference(kind, name)])


@pytest.mark.parametrize("text", ["-", "web.yaml", "dir/web.json", "./web", "Web", "pod/Web", "a/b/c", "tests"])
def test_what_looks_like_a_file_is_one(text: str) -> None:
    assert parted([text]) == ([text], [])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("deploymnt/web", "did you mean deployment?", id="a slip"),
        pytest.param("deployment.batch/web", "did you mean deployment?", id="another group"),
        pytest.param(
            "cfg/x", "for x in namespace cfg use x and namespace=cfg; else use pod, cronjob", id="no such kind"
        ),
        pytest.param("pvc/x", "name a pod that it is about, or what makes it: pod, cronjob", id="no pods"),
    ],
)
def test_a_kind_without_pods_is_refused(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match="is not a kind with pods") as error:
        parted([text])
    assert (error.value.hint or "").startswith(hint)


def found(reference: Reference, objects: Sequence[KubernetesObject], place: Scope = DEFAULT) -> list[KubernetesObject]:
    read = Loaded()
    read.add(Segment("cluster.json", Nowhere(), list(objects)))
    return find([reference], read, place, own_pods=True).objects


def test_a_name_is_looked_up_in_its_namespace() -> None:
    assert found(Reference("Pod", "web"), PODS, Scope("shop")) == [PODS[1]]
    assert found(Reference("Pod", "web"), PODS) == [PODS[0]]
    assert found(Reference("Pod", "web"), PODS, Scope("default", everywhere=True)) == PODS[:2]


def test_a_workload_that_nobody_has_created_stands_for_a_pod() -> None:
    web = deployment("web")
    assert found(Reference("Deployment", "web"), [*PODS, web], Scope("shop")) == [web]
    assert found(Reference("Deployment", "web"), [web], Scope("shop")) == [web]


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        pytest.param(Reference("Pod", "db"), "namespace shop has one of that name", id="elsewhere"),
        pytest.param(Reference("Pod", "cahce"), "did you mean cache?", id="a slip"),
        pytest.param(Reference("Pod", "dbs"), "did you mean db in namespace shop?", id="a slip, and elsewhere"),
        pytest.param(Reference("Pod", "xyz"), "there are cache, web", id="nothing near"),
        pytest.param(Reference("Job", "web"), "there is no Job at all in what was read", id="no such kind"),
        pytest.param(Reference("Deployment", "xyz"), "there is web", id="one other"),
        pytest.param(Reference("Deployment", "wbe"), "did you mean web?", id="a slip in a workload"),
    ],
)
def test_a_name_that_does_not_exist_is_said_with_a_hint(reference: Reference, hint: str) -> None:
    with pytest.raises(UsageError, match="in namespace default") as error:
        found(reference, [*PODS, deployment("web")])
    assert error.value.hint == hint


def test_a_name_of_another_kind_is_said_as_it_is_asked_for() -> None:
    with pytest.raises(UsageError, match="there is no Pod front in namespace default") as error:
        found(Reference("Pod", "front"), [*PODS, deployment("front")])
    assert error.value.hint == "there is deployment/front"
    with pytest.raises(UsageError, match="there is no Pod front in namespace shop") as error:
        found(
            Reference("Pod", "front"),
            [*PODS, Deployment(metadata=ObjectMeta(name="front", namespace="default"))],
            Scope("shop"),
        )
    assert error.value.hint == "there is deployment/front in namespace default"


def test_a_daemon_set_without_a_node_for_its_pods_stands_for_one_of_them() -> None:
    agent = DaemonSet(metadata=DaemonSetMeta(name="agent", namespace="default", uid="agent"))
    assert found(Reference("DaemonSet", "agent"), [agent, *PODS]) == [agent]
    assert (
        found(
            Reference("DaemonSet", "agent"), [replace(agent, status=WorkloadStatus(desired_number_scheduled=1)), *PODS]
        )
        == []
    )


REFUSED = Condition(type="ReplicaFailure", status="True", message="exceeded quota")


@pytest.mark.parametrize(
    ("status", "own_pods"),
    [
        pytest.param(WorkloadStatus(conditions=(REFUSED,)), True, id="it says why it has none"),
        pytest.param(WorkloadStatus(conditions=(REFUSED,), replicas=2), False, id="it has others"),
        pytest.param(WorkloadStatus(replicas=0), False, id="nothing is known of it"),
    ],
)
def test_without_any_pod_a_workload_says_itself_whether_it_has_some(status: WorkloadStatus, *, own_pods: bool) -> None:
    stored = replace(deployment("web"), metadata=ObjectMeta(name="web", namespace="default", uid="web"), status=status)
    loaded = Loaded()
    loaded.objects += [stored]
    found = find([Reference("Deployment", "web")], loaded, Scope("default"), own_pods=True)
    assert (len(found.workloads), len(found.objects)) == ((1, 0) if own_pods else (0, 1))


def test_a_workload_that_was_not_read_is_known_by_its_pods() -> None:
    loaded = Loaded()
    loaded.objects += [pod("web-7b-x", labels={"pod-template-hash": "7b"}, owner=controlled_by("ReplicaSet", "web-7b"))]
    found = find([Reference("Deployment", "web")], loaded, DEFAULT, own_pods=False)
    assert [(type(each), each.name) for each in found.objects] == [(Deployment, "web")]
    assert found.notes == ["Deployment web was not read: its pods show what its template is"]
