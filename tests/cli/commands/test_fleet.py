"""`kexplain fleet` through the command line: each cluster as if asked alone, and which comes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import kexplain
from tests.load.texts import listed, node, write
from tests.scenarios import FIXTURES

SMALL, BIG = FIXTURES / "insufficient-cpu-different-reasons", FIXTURES / "sampling-stops-early" / "nodes.json"
POD = str(SMALL / "pod.yaml")


def _asked(*words: str, code: int = 0) -> list[dict[str, object]]:
    done = kexplain("fleet", *words, "-o", "json")
    assert done.returncode == code, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)["clusters"]
    return found


def _clusters(tmp_path: Path, **cores: int) -> list[str]:
    words = []
    for name, cpu in cores.items():
        path = write(
            tmp_path / f"{name}.json",
            listed(node(f"{name}-1", allocatable={"cpu": str(cpu), "memory": "8Gi", "pods": "9"})),
        )
        words += ["--cluster", f"{name}={path}"]
    return words


def test_where_it_fits_comes_first_with_most_room(tmp_path: Path) -> None:
    pod = write(tmp_path / "pod.yaml", _pod("2"))
    found = _asked(pod, *_clusters(tmp_path, a=1, b=4, c=9), "--cluster", f"lost={tmp_path}/lost.json")
    assert [(each["cluster"], each["fitting"], each["pods"], each["room"]) for each in found] == [
        ("c", 1, 1, 4),
        ("b", 1, 1, 2),
        ("a", 0, 1, 0),
        ("lost", 0, 0, None),
    ]
    assert [bool(each["stoppedBy"]) for each in found] == [False, False, True, False]
    assert "no such file" in str(found[3]["error"])


def test_some_of_several_pods_are_not_enough(tmp_path: Path) -> None:
    pods = [write(tmp_path / f"{name}.yaml", _pod("2", name)) for name in ("one", "two", "three")]
    found = _asked(*pods, *_clusters(tmp_path, a=3, b=5, c=1), code=1)
    assert [(each["cluster"], each["fitting"]) for each in found] == [("b", 2), ("a", 1), ("c", 0)]


def test_what_no_api_server_creates_fits_nowhere_and_counts_once(tmp_path: Path) -> None:
    mounted = '"volumeMounts": [{"name": "data", "mountPath": "/data"}], "resources":'
    refused = _pod("2").replace('"resources":', mounted)
    found = _asked(write(tmp_path / "pod.yaml", refused), *_clusters(tmp_path, a=4), code=1)
    assert [(each["fitting"], each["pods"]) for each in found] == [(0, 1)]
    assert "volumeMounts[0].name" in str(found[0]["stoppedBy"])


@pytest.mark.parametrize(
    "name", ["insufficient-cpu-different-reasons", "sampling-stops-early", "anti-affinity-by-zone"]
)
def test_each_is_told_as_if_asked_alone(name: str) -> None:
    folder = FIXTURES / name
    cluster = str(BIG if name == "sampling-stops-early" else folder)
    alone = json.loads(kexplain(str(folder / "pod.yaml"), "--cluster", cluster, "-o", "json").stdout)
    (pod,) = alone["pods"]
    (found,) = _asked(str(folder / "pod.yaml"), "--cluster", cluster, code=int(pod["choice"] is None))
    assert found["fitting"] == int(pod["choice"] is not None)
    assert found["kubernetesVersion"] == alone["kubernetesVersion"]
    assert found["stoppedBy"] == (pod["diagnosis"]["text"] if pod["diagnosis"] else "")
    assert found["helps"] == (pod["remedies"][0]["text"] if pod["remedies"] else "")


def test_a_directory_of_clusters_and_names(tmp_path: Path) -> None:
    _clusters(tmp_path, east=4, west=8)
    write(tmp_path / ".hidden.json", "{}")
    pod = write(tmp_path.parent / f"{tmp_path.name}.yaml", _pod("1"))
    assert [each["cluster"] for each in _asked(pod, "--clusters", str(tmp_path))] == ["west", "east"]
    assert [each["cluster"] for each in _asked("-f", pod, "--cluster", f"{tmp_path}/east.json")] == ["east"]


def test_a_pod_on_stdin_is_asked_of_all(tmp_path: Path) -> None:
    words = _clusters(tmp_path, a=4, b=5)
    done = kexplain("fleet", "-", *words, "-o", "csv", stdin=_pod("1").encode())
    assert [line.split(",")[:3] for line in done.stdout.decode().splitlines()[1:]] == [["b", "1", "1"], ["a", "1", "1"]]


@pytest.mark.parametrize(
    ("words", "says", "code"),
    [
        ([POD], "no cluster to ask", 2),
        (["--cluster", str(BIG)], "nothing to place", 2),
        ([POD, "--cluster", f"a={BIG}", "--cluster", f"a={SMALL}"], "two clusters are called a", 2),
        ([POD, "--clusters", POD], "is no directory that can be read", 2),
        ([POD, "--contexts", "prod-*"], "no context is called prod-*", 2),
        ([POD, "--cluster", "lost=lost.json"], "no cluster could be read", 3),
    ],
)
def test_what_cannot_be_asked(words: list[str], says: str, code: int) -> None:
    done = kexplain("fleet", *words)
    assert says in done.stderr.decode()
    assert done.returncode == code


def test_contexts_are_clusters_by_their_names(tmp_path: Path) -> None:
    clusters = "".join(f"- {{name: {name}, cluster: {{server: 'http://127.0.0.1:1'}}}}\n" for name in ("east", "west"))
    contexts = "".join(f"- {{name: prod-{name}, context: {{cluster: {name}}}}}\n" for name in ("east", "west"))
    config = write(tmp_path / "config", f"kind: Config\nclusters:\n{clusters}contexts:\n{contexts}")
    done = kexplain(
        "fleet", POD, "--cluster", f"big={BIG}", "--contexts", "prod-*", "--kubeconfig", config, "-o", "json"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["clusters"]
    assert [each["cluster"] for each in found] == ["big", "prod-east", "prod-west"]
    assert all(each["error"] for each in found[1:])


def test_a_table_for_people() -> None:
    done = kexplain("fleet", POD, "--cluster", f"small={SMALL}", "--cluster", f"big={BIG}", "--width", "160")
    first, _, best, *_ = done.stdout.decode().splitlines()
    assert first == "✓ fits on 1 of 2 clusters: big"
    assert best.split()[:4] == ["big", "fits", "100+", "130"]


def _pod(cpu: str, name: str = "web") -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name},
            "spec": {"containers": [{"name": "a", "image": "b", "resources": {"requests": {"cpu": cpu}}}]},
        }
    )
