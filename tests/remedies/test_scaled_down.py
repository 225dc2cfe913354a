"""Pods that would be made again for the same room go by scaling down; others move."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from kexplain.api import ExplainOptions, Wanted, load_case, one_by_one
from kexplain.remedies.carrying_out import MOST_PODS
from kexplain.remedies.records import Remedy
from tests.remedies.situations import Json, deployment, node, obj, of_kind, template


def helping(path: Path, items: Sequence[Json]) -> Sequence[Remedy]:
    """What helps the first pod that is pending, last resorts included."""
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    found = one_by_one(load_case([], [str(path)], Wanted(own_pods=True)), ExplainOptions(last_resorts=True))
    pods = found.report(tuple(found.pods)).pods
    return next(pod.remedies for pod in pods if pod.choice is None)


def autoscaler(name: str, least: int) -> Json:
    """An autoscaler that leaves a deployment at least so many replicas."""
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    spec = {"scaleTargetRef": target, "minReplicas": least, "maxReplicas": 9}
    return obj("autoscaling/v2", "HorizontalPodAutoscaler", name, spec=spec)


ASKING = [*deployment("web", template("2500m"), [""])]


@pytest.mark.parametrize(
    ("others", "text", "commands"),
    [
        pytest.param(
            deployment("batch", template("3"), ["n1"]),
            "scale deployment shop/batch to 0, or it is made again and waits for the same",
            ["kubectl scale deployment batch -n shop --replicas=0"],
            id="the-only-replica",
        ),
        pytest.param(
            deployment("batch", template("1500m"), ["n1", "n1"]),
            "scale deployment shop/batch to 1, or it is made again and waits for the same",
            [
                "kubectl annotate pod batch-1-0 controller.kubernetes.io/pod-deletion-cost=-1000000 -n shop",
                "kubectl scale deployment batch -n shop --replicas=1",
            ],
            id="one-of-two",
        ),
        pytest.param(
            [*deployment("batch", template("1500m"), ["n1", "n1"]), autoscaler("batch", 2)],
            "scale deployment shop/batch to 1 and lower minReplicas of HorizontalPodAutoscaler shop/batch to 1, "
            "or it is made again and waits for the same",
            [
                """kubectl patch hpa batch -n shop --type merge -p '{"spec": {"minReplicas": 1}}'""",
                "kubectl annotate pod batch-1-0 controller.kubernetes.io/pod-deletion-cost=-1000000 -n shop",
                "kubectl scale deployment batch -n shop --replicas=1",
            ],
            id="held-by-an-autoscaler",
        ),
        pytest.param(
            [*deployment("batch", template("1500m"), ["n1", "n1"]), autoscaler("batch", 1)],
            "scale deployment shop/batch to 1 and see that HorizontalPodAutoscaler shop/batch leaves it there, "
            "or it is made again and waits for the same",
            [
                "kubectl annotate pod batch-1-0 controller.kubernetes.io/pod-deletion-cost=-1000000 -n shop",
                "kubectl scale deployment batch -n shop --replicas=1",
            ],
            id="of-an-autoscaler",
        ),
        pytest.param(
            of_kind("DaemonSet", "agent", template("3"), ["n1"]),
            "",
            ["kubectl delete pod agent-0 --namespace=shop"],
            id="of-no-number",
        ),
        pytest.param(
            of_kind("StatefulSet", "db", template("3"), ["n1"]),
            "scale statefulset shop/db to 0, or it is made again and waits for the same",
            ["kubectl scale statefulset db -n shop --replicas=0"],
            id="the-last-of-a-set",
        ),
    ],
)
def test_what_would_be_left_pending_is_scaled_down(
    others: Sequence[Json], text: str, commands: Sequence[str], tmp_path: Path
) -> None:
    remedies = helping(tmp_path / "cluster.json", [node("n1"), *others, *ASKING])
    moving = [each for each in remedies if each.action == "free" and each.commands]
    assert [each.text.partition("; ")[2] for each in moving] == ([text] if text else [])
    assert [[*each.commands] for each in moving] == ([commands] if text else [])


@pytest.mark.parametrize(
    "others",
    [
        pytest.param(
            [each for each in deployment("batch", template("1500m"), ["n1", "n1"]) if each["kind"] == "Pod"],
            id="its-workload-was-not-read",
        ),
        pytest.param([*of_kind("StatefulSet", "db", template("1500m"), ["n1", "n1"])], id="not-the-last-of-a-set"),
    ],
)
def test_what_would_not_go_by_it_is_not_scaled(others: Sequence[Json], tmp_path: Path) -> None:
    remedies = helping(tmp_path / "cluster.json", [node("n1"), *others, *ASKING[-1:]])
    assert not [line for each in remedies for line in each.commands if "scale" in line]


def test_several_pods_of_one_workload_are_one_change_of_it(tmp_path: Path) -> None:
    # There are more of them than are followed in every cluster.
    asking = deployment("web", template("3500m"), [""] * (MOST_PODS + 1))
    others = deployment("batch", template("1500m"), ["n1", "n1"])
    remedies = helping(tmp_path / "cluster.json", [node("n1"), *others, *asking])
    moving = next(each for each in remedies if each.action == "free")
    assert moving.text.endswith("; scale deployment shop/batch to 0, or they are made again")
    assert moving.commands == ("kubectl scale deployment batch -n shop --replicas=0",)


def test_what_fits_elsewhere_is_only_moved(tmp_path: Path) -> None:
    others = deployment("batch", template("2"), ["n1"])
    remedies = helping(tmp_path / "cluster.json", [node("n1"), node("n2", "2"), *others, *ASKING])
    moving = next(each for each in remedies if each.action == "free")
    assert moving.text.endswith("(it finds room on n2)")
    deletion = "kubectl delete pod batch-1-0 --namespace=shop"
    assert moving.commands == ("kubectl cordon n1", deletion, "kubectl uncordon n1")


def test_a_higher_priority_says_who_is_then_pending(tmp_path: Path) -> None:
    high = obj("scheduling.k8s.io/v1", "PriorityClass", "high", "", value=1000)
    others = deployment("batch", template("3"), ["n1"])
    remedies = helping(tmp_path / "cluster.json", [node("n1"), high, *others, *ASKING])
    raised = next(each for each in remedies if each.action == "raise-priority")
    assert raised.text.endswith("the scheduler evicts shop/batch-1-0; the evicted pod stays pending")


def test_a_higher_priority_says_how_many_have_to_go_for_the_others(tmp_path: Path) -> None:
    high = obj("scheduling.k8s.io/v1", "PriorityClass", "high", "", value=1000)
    running, waiting = deployment("batch", template("3"), ["n1", "n2"]), deployment("web", template("2500m"), ["", ""])
    remedies = helping(tmp_path / "cluster.json", [node("n1"), node("n2"), high, *running, *waiting])
    raised = next(each for each in remedies if each.action == "raise-priority")
    assert ", and at least 1 more for the others that wait; those that are evicted stay pending" in raised.text


def test_a_replica_does_not_take_the_port_of_the_one_before(tmp_path: Path) -> None:
    asking = deployment("web", template("100m"), ["", ""])
    made = next(each for each in asking if each["kind"] == "Deployment")
    made["spec"]["template"]["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
    manifest, around = tmp_path / "web.json", tmp_path / "nodes.json"
    manifest.write_text(json.dumps({**made, "metadata": {"name": "web", "namespace": "shop"}}))
    around.write_text(json.dumps(node("n1")))
    found = one_by_one(load_case([str(manifest)], [str(around)], Wanted(replicas=2)), ExplainOptions())
    first, second = found.report(tuple(found.pods)).pods
    assert first.choice is not None
    assert not [each for each in second.remedies if each.action == "free"]
