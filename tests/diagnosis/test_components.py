"""In what state the components of a cluster are, for some of its nodes."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.components import State, of_caretaker
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import cluster, node
from tests.queues.made import read

AGENT = Caretaker("^acme", "the agent")
TAINT = "agent.acme.io/not-ready:NoSchedule"
SICK, WELL = node("sick", taints=[TAINT]), node("well")
FAILS = [{"name": "c", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]
READY = [{"type": "Ready", "status": "True"}]


def made(
    name: str, at: str, owner: str = "DaemonSet", *, of: str = "acme-agent", on: bool = True, **status: Any
) -> Pod:
    """A pod of `acme-agent`, on that node or made for it."""
    term = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [at]}]}
    rules = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    spec = {
        "schedulerName": "default-scheduler",
        "containers": [{"name": "c"}],
        **({"nodeName": at} if on else {"affinity": {"nodeAffinity": rules}}),
    }
    metadata: dict[str, Any] = {"name": name, "namespace": "a", "uid": name}
    metadata["ownerReferences"] = [{"kind": owner, "name": of, "uid": "d", "controller": True}]
    (pod,) = read({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status})
    assert isinstance(pod, Pod)
    return pod


def daemon_set(**spec: Any) -> KubernetesObject:
    template = {"metadata": {}, "spec": {"containers": [{"name": "c"}], **spec}}
    metadata = {"name": "acme-agent", "namespace": "a"}
    (found,) = read(
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": metadata, "spec": {"template": template}}
    )
    return found


def deployment(replicas: int) -> KubernetesObject:
    metadata = {"name": "acme-agent", "namespace": "a"}
    (found,) = read(
        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"replicas": replicas}}
    )
    return found


TOLERANT = [{"operator": "Exists"}]
HEALTHY = made("agent-1", "well", conditions=READY)


@pytest.mark.parametrize(
    ("pods", "others", "state", "pod"),
    [
        pytest.param(
            [HEALTHY, made("agent-2", "sick", containerStatuses=FAILS)], [], State.FAILING, "agent-2", id="fails"
        ),
        pytest.param([HEALTHY, made("agent-2", "sick", on=False)], [], State.PENDING, "agent-2", id="pending"),
        pytest.param([HEALTHY, made("agent-2", "sick")], [], State.NOT_READY, "agent-2", id="not-ready"),
        pytest.param([HEALTHY, made("agent-2", "sick", conditions=READY)], [], State.RUNS, "agent-2", id="runs"),
        pytest.param([HEALTHY], [daemon_set(tolerations=TOLERANT)], State.NOT_THERE, "", id="not-there"),
        pytest.param([HEALTHY], [daemon_set()], State.RUNS, "agent-1", id="not-for-that-node"),
        pytest.param([], [deployment(0)], State.SCALED_DOWN, "", id="scaled-down"),
        pytest.param([], [deployment(1)], State.NOT_CREATED, "", id="no-pods"),
    ],
)
def test_states(pods: list[Pod], others: list[KubernetesObject], state: State, pod: str) -> None:
    placed = [each for each in pods if each.spec.node_name]
    idle = [each for each in pods if not each.spec.node_name]
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], placed, *others, *idle), [SICK])
    assert (found.state, found.pod) == (state, pod)
    assert (found.kind, found.key) == (
        "Deployment" if state in (State.SCALED_DOWN, State.NOT_CREATED) else "DaemonSet",
        "a/acme-agent",
    )


def test_a_pending_pod_says_which_taint_of_its_node_it_does_not_tolerate() -> None:
    (found,) = of_caretaker(AGENT, cluster([SICK], [], made("agent-2", "sick", on=False)), [SICK])
    assert (found.node, found.taint) == ("sick", "agent.acme.io/not-ready")


def test_a_label_that_keeps_a_daemon_set_away_is_named() -> None:
    selecting = daemon_set(tolerations=TOLERANT, nodeSelector={"agent": "true"})
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], [HEALTHY], selecting), [SICK])
    assert (found.state, found.node, found.lacks) == (State.NOT_THERE, "sick", ("agent=true",))


def test_one_ready_pod_serves_for_all_where_nodes_do_not_matter() -> None:
    pods = [made("agent-1", "well", "StatefulSet", conditions=READY), made("agent-2", "sick", "StatefulSet")]
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], pods), [SICK])
    assert found.state is State.RUNS
