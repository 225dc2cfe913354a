"""Cases read from files: amounts that no API server stores are faults with a place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kexplain.case import Wanted, load_case
from kexplain.errors import InputError
from tests.load.texts import listed, node, write

NODE = node(allocatable={"cpu": "4", "memory": "8Gi", "pods": "10"})


def _pod(cpu: str, node_name: str = "") -> dict[str, Any]:
    container = {"name": "c", "resources": {"requests": {"cpu": cpu}}}
    spec = {"nodeName": node_name, "schedulerName": "default-scheduler", "containers": [container]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b", "uid": "c"}, "spec": spec}


@pytest.mark.parametrize(
    ("pod", "problem"),
    [
        (_pod("1x"), '"1x" is not a quantity'),
        (_pod("-1"), '"-1" is negative'),
        (_pod("1x", "n"), '"1x" is not a quantity'),
        (_pod("-1", "n"), '"-1" is negative'),
    ],
    ids=["pending-no-quantity", "pending-negative", "running-no-quantity", "running-negative"],
)
def test_amounts_of_pods_in_the_cluster_are_faults_with_a_place(
    pod: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    dump = write(tmp_path / "dump.json", listed(NODE, pod))
    with pytest.raises(InputError) as raised:
        load_case([], [dump], Wanted(may_be_empty=True))
    assert [(found.path, found.message) for found in raised.value.faults] == [
        ("spec.containers[0].resources.requests.cpu", problem)
    ]
