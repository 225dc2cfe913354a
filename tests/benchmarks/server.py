"""python -m tests.benchmarks.server DUMP KUBECONFIG: serves a dump over TLS on loopback until its stdin is closed.

Answers are put together, and compressed, when they are first asked for: what is measured is whoever asks.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import msgspec

from tests.load.live.stand_in import PKI, TOKEN, Handler, Json, Reply, Request, StandIn

_Items = msgspec.defstruct("_Items", [("items", list[msgspec.Raw])])


class _PackedStandIn(StandIn):
    """Remembers every answer, compressed or not as it was asked for."""

    def __init__(self, dump: Path) -> None:
        super().__init__(())
        self._packed: dict[tuple[str, bool], Reply] = {}
        for raw in msgspec.json.decode(dump.read_bytes(), type=_Items).items:  # type: ignore[attr-defined]
            obj = msgspec.json.decode(raw)
            self.hold(obj["apiVersion"], obj["kind"], obj)

    def reply(self, handler: Handler, request: Request) -> Reply | None:
        key = request.line, "gzip" in request.headers.get("accept-encoding", [""])[0]
        if key not in self._packed:
            reply = super().reply(handler, request)
            if reply is None or reply.status != 200:
                return reply
            body = reply.body if isinstance(reply.body, bytes) else msgspec.json.encode(reply.body)
            headers = {"Content-Encoding": "gzip"} if key[1] else {"Content-Encoding": "identity"}
            self._packed[key] = Reply(200, gzip.compress(body, 4) if key[1] else body, headers)
        return self._packed[key]


def _kubeconfig(address: str) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": address, "certificate-authority": str(PKI / "ca.pem")}}],
        "users": [{"name": "u", "user": {"token": TOKEN}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "c",
    }


def main() -> None:
    """Serve; a line on stdout says that it has begun."""
    dump, kubeconfig = map(Path, sys.argv[1:])
    with _PackedStandIn(dump) as server:
        kubeconfig.write_text(json.dumps(_kubeconfig(server.address)))
        print("serving", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
