"""Who removes a gate, and what shows when."""

from __future__ import annotations

import pytest

from kexplain.explain.gates import KUEUE_POD_GROUP, gates
from tests.factories import pod


@pytest.mark.parametrize(
    ("name", "controller", "command"),
    [
        ("kueue.x-k8s.io/admission", "Kueue", "kubectl get workloads.kueue.x-k8s.io -n shop"),
        ("scheduling.volcano.sh/queue-allocation-gate", "Volcano", "kubectl get queues.scheduling.volcano.sh"),
        ("grove.io/podgang-pending-creation", "Grove", "kubectl get podgangs.scheduler.grove.io -n shop"),
        ("k8s.ksgate.org/db", "KSGate", "kubectl get pod/web -n shop -o yaml"),
        ("gke.io/topology-aware-auto-train", "GKE's topology-aware scheduler", "kubectl get pods -n kube-system"),
        ("quota.example/approved", "", ""),
    ],
)
def test_gate(name: str, controller: str, command: str) -> None:
    (gate,) = gates(pod("web", namespace="shop", gates=[name]))
    assert (gate.name, gate.controller, gate.command) == (name, controller, command)
    assert "{" not in gate.waits_for + gate.command


def test_a_group_of_pods_has_one_workload() -> None:
    (gate,) = gates(pod("web", gates=["kueue.x-k8s.io/admission"], labels={KUEUE_POD_GROUP: "train"}))
    assert gate.waits_for == "its Workload train is admitted to a ClusterQueue"
    assert gate.command == "kubectl describe workloads.kueue.x-k8s.io/train -n default"


def test_a_pod_without_gates_has_none() -> None:
    assert gates(pod()) == ()
