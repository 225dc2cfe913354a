"""`kexplain pack` through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.cli.command import kexplain
from tests.load.texts import listed, node, pod, write
from tests.scenarios import FIXTURES

CLUSTER = str(FIXTURES / "drain-a-node" / "cluster.yaml")


def test_only_these_nodes_may_go() -> None:
    done = kexplain("pack", "batch-1", "--cluster", CLUSTER, "-o", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["emptied"], report["untried"]) == (0, ["batch-1"], 0)


WANTED = """
apiVersion: v1
kind: Pod
metadata: {name: large, namespace: shop}
spec:
  containers: [{name: c, image: "c:1", resources: {requests: {cpu: "CPU"}}}]
"""


def test_room_is_made_for_a_manifest_and_for_a_pod_of_the_cluster(tmp_path: Path) -> None:
    size = {"cpu": "4", "pods": "110"}
    requests = {
        name: [{"name": "c", "image": "c:1", "resources": {"requests": {"cpu": name[-1]}}}] for name in ("w-2", "w-3")
    }
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "w", "uid": "w", "controller": True}
    pods = [pod(name, containers=each, nodeName=f"n{name[-1]}") for name, each in requests.items()]
    pods = [
        each
        | {
            "metadata": {
                **each["metadata"],
                "uid": each["metadata"]["name"],
                "ownerReferences": [owner],
                "namespace": "shop",
            }
        }
        for each in pods
    ]
    nodes = [node(name, allocatable=size) for name in ("n2", "n3", "n4")]
    nodes[2]["status"]["allocatable"] = {"cpu": "2", "pods": "110"}
    wanted = tmp_path / "wanted.yaml"
    wanted.write_text(WANTED.replace("CPU", "4"))
    dump = write(tmp_path / "dump.json", listed(*nodes, *pods))
    done = kexplain("pack", "--for", wanted, "--cluster", dump)
    assert done.returncode == 0
    first, *others = done.stdout.decode().splitlines()
    assert first == "✓ 1 move makes room for shop/large on n2  (kubernetes 1.36)"
    commands = ["kubectl cordon n2", "kubectl delete pod w-2 -n shop", "kubectl uncordon n2"]
    apply = f"kubectl apply -f {wanted} -n shop"
    assert [line.strip() for line in others if "kubectl" in line] == [*commands[:2], apply, commands[2]]
    pending = yaml.safe_load(wanted.read_text())
    pending["metadata"]["uid"] = "large"
    dump = write(tmp_path / "pending.json", listed(*nodes, *pods, pending))
    done = kexplain("pack", "--for", "pod/large", "-n", "shop", "--cluster", dump, "-o", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["commands"], report["roomFor"]) == (
        0,
        commands,
        [{"pod": "shop/large", "node": "n2"}],
    )
    jsonschema.Draft202012Validator(json.loads(kexplain("schema", "pack").stdout)).validate(report)
    for form in ("csv", "markdown", "html", "yaml"):
        assert b"shop/large" in kexplain("pack", "--for", wanted, "--cluster", dump, "-o", form).stdout
    wanted.write_text(WANTED.replace("CPU", "5"))
    done = kexplain("pack", "--for", wanted, "--cluster", dump)
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (
        1,
        "✗ found no moves that make room for shop/large: up to 4 moves were tried for shop/large  (kubernetes 1.36)",
    )
    wanted.write_text(WANTED.replace('"CPU"', '"CPU'))
    done = kexplain("pack", "--for", wanted, "--cluster", dump)
    assert (done.returncode, f"{wanted}:".encode() in done.stderr) == (2, True)


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "html", "json", "yaml"])
def test_every_format(form: str) -> None:
    done = kexplain("pack", "--cluster", CLUSTER, "-o", form)
    assert done.returncode == 0
    assert b"general-2" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--keep", "2"], '"2" is no headroom to keep'),
        (["--keep", "120%"], '"120%" is no headroom to keep'),
        (["--for", "pod/x", "--keep", "zone"], "--for makes room on any node"),
        (["--for", "pod/x", "--requests", "x.csv"], "--for makes room in the cluster as it is"),
        (["--requests", "nowhere.csv"], "nowhere.csv: no such file"),
        (["--for", "pod/nowhere"], "nowhere"),
        (["nowhere"], "there is no node nowhere in the cluster"),
        (["-l", "pool in"], "--selector"),
        (["-l", "pool=none"], "no node has the labels pool=none"),
    ],
    ids=[
        "a number",
        "too much",
        "both",
        "changed",
        "no such file",
        "no such pod",
        "unknown",
        "no selector",
        "selects none",
    ],
)
def test_what_cannot_be_asked(words: list[str], said: str) -> None:
    done = kexplain("pack", *words, "--cluster", CLUSTER)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr.decode()


def test_nothing_can_go() -> None:
    done = kexplain("pack", "batch-2", "--keep", "90%", "--cluster", CLUSTER)
    assert done.returncode == 1
    assert b"none of 5 nodes can go, keeping 90%" in done.stdout


def test_the_plan_is_commands_with_the_flags_that_are_asked_for() -> None:
    done = kexplain("pack", "general-3", "--force", "--delete-emptydir-data", "--cluster", CLUSTER, "-o", "json")
    assert json.loads(done.stdout)["commands"] == [
        "kubectl cordon general-3",
        "kubectl drain general-3 --ignore-daemonsets --force --delete-emptydir-data",
    ]
