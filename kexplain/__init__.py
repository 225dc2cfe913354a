"""Why didn't my pod schedule? The whole scheduling cycle of kube-scheduler, offline, and explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

__version__ = "1.0.0"

__all__ = [
    "Case",
    "Decision",
    "Inputs",
    "Report",
    "SchedulerSettings",
    "Wanted",
    "__version__",
    "build_scheduler",
    "explain",
    "load_case",
    "schedule",
    "walk",
]


def __dir__() -> list[str]:
    """What there is to use, for `dir` and `help`."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """The Python API, imported when it is first asked for: the command line starts faster without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kexplain import api  # noqa: PLC0415

    # A room is called like one of the functions, and would stand in its place from the second time on.
    globals().update({each: getattr(api, each) for each in __all__ if each != "__version__"})
    return globals()[name]
