"""The least that a plain program pays for a dump: its bytes, decoded into no more than scheduling must know.

Run as `python floor.py DUMP`; every other run is measured against it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec


class Bare(msgspec.Struct, gc=False, rename="camel"):
    """A record without anything beside its fields."""


class Metadata(Bare):
    name: str = ""
    namespace: str = ""
    labels: dict[str, str] | None = None


class Resources(Bare):
    requests: dict[str, str] | None = None


class Port(Bare):
    host_port: int = 0


class Container(Bare):
    image: str = ""
    resources: Resources | None = None
    ports: list[Port] | None = None


class Spec(Bare):
    """Of pods and nodes alike."""

    containers: list[Container] | None = None
    node_name: str = ""
    priority: int = 0
    affinity: Any = None
    taints: Any = None
    unschedulable: bool = False


class Image(Bare):
    names: list[str] | None = None
    size_bytes: int = 0


class Status(Bare):
    """Of pods and nodes alike."""

    phase: str = ""
    start_time: str = ""
    allocatable: dict[str, str] | None = None
    images: list[Image] | None = None


class Item(Bare):
    kind: str
    metadata: Metadata
    spec: Spec
    status: Status


class Dump(Bare):
    items: list[Item]


def main() -> None:
    dump = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Dump)
    print(len(dump.items))


if __name__ == "__main__":
    main()
