"""`kexplain event` through the command line: where messages come from, and the JSON that programs rely on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ROOT, kexplain
from tests.load.texts import listed, node, write

MESSAGE = "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable."
EVENT = {
    "apiVersion": "v1",
    "kind": "Event",
    "metadata": {"name": "web.1", "namespace": "shop"},
    "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web"},
    "reason": "FailedScheduling",
    "message": MESSAGE,
}


def test_json_is_a_contract() -> None:
    report = json.loads(kexplain("event", MESSAGE, "-o", "json").stdout)
    assert report["kind"] == "EventReport"
    (event,) = report["events"]
    assert event["total"] == 3
    assert event["countsAddUp"] is True
    part = event["parts"][0]
    assert (part["text"], part["count"], part["plugin"], part["known"]) == (
        "Insufficient cpu",
        1,
        "NodeResourcesFit",
        True,
    )
    assert part["meaning"]


def test_a_message_a_line_on_stdin() -> None:
    report = json.loads(kexplain("event", "-", "-o", "json", stdin=f"{MESSAGE}\n\n{MESSAGE}\n".encode()).stdout)
    assert [event["message"] for event in report["events"]] == [MESSAGE, MESSAGE]


@pytest.mark.parametrize("document", [EVENT, {"apiVersion": "v1", "kind": "List", "items": [EVENT]}])
def test_events_on_stdin_name_their_pod(document: object) -> None:
    report = json.loads(kexplain("event", "-", "-o", "json", stdin=json.dumps(document).encode()).stdout)
    assert [(event["message"], event["pod"]) for event in report["events"]] == [(MESSAGE, "shop/web")]


def test_what_kubectl_describe_prints_on_stdin() -> None:
    described = (
        f"Name:    web\nNamespace:   shop\nStatus:  Pending\nEvents:\n  Type     Reason   Age   From   Message\n"
        f"  ----  ------  ----  ----  -------\n  Warning  FailedScheduling  11s  default-scheduler  {MESSAGE}\n"
        f"  Normal   Pulled  2s  kubelet  Container image\n"
    )
    done = kexplain("event", "-", "-o", "json", stdin=described.encode())
    (event,) = json.loads(done.stdout)["events"]
    assert (event["message"], event["pod"]) == (MESSAGE, "shop/web")
    assert b"1 event left out" in done.stderr


def test_events_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(EVENT))
    assert b"shop/web" in kexplain("event", file).stdout


def _pod(condition: dict[str, str]) -> dict[str, object]:
    metadata = {"name": "web", "namespace": "shop"}
    containers = [{"name": "web", "image": "web:1"}]
    status = {"conditions": [condition]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"containers": containers},
        "status": status,
    }


def test_the_condition_of_a_pending_pod() -> None:
    pod = _pod({"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": MESSAGE})
    for document in (pod, {"apiVersion": "v1", "kind": "List", "items": [pod, EVENT]}):
        report = json.loads(kexplain("event", "-", "-o", "json", stdin=json.dumps(document).encode()).stdout)
        assert {(event["message"], event["pod"]) for event in report["events"]} == {(MESSAGE, "shop/web")}
    assert b"shop/web" in kexplain("event", json.dumps(pod)).stdout


def test_why_a_pod_was_evicted() -> None:
    said = "default-scheduler: preempting to accommodate a higher priority pod"
    pod = _pod({"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler", "message": said})
    (event,) = json.loads(kexplain("event", "-", "-o", "json", stdin=json.dumps(pod).encode()).stdout)["events"]
    assert event["parts"][0]["plugin"] == "DefaultPreemption"


def test_lines_of_a_status_that_are_no_document() -> None:
    lines = f"- lastProbeTime: null\n  message: '{MESSAGE}'\n  reason: Unschedulable\n"
    report = json.loads(kexplain("event", "-", "-o", "json", stdin=lines.encode()).stdout)
    assert [event["message"] for event in report["events"]] == [MESSAGE]


def test_unknown_words_are_laid_at_nobodys_door() -> None:
    assert b"kube-scheduler has no such text" in kexplain("event", "0/1 nodes are available: 1 flux.").stdout
    of_karpenter = kexplain("event", "Failed to schedule pod, flux").stdout
    assert b"a text of karpenter" in of_karpenter
    assert b"kube-scheduler has no such text" not in of_karpenter
    row = "Warning  FailedScheduling  5s  my-scheduler  0/1 nodes are available: 1 flux."
    assert b"a text of my-scheduler" in kexplain("event", row).stdout


def test_what_any_program_says_is_laid_at_nobodys_door() -> None:
    report = json.loads(kexplain("event", "helm_release.web: context deadline exceeded", "-o", "json").stdout)
    assert [event["reportedBy"] for event in report["events"]] == [""]


def test_what_is_told_in_words_of_ones_own_is_probably_something() -> None:
    said = kexplain("event", "0/5 nodes available: 3 insufficient resources, 1 node with disk pressure, 1 flux").stdout
    assert b"probably, the CPU or memory that the pod requests exceeds what is free" in said
    assert b"probably, the node reports disk pressure" in said
    assert said.count(b"kube-scheduler has no such text") == 1
    (event,) = json.loads(kexplain("event", "no node has enough GPUs", "-o", "json").stdout)["events"]
    (part,) = event["parts"]
    assert not part["known"]
    assert part["meaning"].endswith(
        "the gpu that the pod requests exceeds what is free on the node, or the node has none"
    )


@pytest.mark.parametrize("message", ["0/4 nodes are available: .", "pod didn't trigger scale-up:"])
def test_a_message_without_reasons(message: str) -> None:
    assert b"names no reason" in kexplain("event", message).stdout


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        pytest.param([], "", id="no-text"),
        pytest.param(["", " "], "", id="blank-texts"),
        pytest.param(["-"], "", id="empty-stdin"),
        pytest.param(["kubectl describe pvc data"], "", id="a-line-of-a-shell"),
        pytest.param(["$ kubectl get pods"], "", id="with-its-prompt"),
        pytest.param(["-"], '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}', id="no-event"),
        pytest.param(["-"], '{"kind": "Event", "message": ', id="broken"),
    ],
)
def test_input_without_a_message(words: list[str], stdin: str) -> None:
    done = kexplain("event", *words, stdin=stdin.encode())
    assert done.returncode == 2
    assert done.stderr.startswith(b"kexplain: ")
    assert done.stdout == b""


@pytest.mark.parametrize(
    "text", ['{"level": "warn", "msg": "the flux is low"}', "[1] the flux is low", "{", "- low\n- flux"]
)
def test_what_only_looks_like_objects_is_a_message(text: str) -> None:
    done = kexplain("event", "-", stdin=text.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"flux" in done.stdout or text == "{"


@pytest.mark.parametrize("message", ["{x}", "%s", "[red]x[/red]", "0/1 nodes are available:", "x" * 5000])
def test_any_text_is_answered(message: str) -> None:
    assert kexplain("event", message).returncode == 0


def test_of_what_is_no_message_only_the_beginning_is_shown() -> None:
    printed = kexplain("event", "-", stdin=b"x" * 200_000).stdout.decode()
    assert "more characters" in printed
    assert len(printed) < 1000


def test_the_name_of_a_pod_is_no_path(tmp_path: Path) -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "1"}}}
    (tmp_path / "nodes.json").write_text(json.dumps(node))
    (tmp_path / "pod").mkdir()
    (tmp_path / "pod" / "web").write_text("s3cr3t: [")
    event = {
        "apiVersion": "v1", "kind": "Event", "reason": "FailedScheduling", "message": "0/1 nodes are available: x.",
        "metadata": {"name": "e"}, "involvedObject": {"kind": "Pod", "name": "web", "namespace": "default"},
    }  # fmt: skip
    done = kexplain("event", "-", "--cluster", "nodes.json", stdin=json.dumps(event).encode(), cwd=tmp_path)
    assert done.returncode == 0
    assert b"there is no Pod web in namespace default" in done.stderr
    assert b"s3cr3t" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param("0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.", "", id="the-same"),
        pytest.param(
            "0/5 nodes are available: 1 node(s) had taint {a: b}, that the pod didn't tolerate, 2 Insufficient cpu, 2 "
            "node(s) were unschedulable.",
            "In this cluster it is different: nodes: message 5, now 3; node(s) had taint {a: b}, that the pod didn't "
            "tolerate: message 1, now 0; node(s) were unschedulable: message 2, now 1.",
            id="other-counts",
        ),
    ],
)
def test_what_differs_in_the_cluster_is_said(message: str, expected: str) -> None:
    cluster = ROOT / "fixtures" / "event-differs" / "cluster.yaml"
    done = kexplain("event", message, "--pod", "web", "-n", "shop", "--cluster", cluster, "--width", "999")
    assert ("In this cluster" in done.stdout.decode()) is bool(expected)
    assert expected in done.stdout.decode()


def test_a_pod_that_fits_by_now_or_is_gone(tmp_path: Path) -> None:
    pod = {"metadata": {"name": "web", "namespace": "shop"}, "spec": {"containers": [{"name": "c"}]}}
    machine = node("n", allocatable={"cpu": "4", "memory": "8Gi", "pods": "9"})
    dump = write(tmp_path / "dump.json", listed(machine, {"apiVersion": "v1", "kind": "Pod", **pod}))
    lines = f"5m  Warning  FailedScheduling  pod/old  {MESSAGE}\n5m  Warning  FailedScheduling  pod/web  {MESSAGE}\n"
    done = kexplain("event", "-", "-n", "shop", "--cluster", dump, "--width", "200", stdin=lines.encode())
    assert done.returncode == 0
    assert b"there is no Pod old in namespace shop" in done.stderr
    assert done.stdout.decode().count("In this cluster the pod would land on n") == 1


def test_a_cluster_that_no_pod_is_looked_for_in_is_noted() -> None:
    case = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
    done = kexplain("event", "0/1 nodes are available: 1 Insufficient cpu.", "--cluster", case)
    assert done.stderr == b"kexplain: note: the cluster is not looked at: --pod says which pod the message is about\n"
