from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import Case, decided
from kexplain.case import PodToPlace
from kexplain.case.case_builder import Contents
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.load import Loaded
from kexplain.objects.batch import Job, JobSpec
from kexplain.objects.core import Node, Pod, PodTemplateSpec
from kexplain.objects.meta import ObjectMeta, OwnerReference
from kexplain.objects.storage import VolumeAttachmentStatus
from kexplain.report.what_if import Before, Effect, Elsewhere, WhatIfReport, what_if
from kexplain.world.edit_options import edit_of
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World
from tests.cli.command import kexplain
from tests.factories import cluster, node, pod, toleration
from tests.remedies import situations
from tests.storage_factories import attachment, claim, persistent_volume, uses


def side(nodes: Sequence[Node], pending: Sequence[Pod] = (), running: Sequence[Pod] = ()) -> Before:
    case = Case(cluster(nodes, running), tuple(PodToPlace(each) for each in pending))
    return Before(case, list(decided(case)))


def end(nodes: Sequence[Node], pending: Sequence[Pod] = (), running: Sequence[Pod] = ()) -> Followed:
    contents = Contents(Loaded(), [*nodes, *running, *pending], build_scheduler())
    return World(ReadObjects(contents)).after([]).settled()


def effects(report: WhatIfReport) -> dict[str, Effect]:
    return {each.pod.partition("/")[2]: each.effect for each in report.pods}


def test_every_effect() -> None:
    small, roomy = [node("n1", cpu="2")], [node("n1", cpu="2"), node("n2", cpu="4")]
    running = [pod("moves", node="n1", cpu="2"), pod("goes", node="n1"), pod("stays-there", node="n1")]
    before = side(small, [pod("fits-now", cpu="3"), pod("stays-pending", cpu="9")], running)
    after = end(
        roomy,
        [
            pod("stays-pending", cpu="9"),
            pod("fits-now", cpu="3"),
            pod("moves", cpu="1"),
            pod("new", cpu="1"),
            pod("lost", cpu="8"),
        ],
        [pod("stays-there", node="n1", cpu="1500m")],
    )
    report = what_if(before, after, ["add-node like:n1"])
    assert effects(report) == {
        "stays-pending": Effect.STAYS_PENDING,
        "fits-now": Effect.FITS_NOW,
        "moves": Effect.MOVES,
        "new": Effect.BECOMES_PENDING,
        "lost": Effect.BECOMES_PENDING,
        "goes": Effect.GOES,
    }
    by_pod = {each.pod: each for each in report.pods}
    lost = by_pod["default/lost"]
    assert lost.before is None
    assert lost.stopped_by is not None
    assert [cause.plugin for cause in lost.stopped_by.causes] == ["NodeResourcesFit"]
    moved = by_pod["default/moves"]
    assert moved.before is not None
    assert (moved.before.running, moved.before.node) == (True, "n1")
    assert report.changes == ("add-node like:n1",)


def test_lands_and_returns() -> None:
    nodes = [node("n1", cpu="4")]
    report = what_if(
        side(nodes, [], [pod("back", node="n1", cpu="1")]), end(nodes, [pod("back", cpu="1"), pod("new", cpu="1")]), []
    )
    assert effects(report) == {"back": Effect.RETURNS, "new": Effect.LANDS}


def test_preemption_is_followed_to_its_end() -> None:
    nodes = [node("n1", cpu="2")]
    running = [pod("low", node="n1", cpu="2", priority=0)]
    report = what_if(side(nodes, [], running), end(nodes, [pod("high", cpu="2", priority=9)], running), [])
    assert [each.preempts for each in report.pods] == [("default/low",), ()]
    assert effects(report) == {"high": Effect.LANDS, "low": Effect.GOES}
    assert report.settled is not None
    assert (report.settled.placed, report.settled.evicted) == ({"default/high": "n1"}, ("default/low",))


@pytest.mark.parametrize(
    ("kind", "comes_again"), [("Job", False), ("ReplicaSet", False), ("StatefulSet", True), ("DaemonSet", True)]
)
def test_who_is_being_deleted_is_not_preempted_and_counts_once(kind: str, comes_again: bool) -> None:
    nodes, owner = [node("n1", cpu="2")], OwnerReference(kind=kind, name="w", uid="w", controller=True)
    running = [pod("w-1", node="n1", cpu="2", priority=0, owner=owner, deleting=True)]
    report = what_if(side(nodes, [], running), end(nodes, [pod("high", cpu="2", priority=9)], running), [])
    again = {"w-1": Effect.BECOMES_PENDING} if comes_again else {}
    assert effects(report) == {"high": Effect.LANDS, **again}
    assert [each.preempts for each in report.pods] == [()] * len(report.pods)
    assert report.settled is None


def test_a_job_that_has_made_another_pod_makes_no_third_one() -> None:
    nodes, owner = [node("n1", cpu="2")], OwnerReference(kind="Job", name="w", uid="w", controller=True)
    template = PodTemplateSpec(spec=pod(cpu="2").spec)
    job = Job(metadata=ObjectMeta(name="w", namespace="default", uid="w"), spec=JobSpec(template=template))
    running = [pod("w-1", node="n1", cpu="2", priority=0, owner=owner, deleting=True)]
    waiting = pod("w-2", cpu="2", priority=0, owner=owner, uid="w-2")
    contents = Contents(Loaded(), [*nodes, *running, job, waiting, pod("high", cpu="2", priority=9)], build_scheduler())
    after = World(ReadObjects(contents)).after([]).settled()
    report = what_if(side(nodes, [waiting], running), after, [])
    assert effects(report) == {"high": Effect.LANDS, "w-2": Effect.STAYS_PENDING}


def test_running_pods_that_would_land_elsewhere() -> None:
    running = [pod("low", node="n1", cpu="1"), pod("other", node="n1", cpu="1")]
    before = side([node("n1", cpu="4")], [], running)
    after = end([node("n1", cpu="4"), node("n2", cpu="4")], [], running)
    assert what_if(before, after, []).elsewhere is None
    report = what_if(before, after, [], all_running=True)
    assert report.elsewhere == tuple(
        Elsewhere(pod=f"default/{name}", node="n1", best=("n2",)) for name in ("low", "other")
    )


def test_a_lost_node_that_is_out_of_service_lets_go_of_pods_and_volumes() -> None:
    owner = OwnerReference(kind="StatefulSet", name="w", uid="w", controller=True)
    everything = [toleration(operator="Exists", effect="NoExecute")]
    leaving: list[Pod] = [
        pod(name, node="n1", owner=owner, deleting=True, tolerations=everything, uid=name) for name in ("w-1", "w-2")
    ]
    leaving[1] = replace(leaving[1], metadata=replace(leaving[1].metadata, finalizers=("example.com/archive",)))
    waits = pod("waits", node="n2", phase="Pending", volumes=uses("data"), uid="waits")
    held = replace(attachment("a", "pv"), status=VolumeAttachmentStatus(attached=True))
    lost = node("n1", taints=["node.kubernetes.io/unreachable:NoSchedule"])
    storage = [claim("data", volume="pv"), persistent_volume("pv", reserved="data", reserved_uid="uid-data"), held]
    contents = Contents(Loaded(), [lost, node("n2"), *leaving, waits, *storage], build_scheduler())
    world = World(ReadObjects(contents))
    taint = edit_of("taint", "n1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute")
    report = what_if(Before(Case(world.cluster, ()), []), world.after([taint]).settled(), [])
    assert effects(report) == {"w-1": Effect.MOVES, "waits": Effect.STARTS}


def volume_of_a_driver_that_waits(path: Path) -> None:
    """A set in order whose first pod waits for its volume: the driver's pod, which makes it, has no node."""
    driver = "disk.csi.example.com"
    controller = situations.template("100m", nodeSelector={"pool": "system"})
    controller["metadata"]["labels"] = {"app": "disk-csi-controller"}
    sidecar = {"name": "csi-provisioner", "image": "sig-storage/csi-provisioner:v5"}
    controller["spec"]["containers"].append(sidecar)
    made = situations.template("1", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}])
    asks = {"accessModes": ["ReadWriteOnce"], "storageClassName": "disk", "resources": {"requests": {"storage": "1Gi"}}}
    noted = {"annotations": {"volume.kubernetes.io/selected-node": "n1"}}
    (kept, *_) = situations.of_kind("StatefulSet", "db", made, [], replicas=2, podManagementPolicy="OrderedReady")
    kept["spec"]["volumeClaimTemplates"] = [{"metadata": {"name": "data"}, "spec": asks}]
    kept["status"] = {"replicas": 1}
    items = [
        situations.node("n1"), situations.node("n2"), situations.node("n3", cordoned=True, pool="system"),
        *situations.deployment("disk-csi-controller", controller, [""]),
        kept, situations.pod("db-0", made, **situations.owned("StatefulSet", "db")),
        situations.obj("v1", "PersistentVolumeClaim", "data-db-0", spec=asks, status={"phase": "Pending"}, meta=noted),
        situations.obj(
            "storage.k8s.io/v1", "StorageClass", "disk", "", provisioner=driver,
            volumeBindingMode="WaitForFirstConsumer",
        ),
    ]  # fmt: skip
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (("--label", "n2", "a=b"), {"disk-csi-controller": "StaysPending", "db": "Returns"}),
        (("--uncordon", "n3"), {"disk-csi-controller": "FitsNow", "db": "Starts"}),
    ],
)
def test_who_waits_for_a_volume_serves_once_it_is_made(
    change: tuple[str, ...], changed: dict[str, str], tmp_path: Path
) -> None:
    volume_of_a_driver_that_waits(tmp_path / "dump.json")
    done = kexplain("what-if", *change, "--cluster", "dump.json", "-o", "json", cwd=tmp_path)
    found = {each["pod"].partition("/")[2]: each["effect"] for each in json.loads(done.stdout)["pods"]}
    assert {name.rpartition("-")[0].removesuffix("-1"): effect for name, effect in found.items()} == changed


def test_what_keeps_a_pod_pending_is_judged_at_the_end(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    volume_of_a_driver_that_waits(dump)
    # The claim does not wait for its pod, which is tried before the driver's has a node.
    dump.write_text(dump.read_text().replace("WaitForFirstConsumer", "Immediate"))
    whys = []
    for change in (("--label", "n2", "a=b"), ("--uncordon", "n3")):
        done = kexplain("what-if", *change, "--cluster", "dump.json", "-o", "json", cwd=tmp_path)
        every = json.loads(done.stdout)["pods"]
        whys.append(next(each["stoppedBy"]["diagnosis"] for each in every if each["pod"] == "shop/db-0"))
    who = "Deployment shop/disk-csi-controller, which makes its volume,"
    assert f", as {who} is pending itself" in whys[0]["text"]
    assert whys[0]["culprit"]["name"] == "disk-csi-controller"
    assert whys[1]["text"].endswith(f"; {who} gets node n3, and does so once it runs there")
    assert whys[1]["culprit"] != whys[0]["culprit"]


@pytest.mark.parametrize(("name", "left"), [("n1", ["shop/db-0"]), ("n2", [])])
def test_who_waits_for_a_volume_waits_for_its_node_again_once_that_is_drained(
    name: str, left: list[str], tmp_path: Path
) -> None:
    """Whoever drains it, empties it with others or cordons it hears the same."""
    volume_of_a_driver_that_waits(tmp_path / "dump.json")

    def asked(*words: str) -> dict[str, Any]:
        done = kexplain(*words, "--cluster", "dump.json", "-o", "json", cwd=tmp_path)
        assert done.returncode == int(bool(left))
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    drain, change, pack = asked("drain", name), asked("what-if", "--cordon", name), asked("pack", name)
    assert [each["pod"] for each in drain["pods"]] == left
    assert [each["remedies"][-1]["text"].partition(": ")[0] for each in drain["pods"]] == [
        f"drain n1 once the volume is there that is being made on it for {pod}" for pod in left
    ]
    assert [each["pod"] for each in change["pods"] if each["effect"] == "BecomesPending"] == left
    assert [pod for each in pack["staying"] for pod in each["pods"]] == left
    assert not any("db-0" in pod for pod in drain["pendingBefore"])
