"""Replicas, daemon pods and rolling updates on a cluster."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted, rules_of

NODE = """apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}, pool: {pool}}}}}
spec: {{taints: [{taint}]}}
status: {{allocatable: {{cpu: "{cpu}", memory: 8Gi, pods: "110"}}}}
---
"""
WORKLOAD = """apiVersion: {version}
kind: {kind}
metadata: {{name: web}}
spec:
  {counts}
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      {more}
      containers: [{{name: web, image: web, resources: {{requests: {{cpu: "{cpu}"}}}}}}]
"""
JOB = """apiVersion: batch/v1
kind: Job
metadata: {{name: web}}
spec:
  {counts}
  template:
    spec:
      restartPolicy: Never
      containers: [{{name: web, image: web, resources: {{requests: {{cpu: "{cpu}"}}}}}}]
"""


def node(name: str = "n1", cpu: str = "4", taint: str = "", pool: str = "a") -> str:
    return NODE.format(name=name, cpu=cpu, taint=taint, pool=pool)


def workload(kind: str = "Deployment", counts: str = "replicas: 1", cpu: str = "1", more: str = "") -> str:
    return WORKLOAD.format(version="apps/v1", kind=kind, counts=counts, cpu=cpu, more=more)


@pytest.mark.parametrize(
    ("manifest", "cluster", "message"),
    [
        pytest.param(workload(counts="replicas: 5"), node(), "1 of 5 replicas fits nowhere", id="one replica too many"),
        pytest.param(workload(cpu="5"), node(), "it fits on no node", id="a single replica"),
        pytest.param(
            workload(counts="replicas: 2", cpu="5"), node(), "none of 2 replicas fits", id="no replica at all"
        ),
        pytest.param(
            workload("StatefulSet", "replicas: 3\n  serviceName: web", cpu="2"),
            node(),
            "1 of 3 replicas",
            id="stateful",
        ),
        pytest.param(
            workload("DaemonSet", "minReadySeconds: 0", cpu="3"),
            node() + node("n2", cpu="2"),
            "the pods for 1 of 2 nodes do not fit (n2)",
            id="a pod of a DaemonSet",
        ),
        pytest.param(
            JOB.format(counts="parallelism: 9\n  completions: 3", cpu="2"), node(), "1 of 3 replicas", id="a job"
        ),
        pytest.param(
            JOB.format(counts="parallelism: 3\n  completions: 9", cpu="2"),
            node(),
            "1 of 3 replicas",
            id="a parallel job",
        ),
    ],
)
def test_replicas_that_are_left_over_are_counted(manifest: str, cluster: str, message: str) -> None:
    report = linted(manifest, cluster)
    (found,) = (finding for finding in report.findings if "does-not-fit" in (finding.rule, *finding.also))
    assert message in found.message


@pytest.mark.parametrize(
    ("ports", "place"),
    [
        pytest.param("{containerPort: 80}, {containerPort: 8080, hostPort: 8080}", "hostPort", id="a host port"),
        pytest.param("{containerPort: 80}, {containerPort: 8080}", "containerPort", id="on the network of the host"),
    ],
)
def test_a_port_that_is_taken_is_pointed_at(ports: str, place: str) -> None:
    asking = workload(more="hostNetwork: true" if place == "containerPort" else "")
    taken = """apiVersion: v1
kind: Pod
metadata: {name: other, namespace: default, uid: u}
spec: {nodeName: n1, containers: [{name: a, image: a, ports: [{containerPort: 80, hostPort: 8080}]}]}
status: {phase: Running}
"""
    report = linted(asking.replace("image: web,", f"image: web, ports: [{ports}],"), node() + taken)
    (found,) = (each for each in report.findings if each.rule == "does-not-fit")
    assert found.field == f"spec.template.spec.containers[0].ports[1].{place}"


@pytest.mark.parametrize(
    ("taint", "more"),
    [
        pytest.param("{key: dedicated, value: gpu, effect: NoSchedule}", "", id="a taint that it does not tolerate"),
        pytest.param("", "nodeSelector: {pool: b}", id="a node selector that does not match"),
    ],
)
def test_a_daemon_set_makes_no_pod_for_nodes_that_it_does_not_run_on(taint: str, more: str) -> None:
    daemon_set = workload("DaemonSet", "minReadySeconds: 0", cpu="3", more=more)
    cluster = node(pool="b") + node("n2", cpu="2", taint=taint, pool="c")
    report = linted(daemon_set, cluster)
    assert (rules_of(report), report.placed) == ([], 1)


def test_daemon_pods_go_to_nodes_that_are_cordoned() -> None:
    cordoned = node(taint="{key: node.kubernetes.io/unschedulable, effect: NoSchedule}").replace(
        "spec: {", "spec: {unschedulable: true, "
    )
    report = linted(workload("DaemonSet", "minReadySeconds: 0"), cordoned)
    assert (rules_of(report), report.placed) == ([], 1)


def test_pods_of_the_same_workload_make_room_first() -> None:
    running = """apiVersion: v1
kind: Pod
metadata:
  name: web-0
  namespace: default
  uid: u
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s, controller: true}]
spec: {nodeName: n1, containers: [{name: web, image: web, resources: {requests: {cpu: 3}}}]}
status: {phase: Running}
"""
    stateful_set = workload("StatefulSet", "replicas: 1\n  serviceName: web", cpu="3")
    assert rules_of(linted(stateful_set, node() + running)) == []
    other = running.replace("name: web, uid: s", "name: other, uid: s")
    assert rules_of(linted(stateful_set, node() + other)) == ["does-not-fit"]


def old_pods(count: int, cpu: str) -> str:
    owner = "{apiVersion: apps/v1, kind: ReplicaSet, name: web-6d4cf56db6, uid: r, controller: true}"
    return "".join(
        f"---\napiVersion: v1\nkind: Pod\nmetadata: {{name: web-6d4cf56db6-{index}, namespace: default, uid: u{index}, "
        f"ownerReferences: [{owner}], labels: {{app: web}}}}\n"
        f"spec: {{nodeName: n1, containers: [{{name: web, image: web, resources: {{requests: {{cpu: {cpu}}}}}}}]}}\n"
        "status: {phase: Running}\n"
        for index in range(count)
    )


@pytest.mark.parametrize(
    ("strategy", "rules"),
    [
        pytest.param("rollingUpdate: {maxSurge: 1, maxUnavailable: 0}", ["rollout-stalls"], id="no room for a surge"),
        pytest.param("rollingUpdate: {maxSurge: 0, maxUnavailable: 1}", [], id="one goes first"),
        pytest.param("type: Recreate", [], id="all go first"),
        pytest.param("type: RollingUpdate", ["rollout-stalls"], id="a quarter of two is none at all"),
    ],
)
def test_a_rolling_update_needs_room_beside_what_runs(strategy: str, rules: list[str]) -> None:
    deployment = workload(counts=f"replicas: 2\n  strategy: {{{strategy}}}", cpu="2")
    assert rules_of(linted(deployment, node() + old_pods(2, "2"))) == rules


def test_what_the_manifests_bring_along_counts_as_there() -> None:
    manifest = workload(more="priorityClassName: important") + (
        "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: important}\nvalue: 7\n"
    )
    other = "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: other}\nvalue: 7\n"
    assert rules_of(linted(manifest, node() + other)) == []


def test_the_default_of_a_limit_range_in_the_manifests_is_requested() -> None:
    bare = workload().replace(', resources: {requests: {cpu: "1"}}', "")
    limits = (
        "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n"
        "spec: {limits: [{type: Container, defaultRequest: {cpu: 5}, default: {cpu: 6}}]}\n"
    )
    (found,) = linted(bare + limits, node()).findings
    assert (found.rule, found.also) == ("request-exceeds-every-node", ("does-not-fit",))


def test_a_daemon_pod_that_may_not_surge_is_refused() -> None:
    surging = "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"
    quota = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 1}}\n---\n"
    running = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web-a, uid: a, labels: {app: web}, ownerReferences: [OWNER]}\n"
    )
    owner = "{apiVersion: apps/v1, kind: DaemonSet, name: web, uid: w, controller: true}"
    running = running.replace("OWNER", owner) + "spec: {nodeName: n1, containers: [{name: web, image: web}]}\n---\n"
    old = workload("DaemonSet", surging, cpu="2").replace("{name: web}", "{name: web, uid: w, generation: 1}", 1)
    cluster = f"{node()}{quota}{running}{old}status: {{desiredNumberScheduled: 1}}\n"
    assert rules_of(linted(workload("DaemonSet", surging), cluster)) == ["refused"]


def test_what_is_kept_back_or_left_to_others_is_a_note() -> None:
    report = linted(workload(more="schedulerName: volcano"), node())
    assert report.findings == ()
    assert any("another scheduler places them" in note for note in report.notes)


def test_the_field_is_that_of_what_the_message_names() -> None:
    more = "nodeSelector: {pool: a}\n      tolerations: [{key: gpus, operator: Exists}]"
    there = node(taint="{key: gpu, value: a, effect: NoSchedule}") + "".join(node(f"b{n}", pool="b") for n in range(3))
    (found,) = (each for each in linted(workload(more=more), there).findings if each.rule == "does-not-fit")
    assert "taint gpu=a:NoSchedule" in found.message
    assert found.message.startswith("spec.template.spec.tolerations: ")


SCALER = """---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  maxReplicas: MOST
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}]
"""


@pytest.mark.parametrize(
    ("counts", "most", "rules", "says"),
    [
        pytest.param("replicas: 2", 9, ["autoscaler-beyond-room"], "room for 4 of 9 replicas of", id="beyond the room"),
        pytest.param("replicas: 2", 4, [], "", id="within it"),
        pytest.param("paused: false", 9, ["autoscaler-beyond-room"], "room for 4 of 9 replicas of", id="its own least"),
        pytest.param("replicas: 5", 9, ["does-not-fit"], "", id="not even what it begins with"),
    ],
)
def test_an_autoscaler_is_held_against_the_room(counts: str, most: int, rules: list[str], says: str) -> None:
    report = linted(f"{workload(counts=counts)}{SCALER.replace('MOST', str(most))}", node())
    assert rules_of(report) == rules
    if says:
        (found,) = report.findings
        assert says in found.message
        assert (found.object, found.field) == ("HorizontalPodAutoscaler default/web", "spec.maxReplicas")


def test_a_fault_behind_a_misspelt_label_is_told_at_once() -> None:
    there = node("gpu-1", pool="gpu", taint="{key: dedicated, value: batch, effect: NoSchedule}")
    (found,) = (each for each in linted(workload(more="nodeSelector: {pool: gpus}"), there).findings if each.also)
    assert found.also == ("does-not-fit",)
    assert found.message.endswith("(it fits on no node; besides, node gpu-1 has the taint dedicated=batch:NoSchedule, "
                                  "which is not tolerated)")  # fmt: skip


def test_a_taint_and_a_size_are_two_faults() -> None:
    there = node("gpu-1", pool="gpu", taint="{key: dedicated, value: batch, effect: NoSchedule}")
    found = linted(workload(cpu="6", more="nodeSelector: {pool: gpu}"), there).findings
    assert [(each.rule, each.also) for each in found] == [("does-not-fit", ()), ("request-exceeds-every-node", ())]


ZONES = """nodeSelector: {disktype: ssd}
  affinity: {nodeAffinity: {REQUIRED: {nodeSelectorTerms: [{matchExpressions: [
    {key: zone, operator: In, values: [c]}]}]}}}"""
SPREAD = """topologySpreadConstraints:
  - topologyKey: zones
    maxSkew: 1
    whenUnsatisfiable: DoNotSchedule
    labelSelector: {matchLabels: {a: b}}"""


@pytest.mark.parametrize(("fields", "line"), [(ZONES, 7), (SPREAD, 6)])
def test_what_fits_nowhere_is_said_once_where_the_culprit_stands(fields: str, line: int) -> None:
    fields = fields.replace("REQUIRED", "requiredDuringSchedulingIgnoredDuringExecution")
    pod = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p, labels: {{a: b}}}}\nspec:\n  {fields}\n"
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {disktype: ssd, zone: a}}\n"
    node += "status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}\n"
    (found,) = linted(f"{pod}  containers: [{{name: c, image: i}}]\n", node).findings
    assert (found.rule, found.severity, found.line) == ("does-not-fit", "error", line)
    assert found.also[0].endswith("no-node")
    assert found.instead == ("zone" if "zones" in fields else None)


def test_of_very_many_replicas_it_is_said_how_many_are_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kexplain.lint.placement.MAX_COPIES", 3)
    web = (
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: REPLICAS, selector: "
        "{matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: c}]}}}}"
    )
    node = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 9, pods: 9}}}"
    said = "of 4 replicas of Deployment default/web, 3 are placed: more than enough to tell"
    assert said in linted(web.replace("REPLICAS", "4"), node).notes
    assert said not in linted(web.replace("REPLICAS", "3"), node).notes
