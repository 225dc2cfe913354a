"""Workloads of a live cluster by name: their own pods, and why some have not been created."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses

REPLICA_SET = "/apis/apps/v1/replicasets"
DEPLOYMENT = "/apis/apps/v1/deployments"
QUOTA = 'pods "api-1-x7k9s" is forbidden: exceeded quota: compute, used: pods=3, limited: pods=3'


A_NODE = "which is not scheduled: name a pod, and add"
CONTAINER = {"name": "main", "image": "registry.example/x:v1", "resources": {"requests": {"cpu": "9"}}}


def _pending(server: StandIn, name: str, namespace: str = "shop") -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "api-1", "uid": "api-1", "controller": True}
    metadata = {"name": name, "namespace": namespace, "uid": name, "labels": {"app": "api"}, "ownerReferences": [owner]}
    spec = {"schedulerName": "default-scheduler", "containers": [CONTAINER]}
    pod = {"metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}
    server.hold("v1", "Pod", pod)


def _wants(server: StandIn, replicas: int, **status: Any) -> None:
    for path in (REPLICA_SET, DEPLOYMENT):
        for obj in server.held(path):
            obj["spec"] = {**obj["spec"], "replicas": replicas}
            obj["status"] = status


def _asks_for_too_much(server: StandIn) -> None:
    for path in (REPLICA_SET, DEPLOYMENT):
        for obj in server.held(path):
            template = {**obj["spec"]["template"], "spec": {"containers": [CONTAINER]}}
            obj["spec"] = {**obj["spec"], "template": template}


def _failed_create(server: StandIn, name: str = "api-1") -> None:
    event = {
        "metadata": {"name": "api.1", "namespace": "shop"},
        "involvedObject": {"kind": "ReplicaSet", "namespace": "shop", "name": name},
        "type": "Warning",
        "reason": "FailedCreate",
        "message": f"(combined from similar events): Error creating: {QUOTA}",
        "lastTimestamp": "2026-11-01T11:00:00Z",
        "count": 7,
    }
    server.hold("v1", "Event", event)


@pytest.mark.parametrize(
    "words", [["deploy/api"], ["deploy", "api"], ["deployments.v1.apps/api"], ["rs/api-1"], ["Deployment", "api"]]
)
def test_a_workload_whose_pods_all_have_nodes_is_well(shell: Shell, words: list[str]) -> None:
    ended = shell.kexplain(*words, "-n", "shop")
    assert (ended.code, "all 3 pods have a node; all is well" in ended.out) == (0, True)
    assert "worker-1  api-0000, api-0002" in ended.out
    assert "would" not in ended.out


def test_further_pods_are_placed_where_a_number_is_given(shell: Shell) -> None:
    ended = shell.kexplain("deploy/api", "-n", "shop", "--replicas", "2")
    assert ended.code == 0
    assert "2 of 2 pods fit" in ended.out


def test_pending_pods_of_a_workload_are_explained_with_their_events(shell: Shell, server: StandIn) -> None:
    _wants(server, 5)
    _pending(server, "api-1-a")
    _pending(server, "api-1-b")
    event = {
        "metadata": {"name": "a.1", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "api-1-a", "uid": "api-1-a"},
        "type": "Warning",
        "reason": "FailedScheduling",
        "message": "0/3 nodes are available: 3 Insufficient cpu.",
    }
    server.hold("v1", "Event", event)
    report = json.loads(shell.kexplain("deploy/api", "-n", "shop", "-o", "json").out)
    assert [pod["pod"]["name"] for pod in report["pods"]] == ["api-1-a", "api-1-b"]
    assert [bool(pod["event"]) for pod in report["pods"]] == [True, False]
    assert report["workloads"][0]["pending"] == ["api-1-a", "api-1-b"]
    ended = shell.kexplain("deploy/api", "-n", "shop")
    assert ended.code == 1
    assert "2 of 5 pods are pending" in ended.out
    assert "api-1-b" in shell.kexplain("deploy/api", "-n", "shop", "-v").out


@pytest.mark.parametrize("has_event", [True, False], ids=["by-event", "by-condition"])
def test_why_pods_are_missing(shell: Shell, server: StandIn, has_event: bool) -> None:
    failure = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": QUOTA}
    _wants(server, 5, conditions=[failure])
    if has_event:
        _failed_create(server)
        _failed_create(server, "other")
    ended = shell.kexplain("deploy/api", "-n", "shop", "-o", "json")
    assert ended.code == 1
    (workload,) = json.loads(ended.out)["workloads"]
    assert (workload["wanted"], workload["missing"]) == (5, 2)
    (message,) = workload["messages"]
    assert (message["controller"], message["text"]) == ("ReplicaSet api-1", QUOTA)
    assert message["times"] == (7 if has_event else 0)
    shell.kexplain("snapshot", "-o", "x.snapshot")
    saved = shell.kexplain("deploy/api", "-n", "shop", "--cluster", "x.snapshot", "-o", "json")
    assert json.loads(saved.out)["workloads"] == [workload]
    text = shell.kexplain("deploy/api", "-n", "shop").out
    assert "2 of 5 pods have not been created" in text
    assert "have room: kexplain deployment/api -n shop" in text
    assert "--replicas 2" in text


def test_missing_pods_that_nothing_explains(shell: Shell, server: StandIn) -> None:
    _wants(server, 4)
    server.always(refuses(403, "may not"), "/api/v1/events")
    ended = shell.kexplain("deploy/api", "-n", "shop")
    assert ended.code == 1
    assert "1 of 4 pods has not been created" in ended.out
    assert "kubectl describe deployment api -n shop" in " ".join(ended.out.split())
    assert "not permitted to list events" in ended.err


def test_an_old_event_says_nothing_about_a_complete_workload(shell: Shell, server: StandIn) -> None:
    _failed_create(server)
    assert shell.kexplain("deploy/api", "-n", "shop").code == 0


def test_a_name_is_found_in_whatever_namespace(shell: Shell, server: StandIn) -> None:
    _pending(server, "web", "lab")
    assert shell.kexplain("pod", "web").code == 2
    assert "all is well" in shell.kexplain("deploy/api", "-A").out
    ended = shell.kexplain("pods/web", "-A")
    assert "lab/web" in ended.out
    assert "shop/web" in ended.out


def test_several_names_at_once(shell: Shell, server: StandIn) -> None:
    _pending(server, "api-1-a")
    report = json.loads(shell.kexplain("po", "web", "api-1-a", "-n", "shop", "-o", "json").out)
    assert sorted(pod["pod"]["name"] for pod in report["pods"]) == ["api-1-a", "web"]
    ended = shell.kexplain("pod/web", "deploy/api", "rs/api-1", "-n", "shop")
    assert "shop/api (Deployment): the surge pod is pending" in ended.out
    assert "shop/api-1 (ReplicaSet): 1 of 4 pods is pending" in ended.out


def test_a_workload_that_may_not_be_listed_is_known_by_its_pods(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403, "may not"), DEPLOYMENT)
    ended = shell.kexplain("deploy/api", "-n", "shop")
    assert (ended.code, "all is well" in ended.out) == (0, True)
    assert "not permitted to list deployments.apps" in ended.err


# --------------------------------------------------------------------------------------------- words for the place


def test_a_cluster_without_nodes_is_answered_as_the_scheduler_does(shell: Shell, server: StandIn) -> None:
    server.held("/api/v1/nodes").clear()
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert ended.code == 1
    assert "the cluster has no nodes" in ended.out
    assert "no nodes available to schedule pods" in shell.kexplain("pod/web", "-n", "shop", "-v").out
    assert "--cluster" not in ended.out + ended.err


def test_nothing_pending_needs_no_nodes(shell: Shell, server: StandIn) -> None:
    server.held("/api/v1/nodes").clear()
    ended = shell.kexplain("-n", "default")
    assert (ended.code, ended.out) == (0, "no pods found in namespace default\n")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["pod", "wbe"], "did you mean web?"),
        (["deploy/apis"], "did you mean api?"),
        (["sts/db"], "there is no StatefulSet at all in the cluster"),
        (["deploy/xyz"], "there is api"),
        (["api"], "there is deployment/api"),
        (["deploy"], "deploy is a kind: add a name to it, as in deploy/NAME"),
        (["worker-1"], f"worker-1 is a node, {A_NODE} --node worker-1 for how it fits there"),
        (["node/worker-9"], f"worker-9 is a node, {A_NODE} --node worker-9 for how it fits there"),
    ],
)
def test_a_name_that_is_not_there(shell: Shell, words: list[str], hint: str) -> None:
    ended = shell.kexplain(*words, "-n", "shop")
    assert ended.code == 2
    assert ended.err.splitlines()[-1] == f"kexplain: hint: {hint}"


def test_without_a_kubeconfig_the_message_says_where_it_was_looked_for(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KUBECONFIG")
    ended = shell.kexplain("pod", "web")
    assert ended.code == 2
    path = shell.directory / ".kube" / "config"
    assert f"no cluster to find web in: there is no {path}, and KUBECONFIG is not set" in ended.err
    assert str(path) in shell.kexplain().err
    monkeypatch.setenv("KUBECONFIG", "/nowhere/config")
    assert "KUBECONFIG names /nowhere/config, which is not there" in shell.kexplain("deploy/web").err


@pytest.mark.parametrize("words", [["pod/api-x"], ["rs/api-1"], ["-l", "app=api"]], ids=" ".join)
def test_what_is_changed_is_the_owner_live_as_in_a_snapshot(shell: Shell, server: StandIn, words: list[str]) -> None:
    _asks_for_too_much(server)
    _pending(server, "api-x")
    live = shell.kexplain(*words, "-n", "shop", "-o", "json")
    shell.kexplain("snapshot", "-o", "x.snapshot", "-q")
    of_file = shell.kexplain(*words, "-n", "shop", "-o", "json", "--cluster", "x.snapshot")
    assert live.out.replace(server.address, "x.snapshot") == of_file.out
    changes = [each for pod in json.loads(live.out)["pods"] for remedy in pod["remedies"] for each in remedy["changes"]]
    assert {each["target"]["name"] for each in changes if each["target"]["kind"] not in ("Node", "CSINode")} == {"api"}


def test_who_may_not_read_the_owner_hears_of_it(shell: Shell, server: StandIn) -> None:
    _asks_for_too_much(server)
    _pending(server, "api-x")
    server.always(refuses(403), DEPLOYMENT)
    ended = shell.kexplain("pod/api-x", "-n", "shop")
    assert "deployments.apps: what makes pods, and is to be changed in their place" in ended.err
    assert "Deployment api was not read" in ended.out
    assert "patch deployment api" in shell.kexplain("pod/api-x", "-n", "shop", "--fix", "1").out


def test_why_a_pod_with_a_node_does_not_run_is_in_its_events(shell: Shell, server: StandIn) -> None:
    (pod,) = (obj for obj in server.held("/api/v1/pods") if obj["metadata"]["name"] == "api-0000")
    pod["status"] = {"phase": "Pending"}
    event = {
        "metadata": {"name": "api.2", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "api-0000", "uid": pod["metadata"].get("uid")},
        "type": "Warning",
        "reason": "FailedMount",
        "message": "secret tls not found",
        "lastTimestamp": "2026-11-01T11:00:00Z",
    }
    server.hold("v1", "Event", event)
    ended = shell.kexplain("deploy/api", "-n", "shop", "-o", "json")
    (found,) = json.loads(ended.out)["workloads"]
    assert (ended.code, found["diagnosis"]["kind"]) == (1, "volume-not-mounted")
    assert found["diagnosis"]["detail"] == "secret tls not found"
