"""The status of cluster-autoscaler, in both of its forms."""

from __future__ import annotations

import pytest

from kexplain.cluster import Listers
from kexplain.explain.autoscaling import GroupTrouble, NodeGroup
from kexplain.explain.node_groups import node_groups, of_pool
from tests.queues.made import read

YAML = """
time: 2026-11-20 10:00:00 +0000 UTC
nodeGroups:
- name: eks-general-44c5
  health:
    status: {health}
    nodeCounts: {{registered: {{ready: 2}}}}
    cloudProviderTarget: {target}
    minSize: 1
    maxSize: 3
  scaleUp: {{status: {growth}, backoffInfo: {{errorCode: OutOfStock}}, lastTransitionTime: "2026-11-20T09:00:00Z"}}
"""
TEXT = """Cluster-autoscaler status at 2026-11-20 10:00:00.1 +0000 UTC:
Cluster-wide:
  Health:      Healthy (ready=2 registered=2)

NodeGroups:
  Name:        eks-general-44c5
  Health:      {health} (ready=2 unready=0 cloudProviderTarget={target} (minSize=1, maxSize=3))
               LastTransitionTime: 2026-11-20 07:00:00.1 +0000 UTC m=+1
  ScaleUp:     {growth} (ready=2 cloudProviderTarget={target})
               LastTransitionTime: 2026-11-20 09:00:00.1 +0000 UTC m=+1
  ScaleDown:   NoCandidates (candidates=0)
"""


def _groups(status: object, name: str = "cluster-autoscaler-status") -> tuple[NodeGroup, ...]:
    metadata = {"name": name, "namespace": "kube-system"}
    status_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"status": status}}
    return node_groups(Listers.of(read(status_map)))


@pytest.mark.parametrize("form", [YAML, TEXT])
@pytest.mark.parametrize(
    ("target", "growth", "health", "troubles"),
    [
        (2, "NoActivity", "Healthy", ()),
        (3, "NoActivity", "Healthy", (GroupTrouble.AT_MAXIMUM,)),
        (2, "Backoff", "Healthy", (GroupTrouble.BACKED_OFF,)),
        (3, "NoActivity", "Unhealthy", (GroupTrouble.AT_MAXIMUM, GroupTrouble.UNHEALTHY)),
    ],
)
def test_both_forms(form: str, target: int, growth: str, health: str, troubles: tuple[GroupTrouble, ...]) -> None:
    (group,) = _groups(form.format(target=target, growth=growth, health=health))
    assert (group.name, group.ready, group.target, group.least, group.most) == ("eks-general-44c5", 2, target, 1, 3)
    assert group.troubles == troubles
    assert ("2026-11-20" in group.text) is (GroupTrouble.BACKED_OFF in troubles)


@pytest.mark.parametrize("status", ["", "{", "nodeGroups: 7", "- 1", 7, None, "status: Initializing"])
def test_what_cannot_be_read_is_no_group(status: object) -> None:
    assert _groups(status) == ()


def test_other_config_maps_are_passed_over() -> None:
    assert _groups("nodeGroups: [{name: a}]", "other") == ()


def test_groups_belong_to_the_pool_with_the_longest_name() -> None:
    groups = [NodeGroup(name=name) for name in ("aks-general-1-vmss", "x/gke-c1-general-gpu-ab12-grp", "eks-batch-77")]
    names = ["general", "general-gpu", "web"]
    found = {name: [group.base for group in of_pool(groups, name, names)] for name in names}
    assert found == {"general": ["aks-general-1"], "general-gpu": ["gke-c1-general-gpu-ab12"], "web": []}
