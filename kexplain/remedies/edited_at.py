"""Where people change what makes a pod: not in what is generated, which would be made again as it was."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from msgspec import Struct

from kexplain.diagnosis.components import maker_of
from kexplain.objects.core import Pod


class _Generated(Struct, frozen=True):
    """Pods of something generated: the label that names what they are made for, and where that is changed."""

    label: str
    namespace: str
    what: str


def edited_at(pod: Pod) -> str:
    """What to change for other pods to be made, in words; empty for a pod that nothing makes."""
    for each in _table():
        if name := pod.labels.get(each.label):
            return each.what.format(name=name, namespace=pod.labels.get(each.namespace) or pod.namespace)
    namespace, kind, name = maker_of(pod)
    return f"{kind} {namespace}/{name}" if kind != "Pod" else ""


@cache
def _table() -> tuple[_Generated, ...]:
    text = (Path(__file__).parent / "tables" / "generated.toml").read_text(encoding="utf-8")
    return tuple(_Generated(row["label"], row.get("namespace", ""), row["what"]) for row in tomllib.loads(text)["made"])
