"""No function and no module of the package is longer than one can keep in mind, and few functions branch much."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Function

PACKAGE = Path(__file__).parents[1] / "kexplain"

FUNCTION_LINES = 45
MODULE_LINES = 400
#: A function branches much where its cyclomatic complexity is greater; so many may.
COMPLEXITY = 15
COMPLEX_FUNCTIONS = 12

#: Modules that are longer, as they are tables.
LONG_MODULES = {
    "config/releases/traits.py",
    "messages/texts.py",
}


def _modules() -> Iterator[tuple[str, str]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        yield file.relative_to(PACKAGE).as_posix(), file.read_text(encoding="utf-8")


def test_functions_are_short() -> None:
    long = {
        f"{name}:{node.name}"
        for name, text in _modules()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES
    }
    assert sorted(long) == []


def test_modules_are_short() -> None:
    long = {name for name, text in _modules() if len(text.splitlines()) > MODULE_LINES}
    assert sorted(long - LONG_MODULES) == []


def test_few_functions_branch_much() -> None:
    found = [
        f"{name}:{block.lineno} {block.name} {block.complexity}"
        for name, text in _modules()
        for block in cc_visit(text)
        if isinstance(block, Function) and block.complexity > COMPLEXITY
    ]
    assert len(found) <= COMPLEX_FUNCTIONS, "\n".join(found)
