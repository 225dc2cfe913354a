"""How the command line spells the parameters that messages name."""

from __future__ import annotations

from functools import cache

from kexplain.cli.flags.declaring import flags_of
from kexplain.cli.requests import drain, explain

#: What is called otherwise in Python, and what is better known by a short name.
_NAMES = {
    "calls_extenders": "--call-extenders",
    "preempts": "--preempt",
    "cluster_role": "kexplain snapshot --print-rbac",
    "recursive": "-R",
    "verbose": "-v",
}


def as_flag(name: str, value: str) -> str:
    """The flag for a parameter of the Python API, with its value."""
    flag = _flag_by_name()[name]
    return f"{flag} {value}" if value else flag


@cache
def _flag_by_name() -> dict[str, str]:
    flags = [*flags_of(drain.Request), *flags_of(explain.Request)]
    return {flag.field.name: flag.declaration.spelled(flag.field.name)[-1] for flag in flags} | _NAMES
