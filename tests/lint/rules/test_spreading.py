"""How many nodes a workload can use, as far as what is written tells."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

TERM = "{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}"
AFFINITY = f"affinity: {{podAntiAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: [{TERM}]}}}}"


def _web(spec: str, replicas: int = 5) -> str:
    labels = "{app: web}"
    return (
        f"{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: web}}, spec: {{replicas: {replicas}, "
        f"serviceName: w, selector: {{matchLabels: {labels}}}, "
        f"template: {{metadata: {{labels: {labels}}}, spec: {{{spec}}}}}}}}}"
    )


def _node(name: str, taint: str = "") -> str:
    spec = f"spec: {{taints: [{{key: {taint}, effect: NoSchedule}}]}}, " if taint else ""
    return (
        f"{{apiVersion: v1, kind: Node, metadata: {{name: {name}, labels: {{kubernetes.io/hostname: {name}}}}}, {spec}"
        "status: {allocatable: {cpu: 9, pods: 99}}}"
    )


@pytest.mark.parametrize(
    ("taint", "more", "nodes"),
    [
        pytest.param("gpu", "", 2, id="kept for others"),
        pytest.param("gpu", "tolerations: [{key: gpu, operator: Exists}], ", 3, id="tolerated"),
        pytest.param("node.kubernetes.io/not-ready", "", 3, id="out of service for now"),
    ],
)
def test_a_tainted_node_takes_nobody(taint: str, more: str, nodes: int) -> None:
    cluster = "\n---\n".join((_node("n1"), _node("n2"), _node("n3", taint)))
    said = [
        each.message
        for each in linted(_web(f"{more}{AFFINITY}, containers: [{{name: c, image: c}}]"), cluster).findings
    ]
    assert any(f"the workload can use only {nodes} nodes" in each for each in said), said


@pytest.mark.parametrize(("replicas", "said"), [(2, "and 1 more waits for it"), (3, "and 2 more wait for it")])
def test_those_that_wait_are_counted(replicas: int, said: str) -> None:
    found = linted(_web("nodeSelector: {a: b}, containers: [{name: c, image: c}]", replicas), _node("n1")).findings
    assert any(said in each.message for each in found), found


def test_what_one_node_lacks_is_put_where_that_is_asked_for() -> None:
    """Most nodes lack CPUs; what is said is about the one that could be meant."""
    gpus = _node("g1").replace("cpu: 9", "cpu: 9, example.com/gpu: 4")
    small = [_node(f"n{each}").replace("cpu: 9", "cpu: 1") for each in range(3)]
    asked = "containers: [{name: c, image: c, resources: {limits: {cpu: 4, example.com/gpu: 8}}}]"
    found = linted(_web(asked, 2), "\n---\n".join((gpus, *small))).findings
    fields = {each.field for each in found if "does-not-fit" in (each.rule, *each.also)}
    assert fields == {"spec.template.spec.containers[0].resources.limits[example.com/gpu]"}
