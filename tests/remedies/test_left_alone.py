"""Pods of other schedulers, and pods with gates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.api import Wanted, build_scheduler, explain, load_case
from kexplain.objects.core import Pod, PodSchedulingGate
from kexplain.remedies.left_alone import letting_go, other_scheduler, ungating
from kexplain.remedies.records import Remedy
from kexplain.remedies.trials import Trials
from tests.factories import cluster, node, pod
from tests.queues.made import cluster_queue, read, workload
from tests.remedies.situations import Json, deployment, obj, of_kind, quota, template
from tests.remedies.situations import node as situation_node
from tests.remedies.test_scaled_down import helping


def asking(scheduler: str, cpu: str = "1") -> Pod:
    plain = pod("web", cpu=cpu)
    return replace(plain, spec=replace(plain.spec, scheduler_name=scheduler))


def remedies(of: Pod) -> list[Remedy]:
    scheduler = build_scheduler()
    decision = scheduler.schedule(of, cluster([node("n1", cpu="4")]))
    return list(other_scheduler(Trials(decision, scheduler)))


def test_the_name_that_was_meant_is_tried() -> None:
    (found,) = remedies(asking("defualt-scheduler"))
    assert (found.text, found.nodes, found.tried) == (
        "set schedulerName: default-scheduler, as defualt-scheduler looks misspelt",
        ("n1",),
        True,
    )


def test_where_the_pod_fits_nowhere_either_the_name_is_said_all_the_same() -> None:
    (found,) = remedies(asking("default-schedulr", cpu="8"))
    assert (found.nodes, found.tried) == ((), False)


@pytest.mark.parametrize("name", ["batch-scheduler", "volcano", "kai-scheduler", "my-scheduler"])
def test_other_schedulers_are_not_misspelt(name: str) -> None:
    look, instead = remedies(asking(name))
    assert (look.action, look.tried) == ("check-controller", False)
    assert instead.text == f"set schedulerName: default-scheduler, if it need not be {name}"
    assert (instead.tried, instead.nodes) == (True, ("n1",))


def test_whoever_set_a_gate_is_asked_for() -> None:
    gated = pod("web")
    gates = (PodSchedulingGate(name="example.com/approved"), PodSchedulingGate(name="keptn-prechecks-gate"))
    gated = replace(gated, spec=replace(gated.spec, scheduling_gates=gates))
    unknown, known = ungating(Trials(build_scheduler().schedule(gated, cluster([node("n1")]))))
    assert unknown.text == "find out who sets the gate example.com/approved, and why it has not been removed"
    assert known.text == "see why Keptn has not removed the gate keptn-prechecks-gate"
    assert known.commands == ("kubectl get keptnworkloadversions -n default",)


@pytest.mark.parametrize(
    ("there", "text"),
    [
        ([], "see whether Kueue runs here, of which nothing was read: nobody else removes kueue.x-k8s.io/admission"),
        ([cluster_queue()], "see why Kueue has not removed the gate kueue.x-k8s.io/admission"),
        ([workload()], "see why Kueue has not removed the gate kueue.x-k8s.io/admission"),
    ],
)
def test_a_gate_of_kueue_where_kueue_may_not_run(there: list[dict[str, object]], text: str) -> None:
    gates = (PodSchedulingGate(name="kueue.x-k8s.io/admission"),)
    gated = pod("web")
    gated = replace(gated, spec=replace(gated.spec, scheduling_gates=gates))
    around = cluster([node("n1")], [], *read(*there))
    (found,) = ungating(Trials(build_scheduler().schedule(gated, around)))
    assert found.text == text
    assert found.commands[0].startswith("kubectl get" if there else "kubectl api-resources --api-group=kueue")


@pytest.mark.parametrize(
    ("templates", "text", "kinds"),
    [
        (["gpus"], "use ResourceClaimTemplate gpus for its claim g, as there is no gpuss", ["Deployment"]),
        (["network"], "create ResourceClaimTemplate shop/gpuss, to which its claim g refers", []),
    ],
)
def test_a_claim_without_its_template(templates: list[str], text: str, kinds: list[str], tmp_path: Path) -> None:
    claim = {"name": "g", "resourceClaimTemplateName": "gpuss"}
    waiting = deployment("web", template("1", resourceClaims=[claim]), [""])
    there = [obj("resource.k8s.io/v1", "ResourceClaimTemplate", each, spec={"spec": {}}) for each in templates]
    path = tmp_path / "cluster.json"
    items = [situation_node("n1"), *waiting, *there]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (pod,) = explain(load_case([], [str(path)], Wanted(own_pods=True))).pods
    assert [each.text for each in pod.remedies] == [text]
    assert [each.target.kind for remedy in pod.remedies for each in remedy.changes] == kinds


def elsewhere(*places: str) -> list[Json]:
    """A deployment whose pods are left to a scheduler that does not run, and as many pods are allowed."""
    used = {"pods": str(len(places))}
    asking = template("1", schedulerName="volcano")
    return [situation_node("n1"), *deployment("web", asking, list(places)), quota("team", used, used)]


def test_another_scheduler_helps_none_if_the_update_stalls(tmp_path: Path) -> None:
    """The pod beside the old ones is not created, as the quota is used up; with room for it, all are replaced."""
    items = elsewhere("", "")
    assert [each.action for each in helping(tmp_path / "cluster.json", items)] == ["check-controller"]
    _, instead = helping(tmp_path / "cluster.json", items[:-1])
    assert (instead.tried, instead.serves, instead.pending) == (True, 2, 2)


def test_a_pod_that_was_left_to_another_scheduler_is_made_anew_of_a_template_that_no_longer_does(
    tmp_path: Path,
) -> None:
    items = [*of_kind("StatefulSet", "db", template("1"), [""])]
    items[0]["status"] = {"currentRevision": "old", "updateRevision": "new"}
    items[1]["spec"]["schedulerName"] = "volcano"
    items[1]["metadata"]["labels"]["controller-revision-hash"] = "old"
    (found,) = helping(tmp_path / "cluster.json", [situation_node("n1"), *items])
    assert (found.action, found.nodes) == ("make-anew", ("n1",))


def test_a_gate_keeps_a_pod_from_any_scheduler(tmp_path: Path) -> None:
    asking = template("1", schedulerName="volcano", schedulingGates=[{"name": "example.com/approved"}])
    path = tmp_path / "cluster.json"
    found = helping(path, [situation_node("n1"), *deployment("web", asking, [""])])
    assert found[-1].text.startswith("find out who sets the gate example.com/approved")
    (pod,) = explain(load_case([], [str(path)], Wanted(own_pods=True))).pods
    assert pod.diagnosis
    assert pod.diagnosis.text == (
        "left to the scheduler volcano; its scheduling gate example.com/approved is still there; "
        "this one is default-scheduler"
    )


def test_a_pod_that_never_had_a_node_is_held_by_a_finalizer() -> None:
    (found,) = letting_go(pod("web"))
    assert found.text.startswith("see whose finalizer holds it")
    assert found.commands == ("kubectl get pod --output 'jsonpath={.metadata.finalizers}' web -n default",)
    assert list(letting_go(pod("web", node="n1"))) == []
