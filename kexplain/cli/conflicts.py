"""Flags that say nothing without others, or contradict others: `flag-conflicts.json` among the tables has them."""

from operator import attrgetter
from typing import Any

from msgspec import Struct

from kexplain.errors import UsageError
from kexplain.tables import table


class Conflict(Struct, frozen=True, forbid_unknown_fields=True):
    """A fault of a request, and what to do about it.

    `when` are terms, all of which hold: a path to a flag that was given, or several with bars, of which one was;
    `path=value` where it has that value, or is repeated with it. `!` stands before a term that does not hold.
    """

    when: str
    says: str
    hint: str | None = None

    def holds(self, request: Any) -> bool:
        """Whether a request has it."""
        terms = ((term.removeprefix("!").split("|"), term.startswith("!")) for term in self.when.split())
        return all(any(_is_given(request, flag) for flag in flags) != is_not for flags, is_not in terms)


def _is_given(request: Any, flag: str) -> bool:
    path, equals, wanted = flag.partition("=")
    value = attrgetter(path)(request)
    return wanted in ([value] if isinstance(value, str) else value) if equals else bool(value)


def conflicts() -> dict[str, tuple[Conflict, ...]]:
    """By command, in the order in which they are looked for."""
    return table("flag-conflicts", dict[str, tuple[Conflict, ...]])


def check_flags(command: str, request: Any) -> None:
    """Raise UsageError on the first fault of a request."""
    if found := next((each for each in conflicts().get(command, ()) if each.holds(request)), None):
        raise UsageError(found.says, found.hint)
