"""An extender on loopback, over HTTP or HTTPS, that answers what it is told to and writes down what it was asked."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

CERTIFICATES = Path(__file__).parent / "certificates"
AUTHORITY = CERTIFICATES / "ca.pem"


@dataclass(frozen=True)
class Raw:
    """An answer that is not JSON, or not 200; `drip_seconds` pass between its bytes."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip_seconds: float = 0
    wait_seconds: float = 0
    content_length: int | None = None


Answer = Callable[[dict[str, Any]], object]


@dataclass
class ExtenderServer:
    """Answers by verb; `asked` are the verbs and bodies in the order in which they came."""

    url: str
    answers: dict[str, Answer]
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    @property
    def verbs(self) -> list[str]:
        return [verb for verb, _ in self.asked]


@contextmanager
def serving(*, tls: bool = False, wants_client: bool = False, **answers: Answer | object) -> Iterator[ExtenderServer]:
    """A server under `/scheduler`; an answer is a value, or a function of what was asked."""
    by_verb = {
        verb: answer if callable(answer) else (lambda _, value=answer: value) for verb, answer in answers.items()
    }
    extender = ExtenderServer("", by_verb)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            verb = self.path.rpartition("/")[2]
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            extender.asked.append((verb, body))
            extender.headers.append(dict(self.headers))
            answer = extender.answers[verb](body)
            raw = answer if isinstance(answer, Raw) else Raw(json.dumps(answer).encode())
            time.sleep(raw.wait_seconds)
            try:
                self._send(raw)
            except OSError:
                # Who asked has hung up.
                return

        def _send(self, raw: Raw) -> None:
            self.send_response(raw.status)
            for name, value in raw.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(raw.body) if raw.content_length is None else raw.content_length))
            self.end_headers()
            if not raw.drip_seconds:
                self.wfile.write(raw.body)
                return
            for byte in raw.body:
                self.wfile.write(bytes([byte]))
                time.sleep(raw.drip_seconds)

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *args: object) -> None:
            """A client that hangs up in a handshake is what some tests are about."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATES / "server.pem", CERTIFICATES / "server.key")
            if wants_client:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(AUTHORITY)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        extender.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_address[1]}/scheduler"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield extender
        finally:
            server.shutdown()
            thread.join()
