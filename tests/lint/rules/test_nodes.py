"""Tolerations that meet no taint, and names of classes and resources that are a slip of the pen."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

NODE = """apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {taints: [{key: dedicated, value: batch, effect: NoSchedule}]}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10, nvidia.com/gpu: 1}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: prod-high}
value: 10
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: standard}
provisioner: a.example.com
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: models, namespace: default}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""
POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  FIELD
  containers: [{name: web, image: web:1, resources: {RESOURCES}}]
"""
CLAIM = """apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: standrad, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""


def pod(field: str = "", resources: str = "") -> str:
    return POD.replace("FIELD", field).replace("RESOURCES", resources)


@pytest.mark.parametrize(
    ("toleration", "found"),
    [
        pytest.param("operator: Equals, value: batch", ["refused"], id="an operator that there is not"),
        pytest.param("operator: Equal, value: bach", ["toleration-no-taint"], id="another value"),
        pytest.param("value: bach", ["toleration-no-taint"], id="no operator"),
        pytest.param("operator: Exists", [], id="it tolerates it"),
    ],
)
def test_a_toleration_is_held_against_taints_once_it_is_one(toleration: str, found: list[str]) -> None:
    report = linted(pod(f"tolerations: [{{key: dedicated, {toleration}, effect: NoSchedule}}]"), NODE)
    assert [each.rule for each in report.findings if each.rule != "does-not-fit"] == found


@pytest.mark.parametrize(
    ("manifest", "found"),
    [
        pytest.param(
            pod("priorityClassName: prod-hihg"), [("missing-priority-class", 5, "prod-high")], id="a priority class"
        ),
        pytest.param(pod("priorityClassName: batch"), [("missing-priority-class", 5, None)], id="no such class"),
        pytest.param(
            pod(resources="requests: {nvidia.com/gpus: 1}, limits: {nvidia.com/gpus: 1}"),
            [("unknown-resource", 6, "nvidia.com/gpu"), ("unknown-resource", 6, "nvidia.com/gpu")],
            id="a resource, wherever it stands",
        ),
        pytest.param(
            pod(resources="limits: {amd.com/fpga: 1}"), [("unknown-resource", 6, None)], id="no such resource"
        ),
        pytest.param(
            pod("volumes: [{name: m, persistentVolumeClaim: {claimName: modles}}]"),
            [("missing-claim", 5, "models")],
            id="a claim",
        ),
        pytest.param(CLAIM, [("missing-storage-class", 4, "standard")], id="a storage class"),
    ],
)
def test_a_name_that_is_a_slip_of_the_pen_is_corrected(manifest: str, found: list[tuple[str, int, str | None]]) -> None:
    report = linted(manifest, NODE)
    assert [(each.rule, each.line, each.instead) for each in report.findings if each.rule != "does-not-fit"] == found


def test_a_label_that_was_renamed_is_asked_for_by_its_new_name() -> None:
    labels = "{topology.kubernetes.io/zone: a, topology.ebs.csi.aws.com/zone: a}"
    report = linted(
        pod("nodeSelector: {failure-domain.beta.kubernetes.io/zone: a}"),
        NODE.replace("metadata: {name: n1}", f"metadata: {{name: n1, labels: {labels}}}"),
    )
    (said,) = [each.message for each in report.findings if each.rule == "node-selector-no-node"]
    assert "did you mean topology.kubernetes.io/zone (a)?" in said


@pytest.mark.parametrize(
    ("keys", "found", "instead"),
    [
        (["dedicatd"], "misspelt-taint", "dedicated"),
        (["dedicatd", "dedicated"], "toleration-no-taint", None),
        (["elsewhere"], "toleration-no-taint", None),
        (["dedicated"], "", None),
    ],
)
def test_a_key_one_slip_off_that_of_a_taint_is_misspelt(keys: list[str], found: str, instead: str | None) -> None:
    tolerations = ", ".join(f"{{key: {key}, operator: Exists}}" for key in keys)
    report = linted(pod(f"tolerations: [{tolerations}]"), NODE)
    said = [each for each in report.findings if "taint" in each.rule]
    assert [each.rule for each in said] == ([found] if found else [])
    assert [each.instead for each in said] == ([instead] if found else [])
