from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from typing import get_type_hints

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.flags.declaring import flags_of
from kexplain.cli.main import _command_first
from kexplain.tables import text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_request_and_what_answers_it(name: str) -> None:
    request = import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request
    run = import_module(f"kexplain.cli.commands.{name.replace('-', '_')}").run
    assert get_type_hints(run) == {"request": request, "return": int}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_two_groups_of_a_request_have_the_same_flag(name: str) -> None:
    flags = flags_of(import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request)
    options = [flag for flag in flags if not flag.declaration.is_argument]
    spelled = [word for flag in options for word in flag.declaration.spelled(flag.field.name)]
    assert len(spelled) == len(set(spelled))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_flag_has_help(name: str) -> None:
    flags = flags_of(import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request)
    assert [flag.field.name for flag in flags if not flag.declaration.help] == []


def test_every_row_of_the_table_is_a_flag() -> None:
    rows: dict[str, dict[str, object]] = json.loads(text("flags.json"))
    for record, words in rows.items():
        module, name = record.split(".")
        where = "flags" if find_spec(f"kexplain.cli.flags.{module}") else "requests"
        known = getattr(import_module(f"kexplain.cli.{where}.{module}"), name).__struct_fields__
        assert set(words) <= set(known)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_group_has_a_panel_of_its_own(name: str) -> None:
    flags = flags_of(import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request)
    panels = {flag.group: flag.panel for flag in flags}
    assert all(panels.values())
    assert len(panels) == len(set(panels.values()))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("-n shop drain worker-1", "drain -n shop worker-1"),
        ("--cluster=dump.json -v capacity deploy/web", "capacity --cluster=dump.json -v deploy/web"),
        ("--cluster capacity lint .", "lint --cluster capacity ."),
        # A value, a pod or a file is no command, and what follows a command is its own.
        ("-n drain", "-n drain"),
        ("--cluster drain pod/web", "--cluster drain pod/web"),
        ("pod/web drain", "pod/web drain"),
        ("-- drain", "-- drain"),
        ("what-if --scale lint=3", "what-if --scale lint=3"),
    ],
)
def test_options_may_stand_before_the_command(before: str, after: str) -> None:
    assert _command_first(before.split()) == after.split()
