"""Factories of texts for the loading tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kexplain.errors import InputError
from kexplain.load import Loaded, load


def pod(name: str = "p", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def node(name: str = "n", **status: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def listed(*items: Any, kind: str = "List") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "items": list(items)}


def write(path: Path, content: Any) -> str:
    """The name of a file with a text, bytes, or a value as JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def names(loaded: Loaded) -> list[str]:
    return [f"{type(obj).__name__}/{obj.name}" for obj in loaded.objects]


def faults(*paths: str) -> list[str]:
    """All faults of files, each without the directory that it lies in."""
    try:
        load(paths)
    except InputError as error:
        return [str(replace(fault, source=fault.source.rpartition("/")[2])) for fault in error.faults]
    return []
