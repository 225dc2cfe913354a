"""The faults of flags that the table has: each is one of a command, and can be met."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.conflicts import Conflict, conflicts
from kexplain.cli.flags.declaring import flags_of

EVERY = [(command, each) for command, found in conflicts().items() for each in found]


@pytest.mark.parametrize(("command", "conflict"), EVERY, ids=[f"{name}: {each.when}" for name, each in EVERY])
def test_terms_name_flags_of_their_command(command: str, conflict: Conflict) -> None:
    assert command in COMMANDS
    request: Any = import_module(f"kexplain.cli.requests.{command.replace('-', '_')}").Request
    flags = {(flag.group, flag.field.name) for flag in flags_of(request)}
    groups = {name: each for name, each in request.__annotations__.items() if isinstance(each, type)}
    for term in conflict.when.removeprefix("!").replace(" !", "|").replace(" ", "|").split("|"):
        group, _, name = term.partition("=")[0].partition(".")
        assert (group, name) in flags or isinstance(getattr(groups[group], name), property), term
