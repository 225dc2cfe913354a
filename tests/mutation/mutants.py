"""Small faults that could stand in a module, one at a time: each is the module with one place of it changed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec import Struct

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Nothing that runs, or only how fast it runs.
_LEFT_ALONE = ("annotation", "returns", "decorator_list", "keywords", "type_params", "bases")


_Node: TypeAlias = ast.expr | ast.stmt


class Mutant(Struct, frozen=True):
    """A changed module: the line, what stood there, what stands there now, and the whole text."""

    line: int
    before: str
    after: str
    text: str


def places(text: str, lines: Container[int] | None = None) -> Sequence[int]:
    """The line of every mutant of a module, or of those on some lines; of the others 0."""
    return [node.lineno if lines is None or node.lineno in lines else 0 for node, _, _ in _mutants(ast.parse(text))]


def mutant(text: str, number: int) -> Mutant:
    """The mutant of this number."""
    tree = ast.parse(text)
    node, changed, put = next(islice(_mutants(tree), number, None))
    put(changed)
    return Mutant(node.lineno, ast.unparse(node), ast.unparse(changed), ast.unparse(tree))


def _mutants(tree: ast.Module) -> Iterator[tuple[_Node, _Node, Callable[[_Node], None]]]:
    for node, put in _places(tree):
        for changed in (*_of_expression(node), *_of_statement(node)):
            yield node, changed, put


def _places(node: ast.AST) -> Iterator[tuple[_Node, Callable[[_Node], None]]]:
    """Every expression and statement, with what puts another in its place."""
    for name, value in ast.iter_fields(node):
        if (name in _LEFT_ALONE and not isinstance(node, ast.Call)) or _is_about_types(node, name):
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or (index == 0 and name == "body" and _is_docstring(child)):
                continue
            if isinstance(child, ast.expr | ast.stmt):
                yield child, _putter(node, name, index if isinstance(value, list) else None)
            yield from _places(child)


def _is_about_types(node: ast.AST, name: str) -> bool:
    """Whether it runs in no run: a branch for type checkers, a call that casts, the name of something."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    return isinstance(node, ast.ImportFrom | ast.Import | ast.Assert | ast.Global) or name in ("targets", "target")


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _putter(parent: ast.AST, name: str, index: int | None) -> Callable[[_Node], None]:
    def put(node: _Node) -> None:
        if index is None:
            setattr(parent, name, node)
        else:
            getattr(parent, name)[index] = node

    return put


def _of_expression(node: _Node) -> Iterator[_Node]:
    """What could stand in place of an expression by mistake."""
    match node:
        case ast.Compare(left, [operator, *others], [*comparators]) if type(operator) in _COMPARISONS:
            yield ast.Compare(left, [_COMPARISONS[type(operator)](), *others], comparators)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            yield from values if len(values) == 2 else ()
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield ast.BinOp(left, _OPERATORS[type(operator)](), right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(str() as value) if value:
            yield ast.Constant("")
        case ast.IfExp(_, body, otherwise):
            yield body
            yield otherwise
        case ast.Call(ast.Name(name), arguments, keywords) if name in _FUNCTIONS:
            yield ast.Call(ast.Name(_FUNCTIONS[name]), arguments, keywords)
        case ast.Call(ast.Name("sorted"), [first, *_], _):
            yield first
        case _:
            return


def _of_statement(node: _Node) -> Iterator[_Node]:
    """What could stand in place of a statement by mistake, or be forgotten."""
    match node:
        case ast.If(test, body, otherwise):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, otherwise)
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Yield() | ast.YieldFrom()):
            # It stays a generator.
            yield ast.If(ast.Constant(value=False), [node], [])
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise():
            yield ast.Pass()
        case _:
            return
