"""Messages of autoscalers, queues and earlier schedulers: who says them, and what each part means."""

from __future__ import annotations

import pytest

from kexplain.messages.message import parse_message
from kexplain.messages.part import Part

KARPENTER = "karpenter"
CLUSTER_AUTOSCALER = "cluster-autoscaler"


def _is_wholly_known(part: Part) -> bool:
    """Whether the text is known, and the cause that it names as well, which has other words than its meaning."""
    cause = (part.names or {}).get("cause")
    return part.text is not None and not (cause and part.meaning.endswith(cause))


@pytest.mark.parametrize(
    ("message", "said_by", "sources"),
    [
        pytest.param(
            "No nodes are available that match all of the following predicates:: Insufficient cpu (4), "
            "MatchNodeSelector (7), PodToleratesNodeTaints (1).",
            "kube-scheduler",
            [(4, "NodeResourcesFit"), (7, "NodeAffinity"), (1, "TaintToleration")],
            id="names-of-predicates",
        ),
        pytest.param(
            "pod (db-0) failed to fit in any node\nfit failure summary on nodes : Insufficient memory (3)",
            "kube-scheduler",
            [(3, "NodeResourcesFit")],
            id="the-first-releases",
        ),
        pytest.param(
            "pod (db-0) failed to fit in any node\nfit failure on node (n-1): Insufficient cpu, PodFitsHostPorts\n"
            "fit failure on node (n-2): Insufficient cpu",
            "kube-scheduler",
            [(2, "NodeResourcesFit"), (1, "NodePorts")],
            id="node-by-node",
        ),
        pytest.param(
            "failed to find fit for pod, Node n-1: PodFitsPortsNode n-2: PodFitsPorts",
            "kube-scheduler",
            [(2, "NodePorts")],
            id="node-by-node-in-one-line",
        ),
        pytest.param(
            'failed to find fit for pod: {"metadata":{"name":"db: 0"}}Node n-1: PodFitsPorts',
            "kube-scheduler",
            [(1, "NodePorts")],
            id="node-by-node-behind-the-pod",
        ),
        pytest.param(
            "Pod db-0 can't be scheduled on group-a, predicate checking error: Insufficient cpu, Insufficient memory; "
            "predicateName=NodeResourcesFit; reasons: Insufficient cpu, Insufficient memory; debugInfo=",
            CLUSTER_AUTOSCALER,
            [(None, "NodeResourcesFit"), (None, "NodeResourcesFit")],
            id="log-of-an-autoscaler",
        ),
        pytest.param(
            "did not tolerate taint (taint=a/b=c:NoSchedule); no instance type has enough resources ... resources={}",
            KARPENTER,
            [(None, KARPENTER), (None, KARPENTER)],
            id="errors-with-details-left-out",
        ),
        pytest.param(
            'error while running "NodeName" permit plugin for pod "web-0": pod has unbound immediate '
            "PersistentVolumeClaims",
            "kube-scheduler",
            [(None, "NodeName")],
            id="a-plugin-that-failed-early-on",
        ),
        pytest.param(
            "Found 3 instances with errorCode Full.now in nodeGroup blue",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="machines-that-were-not-made",
        ),
        pytest.param(
            "Node scale up in zones z-a failed: IP space exhausted",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="a-failed-scale-up-in-fewer-words",
        ),
        pytest.param(
            "0/5 Nodes are available: 5 node(s) didn't have free ports for the requested pod ports (9100).",
            "kube-scheduler",
            [(5, "NodePorts")],
            id="noted-in-parentheses",
        ),
        pytest.param(
            "predicate failed: GeneralPredicates predicate mismatch, cannot put shop/db-0 on n, reason: node(s) didn't "
            "match node selector",
            CLUSTER_AUTOSCALER,
            [(None, "NodeAffinity")],
            id="earlier-log-of-an-autoscaler",
        ),
        pytest.param(
            "0/4 nodes are available: 1 node(s) didn't match node selector, 3 node(s) had taint {team: red}, that the "
            "pod didn't tolerate.",
            "kube-scheduler",
            [(1, "NodeAffinity"), (3, "TaintToleration")],
            id="before-1.20",
        ),
        pytest.param(
            'error while running "VolumeBinding" filter plugin for pod "db-0": pod has unbound immediate '
            "PersistentVolumeClaims (repeated 3 times)",
            "kube-scheduler",
            [(None, "VolumeBinding")],
            id="1.18-with-repetitions",
        ),
        pytest.param(
            "pod didn't trigger scale-up: 2 max node group size reached, 1 node(s) had untolerated taint {a: b}",
            CLUSTER_AUTOSCALER,
            [(2, CLUSTER_AUTOSCALER), (1, "TaintToleration")],
            id="no-scale-up",
        ),
        pytest.param(
            "pod didn\u2019t trigger scale-up (it wouldn\u2019t fit if a new node is added): 1 max limit reached",
            CLUSTER_AUTOSCALER,
            [(1, CLUSTER_AUTOSCALER)],
            id="curly-apostrophes",
        ),
        pytest.param("pod didn't trigger scale-up:", CLUSTER_AUTOSCALER, [], id="no-reasons"),
        pytest.param(
            'pod didn\'t trigger scale-up: 1 exceeded quota: "all", resources: cpu, memory, 2 in backoff after failed '
            "scale-up",
            CLUSTER_AUTOSCALER,
            [(1, CLUSTER_AUTOSCALER), (2, CLUSTER_AUTOSCALER)],
            id="quota-of-capacity",
        ),
        pytest.param(
            "Node scale up in zones europe-west4-b associated with this pod failed: GCE out of resources, IP space "
            "exhausted. Pod is at risk of not being scheduled.",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)] * 2,
            id="the-cloud-has-none",
        ),
        pytest.param(
            "Failed to schedule pod, did not tolerate taint (taint=team=red:NoSchedule); key zone, zone In [a] not in "
            "zone In [b c]; all available instance types exceed limits for nodepool (NodePool=small)",
            KARPENTER,
            [(None, KARPENTER)] * 3,
            id="pools-without-names",
        ),
        pytest.param(
            'Could not schedule pod, incompatible with provisioner "default", daemonset overhead={"cpu":"1","pods":"4"}'
            ', no instance type satisfied resources {"cpu":"9"} and requirements zone In [a] (no instance type has '
            "enough resources)",
            KARPENTER,
            [(None, KARPENTER)],
            id="provisioners",
        ),
        pytest.param(
            "Failed to schedule pod, no instance type which met the scheduling requirements and had enough resources, "
            'had a required offering, requirements=zone In [a], resources={"cpu":"2"}',
            KARPENTER,
            [(None, KARPENTER)],
            id="no-offering",
        ),
        pytest.param(
            "Pod not supported on Fargate: fields not supported: HostPort.",
            "fargate-scheduler",
            [(None, "fargate-scheduler")],
            id="fargate",
        ),
        pytest.param(
            "2/3 tasks in gang unschedulable: pod group is not ready, 1 Running, 2 Pending, 3 minAvailable; Pending: 2 "
            "Unschedulable. Origin reason is train-1: 0/2 nodes are unavailable: 2 Insufficient nvidia.com/gpu.",
            "volcano",
            [(None, "volcano"), (2, "volcano")],
            id="volcano-group",
        ),
        pytest.param(
            "no nodes with enough resources were found: 2 node(s) didn't have enough resources: GPUs. \n1 node(s) "
            "didn't have enough resources: memory.",
            "kai-scheduler",
            [(2, "kai-scheduler"), (1, "kai-scheduler")],
            id="kai",
        ),
        pytest.param(
            "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor spot, 4 more needed, "
            "flavor large doesn't match node affinity. Pending the preemption of 2 workload(s)",
            "kueue",
            [(None, "kueue")] * 3,
            id="kueue",
        ),
        pytest.param(
            "Insufficient quotas, quotaName: blue, runtime: {cpu:10}, used: {cpu:9}, pod's request: {cpu:2}, "
            "exceedDimensions: [cpu]",
            "ElasticQuota (koord-scheduler)",
            [(None, "ElasticQuota (koord-scheduler)")],
            id="koordinator-quota",
        ),
        pytest.param(
            "0/3 nodes are available: 3 Insufficient nvidia.com/gpu by node.",
            "kube-scheduler",
            [(3, "Reservation (koord-scheduler)")],
            id="a-plugin-of-koordinator",
        ),
        pytest.param(
            "Request 'task-7' does not fit in queue 'root.red' (requested map[memory:9], available map[memory:4])",
            "yunikorn",
            [(None, "yunikorn")],
            id="yunikorn",
        ),
        pytest.param(
            "rejected due to timeout after waiting 10m0s at plugin Coscheduling",
            "kube-scheduler",
            [(None, "Coscheduling")],
            id="permit",
        ),
        pytest.param(
            "Preempted by pod 6a0c7c54-90d8-4c6c-8d3c-3d2f3f1f0b11 on node n1",
            "kube-scheduler",
            [(None, "DefaultPreemption")],
            id="preempted",
        ),
        pytest.param(
            'Error creating: pods "web-5d-" is forbidden: exceeded quota: team, requested: pods=1, used: pods=9, '
            "limited: pods=9",
            "kube-apiserver",
            [(None, "kube-apiserver")],
            id="quota",
        ),
        pytest.param(
            'create Pod db-0 in StatefulSet db failed error: admission webhook "guard.example.com" denied the request: '
            "no team label",
            "kube-apiserver",
            [(None, "kube-apiserver")],
            id="webhook-of-a-set",
        ),
        pytest.param(
            "maximum memory usage per Container is 2Gi, but limit is 4Gi",
            "LimitRanger (kube-apiserver)",
            [(None, "LimitRanger (kube-apiserver)")],
            id="limit-range",
        ),
        pytest.param(
            "Pod Allocate failed due to requested number of devices unavailable for example.com/npu. Requested: 2, "
            "Available: 1, which is unexpected",
            "kubelet",
            [(None, "kubelet")],
            id="devices-of-an-early-kubelet",
        ),
        pytest.param(
            'MountVolume.SetUp failed for volume "settings": configmap "settings" not found',
            "kubelet",
            [(None, "kubelet")],
            id="without-the-space-before-the-colon",
        ),
        pytest.param(
            "no.scale.up.nap.pod.zonal.resources.exceeded: europe-west1-b",
            CLUSTER_AUTOSCALER,
            [(None, "GKE's cluster autoscaler")],
            id="gke",
        ),
        pytest.param(
            "Nodes added to group spot-a failed to register within 15m3s",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="machines-that-became-no-nodes",
        ),
        pytest.param(
            "ignoring pod, label example.com/tier is restricted; specify a well known label",
            KARPENTER,
            [(None, KARPENTER)],
            id="one-error-with-a-semicolon",
        ),
        pytest.param(
            "0/3 nodes are available: 1 ExistingPodsAntiAffinityRulesNotMatch, 2 PodAntiAffinityRulesNotMatch.",
            "kube-scheduler",
            [(1, "InterPodAffinity"), (2, "InterPodAffinity")],
            id="names-of-rules",
        ),
        pytest.param(
            "Pod db-0 marked as unschedulable can be scheduled on node-7. Ignoring in scale up.",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="no-node-is-added-where-one-would-do",
        ),
        pytest.param(
            "Failed to scale up: Could not compute total resources: No node info for: pool-a",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="a-node-group-without-a-template",
        ),
        pytest.param(
            "Failed to find instance type option(s) for [shop/web-7 shop/web-8]",
            KARPENTER,
            [(None, KARPENTER)],
            id="no-instance-type-before-0-6",
        ),
        pytest.param(
            "PodGroup shop:train unschedule,reason: 2/4 tasks in gang unschedulable: pod group is not ready, 4 Pending",
            "volcano",
            [(None, "volcano")],
            id="a-group-as-volcano-s-controller-says-it",
        ),
        pytest.param(
            "pod has unbound immediate PersistentVolumeClaims. preemption: 0/4 nodes are available: 4 Preemption is "
            "not helpful for scheduling",
            "kube-scheduler",
            [(None, "VolumeBinding"), (4, "DefaultPreemption")],
            id="without-its-beginning",
        ),
        pytest.param(
            "Pod db-0 can't be scheduled on a, predicate failed: PodToleratesNodeTaints predicate mismatch, reason: "
            'node(s) had taints that the pod didn\'t tolerate, taints on node: []v1.Taint{v1.Taint{Key:"b", Value:""}}',
            CLUSTER_AUTOSCALER,
            [(None, "TaintToleration")],
            id="taints-as-go-prints-them",
        ),
        pytest.param(
            'Could not schedule pod, matched 0/1 provisioners, tried provisioner/a: invalid nodeSelector "b"',
            KARPENTER,
            [(None, KARPENTER)],
            id="how-many-provisioners",
        ),
        pytest.param(
            'invalid nodeSelector "example.com/tier", [a] not in [b]', KARPENTER, [(None, KARPENTER)], id="selector"
        ),
        pytest.param(
            "Fargate is not supported in the requested availability zone: eu-x-1c",
            "fargate-scheduler",
            [(None, "fargate-scheduler")],
            id="fargate-has-no-such-zone",
        ),
        pytest.param("launched nodeclaim", KARPENTER, [(None, KARPENTER)], id="karpenter-makes-a-machine"),
        pytest.param(
            "terminating due to registration ttl", KARPENTER, [(None, KARPENTER)], id="karpenter-gives-a-machine-up"
        ),
        pytest.param(
            "Retrieving provisioner, create a default provisioner, or specify an alternative using the nodeSelector a",
            KARPENTER,
            [(None, KARPENTER)],
            id="the-first-karpenter",
        ),
        pytest.param(
            "failed to find place for shop/db-0: cannot put pod db-0 on any node",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="an-autoscaler-that-tries-the-nodes-there-are",
        ),
        pytest.param(
            "Scale-down: node n-1 removed with drain",
            CLUSTER_AUTOSCALER,
            [(None, CLUSTER_AUTOSCALER)],
            id="an-autoscaler-that-removes-a-node",
        ),
        pytest.param("Workload didn't fit in the remaining quota", "kueue", [(None, "kueue")], id="the-first-kueue"),
    ],
)
def test_who_says_what(message: str, said_by: str, sources: list[tuple[int | None, str]]) -> None:
    parsed = parse_message(message)
    assert (parsed.said_by or parsed.parts[0].source) == said_by
    assert [(part.count, part.source) for part in parsed.parts] == sources
    assert all(_is_wholly_known(part) for part in parsed.parts)


@pytest.mark.parametrize(
    ("message", "unknown"),
    [
        pytest.param(
            "0/2 nodes are available: 1 the moon is not full, 1 Too many pods.", ["the moon is not full"], id="filter"
        ),
        pytest.param("Failed to schedule pod, the moon is not full", ["the moon is not full"], id="karpenter"),
        pytest.param(
            "0/2 nodes are available: 2 Too many pods. preemption: 0/2 nodes are available: 2 Preemption is not "
            "helpful for scheduling., the moon is not full even after PostFilter.",
            ["the moon is not full even after PostFilter"],
            id="behind-preemption",
        ),
        pytest.param("0/2 nodes are unavailable: 2 the moon is not full.", ["the moon is not full"], id="volcano"),
        pytest.param("the moon is not full", ["the moon is not full"], id="nobody"),
    ],
)
def test_what_nobody_is_known_to_say(message: str, unknown: list[str]) -> None:
    parts = parse_message(message).parts
    assert [part.words for part in parts if not part.is_known] == unknown
    assert all(part.source == "" for part in parts if not part.is_known)


@pytest.mark.parametrize(
    ("taint", "check"),
    [
        ("ToBeDeletedByClusterAutoscaler: 1700000000", "wait"),
        ("karpenter.sh/disrupted: ", "wait"),
        ("karpenter.sh/unregistered: ", "wait"),
        ("node.cilium.io/agent-not-ready: ", "agent"),
        ("ebs.csi.aws.com/agent-not-ready: ", "agent"),
        ("node.cloudprovider.kubernetes.io/uninitialized: true", "cloud"),
        ("node.cloudprovider.kubernetes.io/shutdown: ", "machine"),
        ("node.kubernetes.io/not-ready: ", "repair"),
        ("node.kubernetes.io/something-new: ", "conditions"),
        ("node.kubernetes.io/unschedulable: ", "uncordon"),
    ],
)
@pytest.mark.parametrize("form", ["had untolerated taint {%s}", "had taint {%s}, that the pod didn't tolerate"])
def test_taints_that_machines_set_are_not_to_be_tolerated(taint: str, check: str, form: str) -> None:
    (part,) = parse_message(f"0/1 nodes are available: 1 node(s) {form % taint}.").parts
    assert check in part.check
    assert "toleration" not in part.check
    assert "remove the taint" not in part.check


@pytest.mark.parametrize(
    ("message", "is_cut"),
    [
        ("couldn't assign flavors to pod set main: insufficient quota for example.com/npu", True),
        ('no instance type satisfied resources {"cpu":"9"} and requi', True),
        ('incompatible requirements, label "tier" does not ha', False),
        ('Failed to schedule pod, incompatible with nodepool "gene', True),
        ('incompatible with nodepool "a", did not tolerate b=c:NoSchedule; all available insta', True),
        ('incompatible with nodepool "a", did not tolerate b=c:NoSchedule; incompatible with nodepool', True),
        (
            'incompatible with nodepool "a", did not tolerate b=c:NoSchedule; incompatible with nodepool "d", ..., in',
            True,
        ),
        ('incompatible with nodepool "a", did not tolerate b=c:NoSchedule; incomp', True),
        (
            'incompatible with nodepool "a", did not tolerate b=c:NoSchedule; incompatible with nodepool "b", daemon',
            True,
        ),
    ],
)
def test_a_text_that_ends_behind_a_name_was_cut(message: str, is_cut: bool) -> None:
    parsed = parse_message(message)
    assert all(part.is_known for part in parsed.parts)
    assert parsed.is_cut is is_cut


def test_the_api_servers_cause_is_part_of_the_meaning() -> None:
    (part,) = parse_message(
        'pods "web" is forbidden: exceeded quota: team, requested: a=1, used: a=2, limited: a=2'
    ).parts
    assert _is_wholly_known(part)
    assert "quota team" in part.meaning
    assert part.check.startswith("kubectl describe quota")


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ('Cannot disrupt Node: pdb "shop/db" prevents pod evictions', "PodDisruptionBudget shop/db"),
        ("Cannot deprovision Machine: Nominated for a pending pod", "a pending pod is to run there"),
        ("Cannot disrupt NodeClaim: a reason of tomorrow", "a reason of tomorrow"),
        ("failed launching nodeclaim: insufficient capacity, all of zone a", "no such machine left"),
        ("Node is nominated for a pending pod", "a pending pod is to run there"),
        ("Node not registered with cluster", "has not become a node yet"),
    ],
)
def test_karpenters_cause_is_part_of_the_meaning(message: str, meaning: str) -> None:
    parsed = parse_message(message)
    assert parsed.said_by == KARPENTER
    assert meaning in parsed.parts[0].meaning


@pytest.mark.parametrize(
    ("message", "meaning"),
    [
        ("0/1 nodes are available: 1 2/8 CardNotHealth.", "cards not healthy: 2 of 8"),
        ("3 nodes CardInsufficientMemory(n-1,n-2,n-3)", "cards left with too little memory, on 3 nodes: n-1,n-2,n-3"),
        ("0/1 nodes are available: 1 out of VG free space.", "volume group"),
    ],
)
def test_extenders_are_understood_where_the_scheduler_repeats_them(message: str, meaning: str) -> None:
    (part,) = parse_message(message).parts
    assert meaning in part.meaning
    assert part.check


@pytest.mark.parametrize(
    ("fault", "meaning"),
    [
        ("has expired or is not yet valid", "has expired or is not yet valid"),
        ("has expired or is not yet valid: current time 2026-11-24T13:33:21Z is after 2026-11-23T07:57:25Z",
         "expired on 2026-11-23T07:57:25Z"),
        ("has expired or is not yet valid: current time 2026-11-24T13:33:21Z is before 2026-11-25T07:57:25Z",
         "is not valid before 2026-11-25T07:57:25Z"),
        ("signed by unknown authority", "is signed by unknown authority"),
        ("is valid for mesh.svc, not mesh.mesh.svc", "is valid for mesh.svc, not mesh.mesh.svc"),
    ],
)  # fmt: skip
def test_a_webhook_whose_certificate_is_not_taken(fault: str, meaning: str) -> None:
    message = parse_message(
        'failed calling webhook "inject.mesh.io": failed to call webhook: Post "https://mesh.mesh.svc:443/inject": '
        f"tls: failed to verify certificate: x509: certificate {fault}"
    )
    whole = f"webhook inject.mesh.io cannot be called: its certificate {meaning}"
    assert [part.meaning for part in message.parts] == [f"{whole}; with failurePolicy Fail, nothing is let in"]


def test_what_holds_a_namespace_back_is_asked_of_that_namespace() -> None:
    (part,) = parse_message("unable to create new content in namespace shop because it is being terminated").parts
    assert part.check == "kubectl get namespace shop -o yaml says in status.conditions which objects hold it back"
