"""Who is at fault behind what keeps a pod from running, and what would mend that."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.diagnosis.answering import answerer
from kexplain.diagnosis.behind import provisioner_of
from kexplain.diagnosis.caretakers import Caretaker, Subject
from kexplain.diagnosis.components import Component, State
from kexplain.diagnosis.culprits import Care, at_fault, care_of, statement_of, with_culprit
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.keepers import keeper_of
from kexplain.diagnosis.records import Finding, Kind, ObjectReference, Relation, held_by, link
from kexplain.explanation.records import PodExplanation
from kexplain.objects.core import Node, NodeCondition, Pod
from kexplain.objects.meta import Condition, KubernetesObject
from kexplain.remedies.records import Action
from tests.diagnosis.test_components import FAILS, READY, daemon_set, made
from tests.factories import cluster, controlled_by, node, pod, selector, service
from tests.queues.made import read
from tests.storage_factories import capacity, claim, csi_driver, csi_node, persistent_volume, storage_class, uses

TAINT = "agent.acme.io/not-ready:NoSchedule"


def why(asking: Pod, nodes: list[Node], pods: list[Pod], *others: KubernetesObject) -> PodExplanation:
    idle = [each for each in pods if not each.spec.node_name]
    around = cluster(nodes, [each for each in pods if each.spec.node_name], *others, *idle)
    (found,) = explain(Case(around, (PodToPlace(asking),))).pods
    return found


def test_a_crash_looping_agent_is_the_culprit() -> None:
    broken = made("agent-1", "n1", containerStatuses=FAILS)
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [broken])
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(", as DaemonSet a/acme-agent, which clears that taint, crash-loops on n1")
    assert found.diagnosis.culprit is not None
    assert (found.diagnosis.culprit.kind, found.diagnosis.culprit.name) == ("DaemonSet", "acme-agent")
    (remedy,) = found.remedies
    assert remedy.action == Action.CHECK_CONTROLLER
    assert remedy.commands == ("kubectl logs --previous --all-containers agent-1 -n a",)


def test_nodes_that_are_only_cordoned_beside_those_that_wait_for_an_agent_may_still_take_pods() -> None:
    agents = [made("agent-1", "n1", containerStatuses=FAILS), made("agent-2", "n2", conditions=READY)]
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT]), node("n2", cordoned=True)], agents)
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(", as DaemonSet a/acme-agent, which clears that taint, crash-loops on n1")
    first, second = found.remedies
    assert first.action == Action.CHECK_CONTROLLER
    assert (second.action, second.nodes) == (Action.UNCORDON, ("n2",))


def test_an_agent_that_does_not_tolerate_its_own_taint_is_to_tolerate_it() -> None:
    waiting = made("agent-1", "n1", on=False)
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [waiting], daemon_set())
    assert found.diagnosis is not None
    assert "is pending itself: its pod agent-1 does not tolerate agent.acme.io/not-ready" in found.diagnosis.text
    (remedy,) = found.remedies
    (change,) = remedy.changes
    assert change.target.name == "acme-agent"
    assert change.operations[0]["value"] == [{"key": "agent.acme.io/not-ready", "operator": "Exists"}]


def test_the_pod_that_would_clear_the_taint_is_told_so() -> None:
    waiting = made("agent-1", "n1", on=False)
    found = why(waiting, [node("n1", taints=[TAINT])], [waiting], daemon_set())
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(
        "; this pod itself would clear agent.acme.io/not-ready, and does not tolerate it"
    )


def test_an_agent_that_runs_is_not_blamed() -> None:
    found = why(pod("web", cpu="1"), [node("n1", taints=[TAINT])], [made("agent-1", "n1", conditions=READY)])
    assert found.diagnosis is not None
    assert "agent" not in found.diagnosis.text.partition(")")[2]
    assert found.diagnosis.culprit is not None
    assert found.diagnosis.culprit.kind == "Node"


def test_kubelets_that_wait_for_their_network_name_its_plugin() -> None:
    message = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady"
    sick = node("n1", taints=["node.kubernetes.io/not-ready:NoSchedule"])
    condition = NodeCondition(type="Ready", status="False", message=message)
    sick = replace(sick, status=replace(sick.status, conditions=(condition,)))
    found = why(pod("web", cpu="1"), [sick], [made("cilium-1", "n1", of="cilium", containerStatuses=FAILS)])
    assert found.diagnosis is not None
    assert "a/cilium, which sets up their network, crash-loops" in found.diagnosis.text


MAKES = "which makes its volume,"
REGISTERED, HAS_EBS, HAS_ACME = (
    csi_node("n1", {driver: None}) for driver in ("disks.agent.acme.io", "ebs.csi.aws.com", "csi.acme.io")
)


@pytest.mark.parametrize(
    ("driver", "around", "also", "expected"),
    [
        pytest.param("csi.acme.io", [made("agent-1", "n1", containerStatuses=FAILS)], [],
                     f"DaemonSet a/acme-agent, {MAKES} crash-loops on n1", id="fails"),
        pytest.param("csi.acme.io", [made("agent-1", "n1", conditions=READY)], [], "", id="runs"),
        pytest.param("csi.acme.io", [], [], "", id="nobody-knows"),
        pytest.param("csi.k8s.io", [made("agent-1", "n1", containerStatuses=FAILS)], [], "", id="of-no-name"),
        pytest.param("the provisioner of acme", [made("agent-1", "n1", containerStatuses=FAILS)], [], "",
                     id="in-words"),
        pytest.param("", [made("agent-1", "n1", containerStatuses=FAILS)], [], "", id="without-a-driver"),
        pytest.param("ebs.csi.aws.com", [made("other-1", "n1", of="other")], [],
                     f"the EBS CSI driver, {MAKES} is probably not installed", id="not-installed"),
        pytest.param("kubernetes.io/aws-ebs", [made("other-1", "n1", of="other")], [],
                     f"the EBS CSI driver, {MAKES} is probably not installed", id="in-tree"),
        pytest.param("ebs.csi.aws.com", [made("other-1", "n1", of="other")], [HAS_EBS],
                     "", id="registered"),
        pytest.param("ebs.csi.aws.com", [made("other-1", "n1", of="other")], [REGISTERED],
                     f"the EBS CSI driver, {MAKES} is probably not installed", id="another-is-registered"),
        pytest.param("csi.acme.io", [made("agent-1", "n1", containerStatuses=FAILS)], [HAS_ACME],
                     f"DaemonSet a/acme-agent, {MAKES} crash-loops on n1", id="registered-and-fails"),
        pytest.param("disks.agent.acme.io", [], [REGISTERED], "", id="of-any-name"),
    ],
)  # fmt: skip
def test_who_makes_volumes(driver: str, around: list[Pod], also: list[KubernetesObject], expected: str) -> None:
    care = provisioner_of(driver, cluster([node("n1")], around, *also))
    assert (str(statement_of(care)) if care else "") == expected


@pytest.mark.parametrize(
    ("name", "around", "expected"),
    [
        ("acme", [made("agent-1", "n1", containerStatuses=FAILS)],
         "DaemonSet a/acme-agent, which places its pods, crash-loops on n1"),
        ("acme", [made("agent-1", "n1", conditions=READY)], ""),
        ("acme", [], ""),
        ("", [made("agent-1", "n1", containerStatuses=FAILS)], ""),
    ],
)  # fmt: skip
def test_who_places_pods(name: str, around: list[Pod], expected: str) -> None:
    care = at_fault(Subject.SCHEDULER, name, "places its pods", cluster([node("n1")], around), pod("web"))
    assert (str(statement_of(care)) if care else "") == expected


PULLS = [{"name": "c", "state": {"waiting": {"reason": "ErrImagePull"}}}]
CILIUM = "node.cilium.io/agent-not-ready:NoSchedule"
UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized:NoSchedule"
AGENT = "DaemonSet a/acme-agent, which"
#: It runs on the node, and does not tolerate its taint.
OLDER = pod("older", node="n1")
HAS_ENDED = made("other-1", "n1", of="other", conditions=READY)
OUT = Finding(kind=Kind.POOL_OUT_OF_SERVICE, text="the pool is out of service", nodes=("n1",))
GPU = Finding(kind=Kind.RESOURCE_UNKNOWN, text="no node has it", nodes=("n1",), facts={"resource": "nvidia.com/gpu"})
ACME_GPU = replace(GPU, facts={"resource": "acme.io/gpu"})
DRIVER = Finding(
    kind=Kind.DRIVER_MISSING,
    text="no node has the driver",
    nodes=("n1",),
    chain=(link(Relation.WAITS_FOR, "Pod", "a/x"), link(Relation.WAITS_FOR, "CSIDriver", "/csi.acme.io")),
)
OTHER_SCHEDULER = Finding(kind=Kind.OTHER_SCHEDULER, text="left to another", facts={"scheduler": "acme"})


def agent(*, on: bool = True, **status: Any) -> Pod:
    return made("agent-1", "n1", on=on, **status)


def statement(found: Finding, nodes: list[Node], *pods: Pod, asking: Pod | None = None, also: Any = ()) -> str:
    idle = [each for each in pods if not each.spec.node_name]
    around = cluster(nodes, [each for each in pods if each.spec.node_name], *also, *idle)
    care = care_of(found, asking or pod("web"), around)
    return str(statement_of(care)) if care else ""


STARTING = node("n1", taints=[TAINT])


@pytest.mark.parametrize(
    ("found", "nodes", "pods", "expected"),
    [
        pytest.param(OUT, [STARTING], [agent(containerStatuses=FAILS)],
                     f"{AGENT} clears that taint, crash-loops on n1", id="taint"),
        pytest.param(replace(OUT, kind=Kind.ZONE_OUT_OF_SERVICE), [STARTING], [agent(containerStatuses=FAILS)],
                     f"{AGENT} clears that taint, crash-loops on n1", id="zone"),
        pytest.param(OUT, [STARTING], [agent(containerStatuses=PULLS)],
                     f"{AGENT} clears that taint, does not start (ErrImagePull) on n1", id="image"),
        pytest.param(OUT, [STARTING], [agent()], f"{AGENT} clears that taint, is not ready (pod agent-1 on n1)",
                     id="not-ready"),
        pytest.param(OUT, [STARTING], [agent(on=False)],
                     f"{AGENT} clears that taint, is pending itself: its pod agent-1 does not tolerate "
                     "agent.acme.io/not-ready", id="repelled"),
        pytest.param(OUT, [node("n1", taints=[TAINT]), node("n2")], [made("agent-1", "n2", on=False)],
                     f"{AGENT} clears that taint, is pending itself: its pod agent-1 has no node",
                     id="on-another-node"),
        pytest.param(OUT, [STARTING], [agent(conditions=READY)], "", id="runs"),
        pytest.param(OUT, [STARTING], [agent(conditions=READY), OLDER],
                     f"{AGENT} clears that taint, is ready there: the taint was put on later", id="came-later"),
        pytest.param(OUT, [node("n1")], [agent(containerStatuses=FAILS)], "", id="in-service"),
        pytest.param(OUT, [node("n1", taints=[TAINT], cordoned=True)], [agent(containerStatuses=FAILS)],
                     f"{AGENT} clears that taint, crash-loops on n1", id="and-cordoned"),
        pytest.param(OUT, [node("n1", cordoned=True)], [agent(containerStatuses=FAILS)], "", id="only-cordoned"),
        pytest.param(OUT, [node("n1", taints=[UNINITIALIZED])], [HAS_ENDED],
                     "the cloud-controller-manager, which clears that taint, has no pod in the cluster",
                     id="nowhere-here"),
        pytest.param(OUT, [node("n1", taints=[UNINITIALIZED]), node("n2")], [HAS_ENDED], "", id="may-run-elsewhere"),
        pytest.param(OUT, [node("n1", taints=[CILIUM])], [HAS_ENDED],
                     "the Cilium agent, which clears that taint, is probably not installed", id="absent"),
        pytest.param(OUT, [node("n1", taints=[CILIUM])], [], "", id="nothing-was-read"),
        pytest.param(OUT, [node("n1", taints=[CILIUM]), node("n2")], [HAS_ENDED], "", id="works-elsewhere"),
        pytest.param(GPU, [node("n1")], [HAS_ENDED],
                     "the device plugin, which reports nvidia.com/gpu, is probably not installed", id="resource"),
        pytest.param(GPU, [node("n1"), node("n2", further={"nvidia.com/gpu": 1})], [HAS_ENDED], "",
                     id="another-node-has-the-resource"),
        pytest.param(GPU, [node("n1"), node("n2", further={"nvidia.com/gpu": 0})], [HAS_ENDED],
                     "the device plugin, which reports nvidia.com/gpu, is probably not installed",
                     id="another-node-has-none-of-it"),
        pytest.param(ACME_GPU, [node("n1")], [agent(conditions=READY)],
                     f"{AGENT} reports acme.io/gpu, seems to run (pod agent-1 on n1)", id="its-plugin-runs"),
        pytest.param(replace(ACME_GPU, kind=Kind.DEVICE_PLUGIN_DOWN), [node("n1")], [agent(containerStatuses=FAILS)],
                     f"{AGENT} reports acme.io/gpu, crash-loops on n1", id="its-plugin-fails"),
        pytest.param(replace(ACME_GPU, facts={"resource": "acme.io/gpu", "meant": "x"}), [node("n1")],
                     [agent(containerStatuses=FAILS)], "", id="another-resource-was-meant"),
        pytest.param(replace(ACME_GPU, facts={"resource": "acme.io/gpu", "instead": "x"}), [node("n1")],
                     [agent(containerStatuses=FAILS)], "", id="another-resource-is-there-instead"),
        pytest.param(replace(ACME_GPU, facts={"resource": "cpu"}), [node("n1")], [agent(containerStatuses=FAILS)], "",
                     id="no-extended-resource"),
        pytest.param(replace(ACME_GPU, facts={}), [node("n1")], [agent(containerStatuses=FAILS)], "",
                     id="no-resource"),
        pytest.param(DRIVER, [node("n1")], [agent(containerStatuses=FAILS)],
                     f"{AGENT} registers csi.acme.io on nodes, crash-loops on n1", id="driver"),
        pytest.param(replace(DRIVER, chain=DRIVER.chain[:1]), [node("n1")], [agent(containerStatuses=FAILS)], "",
                     id="no-driver"),
        pytest.param(OTHER_SCHEDULER, [node("n1")], [agent(containerStatuses=FAILS)],
                     f"{AGENT} serves that name, crash-loops on n1", id="scheduler"),
        pytest.param(replace(OTHER_SCHEDULER, facts={}), [node("n1")], [agent(containerStatuses=FAILS)], "",
                     id="no-scheduler"),
        pytest.param(Finding(kind=Kind.GATED, text="gated", nodes=("n1",)), [STARTING],
                     [agent(containerStatuses=FAILS)], "", id="of-nobodys"),
    ],
)  # fmt: skip
def test_who_should_have_seen_to_it(found: Finding, nodes: list[Node], pods: list[Pod], expected: str) -> None:
    assert statement(found, nodes, *pods) == expected


def test_its_own_pod_is_not_its_scheduler() -> None:
    own = agent(containerStatuses=FAILS)
    assert statement(OTHER_SCHEDULER, [node("n1")], own, asking=own) == ""


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        ("False", "cni plugin not initialized", "crash-loops on n1"),
        ("False", "cni config uninitialized", "crash-loops on n1"),
        ("False", "reason:NetworkPluginNotReady message:docker", "crash-loops on n1"),
        ("False", "PLEG is not healthy", ""),
        ("Unknown", "cni plugin not initialized", ""),
        ("False", None, ""),
    ],
)
def test_who_waits_for_a_network(status: str, message: str | None, expected: str) -> None:
    sick = node("n1", taints=["node.kubernetes.io/not-ready:NoSchedule"] if status == "False" else [])
    conditions = (NodeCondition(type="Ready", status=status, message=message),)
    sick = replace(sick, status=replace(sick.status, conditions=conditions))
    said = statement(OUT, [sick], made("cilium-1", "n1", of="cilium", containerStatuses=FAILS))
    assert said == (expected and f"DaemonSet a/cilium, which sets up their network, {expected}")


@pytest.mark.parametrize(
    ("component", "text", "certain", "blamed"),
    [
        (None, "; the agent, which clears that taint, has no pod in the cluster", False, None),
        (State.FAILING, f", as {AGENT} clears that taint, does not start (Error) on n1", True, True),
        (State.SCALED_DOWN, f", as {AGENT} clears that taint, is scaled to 0", True, True),
        (State.NOT_CREATED, f", as {AGENT} clears that taint, has no pods", True, True),
        (State.NOT_THERE, f", as {AGENT} clears that taint, has no pod on n1", True, True),
        (State.RUNS, f"; {AGENT} clears that taint, runs (pod x), and has not done so", True, False),
    ],
)
def test_what_is_wrong_with_who_is_at_fault(
    component: State | None, text: str, certain: bool, blamed: bool | None
) -> None:
    workload = ObjectReference(kind="DaemonSet", name="acme-agent", namespace="a")
    found = Component(workload, component, pod="x", node="n1", reason="Error") if component else None
    care = Care(Subject.TAINT, "x", Caretaker("^acme", "the agent"), "clears that taint", found)
    said = with_culprit(OUT, care)
    assert (said.text, said.certain) == (f"{OUT.text}{text}", certain)
    assert said.culprit == (workload if blamed else None)
    assert [each.object for each in said.chain] == ([] if found is None else [workload])
    assert said.facts["because"]


@pytest.mark.parametrize(
    ("subject", "state", "fault", "is_known", "is_all"),
    [
        (Subject.TAINT, None, False, True, False),
        (Subject.NETWORK, None, False, False, False),
        (Subject.RESOURCE, None, False, True, False),
        (Subject.TAINT, State.RUNS, False, True, False),
        (Subject.TAINT, State.FAILING, True, True, True),
        (Subject.NETWORK, State.FAILING, True, True, True),
        (Subject.DRIVER, State.FAILING, True, True, True),
        (Subject.RESOURCE, State.FAILING, True, True, False),
        (Subject.SCHEDULER, State.FAILING, True, True, False),
    ],
)
def test_how_much_of_it_is_theirs(
    subject: Subject, state: State | None, fault: bool, is_known: bool, is_all: bool
) -> None:
    component = Component(ObjectReference(kind="DaemonSet", name="x"), state) if state else None
    care = Care(subject, "x", Caretaker("x", "x"), "does", component)
    assert (care.is_at_fault, care.is_known, care.is_all) == (fault, is_known, is_all)


CRASHES = made("agent-1", "n1", containerStatuses=FAILS)
PLUGIN = made("cilium-1", "n1", of="cilium", containerStatuses=FAILS)
STORED = [claim(volume="pv"), persistent_volume("pv", driver="csi.acme.io")]
MOUNTS = pod("web", node="n1", volumes=uses("data"), scheduler_name="acme")


@pytest.mark.parametrize(
    ("kind", "by", "around", "also", "expected"),
    [
        pytest.param(Kind.CLAIM_NOT_PROVISIONED, "csi.acme.io", [CRASHES], [],
                     f"{AGENT} makes its volume, crash-loops on n1", id="provisioner"),
        pytest.param(Kind.NOT_TRIED, "nobody", [CRASHES], [], f"{AGENT} places its pods, crash-loops on n1",
                     id="scheduler"),
        pytest.param(Kind.SANDBOX_FAILED, "kubelet", [PLUGIN], [],
                     "DaemonSet a/cilium, which sets up its network, crash-loops on n1", id="network"),
        pytest.param(Kind.SANDBOX_FAILED, "kubelet", [made("cilium-1", "n1", of="cilium", conditions=READY)], [], "",
                     id="network-that-runs"),
        pytest.param(Kind.VOLUME_NOT_ATTACHED, "kubelet", [CRASHES], STORED,
                     f"{AGENT} attaches and mounts its volumes, crash-loops on n1", id="attacher"),
        pytest.param(Kind.VOLUME_NOT_MOUNTED, "kubelet", [CRASHES], STORED,
                     f"{AGENT} attaches and mounts its volumes, crash-loops on n1", id="driver"),
        pytest.param(Kind.VOLUME_NOT_MOUNTED, "kubelet", [made("agent-1", "n1", conditions=READY)], STORED, "",
                     id="driver-that-runs"),
        pytest.param(Kind.VOLUME_NOT_MOUNTED, "kubelet", [CRASHES], [claim(volume="pv")], "", id="volume-not-read"),
        pytest.param(Kind.VOLUME_NOT_MOUNTED, "kubelet", [CRASHES], [claim(), STORED[1]], "", id="without-a-volume"),
        pytest.param(Kind.VOLUME_NOT_MOUNTED, "kubelet", [CRASHES], [], "", id="claim-not-read"),
        pytest.param(Kind.IMAGE_NOT_PULLED, "kubelet", [CRASHES, PLUGIN], STORED, "", id="nobody"),
    ],
)  # fmt: skip
def test_who_should_let_it_go(
    kind: Kind, by: str, around: list[Pod], also: list[KubernetesObject], expected: str
) -> None:
    held = held_by(by, kind, told("sandbox-failed"), node="n1")
    care = keeper_of(held, MOUNTS, cluster([node("n1"), node("n2")], around, *also))
    assert (str(statement_of(care)) if care else "") == expected


def test_who_serves_the_files_that_cannot_be_mounted() -> None:
    said = "Output: mount.nfs: Connection timed out, -t nfs files.a.svc.cluster.local:/exports"
    held = held_by("kubelet", Kind.VOLUME_NOT_MOUNTED, told("sandbox-failed"), node="n1", message=said)
    behind = service("files", {"app": "files"}, namespace="a")
    servers = (CRASHES, made("agent-1", "n1", conditions=READY))
    labelled = (replace(each, metadata=replace(each.metadata, labels={"app": "files"})) for each in servers)
    found = [keeper_of(held, MOUNTS, cluster([node("n1")], [each], behind)) for each in labelled]
    assert [str(statement_of(each)) if each else "" for each in found] == [
        f"{AGENT} serves that volume, crash-loops on n1",
        "",
    ]


def test_on_another_node_it_may_fail() -> None:
    elsewhere = made("cilium-2", "n2", of="cilium", containerStatuses=FAILS)
    around = cluster([node("n1"), node("n2")], [made("cilium-1", "n1", of="cilium", conditions=READY), elsewhere])
    for on, is_blamed in (("n1", False), ("n2", True)):
        held = held_by("kubelet", Kind.SANDBOX_FAILED, told("sandbox-failed"), node=on)
        assert (keeper_of(held, pod("web", node=on), around) is not None) == is_blamed


WEBHOOK = 'failed calling webhook "x": Post "https://acme-hook.a.svc:443/?timeout=10s": context deadline exceeded'
IS_READY = Condition(type="Ready", status="True")
HOOK = service("acme-hook", {"app": "acme"}, namespace="a")


def behind(labels: dict[str, str], namespace: str = "a", **more: Any) -> Pod:
    return pod(
        "acme-1", namespace=namespace, node="n1", labels=labels, owner=controlled_by("StatefulSet", "acme"), **more
    )


@pytest.mark.parametrize(
    ("message", "around", "also", "expected"),
    [
        pytest.param(WEBHOOK, [behind({"app": "acme"})], [HOOK],
                     "StatefulSet a/acme, which answers it, is not ready (pod acme-1 on n1)", id="not-ready"),
        pytest.param(WEBHOOK, [behind({"app": "acme", "more": "x"})], [HOOK],
                     "StatefulSet a/acme, which answers it, is not ready (pod acme-1 on n1)", id="with-other-labels"),
        pytest.param(WEBHOOK, [behind({"app": "acme"}, conditions=[IS_READY])], [HOOK],
                     "Service acme-hook, which it calls, has pods that run: the API server does not reach them, or "
                     "they are too slow", id="runs"),
        pytest.param(WEBHOOK.replace("context deadline exceeded", "EOF"),
                     [behind({"app": "acme"}, conditions=[IS_READY])], [HOOK], "", id="runs-and-answers"),
        pytest.param(WEBHOOK, [behind({"app": "other"})], [HOOK],
                     "Service a/acme-hook, which answers it, selects app=acme, which no pod there has: those of "
                     "StatefulSet acme have app=other", id="no-pods"),
        pytest.param(WEBHOOK, [behind({"app": "acme"}, "b")], [HOOK],
                     "what is behind Service a/acme-hook, which answers it, is probably not installed",
                     id="of-another-namespace"),
        pytest.param(WEBHOOK, [behind({"app": "acme"})], [service("other", {"app": "acme"}, namespace="a")],
                     "what is behind Service a/acme-hook, which answers it, is probably not installed",
                     id="another-service"),
        pytest.param(WEBHOOK, [behind({})], [service("acme-hook", None, namespace="a")],
                     "what is behind Service a/acme-hook, which answers it, is probably not installed",
                     id="that-selects-nothing"),
        pytest.param(WEBHOOK, [behind({"app": "acme"})], [], "", id="no-services-were-read"),
        pytest.param("no such host", [behind({"app": "acme"})], [HOOK], "", id="no-webhook"),
    ],
)  # fmt: skip
def test_who_should_answer(message: str, around: list[Pod], also: list[KubernetesObject], expected: str) -> None:
    care = answerer(message, cluster([node("n1")], around, *also))
    assert (str(statement_of(care)) if care else "") == expected


UNKNOWN = 'failed calling webhook "x.acme.io": tls: x509: certificate signed by unknown authority'


def hooks(**client: Any) -> list[KubernetesObject]:
    webhook = {"name": "x.acme.io", "clientConfig": {"service": {"name": "acme-hook", "namespace": "a"}, **client}}
    named = {"kind": "ValidatingWebhookConfiguration", "metadata": {"name": "hooks"}, "webhooks": [webhook]}
    return read({"apiVersion": "admissionregistration.k8s.io/v1", **named})


@pytest.mark.parametrize(
    ("around", "client", "expected"),
    [
        pytest.param([], {}, "ValidatingWebhookConfiguration hooks, which has the API server call it, has no caBundle",
                     id="nobody-has-said-so"),
        pytest.param([made("ca-1", "n1", "Deployment", of="cert-manager-cainjector", containerStatuses=FAILS)], {},
                     "Deployment a/cert-manager-cainjector, which writes its caBundle, crash-loops on n1",
                     id="injector"),
        pytest.param([], {"caBundle": "Cg=="}, "", id="it-has-one"),
    ],
)  # fmt: skip
def test_who_should_say_which_authority_signs_its_certificate(
    around: list[Pod], client: dict[str, str], expected: str
) -> None:
    care = answerer(UNKNOWN, cluster([node("n1")], around, *hooks(**client)))
    assert (str(statement_of(care)) if care else "") == expected


FOUND = {"feature.node.kubernetes.io/pci-10de.present": "true"}


@pytest.mark.parametrize(
    ("labels", "pods", "expected"),
    [
        pytest.param({}, [made("nfd-1", "n1", of="nfd-worker", containerStatuses=FAILS)],
                     "as DaemonSet a/nfd-worker, which labels nodes with it, crash-loops on n1", id="fails"),
        pytest.param({}, [made("nfd-1", "n1", of="nfd-worker", conditions=READY)], "", id="runs"),
        pytest.param({}, [made("other-1", "n1", of="other")],
                     "node-feature-discovery, which labels nodes with it, is probably not installed", id="absent"),
        pytest.param({"feature.node.kubernetes.io/cpu-model": "6"}, [made("other-1", "n1", of="other")], "",
                     id="at-work-under-another-name"),
    ],
)  # fmt: skip
def test_who_labels_nodes_is_the_culprit_where_a_label_is_missing(
    labels: dict[str, str], pods: list[Pod], expected: str
) -> None:
    found = why(pod("train", node_selector=FOUND), [node("n1", labels=labels)], pods)
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(expected)
    assert ("which labels nodes" in found.diagnosis.text) is bool(expected)
    assert bool(found.remedies) is True


def test_an_agent_that_fails_on_part_of_a_pool_is_the_culprit() -> None:
    pool = {"cloud.google.com/gke-nodepool": "web"}
    nodes = [node("n1", labels=pool, taints=[TAINT]), node("n2", labels=pool)]
    pods = [made("agent-1", "n1", containerStatuses=FAILS), made("agent-2", "n2", conditions=READY)]
    found = why(pod("web", cpu="3"), nodes, [*pods, pod("full", cpu="3", node="n2")])
    assert found.diagnosis is not None
    assert found.diagnosis.text.endswith(
        "and n2 is full; DaemonSet a/acme-agent, which clears that taint, crash-loops on n1"
    )
    assert [each.text for each in found.remedies] == [
        "get DaemonSet a/acme-agent running, which clears that taint: see why its container fails"
    ]


def test_an_agent_that_fails_on_part_of_a_pool_does_not_hide_what_helps_on_other_nodes() -> None:
    pool = {"cloud.google.com/gke-nodepool": "web"}
    nodes = [node("n1", labels=pool, taints=[TAINT]), node("n2", labels=pool)]
    nodes.append(node("n3", labels=pool, taints=["maintenance=disk:NoSchedule"]))
    pods = [made("agent-1", "n1", containerStatuses=FAILS), made("agent-2", "n2", conditions=READY)]
    found = why(pod("web", cpu="3"), nodes, [*pods, pod("full", cpu="3", node="n2")])
    first, *others = [each.text for each in found.remedies]
    assert first == "get DaemonSet a/acme-agent running, which clears that taint: see why its container fails"
    assert others[0] == "remove the taint maintenance=disk:NoSchedule from n3"
    # On a new node it fails as well.
    assert not any("n1" in text or "one more node" in text for text in others)


def _provisioner(name: str, *, image: str = "registry.example.com/csi-provisioner:v5", is_ready: bool = True) -> Pod:
    owner = controlled_by("StatefulSet", name.removesuffix("-0"))
    found = pod(name, namespace="csi", node="n1", image=image, owner=owner)
    ready = Condition(type="Ready", status="True" if is_ready else "False")
    return replace(found, status=replace(found.status, phase="Running", conditions=(ready,)))


@pytest.mark.parametrize(
    ("pods", "published", "told_of"),
    [
        pytest.param(
            [_provisioner("storage-0")], [],
            "every node counts as full, as StatefulSet csi/storage, which publishes what is left (CSIStorageCapacity), "
            "runs and has published nothing, as far as was read", id="the-only-one"),
        pytest.param([_provisioner("storage-0", is_ready=False)], [], "StatefulSet csi/storage", id="is-not-ready"),
        pytest.param([_provisioner("other-0"), _provisioner("example-0")], [], "StatefulSet csi/example",
                     id="called-as-the-driver"),
        pytest.param([_provisioner("other-0"), _provisioner("another-0")], [], "", id="nobody-knows-which"),
        pytest.param([_provisioner("storage-0", image="acme/agent")], [], "", id="without-the-sidecar"),
        pytest.param([_provisioner("storage-0")], [capacity("c", selector({"rack": "9"}), "9Gi")], "",
                     id="published-for-other-nodes"),
    ],
)  # fmt: skip
def test_who_publishes_no_capacity_is_the_culprit(
    pods: list[Pod], published: list[KubernetesObject], told_of: str
) -> None:
    there = [storage_class(), claim(), csi_driver(), csi_node("n1", {"csi.example.com": None}), *published]
    found = why(pod("web", volumes=uses("data")), [node("n1")], pods, *there)
    assert found.diagnosis is not None
    assert found.diagnosis.kind is Kind.STORAGE_FULL
    assert told_of in found.diagnosis.text
    assert bool(found.diagnosis.culprit) == bool(told_of)
    texts = [each.text for each in found.remedies]
    assert ("publishes no CSIStorageCapacity" in texts[0] or "StatefulSet csi/" in texts[0]) == bool(told_of)
    assert told_of == "" or not any("add storage" in text for text in texts)
