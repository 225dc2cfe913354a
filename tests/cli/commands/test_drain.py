from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ROOT, kexplain
from tests.load.texts import listed, node, write

CLUSTER = ROOT / "fixtures" / "drain-one-by-one" / "cluster.yaml"
POOL = "cloud.google.com/gke-nodepool=general"

NEW = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: extra, namespace: shop}
spec:
  replicas: 1
  selector: {matchLabels: {app: extra}}
  template:
    metadata: {labels: {app: extra}}
    spec:
      nodeSelector: {kubernetes.io/hostname: batch-1}
      tolerations: [{operator: Exists}]
      containers: [{name: c, image: "c:1"}]
"""


@pytest.mark.parametrize("words", [("general-1",), ("-l", "kubernetes.io/hostname=general-1")])
def test_nodes_by_name_and_by_labels(words: tuple[str, ...]) -> None:
    done = kexplain("drain", *words, "--cluster", CLUSTER, "-o", "json")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert (report["kind"], report["nodes"]) == ("DrainReport", ["general-1"])
    by_pod = {pod["pod"]: (pod["outcome"], pod["node"]) for pod in report["pods"]}
    assert by_pod["shop/web-6d4f-a"] == ("Scheduled", "general-3")
    assert by_pod["shop/db-0"] == ("Unschedulable", None)


@pytest.mark.parametrize(("words", "code"), [(("--one-by-one",), 1), (("--surge", "1"), 0), (("--surge", "3"), 0)])
def test_rolling_upgrades(words: tuple[str, ...], code: int) -> None:
    assert kexplain("drain", "-l", POOL, *words, "--cluster", CLUSTER, "-q").returncode == code


def test_which_of_all_nodes_could_be_drained() -> None:
    done = kexplain("drain", "--each", "--cluster", CLUSTER)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[0].startswith("✓")
    assert lines[0].split("  ")[0].endswith("nodes could be drained now, each if the others stay")
    assert {"  COULD BE DRAINED", "  COULD NOT"} <= {*lines}


@pytest.mark.parametrize(("words", "code"), [((), 0), (("--fail-on", "any"), 1), (("--fail-on", "all"), 0)])
def test_what_fails_where_some_nodes_cannot_go(words: tuple[str, ...], code: int) -> None:
    assert kexplain("drain", "--each", *words, "--cluster", CLUSTER, "-q").returncode == code


def test_manifests_are_applied_before_a_node_goes(tmp_path: Path) -> None:
    (tmp_path / "new.yaml").write_text(NEW)
    words = ("drain", "batch-1", "--cluster", CLUSTER, "-o", "json")
    before = json.loads(kexplain(*words).stdout)
    after = json.loads(kexplain(*words, "--apply", "new.yaml", cwd=tmp_path).stdout)
    assert not [pod for pod in before["pods"] if pod["pod"].startswith("shop/extra-")]
    assert len([pod for pod in after["pods"] if pod["pod"].startswith("shop/extra-")]) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), b"name the nodes to drain"),
        (("general-1", "-l", POOL), b"name the nodes to drain"),
        (("general-11",), b"did you mean general-1?"),
        (("-l", "pool=none"), b"no node has the labels pool=none"),
        (("-l", "pool in"), b"--selector"),
        (("--each", "--one-by-one"), b"--each drains no node after another"),
        (("general-1", "--fail-on", "any"), b"--fail-on is about each of several nodes"),
        (("general-1", "--apply", "nowhere.yaml"), b"nowhere.yaml: no such file"),
    ],
)
def test_what_is_wrong(words: tuple[str, ...], message: bytes) -> None:
    done = kexplain("drain", *words, "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_limit_that_is_no_quantity_has_a_place(tmp_path: Path) -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "r", "controller": True}
    pod = {
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "web-1", "namespace": "shop", "uid": "p", "ownerReferences": [owner]},
        "spec": {"nodeName": "a", "containers": [{"name": "c", "resources": {"limits": {"memory": "1x"}}}]},
        "status": {"phase": "Running"},
    }  # fmt: skip
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c"}]}}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    workload = {
        "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": {"name": "web", "namespace": "shop", "uid": "r"}, "spec": spec,
    }  # fmt: skip
    nodes = (node(name, allocatable={"cpu": "4", "memory": "8Gi", "pods": "9"}) for name in ("a", "b"))
    done = kexplain("drain", "a", "--cluster", write(tmp_path / "dump.json", listed(*nodes, workload, pod)))
    assert done.returncode == 2
    assert b'spec.containers[0].resources.limits.memory: "1x" is not a quantity' in done.stderr


@pytest.mark.parametrize("kinds", [("claim",), ("claim", "volume")])
def test_what_a_running_pod_uses_is_there_although_it_was_not_read(kinds: tuple[str, ...], tmp_path: Path) -> None:
    """Of a dump of nodes and pods alone nobody knows the claims, which keep no pod from moving."""
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "r", "controller": True}
    container = {"name": "a", "image": "a"}
    volumes = [{"name": each, "persistentVolumeClaim": {"claimName": each}} for each in kinds]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "web-1", "namespace": "shop", "uid": "p", "ownerReferences": [owner]},
        "spec": {"nodeName": "n1", "containers": [container], "volumes": volumes},
        "status": {"phase": "Running"},
    }
    dump = write(
        tmp_path / "dump.json",
        listed(*(node(name, allocatable={"cpu": "4", "pods": "9"}) for name in ("n1", "n2")), pod),
    )
    done = kexplain("drain", "n1", "--cluster", dump)
    assert done.returncode == 0, done.stdout
    assert b"taken to exist" in done.stdout
    assert b"does not exist" not in done.stdout


def test_may_any_zone_be_lost(tmp_path: Path) -> None:
    nodes = [node(f"{zone}{number}") for zone in "ab" for number in (1, 2)]
    for each in nodes:
        each["metadata"]["labels"] = {"topology.kubernetes.io/zone": each["metadata"]["name"][0]}
    cluster = write(tmp_path / "cluster.json", listed(*nodes))
    done = kexplain("drain", "--each", "--by", "zone", "--cluster", cluster)
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (
        0,
        "✓ 2 of 2 groups of nodes could be drained now, each if the others stay  (kubernetes 1.36)",
    )
    found = json.loads(kexplain("drain", "--each", "--by", "zone", "--cluster", cluster, "-o", "json").stdout)
    assert [(step["together"], step["nodes"]) for step in found["steps"]] == [("a", ["a1", "a2"]), ("b", ["b1", "b2"])]


def test_a_group_with_a_pod_that_fits_nowhere_else_may_not_be_lost() -> None:
    words = ("drain", "--each", "--by", "kubernetes.io/hostname", "--cluster", CLUSTER)
    assert [kexplain(*words, "--fail-on", each, "-q").returncode for each in ("all", "any")] == [0, 1]
    lines = kexplain(*words).stdout.decode()
    assert "COULD NOT" in lines


@pytest.mark.parametrize(
    ("words", "message"),
    [(("general-1", "--by", "zone"), b"add --each"), (("--each", "--by", "nope"), b'no node has a label "nope"')],
)
def test_groups_that_are_none(words: tuple[str, ...], message: bytes) -> None:
    done = kexplain("drain", *words, "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr
