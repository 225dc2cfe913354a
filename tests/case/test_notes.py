from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from kexplain.case.notes import case_notes, node_notes, replica_notes
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.apps import Deployment, DeploymentSpec
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from tests.cli.command import ROOT, kexplain
from tests.factories import cluster, node, pod


def loaded(*objects: KubernetesObject) -> Loaded:
    read = Loaded()
    read.add(Segment("cluster.json", Nowhere(), list(objects)))
    return read


@pytest.mark.parametrize(
    ("each", "notes"),
    [
        pytest.param(pod(), [], id="nothing to say"),
        pytest.param(
            pod(node="n1"),
            ["spec.nodeName is set: the kubelet of n1 takes the pod, and no scheduler is asked"],
            id="a manifest with a node",
        ),
        pytest.param(pod(node="n1", phase="Running"), [], id="running"),
        pytest.param(
            pod(node="n1", phase="Failed"), ["finished on n1; explained as if it were placed now"], id="finished"
        ),
        pytest.param(
            pod(phase="Pending", nominated="n1"), ["nominated to n1, where room is kept for it"], id="nominated"
        ),
    ],
)
def test_what_a_node_means_that_a_pod_names(each: Pod, notes: list[str]) -> None:
    assert list(node_notes(each)) == notes


def test_replicas_are_mentioned_where_one_stands_for_several() -> None:
    web = Deployment(metadata=ObjectMeta(name="web"), spec=DeploymentSpec(replicas=3))
    assert list(replica_notes(web, None)) == [
        "this is one of the 3 pods of Deployment web; replicas=3 places all of them"
    ]
    assert list(replica_notes(web, 1)) == []
    assert list(replica_notes(replace(web, spec=DeploymentSpec(replicas=1)), None)) == []


def test_what_was_read_is_noted_where_it_matters() -> None:
    lost = pod("lost", node="elsewhere")
    read = loaded(node("n1"), lost)
    read.passed_over = Counter({"v1/ConfigMap": 2})
    found = cluster([node("n1")])
    assert list(case_notes(read, found, ())) == [
        "ignored, as scheduling does not depend on them: 2 v1/ConfigMap",
        "pods run on nodes that were not read: elsewhere",
    ]
    assert list(case_notes(loaded(), found, ())) == ["no pods are running: every node counts as empty"]
    assert list(case_notes(loaded(lost), found, {id(lost)})) == ["no pods are running: every node counts as empty"]


def test_new_pods_that_a_webhook_keeps_out_are_told() -> None:
    """A pod that the cluster has already is past it."""
    folder = ROOT / "fixtures" / "what-if-webhook-answers-again" / "cluster.yaml"
    said = 'no new pod gets into namespace shop for now: webhook "validate.engine.example" does not answer'
    for words, is_told in ((["deploy/cart", "--replicas=1", "-n", "shop"], True), (["-A"], False)):
        done = kexplain("explain", *words, "--cluster", str(folder))
        assert (said in done.stderr.decode()) is is_told
