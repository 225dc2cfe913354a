"""Inputs that come from an API server, some of whose answers are spoiled, and kubeconfigs that are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.fuzzing.commands import Words
from tests.fuzzing.places import Pools
from tests.fuzzing.rough import changed
from tests.fuzzing.scenarios import File, flat
from tests.fuzzing.splices import splice
from tests.load.live.stand_in import TOKEN, Handler, Reply, Request, StandIn

_STATUSES = (200, 200, 200, 200, 400, 401, 403, 404, 410, 429, 500, 503)


@contextmanager
def served(files: Mapping[str, File], directory: Path, chance: Random) -> Iterator[list[Words]]:
    """The command lines to run on the objects, while a server has them."""
    with StandIn((), tls=False) as server:
        for each in (each for file in files.values() for each in flat(file.objects or ())):
            if isinstance(each.get("metadata"), dict):
                try:
                    server.hold(each["apiVersion"], each["kind"], each)
                except (KeyError, TypeError):
                    continue

        def spoil(_handler: Handler, request: Request) -> Reply | None:
            if chance.random() < 0.85:
                return None
            true = server._true_reply(request).body
            text = true if isinstance(true, bytes) else json.dumps(true, default=str).encode()
            return Reply(chance.choice(_STATUSES), changed(text, [text], chance))

        server.always(spoil)
        (directory / "kubeconfig").write_text(json.dumps(_kubeconfig(server.address, chance), default=str))
        command = chance.choice(([], ["pod/web"], ["capacity"], ["snapshot", "-o", "live.snapshot"], ["drain", "n1"]))
        yield [[*command, "--kubeconfig", "kubeconfig", "--request-timeout", "2s"]]


def _kubeconfig(address: str, chance: Random) -> dict[str, object]:
    config: dict[str, object] = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": "default"}}],
        "clusters": [{"name": "c", "cluster": {"server": address}}],
        "users": [{"name": "u", "user": {"token": TOKEN}}],
    }
    if chance.random() < 0.3:
        splice([config], [], Pools([config]), chance)
        # Nothing but the server here is ever asked.
        for each in _clusters(config):
            if str(each.get("server", "")) != address:
                each["server"] = "http://127.0.0.1:1"
            for key in ("proxy-url", "tls-server-name"):
                each.pop(key, None)
    return config


def _clusters(config: Mapping[str, object]) -> Iterator[dict[str, object]]:
    entries = config.get("clusters")
    for entry in entries if isinstance(entries, list) else ():
        inner = entry.get("cluster") if isinstance(entry, dict) else None
        if isinstance(inner, dict):
            yield inner
