"""Why didn't my pod schedule? The whole scheduling cycle of kube-scheduler, offline, and explained."""

from __future__ import annotations

#: Of `typing`, without which an interrupt at the start has less to come in between; type checkers know the name.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from kexplain.api import (
        Case,
        Decision,
        Inputs,
        Report,
        SchedulerSettings,
        Wanted,
        build_scheduler,
        explain,
        load_case,
        schedule,
        walk,
    )
    from kexplain.world.edit_options import edit_of
    from kexplain.world.world import World

__version__ = "1.0.0"

#: What stands elsewhere than in `kexplain.api`, and is asked for by few.
_ELSEWHERE = {"World": "kexplain.world.world", "edit_of": "kexplain.world.edit_options"}

__all__ = [
    "Case", "Decision", "Inputs", "Report", "SchedulerSettings", "Wanted", "World", "__version__", "build_scheduler",
    "edit_of", "explain", "load_case", "schedule", "walk",
]  # fmt: skip


def __dir__() -> list[str]:
    """What there is to use, for `dir` and `help`."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """The Python API, imported when it is first asked for: the command line starts faster without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (as `typing`)

    if name in _ELSEWHERE:
        return getattr(import_module(_ELSEWHERE[name]), name)
    api = import_module("kexplain.api")
    # A room is called like one of the functions, and would stand in its place from the second time on.
    globals().update({each: found for each in __all__ if (found := getattr(api, each, None)) is not None})
    return globals()[name]
