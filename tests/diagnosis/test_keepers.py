"""Who should answer a webhook, add nodes, make pods, set up a network or attach a volume, and does not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import Wanted, explain, load_case
from kexplain.case.references import Reference
from kexplain.report.records import Report
from tests.explanation.test_incidents import explained, text
from tests.remedies.situations import Json, deployment, node, obj, of_kind, owned, pod, template

CREATING = {"name": "main", "ready": False, "state": {"waiting": {"reason": "ContainerCreating"}}}


def report(path: Path, items: Sequence[Json], kind: str = "Deployment", name: str = "web") -> Report:
    dump = path / "cluster.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    return explain(load_case([Reference(kind, name)], [str(dump)], Wanted(own_pods=True, all_namespaces=True)))


def broken(each: Json) -> Json:
    waiting = {"name": "main", "ready": False, "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
    return {**each, "status": {"phase": "Running", "containerStatuses": [waiting]}}


def component(name: str, on: str = "n1", *, breaks: bool = True, cpu: str = "100m") -> list[Json]:
    made = [*deployment(name, template(cpu), [on])]
    return [broken(each) if breaks and each["kind"] == "Pod" else each for each in made]


def event(kind: str, name: str, reason: str, message: str) -> Json:
    about = {"kind": kind, "name": name, "namespace": "shop"}
    return obj("v1", "Event", f"{name}.1", involvedObject=about, reason=reason, message=message, type="Warning")


def why(found: Report) -> str:
    (workload,) = found.workloads
    return workload.diagnosis.text if workload.diagnosis else ""


def helps(found: Report) -> list[str]:
    return [each.text for each in found.workloads[0].remedies]


# -------------------------------------------------------------------------------------------------------- webhooks

REFUSED = (
    'Error creating: Internal error occurred: failed calling webhook "inject.mesh.io": failed to call webhook: '
    'Post "https://injector.shop.svc:443/?timeout=10s": no endpoints available for service "injector"'
)


def refused(*others: Json, selector: str = "injector", name: str = "injector") -> list[Json]:
    spec = {"selector": {"app": selector}, "ports": [{"port": 443}]}
    missing = [each for each in deployment("web", template("1"), [""]) if each["kind"] != "Pod"]
    service = obj("v1", "Service", name, spec=spec)
    return [node("n1"), service, *missing, event("ReplicaSet", "web-1", "FailedCreate", REFUSED), *others]


def test_what_is_behind_a_webhook_is_the_culprit(tmp_path: Path) -> None:
    found = report(tmp_path, refused(*component("injector")))
    assert why(found).endswith(", as Deployment shop/injector, which answers it, crash-loops on n1")
    assert helps(found)[0].startswith("get Deployment shop/injector running, which answers it")
    diagnosis = found.workloads[0].diagnosis
    assert diagnosis is not None
    assert diagnosis.culprit is not None
    assert diagnosis.culprit.name == "injector"


def test_a_service_with_nothing_behind_it(tmp_path: Path) -> None:
    found = report(tmp_path, refused(*component("other")))
    assert why(found).endswith("; what is behind Service shop/injector, which answers it, is probably not installed")
    gone = report(tmp_path, refused(*component("injector"), name="injectors"))
    assert why(gone).endswith("is probably not installed")


def test_what_runs_is_not_blamed(tmp_path: Path) -> None:
    assert "which answers it" not in why(report(tmp_path, refused(*component("injector", breaks=False))))


# ----------------------------------------------------------------------------------------------------- controllers


def unmade() -> list[Json]:
    (declared, *_) = deployment("web", template("1"), [""])
    return [node("n1"), declared, pod("other", template("100m"), "n1")]


def test_nobody_makes_pods_where_the_controller_manager_is_broken(tmp_path: Path) -> None:
    static = pod("kube-controller-manager-n1", template("100m"), "n1", **owned("Node", "n1", "v1"))
    found = report(tmp_path, [*unmade(), broken(static)])
    assert why(found) == (
        "nobody makes them, as Pod shop/kube-controller-manager-n1, which makes its pods, crash-loops on n1"
    )
    assert helps(found)[0].startswith("get Pod shop/kube-controller-manager-n1 running")
    assert why(report(tmp_path, [*unmade(), static])) == ""


@pytest.mark.parametrize("by_event", [True, False])
def test_a_replica_set_that_cannot_be_created(by_event: bool, tmp_path: Path) -> None:
    said = 'Failed to create new replica set "web-1": replicasets.apps "web-1" is forbidden: exceeded quota: counts'
    items = unmade()
    if by_event:
        items.append(event("Deployment", "web", "ReplicaSetCreateError", said))
    else:
        condition = {"type": "Progressing", "status": "False", "reason": "ReplicaSetCreateError", "message": said}
        items[1]["status"] = {"conditions": [condition]}
    found = report(tmp_path, items)
    assert why(found) == "quota counts of the namespace would be exceeded"
    assert not found.workloads[0].is_complete
    dump = tmp_path / "cluster.json"
    (row,) = explain(load_case([], [str(dump)], Wanted(own_pods=True))).workloads
    assert (row.kind, row.name, row.missing) == ("Deployment", "web", 1)


# ----------------------------------------------------------------------------------------------------- autoscalers

POOL: Json = {"karpenter.sh/nodepool": "a"}


def short(*others: Json) -> list[Json]:
    crowd = deployment("crowd", template("3"), ["n1"])
    return [node("n1", **POOL), *crowd, *deployment("web", template("2"), [""]), *others]


def test_an_autoscaler_that_does_not_run_adds_no_node(tmp_path: Path) -> None:
    found = explained(tmp_path, short(*component("karpenter")))
    assert text(found).endswith(", as Deployment shop/karpenter, which adds nodes, crash-loops on n1")
    assert found.remedies[0].text.startswith("get Deployment shop/karpenter running, which adds nodes")
    well = explained(tmp_path, short(*component("karpenter", breaks=False)))
    assert "which adds nodes" not in text(well)


def test_an_autoscaler_is_not_its_own_culprit(tmp_path: Path) -> None:
    items = [node("n1", **POOL), *deployment("crowd", template("4"), ["n1"])]
    found = explained(tmp_path, [*items, *deployment("karpenter", template("1"), [""])])
    assert "which adds nodes" not in text(found)


# ------------------------------------------------------------------------------------------------- pods on nodes


def started(*others: Json, **spec: Any) -> list[Json]:
    made = [*deployment("web", template("1", **spec), ["n1"])]
    made[-1]["status"] = {"phase": "Pending", "containerStatuses": [CREATING]}
    return [node("n1"), node("n2"), *made, *others]


def agents(name: str, *, breaks: str) -> list[Json]:
    """A DaemonSet whose pod on that node crash-loops."""
    made = [*of_kind("DaemonSet", name, template("100m"), ["n1", "n2"])]
    return [broken(each) if each["spec"].get("nodeName") == breaks else each for each in made]


SANDBOX = event("Pod", "web-1-0", "FailedCreatePodSandBox", 'plugin type="calico" failed (add)')


def test_the_network_plugin_of_its_own_node(tmp_path: Path) -> None:
    found = report(tmp_path, started(SANDBOX, *agents("calico-node", breaks="n1")))
    assert why(found).endswith(", as DaemonSet shop/calico-node, which sets up its network, crash-loops on n1")
    assert helps(found)[0].startswith("get DaemonSet shop/calico-node running")
    assert "calico-node" not in why(report(tmp_path, started(SANDBOX, *agents("calico-node", breaks="n2"))))


def test_the_driver_of_its_volume(tmp_path: Path) -> None:
    claim = {"accessModes": ["ReadWriteOnce"], "volumeName": "pv", "resources": {"requests": {"storage": "1Gi"}}}
    csi = {"driver": "ebs.csi.aws.com", "volumeHandle": "v"}
    items = [
        obj("v1", "PersistentVolume", "pv", "", spec={"capacity": {"storage": "1Gi"}, "csi": csi}),
        obj("v1", "PersistentVolumeClaim", "data", spec=claim, status={"phase": "Bound"}),
        event("Pod", "web-1-0", "FailedAttachVolume", "AttachVolume.Attach failed"),
    ]
    volumes = [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]
    found = report(tmp_path, started(*items, *component("ebs-csi-controller"), volumes=volumes))
    assert why(found).endswith(
        ", as Deployment shop/ebs-csi-controller, which attaches and mounts its volumes, crash-loops on n1"
    )
    well = report(tmp_path, started(*items, *component("ebs-csi-controller", breaks=False), volumes=volumes))
    assert "ebs-csi" not in why(well)


def registered(*nodes: str) -> list[Json]:
    drivers = {name: [{"name": "csi.acme.io", "nodeID": name}] if name in nodes else [] for name in ("n1", "n2")}
    return [obj("storage.k8s.io/v1", "CSINode", name, "", spec={"drivers": each}) for name, each in drivers.items()]


def test_a_driver_that_runs_and_is_not_registered(tmp_path: Path) -> None:
    said = event(
        "Pod", "web-1-0", "FailedMount", "driver name csi.acme.io not found in the list of registered CSI drivers"
    )
    volumes = [{"name": "s", "csi": {"driver": "csi.acme.io"}}]
    daemons = of_kind("DaemonSet", "acme-csi", template("100m"), ["n1", "n2"])
    items = [said, *daemons]
    found = report(tmp_path, started(*items, *registered("n2"), volumes=volumes))
    assert why(found).endswith(
        "; DaemonSet shop/acme-csi, which attaches and mounts its volumes, runs, and is not registered with the "
        "kubelet of n1"
    )
    assert helps(found)[0] == "restart DaemonSet shop/acme-csi, which registers with the kubelet when it starts"
    for nodes in (("n1", "n2"), ()):
        assert "acme-csi" not in why(report(tmp_path, started(*items, *registered(*nodes), volumes=volumes)))


def test_a_webhook_that_keeps_pods_from_being_bound(tmp_path: Path) -> None:
    message = 'running Bind plugin "DefaultBinder": ' + REFUSED.partition(": ")[2]
    service = obj("v1", "Service", "injector", spec={"selector": {"app": "injector"}, "ports": [{"port": 443}]})
    items = [node("n1"), *deployment("web", template("1"), [""]), service, *component("injector")]
    said = event("Pod", "web-1-0", "FailedScheduling", message)
    found = report(tmp_path, [*items, {**said, "lastTimestamp": "2026-11-02T10:00:00Z"}]).pods[0]
    assert text(found).endswith(
        "a node is found for it, and it is not bound there: webhook inject.mesh.io did not answer, as Deployment "
        "shop/injector, which answers it, crash-loops on n1"
    )
    assert found.remedies[0].text.startswith("get Deployment shop/injector running, which answers it")


def test_a_lost_node_and_the_pods_that_nobody_ends_there(tmp_path: Path) -> None:
    gone = node("n2", taint="node.kubernetes.io/unreachable")
    gone["status"]["conditions"] = [{"type": "Ready", "status": "Unknown"}]
    (*_, old) = deployment("web", template("2"), ["n2"])
    old["metadata"] |= {"name": "web-1-9", "uid": "old", "deletionTimestamp": "2026-11-02T10:00:00Z"}
    crowd = deployment("crowd", template("3"), ["n1"])
    found = explained(tmp_path, [node("n1"), gone, *crowd, *deployment("web", template("3"), [""]), old])
    assert text(found).endswith(": n2 is unreachable, and n1 is full")
    first = found.remedies[0]
    assert first.text == "repair n2 (unreachable): its kubelet then ends shop/web-1-9, and there is room"
    assert first.nodes == ("n2",)
    big = explained(tmp_path, [node("n1"), gone, *crowd, *deployment("web", template("5"), [""]), old])
    assert not any("its kubelet then ends" in each.text for each in big.remedies)


# ----------------------------------------------------------------------------------------------------- schedulers


def served(name: str, asked: str) -> list[Json]:
    runs = deployment("ok", template("100m", schedulerName=name), ["n1"])
    return [node("n1"), *runs, *deployment("web", template("1", schedulerName=asked), [""])]


def test_a_scheduler_that_other_pods_name(tmp_path: Path) -> None:
    found = explained(tmp_path, served("my-scheduler", "my-schedular"))
    assert text(found) == "left to the scheduler my-schedular; did you mean my-scheduler?"
    assert found.remedies[0].text == "set schedulerName: my-scheduler, as my-schedular looks misspelt"
    same = explained(tmp_path, served("my-scheduler", "my-scheduler"))
    assert text(same) == "left to the scheduler my-scheduler; this one is default-scheduler"


# ------------------------------------------------------------------------------------------------------- the rest


def test_nobody_adds_a_node_that_is_none(tmp_path: Path) -> None:
    label: Json = {"eks.amazonaws.com/compute-type": "fargate"}
    fargate = node("fargate-1", taint="eks.amazonaws.com/compute-type", **label)
    found = explained(tmp_path, [fargate, *deployment("web", template("1"), [""])])
    assert not any(each.action == "add-node" for each in found.remedies)


def test_domains_that_there_are_too_few_of(tmp_path: Path) -> None:
    over = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "minDomains": 3}
    spread = [{**over, "labelSelector": {"matchLabels": {"app": "web"}}}]
    made = deployment("web", template("1", topologySpreadConstraints=spread), ["n1", "n2", ""])
    found = explained(tmp_path, [node("n1", zone="a"), node("n2", zone="b"), *made])
    assert found.remedies[0].text == "set minDomains: 2 over zone (now 3), as there are no more"


def test_node_agents_that_pod_security_keeps_out(tmp_path: Path) -> None:
    agent = template("100m", hostNetwork=True)
    made = [*of_kind("DaemonSet", "agent", agent, [])]
    made[0]["status"] = {"desiredNumberScheduled": 1}
    level = {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}
    said = 'Error creating: pods "agent-x" is forbidden: violates PodSecurity "baseline:latest": host namespaces'
    items = [
        node("n1"),
        obj("v1", "Namespace", "shop", "", meta=level),
        *made,
        event("DaemonSet", "agent", "FailedCreate", said),
    ]
    found = helps(report(tmp_path, items, "DaemonSet", "agent"))
    label = "pod-security.kubernetes.io/enforce=privileged"
    assert found == [
        f"label namespace shop with {label}, if these agents need the host",
        "set hostNetwork to false in DaemonSet agent",
    ]


def near(replicas: int, app: str = "cache") -> list[Json]:
    term = {"labelSelector": {"matchLabels": {"app": "cache"}}, "topologyKey": "kubernetes.io/hostname"}
    wanted = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    cache = [each for each in deployment(app, template("1"), [""] * replicas) if each["kind"] == "Deployment"]
    return [node("n1"), *cache, *deployment("web", template("1", affinity=wanted), [""])]


def test_a_workload_that_is_scaled_to_0_is_who_it_must_be_near_to(tmp_path: Path) -> None:
    found = explained(tmp_path, near(0))
    assert text(found) == (
        "the required affinity is to pods app=cache, and Deployment shop/cache, which makes them, is scaled to 0"
    )
    assert found.remedies[0].text == "scale Deployment shop/cache up, whose pods it must be near to"
    for other in (near(1), near(0, "caches")):
        assert "none runs in namespace shop" in text(explained(tmp_path, other))


def test_an_extender_of_the_scheduler_that_does_not_answer(tmp_path: Path) -> None:
    message = 'Post "http://gpus.shop:12345/filter": dial tcp 10.96.4.7:12345: connect: connection refused'
    service = obj("v1", "Service", "gpus", spec={"selector": {"app": "gpus"}, "ports": [{"port": 12345}]})
    items = [node("n1"), *deployment("web", template("1"), [""]), service, *component("gpus")]
    said = event("Pod", "web-1-0", "FailedScheduling", message)
    found = report(tmp_path, [*items, {**said, "lastTimestamp": "2026-11-02T10:00:00Z"}]).pods[0]
    assert text(found).endswith(
        "its scheduler cannot finish an attempt: the extender at http://gpus.shop:12345/filter does not answer (dial "
        "tcp 10.96.4.7:12345: connect: connection refused), as Deployment shop/gpus, which answers it, crash-loops on "
        "n1"
    )
    assert [each.text.partition(",")[0] for each in found.remedies] == [
        "get Deployment shop/gpus running",
        "see whether what is behind that URL runs; with ignorable: true in the scheduler's configuration",
    ]


GPUS = obj("resource.k8s.io/v1", "DeviceClass", "gpu.nvidia.com", "", spec={})
ASKS = {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com"}}]}}
GPU_POOL = {"name": "n1", "generation": 1, "resourceSliceCount": 1}
OFFERS = {"driver": "gpu.nvidia.com", "nodeName": "n1", "pool": GPU_POOL, "devices": [{"name": "gpu-0"}]}
SLICE = obj("resource.k8s.io/v1", "ResourceSlice", "n1-gpus", "", spec=OFFERS)
DRIVER = "Deployment shop/nvidia-dra-driver"
NO_DRIVER = "no driver reports a device of class gpu.nvidia.com on node n1"


@pytest.mark.parametrize(
    ("items", "said"),
    [
        pytest.param([GPUS, *component("nvidia-dra-driver")],
                     f"{NO_DRIVER}, as {DRIVER}, which reports these devices, crash-loops on n1",
                     id="crash-loops"),
        pytest.param([GPUS], NO_DRIVER, id="nobody-is-known"),
        pytest.param([GPUS, SLICE, *component("nvidia-dra-driver")], "", id="devices-are-reported"),
        pytest.param([*component("nvidia-dra-driver")], "", id="no-class"),
    ],
)  # fmt: skip
def test_devices_that_no_driver_reports(tmp_path: Path, items: list[Json], said: str) -> None:
    of = {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "web-1-0", "uid": "pod-web-1-0"}]}
    claim = obj("resource.k8s.io/v1", "ResourceClaim", "web-gpu", spec=ASKS, meta=of)
    asking = template("1", resourceClaims=[{"name": "gpu", "resourceClaimName": "web-gpu"}])
    there = [node("n1"), claim, *deployment("web", asking, ["", ""]), *items]
    found = report(tmp_path, there).pods[0].diagnosis
    assert (found.text if found and NO_DRIVER in found.text else "") == said
    if said:
        assert found is not None
        assert found.amounts == "claim shop/web-gpu, request gpu, asks for one"


@pytest.mark.parametrize(("requests", "said"), [({"cpu": "3"}, True), ({"memory": "1Gi"}, False), ({}, False)])
def test_containers_that_were_added_to_a_pod(tmp_path: Path, requests: Json, said: bool) -> None:
    made = [*deployment("web", template("2"), [""])]
    added = {"name": "proxy", "image": "proxy:1", "resources": {"requests": requests}}
    made[-1]["spec"]["containers"] = [*made[-1]["spec"]["containers"], added]
    full = [*deployment("other", template("7"), ["n1"])]
    found = report(tmp_path, [node("n1", "8"), *full, *made]).pods[0].diagnosis
    assert found is not None
    assert ("3 cpu of what it needs are for proxy, which its template does not have" in found.amounts) is said
