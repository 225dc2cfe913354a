"""Pods and pod templates.

Source: core/validation `ValidatePodCreate`, `ValidatePodSpec`, `ValidatePodTemplateSpec`, release 1.36 with its
default feature gates. What an API server fills in when it decodes counts as valid where it is absent.
"""

from msgspec.structs import replace

from kexplain.validation.field import Field
from kexplain.validation.resources import check_requirements

_MAX_SEARCH_CHARACTERS = 2048


def _check_length(searches: Field) -> None:
    if len(" ".join(searches.strings).encode()) > _MAX_SEARCH_CHARACTERS:
        searches.reject(f"holds more than {_MAX_SEARCH_CHARACTERS} characters in all")


def check_overhead(overhead: Field, within: str = "") -> None:
    """What a container runtime costs is checked, and named, as if it were a container's limits."""
    if not overhead.is_set:
        return
    amounts = overhead.child(within) if within else overhead
    before, steps = len(overhead.problems), len(overhead.path) + 1
    check_requirements(overhead.with_value({"limits": amounts.value}))
    overhead.problems[before:] = [
        replace(each, path=(*amounts.path, *each.path[steps:])) for each in overhead.problems[before:]
    ]
