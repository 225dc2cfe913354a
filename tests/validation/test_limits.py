"""The bounds of fields: the least and the most that an API server takes, and one step beyond either.

The numbers are those of kube-apiserver's validation, written down here by hand: were they taken from kexplain's own
tables, a wrong one there would agree with itself.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import pytest

from kexplain.validation.check import check

from .manifests import Json, container, cron_job, job, obj, pod, workload

INT32 = 2**31 - 1
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")


def _steps(path: str) -> tuple[str | int, ...]:
    return tuple(int(index) if index else name for name, index in _STEP.findall(path))


def with_value(manifest: Json, path: str, value: Any) -> Json:
    """The manifest with a value at a path; lists and maps on the way are made where they are missing."""
    made = deepcopy(manifest)
    steps = _steps(path)
    at: Any = made
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        inner = value if following is None else [] if isinstance(following, int) else {}
        if isinstance(step, int):
            if len(at) <= step:
                at.append(inner)
        elif step not in at:
            at[step] = inner
        if following is None:
            at[step] = value
        at = at[step]
    return made


def refused(manifest: Json, path: str, value: Any) -> bool:
    """Whether the field, or something in it, is at fault."""
    steps = _steps(path)
    return any(each.path[: len(steps)] == steps for each in check(with_value(manifest, path, value)))


# ---------------------------------------------------------------------------------------------------------- numbers

SPREAD = {"topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}
TERM = {"topologyKey": "zone", "labelSelector": {"matchLabels": {"app": "web"}}}
PREFERENCE = {"preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}


def volume(**source: Any) -> Json:
    return pod(volumes=[{"name": "v", **source}])


def probe(name: str, **fields: Any) -> Json:
    return container(**{name: {"exec": {"command": ["true"]}, **fields}})


HPA = obj(
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    "web",
    spec={"scaleTargetRef": {"kind": "Deployment", "name": "web"}, "minReplicas": 1, "maxReplicas": 100},
)
CPU_METRIC = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization"}}}
INGRESS = obj("networking.k8s.io/v1", "Ingress", "web", spec={"defaultBackend": {"service": {"name": "web"}}})
POLICY = obj("networking.k8s.io/v1", "NetworkPolicy", "web", spec={"podSelector": {}})
SERVICE = obj("v1", "Service", "web", spec={"ports": [{"port": 80}]})
PRECEDENCE = obj(
    "flowcontrol.apiserver.k8s.io/v1", "FlowSchema", "web", spec={"priorityLevelConfiguration": {"name": "a"}}
)


def level(kind: str = "Limited", **fields: Any) -> Json:
    key = "limited" if kind == "Limited" else "exempt"
    return obj("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", "web", spec={"type": kind, key: fields})


QUEUES = level(limitResponse={"type": "Queue", "queuing": {"queues": 64, "handSize": 1, "queueLengthLimit": 50}})


def webhook(**fields: Any) -> Json:
    hook = {
        "name": "a.example.com",
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"service": {"name": "a", "namespace": "b"}},
        **fields,
    }
    return obj("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "web", webhooks=[hook])


API_SERVICE = obj(
    "apiregistration.k8s.io/v1",
    "APIService",
    "v1.example.com",
    spec={
        "group": "example.com",
        "version": "v1",
        "groupPriorityMinimum": 10,
        "versionPriority": 10,
        "service": {"name": "a", "namespace": "b"},
        "insecureSkipTLSVerify": True,
    },
)
SIGNING = obj("certificates.k8s.io/v1", "CertificateSigningRequest", "web", spec={})
LEASE = obj("coordination.k8s.io/v1", "Lease", "web", spec={})
CSI_DRIVER = obj("storage.k8s.io/v1", "CSIDriver", "csi.example.com", spec={})
CSI_NODE = obj("storage.k8s.io/v1", "CSINode", "n", spec={"drivers": [{"name": "csi.example.com", "nodeID": "n"}]})
SLICE = obj(
    "resource.k8s.io/v1",
    "ResourceSlice",
    "s",
    spec={
        "driver": "gpu.example.com",
        "nodeName": "n",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "gpu-0"}],
    },
)
CLAIM = obj(
    "resource.k8s.io/v1",
    "ResourceClaim",
    "c",
    spec={"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}},
)
GANG = obj("scheduling.k8s.io/v1beta1", "PodGroup", "g", spec={"schedulingPolicy": {"gang": {"minCount": 1}}})
ENDPOINTS = obj("v1", "Endpoints", "web", subsets=[{"addresses": [{"ip": "10.0.0.1"}], "ports": [{"port": 80}]}])
BUDGET = obj("policy/v1", "PodDisruptionBudget", "web", spec={"selector": {"matchLabels": {"app": "web"}}})
PRIORITY = obj("scheduling.k8s.io/v1", "PriorityClass", "high", value=1)
DEPLOYMENT, DAEMON_SET = workload("Deployment"), workload("DaemonSet")
STATEFUL_SET, REPLICA_SET = workload("StatefulSet", serviceName="web"), workload("ReplicaSet")
INDEXED = job(completionMode="Indexed", completions=200_000, parallelism=1)
BY_INDEX = job(completionMode="Indexed", completions=100_001, parallelism=1, backoffLimitPerIndex=1)
FAILURES = job(podFailurePolicy={"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}]})
OF_CONTAINER = "spec.containers[0]"
OF_PROBE = f"{OF_CONTAINER}.livenessProbe"
AFFINITY = "spec.affinity"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"

#: A manifest, a field of it, and the least and the most that is taken; None where there is no such bound.
NUMBERS: Sequence[tuple[Json, str, int | None, int | None]] = (
    # Ports; 0 stands for a host port that is not asked for.
    (container(ports=[{}]), f"{OF_CONTAINER}.ports[0].containerPort", 1, 65535),
    (container(ports=[{"containerPort": 80}]), f"{OF_CONTAINER}.ports[0].hostPort", 0, 65535),
    (pod(hostNetwork=True), f"{OF_CONTAINER}.ports[0].containerPort", 1, 65535),
    (container(livenessProbe={"httpGet": {}}), f"{OF_PROBE}.httpGet.port", 1, 65535),
    (container(livenessProbe={"tcpSocket": {}}), f"{OF_PROBE}.tcpSocket.port", 1, 65535),
    (container(livenessProbe={"grpc": {}}), f"{OF_PROBE}.grpc.port", 1, 65535),
    (container(lifecycle={"preStop": {"httpGet": {}}}), f"{OF_CONTAINER}.lifecycle.preStop.httpGet.port", 1, 65535),
    (SERVICE, "spec.ports[0].port", 1, 65535),
    (SERVICE, "spec.ports[0].targetPort", 0, 65535),
    (INGRESS, "spec.defaultBackend.service.port.number", None, 65535),
    (with_value(POLICY, "spec.ingress[0].ports[0].port", 1), "spec.ingress[0].ports[0].endPort", 1, 65535),
    (POLICY, "spec.egress[0].ports[0].port", 1, 65535),
    (webhook(), "webhooks[0].clientConfig.service.port", 1, 65535),
    (API_SERVICE, "spec.service.port", 1, 65535),
    (ENDPOINTS, "subsets[0].ports[0].port", 1, 65535),
    # Pods
    (pod(), "spec.activeDeadlineSeconds", 1, INT32),
    (pod(), "spec.securityContext.runAsUser", 0, INT32),
    (pod(), "spec.securityContext.runAsGroup", 0, INT32),
    (pod(), "spec.securityContext.fsGroup", 0, INT32),
    (pod(), "spec.securityContext.supplementalGroups[0]", 0, INT32),
    (container(), f"{OF_CONTAINER}.securityContext.runAsUser", 0, INT32),
    (container(), f"{OF_CONTAINER}.securityContext.runAsGroup", 0, INT32),
    *(
        (probe("livenessProbe"), f"{OF_PROBE}.{name}", 0, None)
        for name in ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "failureThreshold")
    ),
    (probe("readinessProbe"), f"{OF_CONTAINER}.readinessProbe.successThreshold", 0, None),
    (probe("livenessProbe"), f"{OF_PROBE}.terminationGracePeriodSeconds", 1, None),
    (probe("livenessProbe"), f"{OF_PROBE}.successThreshold", 0, 1),
    (pod(topologySpreadConstraints=[dict(SPREAD)]), "spec.topologySpreadConstraints[0].maxSkew", 1, None),
    (
        pod(topologySpreadConstraints=[{**SPREAD, "maxSkew": 1}]),
        "spec.topologySpreadConstraints[0].minDomains",
        1,
        None,
    ),
    (
        pod(affinity={"nodeAffinity": {PREFERRED: [PREFERENCE]}}),
        f"{AFFINITY}.nodeAffinity.{PREFERRED}[0].weight",
        1,
        100,
    ),
    *(
        (
            pod(affinity={name: {PREFERRED: [{"podAffinityTerm": TERM}]}}),
            f"{AFFINITY}.{name}.{PREFERRED}[0].weight",
            1,
            100,
        )
        for name in ("podAffinity", "podAntiAffinity")
    ),
    (volume(gcePersistentDisk={"pdName": "d"}), "spec.volumes[0].gcePersistentDisk.partition", 0, 255),
    (volume(awsElasticBlockStore={"volumeID": "d"}), "spec.volumes[0].awsElasticBlockStore.partition", 0, 255),
    (
        volume(iscsi={"targetPortal": "1.2.3.4", "iqn": "iqn.2001-04.com.example:a", "fsType": "ext4"}),
        "spec.volumes[0].iscsi.lun",
        0,
        255,
    ),
    (volume(fc={"targetWWNs": ["a"]}), "spec.volumes[0].fc.lun", 0, 255),
    (volume(secret={"secretName": "s"}), "spec.volumes[0].secret.defaultMode", 0, 0o777),
    (
        volume(secret={"secretName": "s", "items": [{"key": "a", "path": "b"}]}),
        "spec.volumes[0].secret.items[0].mode",
        0,
        0o777,
    ),
    (volume(configMap={"name": "s"}), "spec.volumes[0].configMap.defaultMode", 0, 0o777),
    (volume(downwardAPI={}), "spec.volumes[0].downwardAPI.defaultMode", 0, 0o777),
    (volume(projected={"sources": [{"secret": {"name": "a"}}]}), "spec.volumes[0].projected.defaultMode", 0, 0o777),
    (
        volume(projected={"sources": [{"serviceAccountToken": {"path": "t"}}]}),
        "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds",
        600,
        1 << 32,
    ),
    (
        volume(
            projected={
                "sources": [{"downwardAPI": {"items": [{"path": "t", "fieldRef": {"fieldPath": "metadata.name"}}]}}]
            }
        ),
        "spec.volumes[0].projected.sources[0].downwardAPI.items[0].mode",
        0,
        0o777,
    ),
    # Workloads
    *(
        (manifest, f"spec.{name}", 0, None)
        for manifest in (DEPLOYMENT, REPLICA_SET, STATEFUL_SET)
        for name in ("replicas", "minReadySeconds")
    ),
    (DEPLOYMENT, "spec.revisionHistoryLimit", 0, None),
    (DEPLOYMENT, "spec.progressDeadlineSeconds", 1, None),
    (workload("Deployment", minReadySeconds=10), "spec.progressDeadlineSeconds", 11, None),
    (workload("Deployment", progressDeadlineSeconds=100), "spec.progressDeadlineSeconds", 1, None),
    (DAEMON_SET, "spec.minReadySeconds", 0, None),
    (DAEMON_SET, "spec.revisionHistoryLimit", 0, None),
    (STATEFUL_SET, "spec.updateStrategy.rollingUpdate.partition", 0, None),
    (STATEFUL_SET, "spec.ordinals.start", 0, None),
    *(
        (job(), f"spec.{name}", 0, None)
        for name in ("parallelism", "completions", "backoffLimit", "activeDeadlineSeconds", "ttlSecondsAfterFinished")
    ),
    (INDEXED, "spec.parallelism", 0, 100_000),
    (INDEXED, "spec.backoffLimitPerIndex", 0, None),
    (BY_INDEX, "spec.maxFailedIndexes", 0, 10_000),
    (with_value(BY_INDEX, "spec.maxFailedIndexes", 1), "spec.parallelism", 0, 10_000),
    (job(completionMode="Indexed", completions=100_000, backoffLimitPerIndex=1), "spec.maxFailedIndexes", 0, 100_000),
    *(
        (cron_job(), f"spec.{name}", 0, None)
        for name in ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")
    ),
    (HPA, "spec.minReplicas", 1, None),
    (HPA, "spec.maxReplicas", 1, None),
    *(
        (
            with_value(HPA, f"spec.behavior.{way}.policies[0]", {"type": "Pods", "value": 1, "periodSeconds": 1}),
            path,
            least,
            most,
        )
        for way in ("scaleUp", "scaleDown")
        for path, least, most in (
            (f"spec.behavior.{way}.stabilizationWindowSeconds", 0, 3600),
            (f"spec.behavior.{way}.policies[0].periodSeconds", 1, 1800),
            (f"spec.behavior.{way}.policies[0].value", 1, None),
        )
    ),
    (with_value(HPA, "spec.metrics[0]", CPU_METRIC), "spec.metrics[0].resource.target.averageUtilization", 1, None),
    (BUDGET, "spec.minAvailable", 0, None),
    (BUDGET, "spec.maxUnavailable", 0, None),
    # Cluster
    (PRIORITY, "value", None, 1_000_000_000),
    (LEASE, "spec.leaseDurationSeconds", 1, None),
    (LEASE, "spec.leaseTransitions", 0, None),
    (SIGNING, "spec.expirationSeconds", 600, None),
    (
        with_value(SERVICE, "spec.sessionAffinity", "ClientIP"),
        "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
        1,
        86_400,
    ),
    # 0 stands for the default, and 1 is that of the schema exempt.
    (PRECEDENCE, "spec.matchingPrecedence", 2, 10_000),
    (level(limitResponse={"type": "Reject"}), "spec.limited.nominalConcurrencyShares", 0, None),
    (level(limitResponse={"type": "Reject"}), "spec.limited.lendablePercent", 0, 100),
    (level(limitResponse={"type": "Reject"}), "spec.limited.borrowingLimitPercent", 0, None),
    (QUEUES, "spec.limited.limitResponse.queuing.queues", 0, 10_000_000),
    (QUEUES, "spec.limited.limitResponse.queuing.handSize", 0, 10),
    (QUEUES, "spec.limited.limitResponse.queuing.queueLengthLimit", 0, None),
    (webhook(), "webhooks[0].timeoutSeconds", 1, 30),
    (API_SERVICE, "spec.groupPriorityMinimum", 1, 20_000),
    (API_SERVICE, "spec.versionPriority", 1, 1_000),
    (CSI_DRIVER, "spec.nodeAllocatableUpdatePeriodSeconds", 10, None),
    (
        with_value(CSI_DRIVER, "spec.tokenRequests[0].audience", "a"),
        "spec.tokenRequests[0].expirationSeconds",
        600,
        1 << 32,
    ),
    (CSI_NODE, "spec.drivers[0].allocatable.count", 0, None),
    (SLICE, "spec.pool.resourceSliceCount", 1, None),
    (SLICE, "spec.pool.generation", 0, None),
    (GANG, "spec.schedulingPolicy.gang.minCount", 1, None),
    (GANG, "spec.priority", None, 1_000_000_000),
)


def case_id(value: object) -> str:
    """The kind and the field."""
    return str(value.get("kind")) if isinstance(value, dict) else value if isinstance(value, str) else ""


@pytest.mark.parametrize(("manifest", "path", "least", "most"), NUMBERS, ids=case_id)
def test_numbers(manifest: Json, path: str, least: int | None, most: int | None) -> None:
    taken = [each for each in (least, most) if each is not None]
    beyond = [*([] if least is None else [least - 1]), *([] if most is None else [most + 1])]
    assert [each for each in taken if refused(manifest, path, each)] == []
    assert [each for each in beyond if not refused(manifest, path, each)] == []


# ---------------------------------------------------------------------------------------------- lengths and counts


def names(count: int) -> list[str]:
    return [f"a-{index}" for index in range(count)]


def named(**fields: Any) -> Callable[[int], list[Json]]:
    return lambda count: [{"name": name, **fields} for name in names(count)]


def same(item: Any) -> Callable[[int], list[Any]]:
    return lambda count: [deepcopy(item) for _ in range(count)]


def mapped(value: Any) -> Callable[[int], Json]:
    return lambda count: dict.fromkeys(names(count), value)


def domain(length: int) -> str:
    """A name with dots that is so long."""
    return ".".join(["a" * 62] * (length // 63 + 1))[: length - 1] + "a"


EXACTLY = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
EXPRESSION = {"cel": {"expression": "true"}}
DEVICE_CLASS = obj("resource.k8s.io/v1", "DeviceClass", "gpu", spec={})
POOL_TAINT = {"key": "a", "effect": "NoSchedule"}
ON_EXIT = {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [1]}}
ON_CONDITION = {"type": "DisruptionTarget", "status": "True"}
RULE_OF_RESTART = {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}
DEFINITION = obj(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    "webs.example.com",
    spec={
        "group": "example.com",
        "names": {"plural": "webs", "singular": "web", "kind": "Web", "listKind": "WebList"},
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "deprecated": True,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {
                    "type": "object", "properties": {name: {"type": "string"} for name in (f"a{i}" for i in range(9))},
                }}}},
            }
        ],
    },
)  # fmt: skip
VALIDATING = obj(
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicy",
    "p",
    spec={
        "matchConstraints": {"resourceRules": [
            {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
        ]},
        "validations": [{"expression": "true"}],
    },
)  # fmt: skip
EVENT = obj(
    "events.k8s.io/v1",
    "Event",
    "e",
    metadata={"namespace": "default"},
    eventTime="2026-01-01T00:00:00.000000Z",
    reportingController="example.com/c",
    reportingInstance="i",
    action="A",
    reason="R",
    type="Normal",
    regarding={"kind": "Pod", "namespace": "default", "name": "web"},
)
STORAGE_CLASS = obj("storage.k8s.io/v1", "StorageClass", "fast", provisioner="csi.example.com")
INGRESS_CLASS = obj("networking.k8s.io/v1", "IngressClass", "a", spec={})
ENDPOINT_SLICE = obj("discovery.k8s.io/v1", "EndpointSlice", "web", addressType="IPv4", endpoints=[], ports=[])
MANY_WORKLOADS = obj("scheduling.k8s.io/v1beta1", "Workload", "w", spec={})
RESTARTED = with_value(container(), f"{OF_CONTAINER}.restartPolicy", "Never")

#: A manifest, a field of it, what makes a value of some length, and the greatest length that is taken.
LENGTHS: Sequence[tuple[Json, str, Callable[[int], Any], int]] = (
    (obj("v1", "Namespace", "x"), "metadata.name", lambda length: "a" * length, 63),
    (obj("v1", "ConfigMap", "x"), "metadata.name", domain, 253),
    (cron_job(), "metadata.name", lambda length: "a" * length, 52),
    (pod(), "spec.hostname", lambda length: "a" * length, 63),
    (pod(), "spec.hostnameOverride", lambda length: "a" * length, 64),
    (pod(), "spec.subdomain", lambda length: "a" * length, 63),
    (pod(), "spec.priorityClassName", domain, 253),
    (container(), f"{OF_CONTAINER}.name", lambda length: "a" * length, 63),
    (container(ports=[{"containerPort": 80}]), f"{OF_CONTAINER}.ports[0].name", lambda length: "a" * length, 15),
    (pod(dnsPolicy="None"), "spec.dnsConfig.nameservers", same("1.1.1.1"), 3),
    (pod(dnsPolicy="None", dnsConfig={"nameservers": ["1.1.1.1"]}), "spec.dnsConfig.searches", same("a.b"), 32),
    (RESTARTED, f"{OF_CONTAINER}.restartPolicyRules", same(RULE_OF_RESTART), 20),
    (
        with_value(RESTARTED, f"{OF_CONTAINER}.restartPolicyRules[0]", RULE_OF_RESTART),
        f"{OF_CONTAINER}.restartPolicyRules[0].exitCodes.values",
        lambda count: [*range(1, count + 1)],
        255,
    ),
    (
        pod(securityContext={"appArmorProfile": {"type": "Localhost"}}),
        "spec.securityContext.appArmorProfile.localhostProfile",
        lambda length: "a" * length,
        4095,
    ),
    (pod(), "spec.securityContext.windowsOptions.gmsaCredentialSpec", lambda length: "a" * length, 64 << 10),
    (job(), "spec.managedBy", lambda length: f"example.com/{'a' * (length - 12)}", 63),
    (job(), "spec.podFailurePolicy.rules", same(ON_EXIT), 20),
    (FAILURES, "spec.podFailurePolicy.rules[0].onExitCodes.values", lambda count: [*range(1, count + 1)], 255),
    (
        job(podFailurePolicy={"rules": [{"action": "Ignore"}]}),
        "spec.podFailurePolicy.rules[0].onPodConditions",
        same(ON_CONDITION),
        20,
    ),
    (INDEXED, "spec.successPolicy.rules", same({"succeededCount": 1}), 20),
    (webhook(), "webhooks[0].matchConditions", named(expression="true"), 64),
    (VALIDATING, "spec.auditAnnotations", lambda n: [{"key": key, "valueExpression": "'a'"} for key in names(n)], 20),
    (
        with_value(VALIDATING, "spec.auditAnnotations[0].key", "a"),
        "spec.auditAnnotations[0].valueExpression",
        lambda length: f"'{'a' * (length - 2)}'",
        5 << 10,
    ),
    (DEFINITION, "spec.versions[0].deprecationWarning", lambda length: "a" * length, 256),
    (
        DEFINITION,
        "spec.versions[0].selectableFields",
        lambda count: [{"jsonPath": f".spec.a{index}"} for index in range(count)],
        8,
    ),
    (obj("v1", "ConfigMap", "x"), "data.a", lambda length: "a" * length, 1 << 20),
    (obj("v1", "Secret", "x"), "data.a", lambda length: b64encode(b"a" * length).decode(), 1 << 20),
    (EVENT, "reportingInstance", lambda length: "a" * length, 128),
    (EVENT, "action", lambda length: "a" * length, 128),
    (EVENT, "reason", lambda length: "a" * length, 128),
    (EVENT, "note", lambda length: "a" * length, 1024),
    (STORAGE_CLASS, "parameters", mapped("a"), 512),
    (STORAGE_CLASS, "parameters.a", lambda length: "a" * (length - 1), 256 << 10),
    (CSI_NODE, "spec.drivers[0].nodeID", lambda length: "a" * length, 256),
    (INGRESS_CLASS, "spec.controller", lambda length: f"example.com/{'a' * (length - 12)}", 250),
    (
        ENDPOINT_SLICE,
        "endpoints",
        lambda n: [{"addresses": [f"10.0.{i // 250}.{i % 250 + 1}"]} for i in range(n)],
        1000,
    ),
    (
        with_value(ENDPOINT_SLICE, "endpoints[0].addresses[0]", "10.0.0.1"),
        "endpoints[0].addresses",
        lambda count: [f"10.0.0.{index + 1}" for index in range(count)],
        100,
    ),
    (with_value(ENDPOINT_SLICE, "endpoints[0].addresses[0]", "10.0.0.1"), "endpoints[0].hints.forZones", named(), 8),
    (CLAIM, "spec.devices.requests", named(exactly=EXACTLY), 32),
    (CLAIM, "spec.devices.constraints", same({"matchAttribute": "gpu.example.com/a"}), 32),
    (CLAIM, "spec.devices.config", same({"opaque": {"driver": "gpu.example.com", "parameters": {"a": 1}}}), 32),
    (CLAIM, "spec.devices.requests[0].exactly.selectors", same(EXPRESSION), 32),
    (
        with_value(CLAIM, "spec.devices.requests[0]", {"name": "r"}),
        "spec.devices.requests[0].firstAvailable",
        named(deviceClassName="gpu"),
        8,
    ),
    (
        CLAIM,
        "spec.devices.requests[0].exactly.selectors[0].cel.expression",
        lambda length: f"true{' ' * (length - 4)}",
        10 << 10,
    ),
    (
        with_value(CLAIM, "spec.devices.config[0].opaque.driver", "gpu.example.com"),
        "spec.devices.config[0].opaque.parameters",
        lambda length: {"a": "a" * (length - 8)},
        10 << 10,
    ),
    (DEVICE_CLASS, "spec.config", same({"opaque": {"driver": "gpu.example.com", "parameters": {"a": 1}}}), 32),
    (DEVICE_CLASS, "spec.selectors", same(EXPRESSION), 32),
    (SLICE, "spec.devices", named(), 128),
    (SLICE, "spec.pool.name", domain, 253),
    (SLICE, "spec.devices[0].attributes.a.string", lambda length: "a" * length, 64),
    (SLICE, "spec.devices[0].taints", lambda count: [{**POOL_TAINT, "key": key} for key in names(count)], 16),
    (SLICE, "spec.sharedCounters", named(counters={"a": {"value": "1"}}), 8),
    (MANY_WORKLOADS, "spec.podGroupTemplates", named(schedulingPolicy={"basic": {}}), 8),
    (GANG, "spec.resourceClaims", named(resourceClaimName="c"), 4),
    (
        obj("networking.k8s.io/v1", "ServiceCIDR", "c", spec={}),
        "spec.cidrs",
        lambda n: ["10.0.0.0/16", "fd00::/64", "fd01::/64"][:n],
        2,
    ),
)


@pytest.mark.parametrize(("manifest", "path", "make", "most"), LENGTHS, ids=case_id)
def test_lengths(manifest: Json, path: str, make: Callable[[int], Any], most: int) -> None:
    steps = _steps(path)
    taken, beyond = (check(with_value(manifest, path, make(length))) for length in (most, most + 1))
    assert [each for each in taken if each.path[: len(steps)] == steps] == []
    # What is too much may be the field, what holds it, or one of its items.
    added = [each.path for each in {*beyond} - {*taken}]
    assert [each for each in added if each[: len(steps)] == steps or steps[: len(each)] == each] != []
