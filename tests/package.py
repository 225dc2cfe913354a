"""The package's own text, as tests that hold all of it to one rule read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "kexplain"


@cache
def modules() -> Mapping[Path, ast.Module]:
    """Every module, parsed once for all tests; nobody changes a tree."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Every node of every module."""
    for path, tree in modules().items():
        for node in ast.walk(tree):
            yield path, node
