"""Manifests are changed line by line, and comments stay."""

from __future__ import annotations

import pytest

from kexplain.load.text.yaml_edit import document_at, edited

POD = """\
# A pod.
kind: Pod
metadata: {name: web} # inline
spec:
  nodeSelector:
    disktype: ssd # fast
    zone: a
  containers:
    - name: web # the web
      ports:
        - hostPort: 80
        - hostPort: 443 # TLS
      resources: {requests: {cpu: "6", memory: 1Gi}}
  tolerations:
"""


@pytest.mark.parametrize(
    ("operation", "gone", "new"),
    [
        pytest.param({"op": "remove", "path": "/spec/nodeSelector/disktype"}, ["    disktype: ssd # fast"], [],
                     id="a-line"),
        pytest.param({"op": "add", "path": "/spec/nodeSelector/zone", "value": "b"}, ["    zone: a"], ["    zone: b"],
                     id="a-value"),
        pytest.param({"op": "remove", "path": "/spec/containers/0/ports/1"}, ["        - hostPort: 443 # TLS"], [],
                     id="an-item"),
        pytest.param({"op": "add", "path": "/spec/containers/0/ports/-", "value": {"hostPort": 81}}, [],
                     ["        - hostPort: 81"], id="a-new-item"),
        pytest.param({"op": "add", "path": "/spec/containers/0/resources/requests/cpu", "value": "4"},
                     ['      resources: {requests: {cpu: "6", memory: 1Gi}}'],
                     ['      resources: {requests: {cpu: "4", memory: 1Gi}}'], id="inside-of-a-line"),
        pytest.param({"op": "remove", "path": "/spec/containers/0/resources/requests/cpu"},
                     ['      resources: {requests: {cpu: "6", memory: 1Gi}}'],
                     ["      resources: {requests: {memory: 1Gi}}"], id="out-of-a-line"),
        pytest.param({"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}, ["metadata: {name: web} # inline"],
                     ["metadata: {name: web, labels: {a: b}} # inline"], id="into-a-line"),
        pytest.param({"op": "add", "path": "/spec/tolerations", "value": []}, ["  tolerations:"],
                     ["  tolerations: []"], id="nothing-becomes-something"),
        pytest.param({"op": "remove", "path": "/spec/nodeSelector"},
                     ["  nodeSelector:", "    disktype: ssd # fast", "    zone: a"], [], id="a-block"),
    ],
)  # fmt: skip
def test_only_the_lines_concerned_change(operation: dict[str, object], gone: list[str], new: list[str]) -> None:
    after = edited(POD, 1, [operation])
    assert after is not None
    before, lines = POD.splitlines(), after.splitlines()
    assert [line for line in before if line not in lines] == gone
    assert [line for line in lines if line not in before] == new


def test_other_documents_stay_as_they_are() -> None:
    after = edited(
        f"{POD}---\nkind: Node\nspec: {{}}\n", 16, [{"op": "add", "path": "/spec/unschedulable", "value": True}]
    )
    assert after == f"{POD}---\nkind: Node\nspec: {{unschedulable: true}}\n"
    assert document_at(after, 17) == {"kind": "Node", "spec": {"unschedulable": True}}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/spec/nodeName"},
        {"op": "add", "path": "/spec/containers", "value": []},
        {"op": "add", "path": "/kind/name", "value": "x"},
    ],
)
def test_what_takes_more_than_a_few_lines_is_left_to_others(operation: dict[str, object]) -> None:
    assert edited(POD, 1, [operation]) is None


def test_a_value_that_several_lines_share_is_left_to_others() -> None:
    text = "a: &x {n: 1}\nb: *x\n"
    assert edited(text, 1, [{"op": "add", "path": "/a/n", "value": 2}]) is None
