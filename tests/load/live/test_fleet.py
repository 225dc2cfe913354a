"""Clusters of different releases, asked together: of each it is said what is said of it alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.load.live.cluster import objects, pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import TOKEN, StandIn

#: Two clusters, and the minor releases of their API servers.
MINORS = {"east": "34", "west": "36"}


def _kubeconfig(path: Path, servers: dict[str, StandIn]) -> Path:
    clusters = [{"name": name, "cluster": {"server": server.address}} for name, server in servers.items()]
    contexts = [{"name": name, "context": {"cluster": name, "user": "jane"}} for name in servers]
    users = [{"name": "jane", "user": {"token": TOKEN}}]
    config = {"apiVersion": "v1", "kind": "Config", "clusters": clusters, "contexts": contexts, "users": users}
    path.write_text(json.dumps(config))
    return path


@pytest.mark.parametrize("cpu", ["100m", "100"])
def test_each_is_asked_as_its_release(cpu: str, shell: Shell, tmp_path: Path) -> None:
    wanted = tmp_path / "pod.json"
    asked = pending()
    asked["spec"]["containers"][0]["resources"]["requests"]["cpu"] = cpu
    wanted.write_text(json.dumps(asked))
    with StandIn(objects(), tls=False) as east, StandIn(objects(6), tls=False) as west:
        servers = {"east": east, "west": west}
        for name, server in servers.items():
            server.minor, server.version = MINORS[name], f"v1.{MINORS[name]}.2"
        config = _kubeconfig(tmp_path / "both", servers)
        ended = shell.kexplain(
            "fleet", wanted, "--contexts", "*", "--kubeconfig", config, "--workers", "1", "-o", "json"
        )
        found = {each["cluster"]: each for each in json.loads(ended.out)["clusters"]}
        for name, minor in MINORS.items():
            alone = json.loads(shell.kexplain(wanted, "--context", name, "--kubeconfig", config, "-o", "json").out)
            (pod,) = alone["pods"]
            assert found[name]["kubernetesVersion"] == alone["kubernetesVersion"] == f"1.{minor}"
            assert (found[name]["fitting"], found[name]["pods"]) == (int(pod["outcome"] == "Scheduled"), 1)
            assert found[name]["stoppedBy"] == ("" if pod["outcome"] == "Scheduled" else pod["diagnosis"]["text"])
    assert ended.code == int(cpu == "100")
