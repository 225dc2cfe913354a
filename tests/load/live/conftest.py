"""A stand-in for an API server, a kubeconfig that leads there, and the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kexplain.cli.main import run
from tests.load.live.cluster import objects
from tests.load.live.stand_in import PKI, TOKEN, StandIn


class Ended(NamedTuple):
    """How a command line ended."""

    code: int
    out: str
    err: str


class Shell:
    """Runs command lines against one API server, with nothing of this machine's configuration."""

    def __init__(self, server: StandIn, directory: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.server = server
        self.directory = directory
        self._capture = capture

    def kubeconfig(self, name: str = "config", *, cluster: Any = None, user: Any = None, **more: Any) -> Path:
        """A kubeconfig file: a context `test` with these fields of its cluster, user and itself."""
        told = {"server": self.server.address, "certificate-authority": str(PKI / "ca.pem"), **(cluster or {})}
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "here", "cluster": told}],
            "users": [{"name": "jane", "user": {"token": TOKEN} if user is None else user}],
            "contexts": [{"name": "test", "context": {"cluster": "here", "user": "jane", **more}}],
            "current-context": "test",
        }
        path = self.directory / name
        path.write_text(json.dumps(config))
        return path

    def kexplain(self, *words: str | Path) -> Ended:
        """The end of `kexplain WORDS`."""
        self._capture.readouterr()
        code = run([str(word) for word in words])
        return Ended(code, *self._capture.readouterr())


@pytest.fixture
def server() -> Iterator[StandIn]:
    """Without TLS, of which `test_connecting` has all there is: it takes half of the time of a test."""
    with StandIn(objects(), tls=False) as stand_in:
        yield stand_in


@pytest.fixture
def shell(
    server: StandIn, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    for name in ("KUBECONFIG", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "KUBERNETES_SERVICE_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    made = Shell(server, tmp_path, capsys)
    monkeypatch.setenv("KUBECONFIG", str(made.kubeconfig()))
    return made
