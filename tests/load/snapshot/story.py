"""Ten snapshots of one cluster, one every ten minutes from 02:00 on, of which it is known what has changed in each."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kexplain.load import load
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from tests.load.texts import listed, node, pod, write

TAINT = {"key": "maintenance", "effect": "NoSchedule"}
State = dict[str, dict[str, Any]]


def _node(name: str) -> dict[str, Any]:
    made = node(name, allocatable={"cpu": "4", "memory": "16Gi", "pods": "110"})
    return made | {"spec": {}, "metadata": {"name": name, "uid": name, "labels": {}}}


def _pod(name: str, owner: str, cpu: str, node_name: str | None) -> dict[str, Any]:
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}], "nodeName": node_name}
    made = pod(name, **spec)
    kind = "DaemonSet" if owner == "agent" else "StatefulSet"
    controller = {"apiVersion": "apps/v1", "kind": kind, "name": owner, "uid": owner, "controller": True}
    return made | {"metadata": {"name": name, "namespace": "shop", "uid": name, "ownerReferences": [controller]}}


def _batch_comes(state: State) -> None:
    state |= {name: _pod(name, "batch", "1500m", "n1") for name in ("batch-0", "batch-1")}


def _agents_come(state: State) -> None:
    state |= {f"agent-{name}": _pod(f"agent-{name}", "agent", "100m", name) for name in ("n1", "n2", "n3")}


def _api_waits(state: State) -> None:
    state["api-0"] = _pod("api-0", "api", "2", None)


#: In each a change that has been made since the snapshot before it.
CHANGES: tuple[Callable[[State], object], ...] = (
    lambda state: state.update({name: _node(name) for name in ("n1", "n2", "n3")}),
    _batch_comes,
    lambda state: state["n3"]["metadata"]["labels"].update(team="blue"),
    lambda state: state["n2"]["spec"].update(unschedulable=True),
    _agents_come,
    lambda state: state["n3"]["spec"].update(taints=[TAINT]),
    _api_waits,
    lambda state: state["n2"]["spec"].clear(),
    lambda state: [state.pop(name) for name in ("n2", "agent-n2")],
    lambda state: state.update(n4=_node("n4")),
)


def write_story(folder: Path) -> Path:
    """The directory of the snapshots, in which something else lies, too."""
    state: State = {}
    for number, change in enumerate(CHANGES):
        state = copy.deepcopy(state)
        change(state)
        read = load([write(folder / "dump.json", listed(*state.values()))])
        hour, minute = divmod(120 + 10 * number, 60)
        taken_at = f"2026-11-20T{hour:02}:{minute:02}:00Z"
        (folder / f"{number}.snapshot").write_bytes(encode_snapshot(read, taken_at=taken_at))
    return folder
