"""Names that are one slip of the pen off one among the manifests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.lint.linting import linted

POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}


def found(spec: dict[str, Any], *known: tuple[str, str], cluster: str = "") -> list[str]:
    """What is said of the names that a pod refers to, beside these objects."""
    objects = [
        {"apiVersion": "v1", "kind": kind, "metadata": {"name": name.rpartition("/")[2], "namespace": "shop"}}
        for kind, name in known
    ]
    pod = {**POD, "spec": {"containers": [{"name": "c", "image": "i"}], **spec}}
    text = "\n---\n".join(map(json.dumps, [*objects, pod]))
    report = linted(text, cluster)
    return [f"{each.field}: {each.message}" for each in report.findings if each.rule == "misspelt-name"]


def env(**source: Any) -> dict[str, Any]:
    return {"containers": [{"name": "c", "image": "i", "env": [{"name": "A", "valueFrom": source}]}]}


@pytest.mark.parametrize(
    ("spec", "kind", "known"),
    [
        ({"serviceAccountName": "web-runer"}, "ServiceAccount", "web-runner"),
        (
            {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "on-hd"}}]},
            "PersistentVolumeClaim",
            "on-hdd",
        ),
        (env(configMapKeyRef={"name": "appsettings", "key": "k"}), "ConfigMap", "app-settings"),
        (env(secretKeyRef={"name": "web-tokn", "key": "k"}), "Secret", "web-token"),
        ({"volumes": [{"name": "v", "configMap": {"name": "web-dta"}}]}, "ConfigMap", "web-data"),
        ({"volumes": [{"name": "v", "secret": {"secretName": "web-crets"}}]}, "Secret", "web-certs"),
        ({"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "dtaa"}}]}, "PersistentVolumeClaim", "data"),
        (
            {"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "web-tokens"}}]}}]},
            *("Secret", "web-token"),
        ),
        ({"runtimeClassName": "gvisor-sandox"}, "RuntimeClass", "gvisor-sandbox"),
        ({"imagePullSecrets": [{"name": "other"}, {"name": "web-tokn"}]}, "Secret", "web-token"),
        ({"volumes": [{"name": "v", "secret": {"secretName": "web-tsl"}}]}, "Secret", "web-tls"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_slip_is_found(spec: dict[str, Any], kind: str, known: str) -> None:
    (message,) = found(spec, (kind, known))
    assert message.endswith(f"did you mean {known}?")
    # Of another kind it is none.
    assert found(spec, ("Service", known)) == []


@pytest.mark.parametrize(
    ("name", "known"),
    [
        pytest.param("web-token", ("web-token",), id="there"),
        pytest.param("postgres-ro", ("postgres-rw",), id="short words"),
        pytest.param("db-key", ("db-kex",), id="three letters"),
        pytest.param("shard-1", ("shard-2",), id="counted"),
        pytest.param("shard12", ("shard13",), id="counted without a dash"),
        pytest.param("web-token", ("web-token-old",), id="another word"),
        pytest.param("web-tokn", ("web-token", "web-tokan"), id="two that may be meant"),
        pytest.param("wbe-tokn", ("web-token",), id="two words wrong"),
        pytest.param("web-token", ("api-token",), id="something else"),
    ],
)
def test_what_is_no_slip(name: str, known: tuple[str, ...]) -> None:
    spec = env(secretKeyRef={"name": name, "key": "k"})
    assert found(spec, *(("Secret", each) for each in known)) == []


@pytest.mark.parametrize(
    ("key", "kind", "field", "says"),
    [
        ("logLevel", "ConfigMap", "data", "no key logLevel; did you mean loglevel?"),
        ("loglevl", "Secret", "stringData", "no key loglevl; did you mean loglevel?"),
        ("loglevel", "ConfigMap", "data", ""),
        ("password", "ConfigMap", "data", ""),
    ],
)
def test_a_key_that_is_a_slip(key: str, kind: str, field: str, says: str) -> None:
    held = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": "app", "namespace": "shop"},
        field: {"loglevel": "x"},
    }
    holder = f"{kind[0].lower()}{kind[1:]}KeyRef"
    volume: dict[str, Any] = {"name": "v", "configMap": {"name": "app", "items": [{"key": key, "path": "p"}]}}
    mounted = {"volumes": [volume]} if kind == "ConfigMap" else {}
    pod = {**POD, "spec": {**env(**{holder: {"name": "app", "key": key}}), **mounted}}
    report = linted("\n---\n".join(map(json.dumps, [held, pod])), "")
    told = [each.message.rpartition(": ")[2] for each in report.findings if each.rule == "misspelt-name"]
    assert told == ([f"{kind} app of the manifests has {says}"] * (1 + len(mounted)) if says else [])


def test_what_the_pod_uses_as_well_is_not_meant() -> None:
    spec = {
        "volumes": [
            {"name": "a", "secret": {"secretName": "web-token"}},
            {"name": "b", "secret": {"secretName": "web-tokem"}},
        ]
    }
    assert found(spec, ("Secret", "web-token")) == []


def test_what_the_cluster_has_is_there() -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}"
    account = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: web-runer, namespace: shop, uid: a}}"
    spec = {"serviceAccountName": "web-runer"}
    assert found(spec, ("ServiceAccount", "web-runner"), cluster=f"{node}\n---\n{account}") == []
    assert len(found(spec, ("ServiceAccount", "web-runner"), cluster=node)) == 1


def test_what_another_rule_tells_is_told_once() -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}"
    known = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low, uid: l}, value: 1}"
    manifests = (
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: important}, value: 5}\n---\n"
        "{apiVersion: v1, kind: Pod, metadata: {name: p}, "
        "spec: {priorityClassName: imporant, containers: [{name: c, image: i}]}}"
    )
    for cluster, rule in ((node, "misspelt-name"), (f"{node}\n---\n{known}", "missing-priority-class")):
        rules = [each.rule for each in linted(manifests, cluster).findings]
        assert [each for each in rules if each in ("misspelt-name", "missing-priority-class")] == [rule]


def test_another_namespace_is_another_place() -> None:
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "web-runner", "namespace": "other"}}
    pod = {**POD, "spec": {"serviceAccountName": "web-runer", "containers": [{"name": "c", "image": "i"}]}}
    report = linted(f"{json.dumps(account)}\n---\n{json.dumps(pod)}")
    assert "misspelt-name" not in [each.rule for each in report.findings]


def test_what_an_autoscaler_scales() -> None:
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "frontend"}}
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": {
            "maxReplicas": 3,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "fronted"},
        },
    }
    report = linted(f"{json.dumps(deployment)}\n---\n{json.dumps(scaler)}")
    assert "did you mean frontend?" in str([each.message for each in report.findings if each.rule == "misspelt-name"])


def test_a_letter_is_doubled_where_the_right_name_is_used_too() -> None:
    names = [
        {"name": name, "valueFrom": {"secretKeyRef": {"name": secret, "key": "k"}}}
        for name, secret in (("A", "pipeline-key"), ("B", "pipeliine-key"))
    ]
    spec = {"containers": [{"name": "c", "image": "i", "env": names}]}
    (message,) = found(spec, ("Secret", "pipeline-key"))
    assert message.endswith("called pipeliine-key; did you mean pipeline-key?")


def test_what_claims_and_stateful_sets_name() -> None:
    claim = "{accessModes: [ReadWriteOnce], storageClassName: fast-disk, resources: {requests: {storage: 1Gi}}}"
    pod = "{metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}"
    template = f"{{metadata: {{name: data}}, spec: {claim}}}"
    selector = "selector: {matchLabels: {app: db}}"
    spec = f"{{serviceName: orders-bd, {selector}, template: {pod}, volumeClaimTemplates: [{template}]}}"
    manifests = (
        "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast-disks}, provisioner: a/b}\n---\n"
        "{apiVersion: v1, kind: Service, metadata: {name: orders-db}, spec: {selector: {app: db}}}\n---\n"
        f"{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: backup}}, spec: {claim}}}\n---\n"
        f"{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: db}}, spec: {spec}}}"
    )
    told = [(each.field, each.message) for each in linted(manifests).findings if each.rule == "misspelt-name"]
    assert [field for field, _ in told] == [
        "spec.storageClassName",
        "spec.serviceName",
        "spec.volumeClaimTemplates[0].spec.storageClassName",
    ]
    assert all("did you mean fast-disks?" in said or "did you mean orders-db?" in said for _, said in told)
