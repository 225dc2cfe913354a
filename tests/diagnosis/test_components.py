"""In what state the components of a cluster are, for some of its nodes."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.components import State, kept_away, maker_of, of_caretaker
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject, OwnerReference
from tests.factories import cluster, controlled_by, node, pod
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


STARTS = [{"name": "c", "state": {"waiting": {"reason": "ContainerCreating"}}}]
PULLS = [{"name": "c", "state": {"waiting": {"reason": "PodInitializing"}}}]
TOLERANT = [{"operator": "Exists"}]
HEALTHY = made("agent-1", "well", conditions=READY)


@pytest.mark.parametrize(
    ("message", "says"),
    [(None, ""), ("no\n  credentials.\n", "no credentials"), ("w" * 60 + " " + "w" * 60, "w" * 60 + " …")],
)
def test_what_a_container_said_when_it_ended_last(message: str | None, says: str) -> None:
    ended = {"lastState": {"terminated": {"exitCode": 1, "message": message}}}
    pod = made("agent-2", "sick", containerStatuses=[FAILS[0] | ended])
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], [pod]), [SICK])
    assert (found.state, found.says) == (State.FAILING, says)


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
        pytest.param(
            [HEALTHY, made("agent-2", "sick", initContainerStatuses=FAILS)],
            [],
            State.FAILING,
            "agent-2",
            id="its-init-container-fails",
        ),
        pytest.param(
            [HEALTHY, made("agent-2", "sick", containerStatuses=STARTS)], [], State.NOT_READY, "agent-2", id="starts"
        ),
        pytest.param(
            [HEALTHY, made("agent-2", "sick", containerStatuses=PULLS, initContainerStatuses=STARTS)],
            [],
            State.NOT_READY,
            "agent-2",
            id="the-first-that-waits-counts",
        ),
        pytest.param(
            [HEALTHY, made("agent-2", "sick"), made("agent-3", "sick", containerStatuses=FAILS)],
            [],
            State.FAILING,
            "agent-3",
            id="the-worst-of-several",
        ),
        pytest.param([], [daemon_set(tolerations=TOLERANT)], State.NOT_CREATED, "", id="a-daemon-set-without-pods"),
        pytest.param(
            [made("agent-1", "well", containerStatuses=FAILS)],
            [daemon_set()],
            State.FAILING,
            "agent-1",
            id="not-for-that-node-and-fails-elsewhere",
        ),
        pytest.param([], [deployment(0)], State.SCALED_DOWN, "", id="scaled-down"),
        pytest.param([], [deployment(1)], State.NOT_CREATED, "", id="no-pods"),
    ],
)
def test_states(pods: list[Pod], others: list[KubernetesObject], state: State, pod: str) -> None:
    placed = [each for each in pods if each.spec.node_name]
    idle = [each for each in pods if not each.spec.node_name]
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], placed, *others, *idle), [SICK])
    assert (found.state, found.pod) == (state, pod)
    kind = "Deployment" if any(each.kind == "Deployment" for each in others) else "DaemonSet"
    assert (found.kind, found.key, found.made_by) == (kind, "a/acme-agent", ("a", kind, "acme-agent"))


def test_a_pending_pod_says_which_taint_of_its_node_it_does_not_tolerate() -> None:
    (found,) = of_caretaker(AGENT, cluster([SICK], [], made("agent-2", "sick", on=False)), [SICK])
    assert (found.node, found.taint) == ("sick", "agent.acme.io/not-ready")


@pytest.mark.parametrize(
    ("selects", "labels", "state", "lacks"),
    [
        pytest.param({"agent": "true"}, {}, State.NOT_THERE, ("agent=true",), id="without-the-label"),
        pytest.param({"agent": "true"}, {"agent": "true"}, State.NOT_THERE, (), id="with-the-label"),
        pytest.param({"agent": "true"}, {"agent": "false"}, State.RUNS, (), id="with-another-value"),
        pytest.param({"agent": "true", "disk": "ssd"}, {"disk": "hdd"}, State.RUNS, (), id="one-of-another-value"),
        pytest.param({"node-role/agent": "true"}, {}, State.RUNS, (), id="of-another-role"),
        pytest.param({"node-role/agent": "true", "agent": "true"}, {}, State.RUNS, (), id="of-another-role-and-label"),
    ],
)
def test_a_label_that_keeps_a_daemon_set_away_is_named(
    selects: dict[str, str], labels: dict[str, str], state: State, lacks: tuple[str, ...]
) -> None:
    selecting, sick = (
        daemon_set(tolerations=TOLERANT, nodeSelector=selects),
        node("sick", taints=[TAINT], labels=labels),
    )
    (found,) = of_caretaker(AGENT, cluster([sick, WELL], [HEALTHY], selecting), [sick])
    assert (found.state, found.lacks) == (state, lacks)
    assert found.node == ("sick" if state is State.NOT_THERE else "well")


@pytest.mark.parametrize(
    ("labels", "tolerates", "state", "lacks", "taint", "says"),
    [
        pytest.param({"agent": "off"}, True, State.NOT_THERE, ("agent=true",), "", "off", id="another-value"),
        pytest.param({"agent": "true"}, True, State.NOT_CREATED, (), "", "", id="nothing-keeps-it-off"),
        pytest.param({"agent": "true"}, False, State.KEPT_AWAY, (), "agent.acme.io/not-ready", "", id="a-taint"),
        pytest.param({}, True, State.NOT_CREATED, ("agent=true",), "", "", id="no-node-is-meant"),
    ],
)
def test_a_daemon_set_without_pods_says_what_keeps_it_off(
    labels: dict[str, str], tolerates: bool, state: State, lacks: tuple[str, ...], taint: str, says: str
) -> None:
    selecting = daemon_set(tolerations=TOLERANT if tolerates else [], nodeSelector={"agent": "true"})
    sick = node("sick", taints=[TAINT], labels=labels)
    (found,) = of_caretaker(AGENT, cluster([sick, WELL], [], selecting), [sick])
    assert (found.state, found.lacks, found.taint, found.says) == (state, lacks, taint, says)


@pytest.mark.parametrize(("others", "taint"), [([], "agent.acme.io/not-ready"), ([WELL], "")])
def test_a_pod_that_may_be_anywhere_says_which_taint_all_nodes_have(others: list[Node], taint: str) -> None:
    around = cluster([SICK, *others], [], made("agent-1", "", "StatefulSet"))
    (found,) = of_caretaker(AGENT, around, [SICK])
    assert (found.state, found.taint) == (State.PENDING, taint)


def test_one_ready_pod_serves_for_all_where_nodes_do_not_matter() -> None:
    pods = [made("agent-1", "well", "StatefulSet", conditions=READY), made("agent-2", "sick", "StatefulSet")]
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], pods), [SICK])
    assert found.state is State.RUNS


def test_the_most_broken_comes_first() -> None:
    fails = made("b-1", "sick", of="acme-b", containerStatuses=FAILS)
    pods = [made("a-1", "sick", of="acme-a", conditions=READY), fails, made("c-1", "sick", of="acme-c")]
    found = of_caretaker(AGENT, cluster([SICK, WELL], pods), [SICK])
    assert [(each.name, each.state) for each in found] == [
        ("acme-b", State.FAILING),
        ("acme-c", State.NOT_READY),
        ("acme-a", State.RUNS),
    ]


@pytest.mark.parametrize(
    ("image", "is_known"),
    [
        ("acme", True),
        ("registry.example.com:5000/team/acme:1.2", True),
        ("acme.example.com/web:1", False),
        ("web:acme", False),
        (None, False),
    ],
)
def test_a_component_is_known_by_its_image(image: str | None, is_known: bool) -> None:
    own = pod("x-1", image=image, node="sick", owner=controlled_by("DaemonSet", "x"))
    assert bool(of_caretaker(AGENT, cluster([SICK], [own]), [SICK])) == is_known
    template = daemon_set(containers=[{"name": "c", **({"image": image} if image else {})}])
    other = Caretaker("^acme$", "the agent")
    assert bool(of_caretaker(other, cluster([SICK], [], template), [SICK])) == is_known


def test_who_has_ended_or_leaves_does_not_count() -> None:
    gone = [
        made("agent-1", "sick", phase="Failed", containerStatuses=FAILS),
        pod("agent-2", node="sick", owner=controlled_by("DaemonSet", "acme-agent"), namespace="a", deleting=True),
    ]
    (found,) = of_caretaker(AGENT, cluster([SICK], [*gone, made("agent-3", "sick", conditions=READY)]), [SICK])
    assert (found.state, found.pod) == (State.RUNS, "agent-3")


def test_of_several_nodes_alike_none_is_named() -> None:
    pods = [made(f"agent-{each.name}", each.name, containerStatuses=FAILS) for each in (SICK, WELL)]
    (found,) = of_caretaker(AGENT, cluster([SICK, WELL], pods), [SICK, WELL])
    assert (found.state, found.node) == (State.FAILING, "")


@pytest.mark.parametrize(
    ("made_by", "labels", "expected"),
    [
        pytest.param(controlled_by("ReplicaSet", "web-1"), {"pod-template-hash": "1"}, ("a", "Deployment", "web"),
                     id="of-a-deployment"),
        pytest.param(controlled_by("ReplicaSet", "web-1"), {}, ("a", "ReplicaSet", "web-1"), id="of-a-replica-set"),
        pytest.param(controlled_by("DaemonSet", "web"), {}, ("a", "DaemonSet", "web"), id="of-a-daemon-set"),
        pytest.param(controlled_by("Node", "n1"), {}, ("a", "Pod", "web"), id="static"),
        pytest.param(None, {}, ("a", "Pod", "web"), id="of-nobody"),
    ],
)  # fmt: skip
def test_who_makes_a_pod(
    made_by: OwnerReference | None, labels: dict[str, str], expected: tuple[str, str, str]
) -> None:
    assert maker_of(pod("web-n1", namespace="a", node="n1", owner=made_by, labels=labels)) == expected


def _agent(name: str, **selector: str) -> KubernetesObject:
    template = {
        "metadata": {"labels": {"app": name}},
        "spec": {"containers": [{"name": "c"}], "nodeSelector": selector},
    }
    metadata = {"name": name, "namespace": "a", "uid": name}
    (agent,) = read(
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": metadata, "spec": {"template": template}}
    )
    return agent


@pytest.mark.parametrize(
    ("agents", "pods", "lacks"),
    [
        pytest.param([_agent("acme-agent", pool="old")], [], ("pool=old",), id="left out"),
        pytest.param([_agent("acme-agent", pool="new")], [], None, id="selected"),
        pytest.param([_agent("acme-agent-win", **{"kubernetes.io/os": "windows"})], [], None, id="of other machines"),
        pytest.param(
            [_agent("acme-agent", pool="old"), _agent("acme-agent-2", pool="new")],
            [made("a", "new", of="acme-agent-2", conditions=READY, phase="Running")],
            None,
            id="another one is there",
        ),
        pytest.param([_agent("other", pool="old")], [], None, id="something else"),
    ],
)
def test_who_is_kept_off_by_its_own_selector(
    agents: list[KubernetesObject], pods: list[Pod], lacks: tuple[str, ...] | None
) -> None:
    new = node("new", labels={"pool": "new", "kubernetes.io/os": "linux"})
    found = kept_away(AGENT, cluster([new, node("old", labels={"pool": "old"})], pods, *agents), [new])
    assert (found.state if found else None, found.lacks if found else None) == (
        State.KEPT_AWAY if lacks else None,
        lacks,
    )


@pytest.mark.parametrize(
    ("taint", "kept_by"),
    [
        ("nvidia.com/gpu:NoSchedule", "nvidia.com/gpu"),
        ("a:PreferNoSchedule", ""),
        ("node.kubernetes.io/not-ready:NoSchedule", ""),
    ],
)
def test_who_does_not_tolerate_the_node(taint: str, kept_by: str) -> None:
    """What controllers say of nodes, each DaemonSet's pods tolerate."""
    new = node("new", labels={"pool": "new"}, taints=[taint])
    found = kept_away(AGENT, cluster([new], [], _agent("acme-agent", pool="new")), [new])
    assert (found.taint if found else "") == kept_by
