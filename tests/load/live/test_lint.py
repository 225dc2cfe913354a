"""Manifests on the live cluster, which is only read."""

from __future__ import annotations

from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses

WEB = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  priorityClassName: no-such-class
  containers: [{name: web, image: web, resources: {requests: {cpu: 900}}}]
"""


def test_manifests_meet_what_is_in_the_cluster(shell: Shell, server: StandIn) -> None:
    (shell.directory / "web.yaml").write_text(WEB.replace("  priorityClassName: no-such-class\n", ""))
    ended = shell.kexplain("lint", shell.directory / "web.yaml", "--live")
    assert ended.code == 1
    assert "(it fits on no node)" in ended.out
    assert "no cluster is given" not in ended.err
    assert all(line.startswith("GET ") for line in server.lines())
    (shell.directory / "web.yaml").write_text(WEB)
    assert "error missing-priority-class" in shell.kexplain("lint", shell.directory / "web.yaml", "--live").out


def test_what_may_not_be_read_is_a_note(shell: Shell, server: StandIn) -> None:
    (shell.directory / "web.yaml").write_text(WEB)
    server.always(refuses(403), "/apis/scheduling.k8s.io/v1/priorityclasses")
    ended = shell.kexplain("lint", shell.directory / "web.yaml", "--live")
    assert "missing-priority-class" not in ended.out
    assert "priorityclasses" in ended.err


def test_live_excludes_files(shell: Shell) -> None:
    (shell.directory / "web.yaml").write_text(WEB)
    assert shell.kexplain("lint", "web.yaml", "--live", "--cluster", "web.yaml").code == 2
