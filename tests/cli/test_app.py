from __future__ import annotations

from importlib import import_module

import pytest

from kexplain.cli.app import COMMANDS
from kexplain.cli.flags.declaring import flags_of


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_request_and_what_answers_it(name: str) -> None:
    request = import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request
    run = import_module(f"kexplain.cli.commands.{name.replace('-', '_')}").run
    assert run.__annotations__ == {"request": "Request", "return": "int"}
    assert import_module(run.__module__).Request is request


@pytest.mark.parametrize("name", COMMANDS)
def test_no_two_groups_of_a_request_have_the_same_flag(name: str) -> None:
    flags = flags_of(import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request)
    options = [flag for flag in flags if not flag.declaration.is_argument]
    spelled = [word for flag in options for word in flag.declaration.spelled(flag.field.name)]
    assert len(spelled) == len(set(spelled))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_group_has_a_panel_of_its_own(name: str) -> None:
    flags = flags_of(import_module(f"kexplain.cli.requests.{name.replace('-', '_')}").Request)
    panels = {flag.group: flag.panel for flag in flags}
    assert all(panels.values())
    assert len(panels) == len(set(panels.values()))
