"""Connections that are cut where a request takes longer than it may, whatever the server says meanwhile.

A timeout of a socket begins anew with each byte, so that a server which sends one now and then is never late: in the
headers, between two chunks, in the trailers.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from http.client import HTTPResponse, parse_headers
from threading import Timer
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection


class _Deadline:
    """Cuts the connection that a request is sent over once its time is up."""

    def __init__(self) -> None:
        self.is_late = False
        self._connection: HTTPConnection | None = None
        self._socket: Any = None

    def watch(self, connection: HTTPConnection) -> None:
        """Have this connection cut. Raises TimeoutError if it is too late already."""
        # A connection that is to be closed forgets its socket, from which the answer is still read.
        self._connection, self._socket = connection, connection.sock
        self.check()

    def check(self) -> None:
        # The end of a connection may have been taken for that of an answer.
        if self.is_late:
            raise TimeoutError

    def cut(self) -> None:
        """Have whoever reads from the connection find its end."""
        self.is_late = True
        found: Any = (self._connection and self._connection.sock) or self._socket
        # TLS within TLS, through a proxy, has the socket inside.
        found = getattr(found, "socket", found)
        with suppress(OSError, TypeError):
            # Not as TLS has it, which would take the connection apart while another thread reads.
            socket.socket.shutdown(found, socket.SHUT_RDWR)


_UNDER_WAY: ContextVar[_Deadline] = ContextVar("deadline")


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Within this, what a connection of `with_deadlines` does is cut after so long, and a TimeoutError is raised."""
    found = _Deadline()
    timer = Timer(seconds, found.cut)
    timer.daemon = True
    before = _UNDER_WAY.set(found)
    timer.start()
    try:
        yield
        found.check()
    finally:
        timer.cancel()
        _UNDER_WAY.reset(before)


class _FinalResponse(HTTPResponse):
    """An answer, whatever it is announced by: `103 Early Hints`, for one. Source: Go `net/http` (`readResponse`)."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc] # of the class, but not in its stubs
            if not 100 <= status < 200 or status == 101:
                return version, status, reason
            parse_headers(self.fp)


def with_deadlines(manager: urllib3.PoolManager) -> urllib3.PoolManager:
    """The manager, whose connections keep the `deadline` that they are used within."""

    class Plain(HTTPConnection):
        response_class = _FinalResponse

        def connect(self) -> None:
            _UNDER_WAY.get().watch(self)
            super().connect()
            _UNDER_WAY.get().check()

        def getresponse(self) -> Any:
            _UNDER_WAY.get().watch(self)
            return super().getresponse()

    class Secure(Plain, HTTPSConnection):
        """What `Plain` bounds is HTTPS here, which comes next in the order of resolution."""

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
    return manager
