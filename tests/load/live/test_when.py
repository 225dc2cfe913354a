"""When a live cluster is read, and when nothing is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kexplain.load.live.api_resources import SCHEDULING
from tests.cli.command import ROOT, kexplain
from tests.load.live.cluster import objects, pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "new.yaml"
    path.write_text(json.dumps(pending()))
    return path


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": objects()}))
    return path


def test_a_manifest_is_tried_against_the_live_cluster(shell: Shell, manifest: Path) -> None:
    ended = shell.kexplain("-f", manifest)
    assert ended.code == 1
    assert "default/new does not fit on any of 3 nodes" in ended.out


def test_the_namespace_is_that_of_the_context(shell: Shell, manifest: Path) -> None:
    path = shell.kubeconfig("other", namespace="shop")
    assert shell.kexplain("pod/web", "--kubeconfig", path).code == 1
    assert "shop/new does not fit" in shell.kexplain(manifest, "--kubeconfig", path).out
    assert "default/new does not fit" in shell.kexplain(manifest, "--kubeconfig", path, "-n", "default").out


def test_a_pod_that_is_there_already_is_explained_in_its_place(shell: Shell) -> None:
    path = shell.directory / "api.json"
    metadata = {"name": "api-0000", "namespace": "shop"}
    path.write_text(json.dumps({**pending(), "metadata": metadata}))
    ended = shell.kexplain(path, "--node", "worker-1")
    assert "shop/api-0000 is in the cluster already; the manifest replaces it" in ended.err
    # Two of the three pods run on this node, each with a CPU to itself.
    assert "cpu 100 > 3 free" in ended.out


def test_a_kind_of_which_there_is_nothing_is_known_to_be_empty(shell: Shell) -> None:
    path = shell.directory / "claiming.json"
    new = pending()
    new["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "missing"}]
    path.write_text(json.dumps(new))
    shell.kexplain("snapshot", "-o", "x.snapshot")
    for ended in (shell.kexplain(path), shell.kexplain(path, "--cluster", "x.snapshot")):
        assert ended.code == 1
        assert "the input has no" not in ended.out + ended.err


def test_the_release_of_the_server_is_decided_as(shell: Shell, server: StandIn) -> None:
    # The kubelets of this cluster are of 1.36.
    server.version = "v1.34.2+k3s1"
    shell.kexplain("snapshot", "-o", "x.snapshot")
    for ended in (shell.kexplain("pod/web", "-n", "shop"), shell.kexplain("--cluster", "x.snapshot")):
        assert "(kubernetes 1.34)" in ended.out


@pytest.mark.parametrize("name", ["pod/web", "deploy/api"])
def test_what_makes_pods_is_read_whatever_is_named(shell: Shell, server: StandIn, name: str) -> None:
    assert "shop/" in shell.kexplain(name, "-n", "shop").out
    paths = {request.path for request in server.requests}
    assert {each.paths()[0][1] for each in SCHEDULING} <= paths


def test_a_name_that_is_not_there_says_where_it_is(shell: Shell) -> None:
    ended = shell.kexplain("pod/web")
    assert ended.code == 2
    assert "namespace shop has one of that name" in ended.err


def test_without_words_what_is_pending_is_explained(shell: Shell) -> None:
    ended = shell.kexplain()
    assert ended.code == 1
    assert "shop/web does not fit" in ended.out


@pytest.mark.parametrize("option", ["--cluster", "--nodes", "--pods"])
def test_files_that_describe_a_cluster_keep_the_live_one_out(
    shell: Shell, server: StandIn, dump: Path, option: str
) -> None:
    assert shell.kexplain("pod/web", "-n", "shop", option, dump).code == 1
    assert not server.requests


def test_nodes_among_the_manifests_keep_the_live_cluster_out(shell: Shell, server: StandIn, dump: Path) -> None:
    assert shell.kexplain(dump).code == 1
    assert not server.requests


def test_without_any_configuration_files_are_asked_for(manifest: Path) -> None:
    ended = kexplain(manifest)
    assert ended.returncode == 2
    assert b"no nodes to place pods on" in ended.stderr
    assert b"--nodes nodes.yaml, from kubectl get nodes -o yaml > nodes.yaml" in ended.stderr
    assert b"or name a live one with --kubeconfig" in ended.stderr


@pytest.mark.parametrize(
    "words",
    [["--help"], ["version"], ["schema"], ["completion", "bash"], ["new.yaml", "--cluster", "dump.json"]],
    ids=" ".join,
)
@pytest.mark.usefixtures("manifest", "dump")
def test_runs_that_read_no_cluster_never_import_the_client(shell: Shell, words: list[str]) -> None:
    code = (
        "import sys; from kexplain.cli.main import run; run(sys.argv[1:]);"
        "print([name for name in ('kubernetes', 'urllib3') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=shell.directory,
        env={"PYTHONPATH": str(ROOT), "HOME": str(shell.directory), "KUBECONFIG": str(shell.directory / "config")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr.endswith("[]\n")


def test_a_terminal_sees_how_far_reading_has_come(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert "reading [" in ended.err
    assert "\x1b" not in ended.err
    assert ended.err.split("\r")[-1] == ""


# ------------------------------------------------------------------------------------------- pods never created


def _explained_new(shell: Shell, *words: str, **spec: Any) -> tuple[int, str]:
    new = pending()
    new["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1m"
    new["spec"] |= spec
    (shell.directory / "new.json").write_text(json.dumps(new))
    ended = shell.kexplain("new.json", *words)
    return ended.code, ended.out + ended.err


@pytest.mark.parametrize(
    ("words", "spec", "problem"),
    [
        ([], {"priorityClassName": "imporant"}, 'PriorityClass "imporant" does not exist; did you mean important?'),
        ([], {"runtimeClassName": "sandbox"}, 'RuntimeClass "sandbox" does not exist; did you mean sandboxed?'),
        ([], {"serviceAccountName": "defualt"}, 'ServiceAccount "defualt" does not exist; did you mean default?'),
        (["-n", "nobody"], {}, 'metadata.namespace: Namespace "nobody" does not exist'),
    ],
    ids=["priority-class", "runtime-class", "service-account", "namespace"],
)
def test_what_is_not_there_is_refused(shell: Shell, words: list[str], spec: dict[str, Any], problem: str) -> None:
    code, said = _explained_new(shell, *words, **spec)
    assert code == 1
    assert problem in said
    assert "(Pod): an API server refuses it" in said


def test_nothing_is_refused_because_of_a_list_that_nobody_may_read(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403), "/apis/scheduling.k8s.io/v1/priorityclasses")
    code, err = _explained_new(shell, priorityClassName="imporant")
    assert code == 0
    assert 'PriorityClass "imporant" was not read' in err or "priorityclasses" in err


def _quota(server: StandIn, pods: int, used: int) -> None:
    amounts = {"hard": {"pods": str(pods)}, "used": {"pods": str(used)}}
    server.hold(
        "v1", "ResourceQuota", {"metadata": {"name": "few", "namespace": "shop"}, "spec": {}, "status": amounts}
    )


def test_what_a_quota_has_no_room_for_is_refused(shell: Shell, server: StandIn) -> None:
    _quota(server, 5, 3)
    assert _explained_new(shell, "-n", "shop")[0] == 0
    workload = ["deploy/api", "-n", "shop", "--replicas"]
    assert shell.kexplain(*workload, "2").code == 0
    refused = shell.kexplain(*workload, "3")
    assert refused.code == 1
    assert "an API server refuses 1 of 3 pods" in refused.out
    assert "ResourceQuota few allows 5 of pods: 5 is used, and this asks for 1" in refused.out
    # Neither a pod that is there nor an explanation of one creates any.
    server.held("/api/v1/resourcequotas").clear()
    _quota(server, 3, 3)
    assert shell.kexplain("pod/web", "-n", "shop", "--kubeconfig", shell.kubeconfig("other")).code == 1


def test_a_manifest_of_what_is_there_takes_no_more_of_a_quota(shell: Shell, server: StandIn) -> None:
    _quota(server, 3, 3)
    (deployment,) = (each for each in objects() if each["kind"] == "Deployment")
    (shell.directory / "deployment.json").write_text(json.dumps({**deployment, "metadata": {"name": "api"}}))
    assert shell.kexplain("deployment.json", "-n", "shop").code == 0
    (shell.directory / "deployment.json").write_text(json.dumps({**deployment, "metadata": {"name": "api-2"}}))
    assert shell.kexplain("deployment.json", "-n", "shop").code == 1


def test_what_may_not_be_listed_of_quotas_and_accounts_is_named(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403), "/api/v1/resourcequotas", "/api/v1/serviceaccounts")
    code, err = _explained_new(shell, serviceAccountName="nobody")
    assert code == 0
    assert "not permitted to list resourcequotas, serviceaccounts: whether quotas have room for new pods; " in err
    assert "quota" not in shell.kexplain("pod/web", "-n", "shop").err
