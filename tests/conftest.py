"""Options of the test suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

# How long an example takes says how busy the machine is.
settings.register_profile("kexplain", deadline=None)
settings.load_profile("kexplain")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="record what the fixtures' commands print now")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    """A process runs whole files, in their order, so that what the tests of a file share is built once."""
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415

    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)
