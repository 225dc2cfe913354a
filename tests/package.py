"""The package's own text, as tests that hold all of it to one rule read it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "kexplain"


@cache
def modules() -> Mapping[Path, ast.Module]:
    """Every module, parsed once for all tests; nobody changes a tree."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    # They stay for good: without this, every collection would go through their millions of objects.
    gc.freeze()
    return trees


@cache
def within(path: Path) -> Sequence[ast.AST]:
    """Every node of a module."""
    return tuple(ast.walk(modules()[path]))


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Every node of every module."""
    return ((path, node) for path in modules() for node in within(path))
