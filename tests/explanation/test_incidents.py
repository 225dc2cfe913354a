"""Small clusters as people have them, where what is wrong lies behind the pod or before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kexplain.api import ExplainOptions, Wanted, load_case, one_by_one
from kexplain.diagnosis.records import Kind
from kexplain.explanation.records import PodExplanation
from tests.remedies.situations import Json, deployment, node, obj, of_kind, owned, pod, template

EARLIER, LATER = "2026-10-01T10:00:00Z", "2026-11-02T10:00:00Z"


def explained(path: Path, items: Sequence[Json]) -> PodExplanation:
    """The first pod that is pending."""
    dump = path / "cluster.json"
    dump.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    found = one_by_one(load_case([], [str(dump)], Wanted(own_pods=True)), ExplainOptions())
    return next(each for each in found.report(tuple(found.pods)).pods if each.choice is None)


def text(pod: PodExplanation) -> str:
    assert pod.diagnosis is not None
    return pod.diagnosis.text


def made(at: str, each: Json) -> Json:
    return {**each, "metadata": {**each["metadata"], "creationTimestamp": at}}


# ------------------------------------------------------------------------------------------------ labels and nodes

SELECTING = template("1", nodeSelector={"tier": "backend"})


def labels_lost(nodes_made: Sequence[str], key: str = "tier", **labels: Any) -> list[Json]:
    nodes = [made(at, node(f"n{number}", **labels)) for number, at in enumerate(nodes_made)]
    return [*nodes, *deployment("web", template("1", nodeSelector={key: "backend"}), [""])]


def test_nodes_newer_than_what_asks_for_a_label_have_lost_it(tmp_path: Path) -> None:
    found = explained(tmp_path, labels_lost([LATER, LATER]))
    assert found.diagnosis is not None
    assert (found.diagnosis.kind, found.diagnosis.certain) == (Kind.LABEL_LOST, False)
    assert found.diagnosis.text == (
        "no node has tier=backend, probably lost when nodes were replaced: "
        "nodes n0 and n1 are newer than what asks for it"
    )
    assert found.diagnosis.amounts == f"the oldest was made at {LATER}"
    assert [each.action for each in found.remedies] == ["label-node", "relax-node-affinity"]
    assert found.remedies[0].text.endswith("with tier=backend, and have their pool give it to new nodes")


@pytest.mark.parametrize(
    ("nodes_made", "key", "labels"),
    [
        pytest.param([EARLIER, LATER], "tier", {}, id="one-is-older"),
        pytest.param([LATER, LATER], "tier", {"tier": "frontend"}, id="another-value"),
        pytest.param([LATER, LATER], "tier", {"tiers": "backend"}, id="another-name"),
        pytest.param([LATER, LATER], "topology.kubernetes.io/zone", {}, id="what-machines-come-with"),
    ],
)
def test_else_it_was_never_there(nodes_made: Sequence[str], key: str, labels: Json, tmp_path: Path) -> None:
    found = explained(tmp_path, labels_lost(nodes_made, key, **labels))
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.SELECTOR_UNSATISFIED


def crowded(*cpu: str, **more: Any) -> list[Json]:
    """Nodes of 4 CPUs, each with a pod of that size, and one that waits."""
    nodes = [node(f"n{number}") for number, _ in enumerate(cpu)]
    pods = [
        each for number, much in enumerate(cpu) for each in deployment(f"w{number}", template(much), [f"n{number}"])
    ]
    return [*nodes, *pods, *deployment("web", template("3", **more), [""])]


@pytest.mark.parametrize(
    ("cpu", "says"),
    [
        (("5", "6"), ": 2 of its 2 nodes allocate less cpu than the pods there request (4 allocatable, 6 requested)"),
        (("5", "3"), ": 1 of its 2 nodes allocates less cpu than the pods there request (4 allocatable, 5 requested)"),
        (("5",), ": n0 allocates less cpu than the pods there request (4 allocatable, 5 requested)"),
        (("4", "3"), ""),
        (("5", "3", "3"), ""),
    ],
)
def test_nodes_that_had_more_once(cpu: tuple[str, ...], says: str, tmp_path: Path) -> None:
    found = text(explained(tmp_path, crowded(*cpu)))
    assert found.startswith("no room on ")
    assert says in found
    assert bool(says) is found.endswith("had more once")


# ------------------------------------------------------------------------------------------------------- volumes


def volume_for(host: str, **status: Any) -> list[Json]:
    term = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": [host]}]}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "volumeName": "pv"}
    volume = {
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "1Gi"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [term]}},
        "claimRef": {"namespace": "shop", "name": "data", "uid": "persistentvolumeclaim-data"},
        "storageClassName": "",
    }
    bound = {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}}
    known = node("worker-1")
    known["status"] |= status
    asking = template("1", volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}])
    return [
        known,
        node("worker-2"),
        obj("v1", "PersistentVolume", "pv", "", spec=volume, status={"phase": "Bound"}),
        obj(
            "v1",
            "PersistentVolumeClaim",
            "data",
            spec={**claim, "storageClassName": ""},
            status={"phase": "Bound"},
            meta=bound,
        ),
        *deployment("web", asking, [""]),
    ]


def test_a_volume_that_calls_its_node_by_an_address(tmp_path: Path) -> None:
    items = volume_for("ip-10-0-0-7", addresses=[{"type": "InternalDNS", "address": "ip-10-0-0-7"}])
    found = explained(tmp_path, items)
    assert text(found).endswith("no node has that label: node worker-1 is called so, and its label is worker-1")
    first, *_ = found.remedies
    assert first.text.startswith("recreate volume pv with node affinity kubernetes.io/hostname=worker-1 in place of")
    assert first.nodes == ("worker-1",)


def test_a_volume_of_a_node_that_is_gone(tmp_path: Path) -> None:
    found = explained(tmp_path, volume_for("worker-9"))
    assert text(found).endswith("is on node worker-9, which does not exist")
    assert not any("recreate volume" in each.text for each in found.remedies)


def a_set(*, has_claim: bool) -> list[Json]:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "fast"}
    asking = template("1", volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}}])
    making = {"volumeBindingMode": "WaitForFirstConsumer", "provisioner": "disk.acme.io"}
    own = [each for each in of_kind("StatefulSet", "db", template("1"), []) if each["kind"] == "StatefulSet"]
    own[0]["spec"] |= {
        "replicas": 1,
        "serviceName": "db",
        "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": spec}],
    }
    names = ["data-db-0", "data-db-1"] if has_claim else ["data-db-1"]
    return [
        node("n1", cordoned=has_claim),
        obj("storage.k8s.io/v1", "StorageClass", "fast", "", **making),
        *(obj("v1", "PersistentVolumeClaim", name, spec=spec, status={"phase": "Pending"}) for name in names),
        *own,
        pod("db-0", asking, **owned("StatefulSet", "db")),
    ]


def test_a_set_makes_a_lost_claim_with_the_pod(tmp_path: Path) -> None:
    found = explained(tmp_path, a_set(has_claim=False))
    assert text(found) == "claim shop/data-db-0 does not exist"
    (first,) = found.remedies
    assert first.action == "make-anew"
    assert first.text == "delete shop/db-0 so that StatefulSet db makes it anew, and with it claim data-db-0"
    assert first.commands == ("kubectl delete pod db-0 --namespace=shop",)


def test_a_set_with_its_claim_is_left_alone(tmp_path: Path) -> None:
    assert not any(each.action == "make-anew" for each in explained(tmp_path, a_set(has_claim=True)).remedies)


# ---------------------------------------------------------------------------------------- what others have

PORTS = [{"containerPort": 80, "hostPort": 80}]


def test_a_pod_on_the_hosts_network_needs_its_ports(tmp_path: Path) -> None:
    holder = template("100m")
    holder["metadata"]["labels"]["svccontroller.k3s.cattle.io/svcname"] = "traefik"
    holder["spec"]["containers"][0]["ports"] = PORTS
    asking = template("100m", hostNetwork=True)
    asking["spec"]["containers"][0]["ports"] = PORTS
    items = [
        node("n1"),
        pod("lb-1", holder, "n1", **owned("DaemonSet", "svclb-traefik")),
        *deployment("web", asking, [""]),
    ]
    found = explained(tmp_path, items)
    assert text(found) == "host port 80 is taken on node n1, by daemonset shop/svclb-traefik"
    first, second, *_ = (each.text for each in found.remedies)
    assert first.startswith("stop Service shop/traefik (svclb-traefik, which k3s' servicelb makes")
    assert second.startswith("use no hostNetwork, and a Service in front of it")


def test_a_node_agent_is_more_important_than_what_may_go_elsewhere(tmp_path: Path) -> None:
    tied = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]
            }
        }
    }
    agent = template("1100m", affinity=tied)
    items = [node("n1"), node("n2"), *deployment("web", template("1"), ["n1", "n1", "n1"])]
    found = explained(tmp_path, [*items, pod("agent-1", agent, **owned("DaemonSet", "agent"))])
    actions = [each.action for each in found.remedies]
    assert actions.index("raise-priority") < actions.index("request-less")
    assert actions.index("free") < actions.index("request-less")
    assert found.remedies[0].text.startswith("set priorityClassName: system-node-critical (2000001000)")


def test_machines_that_the_cloud_took_back_are_not_repaired(tmp_path: Path) -> None:
    spot: Json = {"karpenter.sh/capacity-type": "spot"}
    gone = node("n1", taint="node.kubernetes.io/unreachable", **spot)
    items = [gone, *deployment("full", template("3"), ["n2"]), *deployment("web", template("2"), [""])]
    assert not any(each.action == "mend-node" for each in explained(tmp_path, [node("n2", **spot), *items]).remedies)
    repaired = explained(tmp_path, [node("n2"), node("n1", taint="node.kubernetes.io/unreachable"), *items[1:]])
    assert any(each.action == "mend-node" for each in repaired.remedies)
