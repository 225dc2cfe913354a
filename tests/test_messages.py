"""Messages below the command line are true for the users of the Python API: none of them names a flag."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kexplain.cli.spelling import as_flag
from kexplain.cli.tree import commands
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.load.live.connection import Connection
from kexplain.parameters import parameter, parameters_spelled
from kexplain.report.capacity import Filling
from kexplain.scheduler.draining import DrainOptions
from tests.package import PACKAGE, modules, nodes, within

#: These write commands of kubectl, whose flags have the same names.
_OF_KUBECTL = (
    PACKAGE / "shell.py",
    PACKAGE / "report" / "pack.py",
    *(PACKAGE / "remedies" / f"{name}.py" for name in ("commands", "components", "scaled_down")),
)
FLAGS = {name for command in commands() for option in command.options for name in option.names}
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_OTHER_PROGRAMS = re.compile(r"(kubectl|helm|kustomize|kexplain) [^;:()]*")
#: What is no part of a report's fields nor of a call of `load_case`, and still has a name in Python.
_ELSEWHERE = {
    "all_remedies",
    "cluster",
    "live",
    "namespace",
    "node",
    "recursive",
    "replicas",
    "surge",
    "top",
    "verbose",
    "within",
    "cluster_role",
}


def _docstrings(path: Path) -> set[int]:
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = (node.body for node in within(path) if isinstance(node, holders))
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def _is_below(path: Path) -> bool:
    return "cli" not in path.relative_to(PACKAGE).parts and path not in _OF_KUBECTL


def _literals(path: Path) -> Iterator[tuple[int, str]]:
    """Every text that is no docstring; of a formatted one, all that is fixed of it."""
    formatted = [node for node in within(path) if isinstance(node, ast.JoinedStr)]
    skipped = _docstrings(path) | {id(part) for text in formatted for part in text.values}
    for text in formatted:
        parts = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in text.values]
        yield text.lineno, "".join(parts)
    for node in within(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def flags_in(text: str) -> set[str]:
    return set(_FLAG.findall(_OTHER_PROGRAMS.sub("", text))) & FLAGS


def test_no_message_names_a_flag() -> None:
    below = filter(_is_below, modules())
    assert [(path, line, text) for path in below for line, text in _literals(path) if flags_in(text)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("give it with --cluster FILE", {"--cluster"}),
        ("-v shows them", {"-v"}),
        ("see kubectl get nodes -o json; or --nodes", {"--nodes"}),
        ("kubectl get pods -A -o json", set()),
        ("well-known, and --dry-run", set()),
    ],
)
def test_flags_are_found(text: str, found: set[str]) -> None:
    assert flags_in(text) == found


def _parameters() -> Iterator[str]:
    for path, node in nodes():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "parameter"):
            continue
        if _is_below(path):
            assert isinstance(node.args[0], ast.Constant)
            yield str(node.args[0].value)


def test_every_parameter_that_a_message_names_exists_in_python_and_on_the_command_line() -> None:
    named = set(_parameters())
    records = (SchedulerSettings, Connection, DrainOptions, Filling)
    known = {name for record in records for name in record.__struct_fields__} | _ELSEWHERE
    assert named
    assert named <= known
    assert {as_flag(name, "").split()[-1] for name in named} <= FLAGS


def test_a_parameter_is_spelled_as_the_front_end_says() -> None:
    assert (parameter("cluster"), parameter("cluster", "FILE")) == ("cluster", "cluster=FILE")
    with parameters_spelled(as_flag):
        assert (parameter("as_user"), parameter("cluster", "FILE")) == ("--as", "--cluster FILE")
    assert parameter("as_user") == "as_user"
