"""No function and no module of the package is longer than one can keep in mind, and few functions branch much."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

from radon.complexity import cc_visit_ast
from radon.visitors import Function

from tests.package import PACKAGE, modules, within

FUNCTION_LINES = 45
MODULE_LINES = 400
#: A function branches much where its cyclomatic complexity is greater; so many may.
COMPLEXITY = 15
COMPLEX_FUNCTIONS = 12

#: Imports within functions: of what only some runs need. Each costs a reader a look elsewhere.
INNER_IMPORTS = 131

#: Modules that are longer, as they are tables.
LONG_MODULES = {"messages/texts.py"}


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


def test_few_functions_import() -> None:
    found = {
        (path, each.lineno)
        for path in modules()
        for node in within(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for each in ast.walk(node)
        if isinstance(each, ast.Import | ast.ImportFrom)
    }
    assert len(found) <= INNER_IMPORTS


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {_name(path): path for path in modules()}
    left = {name: {each for each in _imported(path, names) if each in names} - {name} for name, path in names.items()}
    # What imports nothing that is left is in no circle.
    while done := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others for name, others in left.items() if name not in done}
    # Nor is what nothing that is left imports.
    while left.keys() - set[str]().union(*left.values()):
        left = {name: others for name, others in left.items() if any(name in each for each in left.values())}
    assert sorted(left) == []


def _name(path: Path) -> str:
    return ".".join(("kexplain", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def _imported(path: Path, names: Collection[str]) -> Iterator[str]:
    """The modules that one imports, wherever in it, but for types alone."""
    of_types = {
        each
        for node in within(path)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for each in ast.walk(statement)
    }
    for node in within(path):
        if isinstance(node, ast.ImportFrom) and node not in of_types:
            submodules = (f"{node.module}.{each.name}" for each in node.names)
            yield from (each if each in names else node.module or "" for each in submodules)
