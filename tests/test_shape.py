"""No function and no module of the package is longer than one can keep in mind, and few functions branch much."""

from __future__ import annotations

import ast

from radon.complexity import cc_visit_ast
from radon.visitors import Function

from tests.package import PACKAGE, modules, within

FUNCTION_LINES = 45
MODULE_LINES = 400
#: A function branches much where its cyclomatic complexity is greater; so many may.
COMPLEXITY = 15
COMPLEX_FUNCTIONS = 12

#: Modules that are longer, as they are tables.
LONG_MODULES = {
    "messages/texts.py",
}


def _is_long(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES


def test_functions_are_short_and_few_branch_much() -> None:
    long, branching = [], []
    for path, tree in modules().items():
        name = path.relative_to(PACKAGE).as_posix()
        long += [f"{name}:{getattr(node, 'name', '')}" for node in within(path) if _is_long(node)]
        functions = (block for block in cc_visit_ast(tree) if isinstance(block, Function))
        branching += [
            f"{name}:{block.lineno} {block.name} {block.complexity}"
            for block in functions
            if block.complexity > COMPLEXITY
        ]
    assert long == []
    assert len(branching) <= COMPLEX_FUNCTIONS, "\n".join(branching)


def test_modules_are_short() -> None:
    lines = {path.relative_to(PACKAGE).as_posix(): len(path.read_text("utf-8").splitlines()) for path in modules()}
    assert {name for name, count in lines.items() if count > MODULE_LINES} <= LONG_MODULES
