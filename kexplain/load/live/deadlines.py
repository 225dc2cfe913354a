"""Connections that are cut where a server takes longer than it may until the headers of its answer are complete.

A timeout of a socket begins anew with each byte, so that a server which sends one now and then is never late.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Timer
from typing import Any

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection


def with_deadlines(manager: urllib3.PoolManager, seconds: float) -> urllib3.PoolManager:
    """The manager, whose connections each take no longer to be made, nor to bring the headers of an answer."""

    @contextmanager
    def bounded(connection: HTTPConnection) -> Iterator[None]:
        is_late = Event()
        timer = Timer(seconds, _cut, [connection, is_late])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        if is_late.is_set():
            # The end of the connection has been taken for that of the headers.
            raise TimeoutError

    class Plain(HTTPConnection):
        def connect(self) -> None:
            with bounded(self):
                super().connect()

        def getresponse(self) -> Any:
            with bounded(self):
                return super().getresponse()

    class Secure(Plain, HTTPSConnection):
        """What `Plain` bounds is HTTPS here, which comes next in the order of resolution."""

    class PlainPool(urllib3.HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(urllib3.HTTPSConnectionPool):
        ConnectionCls = Secure

    manager.pool_classes_by_scheme = {"http": PlainPool, "https": SecurePool}
    return manager


def _cut(connection: HTTPConnection, is_late: Event) -> None:
    """Have whoever reads from the connection find its end."""
    is_late.set()
    found: Any = connection.sock
    # TLS within TLS, through a proxy, has the socket inside.
    found = getattr(found, "socket", found)
    with suppress(OSError, TypeError):
        # Not as TLS has it, which would take the connection apart while another thread reads.
        socket.socket.shutdown(found, socket.SHUT_RDWR)
