"""What a cluster may answer, and how a run ends then: the right report, or one line that says what to do."""

from __future__ import annotations

import gzip
import itertools
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Event, Thread
from time import monotonic

import pytest

from kexplain.load.live import api_client
from kexplain.load.live.api_resources import EVENTS, SCHEDULING
from tests.cli.command import ROOT
from tests.load.live.conftest import Ended, Shell
from tests.load.live.stand_in import (
    Handler,
    Reply,
    Request,
    StandIn,
    Waits,
    answers,
    cuts,
    drips,
    refuses,
    status,
    truth,
)

pytestmark = pytest.mark.slow

PODS = "/api/v1/pods"
NODES = "/api/v1/nodes"
RETRY_NOW = {"Retry-After": "0"}
_INTERRUPTIBLE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);from kexplain.cli.main import main; main()"
)
HTML = b"<html><head><title>Sign in to Corp</title></head><body>please</body></html>"


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_client, "_FIRST_PAUSE_SECONDS", 0.01)


def _explained(shell: Shell, *flags: str) -> Ended:
    return shell.kexplain("pod/web", "-n", "shop", *flags)


def _one_line(ended: Ended) -> str:
    assert (ended.code, ended.out, ended.err.count("\n")) == (3, "", 1)
    return ended.err


# ----------------------------------------------------------------------- what makes no difference to the report


@pytest.mark.parametrize(
    "tricks",
    [
        pytest.param([refuses(429, headers=RETRY_NOW)], id="429"),
        pytest.param([refuses(429, headers=RETRY_NOW)] * 4, id="429-four-times"),
        pytest.param([refuses(500)], id="500-once"),
        pytest.param([refuses(503, headers=RETRY_NOW)], id="503-with-retry-after"),
        pytest.param([cuts], id="cut-connection"),
        pytest.param([cuts, refuses(500), cuts], id="one-thing-after-another"),
    ],
)
def test_a_passing_trouble_changes_nothing(shell: Shell, server: StandIn, tricks: list[Callable[..., None]]) -> None:
    undisturbed = _explained(shell)
    server.then(PODS, *tricks)
    asked = len(server.requests)
    other = shell.kubeconfig("other")
    assert _explained(shell, "--kubeconfig", str(other)) == undisturbed
    assert sum(request.path == PODS for request in server.requests[asked:]) == len(tricks) + 1


def test_retry_after_is_waited_for(shell: Shell, server: StandIn) -> None:
    server.then(PODS, refuses(429, headers={"Retry-After": "1"}))
    before = monotonic()
    assert _explained(shell).code == 1
    assert monotonic() - before >= 1


# ------------------------------------------------------------------------------------------ what ends the run


@pytest.mark.parametrize(
    ("reply", "problem", "advice"),
    [
        pytest.param(status(401, "Unauthorized"), "does not accept the credentials of user jane", "log in", id="401"),
        pytest.param(
            status(403, 'User "jane" cannot list'), "not permitted to list pods", "--print-rbac", id="403-on-pods"
        ),
        pytest.param(Reply(404, b"404 page not found"), "it has no pods", "--server", id="404-on-pods"),
        pytest.param(status(500, "etcd is down"), "an error (500: etcd is down)", "try again", id="500-for-ever"),
        pytest.param(status(429, "slow"), "too many requests (429: slow)", "try again", id="429-for-ever"),
        pytest.param(
            status(429, "slow", {"Retry-After": "3600"}), "asks to wait 3600 seconds", "later", id="429-for-an-hour"
        ),
        pytest.param(
            Reply(400, b"Client sent an HTTP request to an HTTPS server.\n"), "it speaks HTTPS", "https://", id="http"
        ),
        pytest.param(Reply(200, HTML), "web page, “Sign in to Corp”", "proxy", id="html"),
        pytest.param(Reply(403, HTML), "web page, “Sign in to Corp”", "try again", id="html-403"),
        pytest.param(
            Reply(302, b"", {"Location": "https://login"}), "redirects to https://login", "proxy", id="redirect"
        ),
        pytest.param(Reply(200, b"{ not json"), "not what a Kubernetes API server sends", "proxy", id="malformed-json"),
        pytest.param(Reply(200, b'{"kind":"PodList","items":[{'), "Input data was truncated", "proxy", id="half-json"),
        pytest.param(Reply(200, {"kind": "Status"}), "it is a Status", "proxy", id="another-kind"),
        pytest.param(Reply(200, b""), "with nothing", "proxy", id="nothing"),
        pytest.param(
            Reply(200, gzip.compress(b'{"kind":"PodList"}')[:-4], {"Content-Encoding": "gzip"}),
            "the connection broke",
            "try again",
            id="half-gzip",
        ),
        pytest.param(
            Reply(200, b"this is no gzip", {"Content-Encoding": "gzip"}), "connection broke", "try again", id="no-gzip"
        ),
    ],
)
def test_an_answer_that_will_not_do_is_one_line(
    shell: Shell, server: StandIn, reply: Reply, problem: str, advice: str
) -> None:
    server.always(answers(reply), PODS, "/api/v1/namespaces/shop/pods")
    line = _one_line(_explained(shell))
    assert line.startswith(f"kexplain: {server.address}: ")
    assert problem in line
    assert advice in line.partition("; ")[2]


def test_a_token_that_is_not_accepted_is_named(shell: Shell) -> None:
    line = _one_line(_explained(shell, "--token", "wrong"))
    assert "it does not accept the credentials of --token (401: Unauthorized)" in line


def test_a_connection_that_always_breaks_is_one_line(shell: Shell, server: StandIn) -> None:
    server.always(cuts, PODS)
    assert "the connection broke 5 times" in _one_line(_explained(shell))


def test_a_silent_server_is_given_up_on(shell: Shell, server: StandIn) -> None:
    waits = Waits()
    server.always(waits, PODS)
    line = _one_line(_explained(shell, "--request-timeout", "1500ms"))
    waits.over.set()
    assert "did not answer within 1.5 s; try again, with a longer --request-timeout" in line


def test_a_server_that_never_speaks_tls_is_given_up_on_after_the_time_that_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kexplain.load.live.transport._CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}"
        path = shell.kubeconfig("other", cluster={"server": address})
        line = _one_line(_explained(shell, "--kubeconfig", str(path)))
    assert "within 0.5 s" in line


def test_a_server_that_never_ends_is_given_up_on(shell: Shell, server: StandIn) -> None:
    server.always(drips, PODS)
    assert "did not answer within 1 s" in _one_line(_explained(shell, "--request-timeout", "1"))


@pytest.mark.parametrize(
    "piece", [b"X-More: and more\r\n", b"x", b"HTTP/1.1 100 Continue\r\n\r\n"], ids=["headers", "bytes", "continue"]
)
def test_a_server_whose_headers_never_end_is_given_up_on(shell: Shell, server: StandIn, piece: bytes) -> None:
    def drip(handler: Handler, _request: Request) -> None:
        handler.close_connection = True
        start = b"" if piece.startswith(b"HTTP") else b"HTTP/1.1 200 OK\r\nX: "
        with suppress(OSError):
            handler.wfile.write(start)
            for _ in range(200):
                handler.wfile.write(piece)
                handler.wfile.flush()
                Event().wait(0.1)

    server.always(drip, PODS)
    assert "did not answer within 1 s" in _one_line(_explained(shell, "--request-timeout", "1s"))


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        (b"Transfer-Encoding: chunked\r\n\r\n", b"1"),
        (b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-More: and more\r\n"),
        (b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"x"),
        (b"Connection: close\r\n\r\n", b" "),
        (b"Content-Length: 100000\r\n\r\n", b" "),
    ],
    ids=["size-of-a-chunk", "trailers", "a-trailer", "until-the-end", "of-a-length"],
)
@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_a_server_whose_body_never_ends_is_given_up_on(
    shell: Shell, server: StandIn, start: bytes, piece: bytes, *, secure: bool
) -> None:
    def drip(handler: Handler, _request: Request) -> None:
        handler.close_connection = True
        with suppress(OSError):
            handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + start)
            for _ in range(200):
                handler.wfile.write(piece)
                handler.wfile.flush()
                Event().wait(0.1)

    with ExitStack() as stack:
        if secure:
            server = stack.enter_context(StandIn([]))
            shell.kubeconfig(cluster={"server": server.address})
        server.always(drip, PODS)
        began = monotonic()
        assert "did not answer within 1 s" in _one_line(_explained(shell, "--request-timeout", "1s"))
        assert monotonic() - began < 5


@pytest.mark.parametrize("announced", [b"103 Early Hints\r\nLink: </style.css>", b"100 Continue", b"102 Processing"])
def test_an_answer_may_be_announced(shell: Shell, server: StandIn, announced: bytes) -> None:
    def announce(handler: Handler, _request: Request) -> None:
        handler.wfile.write(b"HTTP/1.1 " + announced + b"\r\n\r\n")

    plain = _explained(shell)
    server.always(announce, PODS)
    assert _explained(shell) == plain


@pytest.mark.parametrize(
    ("names", "bound", "most"),
    [("the-same", "_SHORT_CHUNKS", 20), ("others", "_LONGEST_LIST", 1 << 20), ("others", "_MOST_OBJECTS", 20_000)],
)
def test_a_list_that_goes_on_for_ever_is_given_up_on(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch, names: str, bound: str, most: int
) -> None:
    monkeypatch.setattr(f"kexplain.load.live.chunked_list.{bound}", most)
    count = itertools.count()

    def go_on(_handler: Handler, _request: Request) -> Reply:
        page = next(count)
        of = 1 if names == "the-same" else 500
        items = [{"metadata": {"name": f"web-{page * of + each}", "namespace": "shop"}} for each in range(of)]
        return Reply(200, {"kind": "PodList", "metadata": {"continue": f"{page}"}, "items": items})

    server.always(go_on, PODS)
    assert "it goes on without an end" in _one_line(_explained(shell))
    assert next(count) < 100


def test_a_proxy_whose_headers_never_end_is_given_up_on(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.send(b"HTTP/1.1 200 OK\r\nX: ")
                for _ in range(200):
                    connection.send(b"x")
                    Event().wait(0.1)

        Thread(target=drip, daemon=True).start()
        proxy = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = shell.kubeconfig("other", cluster={"proxy-url": proxy})
        line = _one_line(_explained(shell, "--kubeconfig", str(config), "--request-timeout", "1s"))
        assert "did not answer within 1 s" in line


def test_a_few_bytes_that_unpack_to_many_are_refused(shell: Shell, server: StandIn) -> None:
    bomb = gzip.compress(b'{"kind":"PodList","items":[' + b" " * (256 << 20), 9)
    server.always(answers(Reply(200, bomb, {"Content-Encoding": "gzip"})), PODS)
    line = _one_line(_explained(shell))
    assert f"{len(bomb)} bytes of its answer unpack to more than {64 << 20}; check that --server" in line


@pytest.mark.parametrize("path", [PODS, "/api/v1/events"])
def test_an_interrupt_ends_reading_at_once(shell: Shell, server: StandIn, path: str) -> None:
    waits = Waits()
    server.always(waits, path)
    with subprocess.Popen(
        # Where a job runs in the background, interrupts are ignored to begin with.
        [sys.executable, "-c", _INTERRUPTIBLE, "pod/web", "-n", "shop"],
        env={"PYTHONPATH": str(ROOT), "KUBECONFIG": str(shell.directory / "config")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while process.poll() is None and not any(request.path == path for request in server.requests):
            Event().wait(0.01)
        process.send_signal(signal.SIGINT)
        # Well before what it waits for gives up.
        out, err = process.communicate(timeout=25)
    waits.over.set()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_slow_answer_is_waited_for(shell: Shell, server: StandIn) -> None:
    def slowly(*_: object) -> None:
        Waits().over.wait(0.4)

    server.then(PODS, slowly)
    assert _explained(shell, "--request-timeout", "20s").code == 1


# ------------------------------------------------------------------------------------ what cannot be considered


def test_a_forbidden_kind_is_a_note(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403, "may not"), "/apis/policy/v1/poddisruptionbudgets")
    ended = _explained(shell)
    assert ended.code == 1
    assert (
        "kexplain: note: not permitted to list poddisruptionbudgets.policy: "
        "which budgets preemption would violate could not be considered\n"
    ) in ended.err


def test_a_group_that_is_not_there_is_a_note_if_the_pod_could_need_it(shell: Shell, server: StandIn) -> None:
    server.withdraw("resource.k8s.io", "node.k8s.io", "storage.k8s.io")
    ended = _explained(shell)
    assert ended.code == 1
    (note,) = (line for line in ended.err.splitlines() if "this server has no" in line)
    assert "this server has no storageclasses.storage.k8s.io, csinodes.storage.k8s.io, " in note
    assert "deviceclasses" not in note
    assert "the input has no" not in ended.out + ended.err


def test_an_older_version_of_a_group_is_read(shell: Shell, server: StandIn) -> None:
    path = "/apis/policy/v1beta1/poddisruptionbudgets"
    server.withdraw("policy")
    budget = {"metadata": {"name": "api", "namespace": "shop"}, "spec": {"selector": {"matchLabels": {"app": "api"}}}}
    reply = Reply(200, {"kind": "PodDisruptionBudgetList", "apiVersion": "policy/v1beta1", "items": [budget]})
    server.always(answers(reply), path)
    ended = _explained(shell)
    assert "PDB violations of shop/api" in ended.out
    assert "policy" not in ended.err


# -------------------------------------------------------------------------------------------------- long lists


@pytest.fixture
def long_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kexplain.load.live.chunked_list.CHUNK", 2)


@pytest.mark.usefixtures("long_lists")
def test_lists_are_read_in_chunks(shell: Shell, server: StandIn) -> None:
    assert "of 3 nodes" in _explained(shell).out
    asked = [dict(request.query) for request in server.requests if request.path == PODS]
    assert asked == [{"limit": "2"}, {"limit": "2", "continue": "2"}]


@pytest.mark.usefixtures("long_lists")
def test_an_expired_list_is_read_once_more_in_one_piece(shell: Shell, server: StandIn) -> None:
    undisturbed = _explained(shell)
    server.then(PODS, truth, refuses(410, "The provided continue parameter is too old"))
    server.requests.clear()
    assert _explained(shell, "--kubeconfig", str(shell.kubeconfig("other"))) == undisturbed
    asked = [dict(request.query) for request in server.requests if request.path == PODS]
    assert asked == [{"limit": "2"}, {"limit": "2", "continue": "2"}, {}]


@pytest.mark.usefixtures("long_lists")
def test_a_list_that_expires_twice_is_one_line(shell: Shell, server: StandIn) -> None:
    server.then(PODS, truth, refuses(410), refuses(410))
    assert "the list of pods expired twice; try again, or read the server's cache" in _one_line(_explained(shell))


def test_a_cached_read_asks_for_what_is_in_memory(shell: Shell, server: StandIn) -> None:
    assert _explained(shell, "--cached-read").code == 1
    lists = {resource.paths()[0][1] for resource in (*SCHEDULING, *EVENTS)}
    queries = [dict(request.query) for request in server.requests if request.path in lists]
    assert {query.pop("resourceVersion") for query in queries} == {"0"}
    assert {key for query in queries for key in query} == {"fieldSelector"}


# ---------------------------------------------------------------------------------------------------- odd items


def test_nulls_are_read_as_go_reads_them(shell: Shell, server: StandIn) -> None:
    service = {"metadata": {"name": "x", "namespace": "shop"}, "spec": {"selector": {"app": None}}}
    reply = Reply(200, {"kind": "ServiceList", "apiVersion": "v1", "items": [service]})
    server.always(answers(reply), "/api/v1/services")
    nothing = Reply(200, {"kind": "ReplicaSetList", "apiVersion": "apps/v1", "items": None})
    server.always(answers(nothing), "/apis/apps/v1/replicasets")
    assert _explained(shell).code == 1


def test_what_no_server_would_send_is_told_with_its_place(shell: Shell, server: StandIn) -> None:
    node = {"metadata": {"name": "bad"}, "status": {"allocatable": {"cpu": "4 cores"}}}
    server.always(answers(Reply(200, {"kind": "NodeList", "apiVersion": "v1", "items": [node]})), NODES)
    ended = _explained(shell)
    assert ended.code == 2
    assert f'{server.address}: status.allocatable.cpu: "4 cores" is not a quantity' in ended.err
