"""Pods that an API server refuses, by the fields that it names; each was checked against its source."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.objects.problem import Stage
from kexplain.validation.check import check

from .manifests import CONTAINER, Json, case_name, container, fields, pod

LONG = "a" * 64
ZONE = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
MANY_PAGES = {"cpu": "1", "hugepages-2Mi": "3Mi"}
TERM = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}


@pytest.mark.parametrize(
    "manifest",
    [
        pod(),
        pod(nodeSelector={"a/b": "", "c": "D_e.f"}, tolerations=[{"operator": "Exists"}, {"key": "a", "value": "b"}]),
        pod(securityContext={"runAsUser": 0, "sysctls": [{"name": "net.core.somaxconn", "value": "1"}]}),
        pod(topologySpreadConstraints=[{**ZONE, "minDomains": 1}, {**ZONE, "whenUnsatisfiable": "ScheduleAnyway"}]),
        pod(os={"name": "linux"}, hostAliases=[{"ip": "::1", "hostnames": ["a.b"]}], priorityClassName="high"),
        pod(dnsPolicy="None", dnsConfig={"nameservers": ["1.1.1.1"], "searches": [".", "_a.b."]}),
        pod(volumes=[{"name": "v", "emptyDir": {"sizeLimit": "1Gi"}}, {"name": "w", "hostPath": {"path": "/a"}}]),
        pod(
            initContainers=[
                {"name": "i", "image": "x", "restartPolicy": "Always", "startupProbe": {"exec": {"command": ["a"]}}}
            ]
        ),
        pod(hostNetwork=True, containers=[{**CONTAINER, "ports": [{"containerPort": 80}]}]),
        pod(resources={"requests": {"cpu": "1"}, "limits": {"cpu": 2}}),
        pod(resourceClaims=[{"name": "c", "resourceClaimName": "x"}]),
        container(resources={"limits": {"nvidia.com/gpu": 1, "ephemeral-storage": "1Gi"}, "requests": {"cpu": 0.5}}),
        container(resources={"limits": {"cpu": "1", "hugepages-2Mi": "4Mi"}}),
        container(
            env=[
                {"name": "A B", "value": "x"},
                {"name": "N", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['a/b']"}}},
            ]
        ),
        container(lifecycle={"preStop": {"sleep": {"seconds": 0}}}, livenessProbe={"httpGet": {"port": "http"}}),
        container(ports=[{"containerPort": 53}, {"containerPort": 53, "protocol": "UDP", "name": "a-1"}]),
        container(args=None, terminationMessagePolicy="File", imagePullPolicy=""),
    ],
    ids=case_name,
)
def test_sound_pods_are_taken(manifest: Json) -> None:
    assert check(manifest) == ()


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"containers": []}, {"containers"}),
        ({"restartPolicy": "always"}, {"restartPolicy"}),
        ({"dnsPolicy": "cluster"}, {"dnsPolicy"}),
        ({"dnsPolicy": "None"}, {"dnsConfig"}),
        ({"dnsPolicy": "None", "dnsConfig": {"searches": ["a"]}}, {"dnsConfig.nameservers"}),
        (
            {"dnsConfig": {"nameservers": ["x", "1.1.1.1", "1.1.1.1", "01.1.1.1"]}},
            {"dnsConfig.nameservers", "dnsConfig.nameservers[0]", "dnsConfig.nameservers[3]"},
        ),
        (
            {"dnsConfig": {"searches": ["a b"], "options": [{"value": "x"}]}},
            {"dnsConfig.searches[0]", "dnsConfig.options[0]"},
        ),
        ({"nodeSelector": {"a b": "c", "d": "e f"}}, {"nodeSelector"}),
        ({"nodeName": "A"}, {"nodeName"}),
        ({"hostname": "a.b", "subdomain": "B"}, {"hostname", "subdomain"}),
        ({"hostnameOverride": LONG + ".a", "hostNetwork": True, "setHostnameAsFQDN": True}, {"hostnameOverride"}),
        ({"activeDeadlineSeconds": 2**31}, {"activeDeadlineSeconds"}),
        ({"runtimeClassName": ""}, {"runtimeClassName"}),
        ({"preemptionPolicy": "Sometimes"}, {"preemptionPolicy"}),
        ({"serviceAccount": "A"}, {"serviceAccount"}),
        ({"serviceAccountName": "A", "priorityClassName": "B"}, {"serviceAccountName", "priorityClassName"}),
        ({"hostAliases": [{"ip": "1.2.3", "hostnames": ["A"]}]}, {"hostAliases[0].ip", "hostAliases[0].hostnames[0]"}),
        (
            {"hostAliases": [{"ip": ip} for ip in ("::ffff:1.2.3.4", "fe80::1%eth0", "fe80::1")]},
            {"hostAliases[0].ip", "hostAliases[1].ip"},
        ),
        ({"readinessGates": [{"conditionType": "a b"}]}, {"readinessGates[0].conditionType"}),
        (
            {"schedulingGates": [{"name": "a"}, {"name": "a"}, {"name": ""}], "nodeName": "n"},
            {"schedulingGates[1]", "schedulingGates[2]", "nodeName"},
        ),
        ({"overhead": {"cpu": "-1", "x": 1}}, {"overhead.limits[cpu]", "overhead.limits[x]"}),
        ({"ephemeralContainers": [{"name": "d", "image": "x"}]}, {"ephemeralContainers"}),
        ({"hostUsers": False, "hostPID": True, "hostNetwork": True}, {"hostNetwork", "HostPID"}),
        ({"shareProcessNamespace": True, "hostPID": True}, {"securityContext.shareProcessNamespace"}),
        (
            {"os": {"name": "windows"}, "securityContext": {"runAsUser": 1}, "hostPID": True},
            {"securityContext.runAsUser", "hostPID"},
        ),
        (
            {"os": {"name": "linux"}, "securityContext": {"windowsOptions": {"runAsUserName": "a"}}},
            {"securityContext.windowsOptions"},
        ),
        ({"os": {"name": "beos"}}, {"os"}),
        (
            {"securityContext": {"fsGroup": -1, "seccompProfile": {"type": "Localhost"}}},
            {"securityContext.fsGroup", "securityContext.seccompProfile.localhostProfile"},
        ),
        (
            {"securityContext": {"sysctls": [{"name": "A"}, {"name": "net.x"}]}, "hostNetwork": True},
            {"securityContext.sysctls[0].name", "securityContext.sysctls[1].name"},
        ),
        ({"securityContext": {"sysctls": [{"name": "a.b"}, {"name": "a.b"}]}}, {"securityContext.sysctls[1].name"}),
        ({"securityContext": {"windowsOptions": {"hostProcess": True}}, "hostNetwork": False}, {"hostNetwork"}),
        ({"securityContext": {"seLinuxChangePolicy": "MountOption"}}, {"securityContext.seLinuxChangePolicy"}),
        (
            {"resourceClaims": [{"name": "a"}, {"name": "a", "resourceClaimName": "B"}]},
            {"resourceClaims[0]", "resourceClaims[1].name", "resourceClaims[1].resourceClaimName"},
        ),
        ({"resources": {"requests": {"ephemeral-storage": "1"}}}, {"resources.requests[ephemeral-storage]"}),
        ({"resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "2"}}}, {"resources.requests"}),
    ],
    ids=case_name,
)
def test_fields_of_the_spec(spec: Json, expected: set[str]) -> None:
    assert fields(pod(**spec)) == {f"spec.{field}" for field in expected}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": "A_b"}, {"name"}),
        ({"name": ""}, {"name"}),
        ({"name": "x" * 64}, {"name"}),
        ({"image": ""}, {"image"}),
        ({"image": " nginx"}, {"image"}),
        ({"imagePullPolicy": "always"}, {"imagePullPolicy"}),
        ({"terminationMessagePolicy": "Log"}, {"terminationMessagePolicy"}),
        (
            {"ports": [{"name": "HTTP", "containerPort": 0, "hostPort": 65536, "protocol": "tcp"}]},
            {"ports[0].name", "ports[0].containerPort", "ports[0].hostPort", "ports[0].protocol"},
        ),
        ({"ports": [{"name": "a", "containerPort": 1}, {"name": "a", "containerPort": 2}]}, {"ports[1].name"}),
        ({"env": [{"name": "A=B"}, {"name": ""}]}, {"env[0].name", "env[1].name"}),
        ({"env": [{"name": "A", "valueFrom": {}}]}, {"env[0].valueFrom"}),
        (
            {"env": [{"name": "A", "value": "x", "valueFrom": {"secretKeyRef": {"name": "s", "key": ".."}}}]},
            {"env[0].valueFrom", "env[0].valueFrom.secretKeyRef.key"},
        ),
        (
            {"env": [{"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels"}}}]},
            {"env[0].valueFrom.fieldRef.fieldPath"},
        ),
        (
            {"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "cpu", "divisor": "1k"}}}]},
            {"env[0].valueFrom.resourceFieldRef.resource"},
        ),
        (
            {"env": [{"name": "A", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1k"}}}]},
            {"env[0].valueFrom.resourceFieldRef.divisor"},
        ),
        (
            {"env": [{"name": "A", "valueFrom": {"fileKeyRef": {"volumeName": "v", "key": "k", "path": "p"}}}]},
            {"env[0].valueFrom.fileKeyRef.volumeName"},
        ),
        ({"envFrom": [{}, {"configMapRef": {"name": "A"}}]}, {"envFrom", "envFrom[1].configMapRef.name"}),
        (
            {"volumeMounts": [{"name": "v", "mountPath": "", "subPath": "../a"}]},
            {"volumeMounts[0].name", "volumeMounts[0].mountPath", "volumeMounts.subPath"},
        ),
        (
            {"volumeDevices": [{"name": "v", "devicePath": "/a/../b"}]},
            {"volumeDevices[0].name", "volumeDevices[0].devicePath"},
        ),
        ({"resources": {"requests": {"cpu": "2"}, "limits": {"cpu": 1}}}, {"resources.requests"}),
        ({"resources": {"requests": {"a.b/c": "1"}}}, {"resources.limits"}),
        ({"resources": {"limits": {"hugepages-2Mi": "4Mi"}}}, {"resources"}),
        (
            {"resources": {"limits": MANY_PAGES}},
            {"resources.limits[hugepages-2Mi]", "resources.requests[hugepages-2Mi]"},
        ),
        ({"resources": {"limits": {"pods": 1}}}, {"resources.limits[pods]", "resources.requests[pods]"}),
        ({"resources": {"claims": [{"name": "x"}]}}, {"resources.claims[0]"}),
        ({"livenessProbe": {}}, {"livenessProbe"}),
        (
            {
                "livenessProbe": {
                    "exec": {"command": []},
                    "grpc": {"port": 1},
                    "successThreshold": 2,
                    "periodSeconds": -1,
                }
            },
            {
                "livenessProbe.exec.command",
                "livenessProbe.grpc",
                "livenessProbe.successThreshold",
                "livenessProbe.periodSeconds",
            },
        ),
        (
            {"readinessProbe": {"tcpSocket": {"port": 0}, "terminationGracePeriodSeconds": 1}},
            {"readinessProbe.tcpSocket.port", "readinessProbe.terminationGracePeriodSeconds"},
        ),
        (
            {"startupProbe": {"httpGet": {"port": "a--b", "scheme": "http", "httpHeaders": [{"name": "a b"}]}}},
            {"startupProbe.httpGet.port", "startupProbe.httpGet.scheme", "startupProbe.httpGet.httpHeaders"},
        ),
        ({"lifecycle": {"preStop": {"sleep": {"seconds": 31}}}}, {"lifecycle.preStop.sleep"}),
        ({"securityContext": {"allowPrivilegeEscalation": False, "privileged": True}}, {"securityContext"}),
        ({"securityContext": {"procMount": "Unmasked"}}, {"securityContext.procMount"}),
        ({"resizePolicy": [{"resourceName": "gpu"}]}, {"resizePolicy"}),
        ({"restartPolicyRules": [{"action": "Restart"}]}, {"restartPolicy", "restartPolicyRules[0].exitCodes"}),
    ],
    ids=case_name,
)
def test_fields_of_a_container(changes: Json, expected: set[str]) -> None:
    assert fields(container(**changes)) == {f"spec.containers[0].{field}" for field in expected}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({}, set()),
        ({"emptyDir": {}, "secret": {}}, {".secret"}),
        ({"hostPath": {"path": "/..", "type": "Dir"}}, {".hostPath.path", ".hostPath.type"}),
        (
            {"configMap": {"defaultMode": 512, "items": [{"key": "", "path": "/a"}]}},
            {".configMap.name", ".configMap.defaultMode", ".configMap.items[0].key", ".configMap.items[0].path"},
        ),
        ({"nfs": {"server": "s", "path": "a"}}, {".nfs.path"}),
        ({"persistentVolumeClaim": {}}, {".persistentVolumeClaim.claimName"}),
        ({"downwardAPI": {"items": [{"path": "..a"}]}}, {".downwardAPI", ".downwardAPI.path"}),
        (
            {
                "projected": {
                    "sources": [
                        {"secret": {}, "configMap": {"name": "c"}},
                        {"serviceAccountToken": {"expirationSeconds": 1, "path": "p"}},
                    ]
                }
            },
            {
                ".projected.sources[0]",
                ".projected.sources[0].secret.name",
                ".projected.sources[1].serviceAccountToken.expirationSeconds",
            },
        ),
        ({"csi": {"driver": "a_b"}}, {".csi.driver"}),
        ({"ephemeral": {}}, {".ephemeral.volumeClaimTemplate"}),
        (
            {"ephemeral": {"volumeClaimTemplate": {"metadata": {"name": "x"}, "spec": {}}}},
            {
                ".ephemeral.volumeClaimTemplate.metadata.name",
                ".ephemeral.volumeClaimTemplate.spec.accessModes",
                ".ephemeral.volumeClaimTemplate.spec.resources[storage]",
            },
        ),
        ({"gcePersistentDisk": {"partition": 256}}, {".persistentDisk.pdName", ".persistentDisk.partition"}),
        ({"iscsi": {"targetPortal": "p", "iqn": "x", "lun": 256}}, {".iscsi.iqn", ".iscsi.lun"}),
        ({"image": {"pullPolicy": "x"}}, {".image.reference", ".image.pullPolicy"}),
        ({"fc": {}}, {".fc.targetWWNs"}),
        ({"emptyDir": {"sizeLimit": "-1"}}, {".emptyDir.sizeLimit"}),
    ],
    ids=case_name,
)
def test_fields_of_a_volume(source: Json, expected: set[str]) -> None:
    assert fields(pod(volumes=[{"name": "v", **source}])) == {f"spec.volumes[0]{field}" for field in expected}


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ({**TERM, "topologyKey": ""}, {".topologyKey"}),
        ({**TERM, "namespaces": ["A"]}, {".namespace"}),
        ({**TERM, "matchLabelKeys": ["app"]}, {"[0]"}),
        ({"topologyKey": "a", "mismatchLabelKeys": ["b"]}, {".mismatchLabelKeys"}),
        (
            {**TERM, "labelSelector": {"matchExpressions": [{"key": "a", "operator": "In"}]}},
            {".labelSelector.matchExpressions[0].values"},
        ),
        (
            {**TERM, "namespaceSelector": {"matchExpressions": [{"key": "a b", "operator": "is"}]}},
            {".namespaceSelector.matchExpressions[0].key", ".namespaceSelector.matchExpressions[0].operator"},
        ),
    ],
    ids=case_name,
)
@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
def test_fields_of_a_pod_affinity_term(kind: str, term: Json, expected: set[str]) -> None:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    found = fields(pod(affinity={kind: {required: [term]}}))
    assert found == {f"spec.affinity.{kind}.{required}[0]{field}" for field in expected}


@pytest.mark.parametrize(
    ("annotations", "field"),
    [
        ({"controller.kubernetes.io/pod-deletion-cost": "x"}, "[controller.kubernetes.io/pod-deletion-cost]"),
        ({"controller.kubernetes.io/pod-deletion-cost": str(2**31)}, "[controller.kubernetes.io/pod-deletion-cost]"),
        ({"kubernetes.io/config.mirror": "x"}, "[kubernetes.io/config.mirror]"),
        ({"a b": "x"}, ""),
        ({"a": "x" * 262_144}, ""),
        (
            {"container.apparmor.security.beta.kubernetes.io/no": "unconfined"},
            "[container.apparmor.security.beta.kubernetes.io/no]",
        ),
        ({"seccomp.security.alpha.kubernetes.io/pod": "x"}, ".seccomp.security.alpha.kubernetes.io/pod"),
    ],
)
def test_annotations(annotations: dict[str, str], field: str) -> None:
    manifest = pod()
    manifest["metadata"]["annotations"] = annotations
    assert fields(manifest) == {f"metadata.annotations{field}"}


@pytest.mark.parametrize("cost", [2**31 - 1, -(2**31)])
def test_costs_of_deletion_have_32_bits(cost: int) -> None:
    manifest = pod()
    manifest["metadata"]["annotations"] = {"controller.kubernetes.io/pod-deletion-cost": str(cost)}
    assert fields(manifest) == set()


def test_a_profile_is_the_one_of_its_annotation() -> None:
    """Type and path each say what the annotation says."""
    manifest = pod(securityContext={"seccompProfile": {"type": "Localhost", "localhostProfile": "b.json"}})
    annotations = manifest["metadata"]["annotations"] = {"seccomp.security.alpha.kubernetes.io/pod": "localhost/a.json"}
    (problem,) = check(manifest)
    assert problem.field == "spec.securityContext.seccompProfile.localhostProfile"
    assert problem.message == '"b.json" is not what the pod\'s annotation says, "localhost/a.json"'
    annotations["seccomp.security.alpha.kubernetes.io/pod"] = "localhost/b.json"
    assert check(manifest) == ()


def test_what_decoding_finds_does_not_hide_the_rest() -> None:
    manifest = pod(nodeselector={"a": "b"}, tolerations=[{"key": 1}], restartPolicy="never")
    assert fields(manifest, Stage.DECODING) == {"spec.nodeselector", "spec.tolerations[0].key"}
    assert fields(manifest) == {"spec.restartPolicy", "spec.tolerations[0].operator"}


def test_problems_lead_to_the_value() -> None:
    (problem,) = check(container(resources={"requests": {"cpu": "-1"}}))
    assert problem.field == "spec.containers[0].resources.requests[cpu]"
    assert problem.path == ("spec", "containers", 0, "resources", "requests", "cpu")
    assert problem.message == '"-1" is negative; 0 or more is valid'


@pytest.mark.parametrize(
    "value", [{}, {"kind": "Pod"}, {"apiVersion": 1, "kind": []}, {"apiVersion": "x/v1", "kind": "Y"}]
)
def test_other_kinds_are_taken(value: dict[str, Any]) -> None:
    assert check(value) == ()
