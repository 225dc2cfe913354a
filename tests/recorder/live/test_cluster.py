from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests.recorder.__main__ import main

from .cluster import LiveCluster, LiveError


class _Empty(BaseHTTPRequestHandler):
    """A cluster in which there is nothing, and which counts what is written to it."""

    written: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        there = {"major": "1", "minor": "36+"} if self.path == "/version" else None
        self._answer(200 if there else 404, there or {"kind": "Status", "code": 404})

    def do_POST(self) -> None:
        self.written.append(self.path)
        if self.path.endswith("/pods") and self.written.count(self.path) > 1:
            self._answer(201, {"kind": "Pod"})
            return
        self._answer(403, {"kind": "Status", "message": "no rights"})

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, code: int, body: object) -> None:
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Empty)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    named = {
        "clusters": [{"name": "c", "cluster": {"server": f"http://127.0.0.1:{server.server_port}"}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
        "users": [{"name": "u", "user": {}}],
    }
    (tmp_path / "kubeconfig").write_text(json.dumps(named))
    yield str(tmp_path / "kubeconfig")
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_cluster_that_nobody_made_for_this_is_left_alone(
    kubeconfig: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _Empty.written.clear()
    assert main(["draw", "--area", "taints", "--count", "1", "-o", str(tmp_path / "drawn")]) == 0
    assert main(["live", "--kubeconfig", kubeconfig, str(tmp_path / "drawn"), "-o", str(tmp_path / "out")]) == 2
    assert "kubectl create namespace made-for-recording" in capsys.readouterr().err
    assert _Empty.written == []


def test_force_writes_to_any(kubeconfig: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "--area", "taints", "--count", "1", "-o", str(tmp_path / "drawn")]) == 0
    arguments = ["live", "--force", "--kubeconfig", kubeconfig, str(tmp_path / "drawn"), "-o", str(tmp_path / "out")]
    assert main(arguments) == 2
    assert "POST /api/v1/namespaces: 403" in capsys.readouterr().err


def test_what_is_read(kubeconfig: str) -> None:
    cluster = LiveCluster(kubeconfig)
    assert cluster.minor == "1.36"
    assert cluster.find("/api/v1/pods") is None
    assert cluster.objects() == []


def test_patience_ends(kubeconfig: str) -> None:
    with pytest.raises(LiveError, match="a pod: nothing after 0 s"):
        LiveCluster(kubeconfig).until(lambda: None, 0, "a pod")


def test_admission_may_learn_late_of_what_was_made(kubeconfig: str) -> None:
    _Empty.written.clear()
    cluster, path = LiveCluster(kubeconfig), "/api/v1/namespaces/a/pods"
    with pytest.raises(LiveError, match="no rights"):
        cluster.create(path, {})
    _Empty.written.clear()
    assert cluster.create(path, {}, patience=5) == {"kind": "Pod"}
    assert _Empty.written == [path, path]


def test_what_is_not_there_is_told(kubeconfig: str) -> None:
    with pytest.raises(LiveError, match="GET /api/v1/namespaces/a/pods/gone: 404"):
        LiveCluster(kubeconfig).get("/api/v1/namespaces/a/pods/gone")
