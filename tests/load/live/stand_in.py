"""An API server to read from in tests: the real protocol on loopback, and every way in which it goes wrong."""

from __future__ import annotations

import gzip
import json
import re
import socket
import ssl
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit
from weakref import WeakSet

from kexplain.load.kindless_lists import plural_of
from kexplain.load.live.api_resources import EVENTS, SCHEDULING

Json = dict[str, Any]

PKI = Path(__file__).parent / "pki"
TOKEN = "the-token-of-jane"  # noqa: S105 (it opens nothing)
VERSION = "v1.36.1"
#: As a real API server: what is smaller is not worth compressing.
COMPRESSED_FROM = 1 << 10
_SHORT_NAMES = {"Deployment": ["deploy"], "Pod": ["po"]}


class Request(NamedTuple):
    """A request as it came over the wire."""

    line: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, list[str]]


class Reply(NamedTuple):
    """What goes back instead of the truth."""

    status: int
    body: bytes | Json = b""
    headers: Mapping[str, str] = {}


#: What is done with one request: another reply, or None for the true one. It may also sleep, or cut the connection.
Trick = Callable[["Handler", Request], Reply | None]


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    #: A body does not wait until the client has acknowledged the headers, which takes it 40 ms.
    disable_nagle_algorithm = True
    server: _Server

    def __getattr__(self, name: str) -> Any:
        # Every method there is, so that one that is none of ours gets on record, too.
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the class has it)
        pass

    def _answer(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        headers: defaultdict[str, list[str]] = defaultdict(list)
        for name, value in self.headers.items():
            headers[name.lower()].append(value)
        request = Request(self.requestline, parts.path, query, headers)
        reply = self.server.stand_in.reply(self, request)
        if reply is not None:
            self._send(reply, request)

    def _send(self, reply: Reply, request: Request) -> None:
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body, sort_keys=True).encode()
        headers = {"Content-Type": "application/json", **reply.headers}
        takes_gzip = "gzip" in request.headers.get("accept-encoding", [""])[0]
        if takes_gzip and len(body) >= COMPRESSED_FROM and "Content-Encoding" not in headers:
            body, headers["Content-Encoding"] = gzip.compress(body, 1), "gzip"
        self.send_response(reply.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    stand_in: StandIn

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self._connections: WeakSet[socket.socket] = WeakSet()

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._connections.add(connection)
        return connection, address

    def hang_up(self) -> None:
        for connection in [*self._connections]:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass

    def shutdown_request(self, request: Any) -> None:
        with suppress(OSError):
            super().shutdown_request(request)


class StandIn:
    """An API server that holds these objects. It lets in whoever has the token, or a certificate of its CA."""

    def __init__(self, objects: Iterable[Json], *, certificate: str = "server", tls: bool = True) -> None:
        self.requests: list[Request] = []
        self.version = VERSION
        self.minor = "36"
        self._tricks: dict[str, list[Trick]] = defaultdict(list)
        self._lasting: dict[str, Trick] = {}
        self._lists: dict[str, list[Json]] = {}
        self._served: dict[str, tuple[str, str, bool]] = {}
        self._path_by_kind: dict[tuple[str, str], str] = {}
        for resource in (*SCHEDULING, EVENTS[0]):
            api_version, _ = resource.paths()[0]
            self.serve(api_version, resource.record.__name__, is_namespaced=resource.record.is_namespaced)
        for obj in objects:
            self.hold(obj["apiVersion"], obj["kind"], obj)
        self._server = _Server()
        self._server.stand_in = self
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(PKI / f"{certificate}.pem", PKI / f"{certificate}.key")
            context.load_verify_locations(PKI / "ca.pem")
            context.verify_mode = ssl.CERT_OPTIONAL
            # Shaking hands in the thread of the connection lets slow ones wait for themselves only.
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.address = f"{'https' if tls else 'http'}://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> StandIn:
        threading.Thread(target=self._server.serve_forever, args=(0.002,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._server.hang_up()

    def serve(self, api_version: str, kind: str, *, is_namespaced: bool = True) -> str:
        """Have such a kind; the path of its list."""
        path = f"{'/apis' if '/' in api_version else '/api'}/{api_version}/{plural_of(kind)}"
        if path not in self._lists:
            self._lists[path], self._served[path] = [], (api_version, kind, is_namespaced)
        self._path_by_kind[api_version, kind] = path
        return path

    def hold(self, api_version: str, kind: str, obj: Json) -> None:
        """Have an object of this kind, too."""
        if (api_version, kind) not in self._path_by_kind:
            self.serve(api_version, kind, is_namespaced="namespace" in obj["metadata"])
        self._lists[self._path_by_kind[api_version, kind]].append(obj)

    def held(self, path: str) -> list[Json]:
        """The objects that are held under the path of a list."""
        return self._lists[path]

    def then(self, path: str, *tricks: Trick) -> None:
        """Have the next requests for a path meet these tricks in turn."""
        self._tricks[path] += tricks

    def always(self, trick: Trick, *paths: str) -> None:
        """Have every request for these paths, or for any, meet a trick."""
        self._lasting |= dict.fromkeys(paths or [""], trick)

    def withdraw(self, *groups: str) -> None:
        """Have whole API groups not there."""
        for path in [path for path in self._lists if any(f"/{group}/" in path for group in groups)]:
            del self._lists[path], self._served[path]

    def lines(self) -> set[str]:
        """The request lines that came in, without what changes from one run to the next."""
        return {request.line for request in self.requests}

    def reply(self, handler: Handler, request: Request) -> Reply | None:
        """What to send to one request; None if nothing is to be sent any more."""
        self.requests.append(request)
        upcoming = self._tricks[request.path]
        trick = upcoming.pop(0) if upcoming else self._lasting.get(request.path) or self._lasting.get("")
        if trick is not None:
            reply = trick(handler, request)
            if reply is not None or handler.close_connection:
                return reply
        if not _is_let_in(handler, request):
            return status(401, "Unauthorized")
        return self._true_reply(request)

    def _true_reply(self, request: Request) -> Reply:
        if request.path == "/version":
            return Reply(200, {"major": "1", "minor": self.minor, "gitVersion": self.version})
        if (discovered := self._discovery(request.path)) is not None:
            return Reply(200, discovered)
        path, namespace = _without_namespace(request.path)
        if path in self._lists:
            return Reply(200, self._list(request, path, namespace))
        return Reply(404, b"404 page not found\n", {"Content-Type": "text/plain"})

    def _list(self, request: Request, path: str, namespace: str) -> Json:
        """Items of a typed list say neither their kind nor their apiVersion."""
        api_version, kind, _ = self._served[path]
        wanted = [each.partition("=") for each in request.query.get("fieldSelector", "").split(",") if each]
        objects = [
            obj
            for obj in self._lists[path]
            if namespace in ("", obj["metadata"].get("namespace"))
            and all(_field(obj, name) == value for name, _, value in wanted)
        ]
        start = int(request.query.get("continue", "0"))
        end = start + int(request.query.get("limit", len(objects) or 1))
        metadata: Json = {"resourceVersion": "4711"}
        if end < len(objects):
            metadata |= {"continue": str(end), "remainingItemCount": len(objects) - end}
        items = [
            {key: value for key, value in obj.items() if key not in ("apiVersion", "kind")}
            for obj in objects[start:end]
        ]
        return {"kind": f"{kind}List", "apiVersion": api_version, "metadata": metadata, "items": items}

    def _discovery(self, path: str) -> Json | None:
        """What kubectl asks first: which kinds there are."""
        versions = sorted({api_version for api_version, _, _ in self._served.values()})
        if path == "/api":
            return {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            groups = [
                {
                    "name": each.partition("/")[0],
                    "versions": [_group_version(each)],
                    "preferredVersion": _group_version(each),
                }
                for each in versions
                if "/" in each
            ]
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        api_version = path.removeprefix("/apis/") if path.startswith("/apis/") else path.removeprefix("/api/")
        if api_version not in versions:
            return None
        resources = [
            {
                "name": each.rpartition("/")[2],
                "singularName": "",
                "namespaced": namespaced,
                "kind": kind,
                "verbs": ["get", "list"],
                "shortNames": _SHORT_NAMES.get(kind, []),
            }
            for each, (version, kind, namespaced) in self._served.items()
            if version == api_version
        ]
        return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": api_version, "resources": resources}


def _without_namespace(path: str) -> tuple[str, str]:
    """The path of the list of all namespaces, and the namespace that is asked for, if it is one."""
    match = re.fullmatch(r"(/api/v1|/apis/[^/]+/[^/]+)/namespaces/([^/]+)(/[^/]+)", path)
    return (f"{match[1]}{match[3]}", match[2]) if match else (path, "")


def _field(obj: Json, path: str) -> Any:
    value: Any = obj
    for step in path.split("."):
        value = value.get(step, {})
    return value


def _group_version(api_version: str) -> Json:
    return {"groupVersion": api_version, "version": api_version.rpartition("/")[2]}


def _is_let_in(handler: Handler, request: Request) -> bool:
    has_certificate = isinstance(handler.connection, ssl.SSLSocket) and bool(handler.connection.getpeercert())
    # The name of the scheme may be written as one likes; the client and kubectl differ in it.
    return has_certificate or f"bearer {TOKEN}" in [
        each.replace("Bearer", "bearer") for each in request.headers.get("authorization", ())
    ]


# ------------------------------------------------------------------------------------------------------ tricks


def status(code: int, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    """The Status object that an API server sends in place of what was asked for."""
    body = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code}
    return Reply(code, body, headers or {})


def answers(reply: Reply) -> Trick:
    """Send this."""
    return lambda _handler, _request: reply


def refuses(code: int, message: str = "no", headers: Mapping[str, str] | None = None) -> Trick:
    """Send a Status."""
    return answers(status(code, message, headers))


def truth(_handler: Handler, _request: Request) -> None:
    """Send what is there."""


def cuts(handler: Handler, _request: Request) -> None:
    """Promise more than is sent, and hang up."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"kind":')
    handler.wfile.flush()
    handler.close_connection = True
    with suppress(OSError):
        handler.connection.shutdown(socket.SHUT_RDWR)


class Waits:
    """Say nothing until the test is over."""

    def __init__(self) -> None:
        self.over = threading.Event()

    def __call__(self, handler: Handler, _request: Request) -> None:
        self.over.wait(30)
        handler.close_connection = True


def drips(handler: Handler, _request: Request) -> None:
    """Send a byte now and then, never silent for long and never done."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{")
    handler.close_connection = True
    with suppress(OSError):
        for _ in range(100):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            threading.Event().wait(0.05)
