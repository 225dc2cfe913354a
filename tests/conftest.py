"""Options of the test suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import sampling

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

# How long an example takes says how busy the machine is.
settings.register_profile("kexplain", deadline=None)
settings.load_profile("kexplain")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="record what the fixtures' commands print now")
    parser.addoption("--all", action="store_true", help="try every one of what is tried by samples otherwise")


def pytest_configure(config: pytest.Config) -> None:
    sampling.tries_all = config.getoption("--all")


#: Files whose tests are about the same hundreds of explanations.
_OF_THE_SAME = {f"tests/{room}/test_said.py" for room in ("diagnosis", "explain", "remedies")} | {
    "tests/cli/commands/test_schema.py"
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """A process runs whole files, in their order, so that what the tests of a file share is built once."""
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415

    scheduling = LoadFileScheduling(config, log)
    file_of = scheduling._split_scope

    def together(nodeid: str) -> str:
        file: str = file_of(nodeid)
        return "said" if file in _OF_THE_SAME else file

    scheduling._split_scope = together
    config.option.loadscopereorder = False
    return scheduling
