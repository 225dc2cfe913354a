from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from csv import DictReader
from itertools import islice
from pathlib import Path

import pytest
import yaml

from kexplain.report.capacity import PodCapacity, RunningWorkload, headroom
from tests.cli.command import ROOT, kexplain

CASE = ROOT / "fixtures" / "capacity-of-a-mix"
WEB, IMPORT, CLUSTER = CASE / "web.yaml", CASE / "import.yaml", CASE / "cluster.yaml"


@pytest.mark.parametrize(
    ("limit", "code", "fits", "is_stopped"), [("2", 0, 2, False), ("6", 0, 6, False), ("7", 1, 6, True)]
)
def test_limit(limit: str, code: int, fits: int, is_stopped: bool) -> None:
    done = kexplain("capacity", WEB, "--cluster", CLUSTER, "--limit", limit, "-o", "json")
    assert done.returncode == code
    report = json.loads(done.stdout)
    (pod,) = report["pods"]
    assert report["kind"] == "CapacityReport"
    assert (pod["pod"], pod["fits"], pod["limit"]) == ("shop/web", fits, int(limit))
    assert (pod["stoppedBy"] is not None) is is_stopped
    assert sum(pod["byNode"].values()) == fits


@pytest.mark.parametrize(
    ("words", "workloads"),
    [(("-n", "shop"), 3), (("-l", "app=web"), 1), (("-n", "shop", "-l", "app!=web"), 2), (("-n", "kube-system"), 0)],
)
def test_some_workloads(words: tuple[str, ...], workloads: int) -> None:
    case = ROOT / "fixtures" / "capacity-of-every-workload" / "cluster.yaml"
    report = json.loads(kexplain("capacity", *words, "--cluster", case, "-o", "json").stdout)
    assert len(report["pods"]) == workloads


@pytest.mark.parametrize(("most", "counted"), [(1, 1), (9, 1), (10, 2), (14, 2), (15, 3), (100, 3)])
def test_of_very_many_workloads_those_that_request_most_are_counted(
    most: int, counted: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On five nodes, of which the largest have 7.91 cpu: reports request 3, the database 1.2 and the web 0.8."""
    monkeypatch.setattr("kexplain.cli.commands.capacity.MOST_ATTEMPTS", most)
    case = ROOT / "fixtures" / "capacity-of-every-workload" / "cluster.yaml"
    done = kexplain("capacity", "--cluster", case, "-o", "json")
    report = json.loads(done.stdout)
    names = ["shop/Job/reports", "shop/StatefulSet/db", "shop/ReplicaSet/web-6d4f"]
    assert {each["workload"] for each in report["pods"]} == {*names[:counted]}
    notes = [each for each in report["notes"] if "of 3 workloads" in each]
    assert notes == (
        [f"{counted} of 3 workloads, those whose pods request most; -n and -l name others"] if counted < 3 else []
    )
    assert all(each.encode() in done.stderr for each in notes)


@pytest.mark.parametrize(("counted", "code"), [(0, 130), (1, 130), (2, 130)])
def test_what_was_counted_is_there_when_somebody_interrupts(
    counted: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(workloads: Sequence[RunningWorkload], found: Iterable[PodCapacity]) -> Iterator[PodCapacity]:
        yield from islice(headroom(workloads, found), counted)
        raise KeyboardInterrupt

    monkeypatch.setattr("kexplain.cli.commands.capacity.headroom", interrupted)
    case = ROOT / "fixtures" / "capacity-of-every-workload" / "cluster.yaml"
    done = kexplain("capacity", "--cluster", case, "-o", "json")
    assert done.returncode == code
    said = f"interrupted: {counted} of 3 workloads were counted"
    assert (said.encode() in done.stderr) is bool(counted)
    assert not counted or len(json.loads(done.stdout)["pods"]) == counted


def test_labels_that_no_workload_has() -> None:
    done = kexplain("capacity", "-l", "app=none", "--cluster", CLUSTER)
    assert (done.returncode, b"no workload that runs has such pods" in done.stderr) == (2, True)


def test_a_running_pod_stays_where_it_is() -> None:
    done = kexplain("capacity", "pod/db-0", "-n", "shop", "--cluster", CLUSTER, "-o", "json")
    assert done.returncode == 1
    (pod,) = json.loads(done.stdout)["pods"]
    assert pod["fits"] == 0
    assert "InterPodAffinity" in {cause["plugin"] for cause in pod["stoppedBy"]["causes"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--until-pending",), b"--until-pending needs pods"),
        ((WEB, IMPORT, "--until-pending", "--proportions", "3"), b"does not give a number for each of 2 pods"),
        ((WEB, "--until-pending", "--proportions", "x"), b"does not give a number"),
        ((WEB, "--limit", "0"), b"--limit"),
    ],
)
def test_what_is_wrong(words: tuple[object, ...], message: bytes) -> None:
    done = kexplain("capacity", *map(str, words), "--cluster", CLUSTER)
    assert done.returncode == 2
    assert message in done.stderr


def test_every_workload_as_rows() -> None:
    done = kexplain("capacity", "--cluster", CLUSTER, "-o", "csv")
    assert done.returncode == 1
    rows = [*DictReader(done.stdout.decode().splitlines())]
    assert rows[0]["workload"] == "shop/StatefulSet/db"
    fits = {row["pod"]: int(row["fits"]) for row in rows if row["table"] == "pods"}
    on_nodes = Counter[str]()
    for row in rows:
        if row["table"] == "nodes":
            on_nodes[row["pod"]] += int(row["fitsOnNode"])
    assert fits == {pod: on_nodes[pod] for pod in fits}
    assert {row["resource"] for row in rows if row["table"] == "left"} == {"cpu", "memory"}


ZONED_SET = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: a}}, status: {allocatable: {cpu: 1, pods: 9}}}
- {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {zone: b}}, status: {allocatable: {cpu: 1, pods: 9}}}
- apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: {name: zonal}
  provisioner: disks.example.com
  volumeBindingMode: WaitForFirstConsumer
- apiVersion: v1
  kind: PersistentVolume
  metadata: {name: v0}
  spec:
    storageClassName: zonal
    accessModes: [ReadWriteOnce]
    capacity: {storage: 1Gi}
    claimRef: {namespace: default, name: data-db-0}
    nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: {name: data-db-0, namespace: default, annotations: {pv.kubernetes.io/bind-completed: "yes"}}
  spec: {storageClassName: zonal, volumeName: v0, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
  status: {phase: Bound}
- apiVersion: apps/v1
  kind: StatefulSet
  metadata: {name: db, namespace: default, uid: u}
  spec:
    selector: {matchLabels: {app: db}}
    template:
      metadata: {labels: {app: db}}
      spec: {containers: [{name: db, image: db, resources: {requests: {cpu: 600m}}}]}
    volumeClaimTemplates:
    - metadata: {name: data}
      spec: {storageClassName: zonal, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- apiVersion: v1
  kind: Pod
  metadata:
    name: db-0
    namespace: default
    labels: {app: db}
    ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]
  spec:
    nodeName: n1
    containers: [{name: db, image: db, resources: {requests: {cpu: 600m}}}]
    volumes: [{name: data, persistentVolumeClaim: {claimName: data-db-0}}]
  status: {phase: Running}
"""


def test_a_further_replica_of_a_stateful_set_has_claims_of_its_own() -> None:
    done = kexplain("capacity", "--cluster", "-", "-o", "json", stdin=ZONED_SET.encode())
    (pod,) = json.loads(done.stdout)["pods"]
    assert pod["byNode"] == {"n2": 1}


def test_figures_are_those_of_the_cluster_as_it_is() -> None:
    for words in ((WEB,), ()):
        done = kexplain("capacity", *words, "--cluster", CLUSTER, "--figures", "-o", "json")
        assert json.loads(done.stdout)["figures"]["nodes"] == CLUSTER.read_text().count("kind: Node\n")


@pytest.mark.parametrize(("replicas", "code", "says"), [(6, 0, "fits 6 times"), (7, 1, "and 7 are declared")])
def test_a_new_manifest_is_to_fit_as_often_as_it_declares(replicas: int, code: int, says: str, tmp_path: Path) -> None:
    pod = yaml.safe_load(WEB.read_text())
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod["spec"]}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    metadata = {"name": "web", "namespace": "shop"}
    manifest = tmp_path / "web.json"
    manifest.write_text(json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}))
    done = kexplain("capacity", manifest, "--cluster", CLUSTER)
    assert (done.returncode, says in done.stdout.decode().splitlines()[0]) == (code, True)
