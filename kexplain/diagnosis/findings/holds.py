"""Statements about pods that something else than a scheduler keeps from running: a queue, a kubelet, a volume."""

import tomllib
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from kexplain.diagnosis.findings.statement import Statement
from kexplain.words import clauses


def told(name: str, /, *more: str, **about: object) -> Statement:
    """The statement that the table has by this name (behind a slash, one of several of a type), with `more` behind it.

    told("kubelet-silent", trouble="not ready")
    {"type": "kubelet-silent", "trouble": "not ready"}
    its node is not ready
    """
    return Statement(partial(_words, name), {**about, "more": more}, name.partition("/")[0])


def knows(name: str) -> bool:
    """Whether the table has a statement of that name."""
    return name in _table()


def _words(name: str, /, more: tuple[str, ...], **about: Any) -> str:
    return clauses(_table()[name].format_map(about), *more)


@cache
def _table() -> Mapping[str, str]:
    return tomllib.loads((Path(__file__).parent.parent / "tables" / "holds.toml").read_text(encoding="utf-8"))
