from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ROOT, kexplain

CLUSTER = ROOT / "fixtures" / "what-if-remove-node" / "cluster.yaml"


def changes(*words: str) -> list[str]:
    done = kexplain("what-if", *words, "-n", "shop", "--cluster", CLUSTER, "-o", "json")
    assert done.returncode in (0, 1), done.stderr
    found: list[str] = json.loads(done.stdout)["changes"]
    return found


def test_options_keep_their_order_among_each_other() -> None:
    words = ("--cordon", "general-1", "--label=general-1 a=b", "--uncordon", "general-1", "--cordon=general-2")
    assert changes(*words) == ["cordon general-1", "label general-1 a=b", "uncordon general-1", "cordon general-2"]


@pytest.mark.parametrize("words", [("--label", "general-1", "a=b"), ("--label", "general-1 a=b")])
def test_two_words_or_one_with_a_blank(words: tuple[str, ...]) -> None:
    assert changes(*words) == ["label general-1 a=b"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), b"no change is given"),
        (("--cordon", "general-1", "--instance-types", "types.json"), b"what-if adds only what it is asked to"),
        (("--cordon", "general-9"), b"there is no node general-9"),
        (("--cordon", "general-1", "-n", "TYPO"), b"TYPO"),
        (("--taint", "general-1", "x"), b"--taint: "),
        (("--delete-pods", "app=web", "-n", "kube-system"), b"no pod in namespace kube-system has the labels app=web"),
        (("--apply", "-", "--changes", "-"), b"stdin (-) can be read only once"),
    ],
)
def test_what_is_wrong(words: tuple[str, ...], message: bytes) -> None:
    done = kexplain("what-if", *words, "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr


def test_changes_come_through_a_pipe() -> None:
    change = {"target": {"kind": "Node", "name": "general-3"}, "verb": "delete"}
    piped = json.dumps([change]).encode()
    done = kexplain("what-if", "--changes", "-", "--cluster", CLUSTER, "-o", "json", stdin=piped)
    assert done.returncode == 1
    assert "shop/db-2" in {pod["pod"] for pod in json.loads(done.stdout)["pods"]}


def test_what_helps_a_workload_without_pods_is_a_change_as_well() -> None:
    there = ROOT / "fixtures" / "what-if-webhook-answers-again" / "cluster.yaml"
    explained = kexplain("deploy/cart", "-n", "shop", "--cluster", there, "-o", "json").stdout
    done = kexplain("what-if", "--changes", "-", "-n", "shop", "--cluster", there, stdin=explained)
    assert b"2 pods are new and placed" in done.stdout


def test_what_several_pods_of_a_workload_need_is_changed_once(tmp_path: Path) -> None:
    nodes = [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": name, "uid": name, "labels": {"pool": "general"}},
            "spec": {"unschedulable": True},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}},
        }
        for name in ("n1", "n2")
    ]
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-1", "uid": "r", "controller": True}
    spec = {"containers": [{"name": "a", "image": "a", "resources": {"requests": {"cpu": "2"}}}]}
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"web-1-{n}", "namespace": "shop", "uid": f"p{n}", "ownerReferences": [owner]},
            "spec": spec,
        }
        for n in range(3)
    ]
    dump, report = tmp_path / "dump.json", tmp_path / "report.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*nodes, *pods]}))
    found = kexplain("rs/web-1", "-n", "shop", "--cluster", dump, "-o", "json")
    first = json.loads(found.stdout)["pods"][0]["remedies"][0]
    assert (first["action"], first["bundle"], first["serves"], first["pending"]) == ("uncordon", ["n1", "n2"], 3, 3)
    assert first["commands"] == ["kubectl uncordon n1 n2"]
    report.write_bytes(found.stdout)
    done = kexplain("what-if", "--cluster", dump, "--changes", report)
    assert done.returncode == 0, done.stderr


def test_what_stays_pending_comes_last_and_is_no_failure(tmp_path: Path) -> None:
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": "shop", "uid": name},
            "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]},
            "status": {"phase": "Pending"},
        }
        for name, cpu in (("small", "1"), ("large", "99"))
    ]
    status = {"allocatable": {"cpu": "2", "memory": "8Gi", "pods": "110"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": status}
    held = {**node, "spec": {"unschedulable": True}}
    (tmp_path / "c.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [held, *pods]}))
    done = kexplain("what-if", "--uncordon", "n1", "--cluster", tmp_path / "c.json")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, lines[0][:1]) == (0, "✓")
    assert lines.index("  FIT NOW") < lines.index("  STAY PENDING")


def scaled_by_an_autoscaler(tmp_path: Path) -> Path:
    """A dump with a deployment of 3 replicas that an autoscaler keeps between 2 and 5, and room for all."""
    named = {"name": "web", "namespace": "shop"}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    selector = {"matchLabels": {"app": "web"}}
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": named | {"uid": "d"},
        "spec": {"replicas": 3, "selector": selector, "template": template},
    }
    bounds = {"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "minReplicas": 2, "maxReplicas": 5}
    scaler = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": named, "spec": bounds}
    room = {"cpu": "4", "memory": "8Gi", "pods": "10"}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": room}}
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [node, web, scaler]}))
    return dump


@pytest.mark.parametrize(
    ("replicas", "note"),
    [
        (1, b"scales deployment/web back to 2"),
        (3, b"sets the replicas of deployment/web, from 2 to 5, and may undo this"),
        (0, b""),
        (9, b"back to 5"),
    ],
)
def test_what_an_autoscaler_undoes_is_said(replicas: int, note: bytes, tmp_path: Path) -> None:
    dump = scaled_by_an_autoscaler(tmp_path)
    done = kexplain("what-if", "--scale", f"deploy/web={replicas}", "-n", "shop", "--cluster", dump)
    assert note in done.stderr
    assert bool(note) == (b"HorizontalPodAutoscaler" in done.stderr)


@pytest.mark.parametrize(
    ("path", "pods", "note"),
    [
        ("spec.maxReplicas=2", 2, b"scales Deployment web to 2"),
        ("spec.minReplicas=4", 4, b"scales Deployment web to 4"),
        ("spec.maxReplicas=4", 0, b""),
    ],
)
def test_a_changed_autoscaler_scales_its_workload(path: str, pods: int, note: bytes, tmp_path: Path) -> None:
    dump = scaled_by_an_autoscaler(tmp_path)
    done = kexplain("what-if", "--set", f"hpa/web {path}", "-n", "shop", "--cluster", dump, "-o", "json")
    lands = [each for each in json.loads(done.stdout)["pods"] if each["effect"] == "Lands"]
    assert (len(lands), note in done.stderr) == (pods, True)
    assert bool(note) == (b"HorizontalPodAutoscaler" in done.stderr)


@pytest.mark.parametrize(
    ("key", "condition", "note"),
    [
        ("node.kubernetes.io/not-ready", "False", b"comes back, as node n1 is still not ready"),
        ("node.kubernetes.io/not-ready", "True", b""),
        ("node.cilium.io/agent-not-ready", "True", b"stands for something that node n1 lacks"),
        ("dedicated", "True", b""),
    ],
)
def test_a_taint_that_says_how_the_node_is_comes_back(key: str, condition: str, note: bytes, tmp_path: Path) -> None:
    status = {"allocatable": {"cpu": "4"}, "conditions": [{"type": "Ready", "status": condition}]}
    spec = {"taints": [{"key": key, "effect": "NoSchedule"}]}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "spec": spec, "status": status}
    (tmp_path / "dump.json").write_text(json.dumps(node))
    done = kexplain("what-if", "--taint", f"n1 {key}-", "--cluster", tmp_path / "dump.json")
    assert note in done.stderr
    assert bool(note) == (b"taint" in done.stderr)


FRONTEND = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: frontend, namespace: web, uid: d}
spec:
  replicas: 1
  selector: {matchLabels: {app: frontend}}
  template:
    metadata: {labels: {app: frontend}}
    spec: {containers: [{name: a, image: a}]}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: frontends, namespace: shop, uid: e}
spec: {replicas: 1, selector: {matchLabels: {app: e}}, template: {metadata: {labels: {app: e}}}}
---
apiVersion: v1
kind: Node
metadata: {name: n1, uid: n1}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
"""


def test_a_workload_of_another_namespace_is_found_there(tmp_path: Path) -> None:
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text(FRONTEND)
    done = kexplain("what-if", "--scale", "deploy/frontend=3", "-n", "shop", "--cluster", cluster)
    assert done.returncode == 2
    assert b"namespace web has one of that name" in done.stderr
    assert b"did you mean frontend" not in done.stderr


def test_figures_are_those_of_both_clusters() -> None:
    words = ("what-if", "--remove-node", "general-1", "-n", "shop", "--cluster", CLUSTER, "-o", "json")
    found = json.loads(kexplain(*words, "--figures").stdout)["figures"]
    assert found["after"]["nodes"] == found["before"]["nodes"] - 1
    assert json.loads(kexplain(*words).stdout)["figures"] is None


def test_directories_that_are_applied_are_read_as_r_says(tmp_path: Path) -> None:
    (tmp_path / "app" / "web").mkdir(parents=True)
    spec = {"containers": [{"name": "c", "image": "i"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "new"}, "spec": spec}
    (tmp_path / "app" / "web" / "pod.json").write_text(json.dumps(pod))
    status = {"allocatable": {"cpu": "1", "memory": "1Gi", "pods": "5"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": status}
    (tmp_path / "nodes.json").write_text(json.dumps(node))
    words = ("what-if", "--apply", "app", "--cluster", "nodes.json")
    assert b"default/new" in kexplain(*words, "-R", cwd=tmp_path).stdout
    assert b"use -R to read its subdirectories" in kexplain(*words, cwd=tmp_path).stderr
