from __future__ import annotations

import pytest

from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from tests.factories import node, pod
from tests.storage_factories import claim, persistent_volume, uses

from .case import FOR_NOW, Case, check

PLUGIN = "VolumeRestrictions"
TAKEN = {"n1": FOR_NOW, "n2": FOR_NOW}
NODES = [node("n1"), node("n2")]


def _one_pod(*names: str, mode: str = "ReadWriteOncePod") -> list[KubernetesObject]:
    pairs = [(claim(name, volume=f"v-{name}", modes=(mode,)), persistent_volume(f"v-{name}")) for name in names]
    return [each for pair in pairs for each in pair]


def _using(*claims: str, name: str = "there") -> Pod:
    return pod(name, node="n1", volumes=uses(*claims))


CASES = [
    Case("nobody uses it", pod(volumes=uses("a")), NODES, PLUGIN, {}, (), _one_pod("a")),
    Case("another pod uses it", pod(volumes=uses("a")), NODES, PLUGIN, TAKEN, [_using("a")], _one_pod("a")),
    Case(
        "two of its claims are in use, by two pods",
        pod(volumes=uses("a", "b")),
        NODES,
        PLUGIN,
        TAKEN,
        [_using("a"), _using("b", name="too")],
        _one_pod("a", "b"),
    ),
    Case(
        "one of its two claims is in use",
        pod(volumes=uses("a", "b")),
        NODES,
        PLUGIN,
        TAKEN,
        [_using("b")],
        _one_pod("a", "b"),
    ),
    Case("another claim is in use", pod(volumes=uses("a")), NODES, PLUGIN, {}, [_using("b")], _one_pod("a", "b")),
    Case(
        "several pods may use it",
        pod(volumes=uses("a")),
        NODES,
        PLUGIN,
        {},
        [_using("a")],
        _one_pod("a", mode="ReadWriteOnce"),
    ),
    Case(
        "a claim of that name in another namespace",
        pod(volumes=uses("a"), namespace="other"),
        NODES,
        PLUGIN,
        {},
        [_using("a")],
        [
            *_one_pod("a"),
            claim("a", volume="w", modes=("ReadWriteOncePod",), namespace="other"),
            persistent_volume("w"),
        ],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_volume_restrictions(case: Case) -> None:
    check(case)
