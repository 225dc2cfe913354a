"""What helps, as `tables/advice.json` has it: the words for it, and the commands where people do it by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from kexplain.diagnosis.findings.templates import filled
from kexplain.objects.changes import Change
from kexplain.remedies.commands import commands
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.shell import command
from kexplain.tables import table


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    """What is advised: a template of its words, the names of the facts that it is `about`, and of its commands.

    A command is a program, with the words behind it, and then its flags; several things are as many words. Where it is
    about a `namespace`, the commands are.
    """

    text: str
    action: Action = Action.CHECK_CONTROLLER
    rank: str = Rank.MENDS.name
    about: str = ""
    commands: tuple[tuple[str, ...], ...] = ()

    def filled(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """What remedies and proposals have of it."""
        return {"action": self.action, "text": filled(self.text, facts), "rank": Rank[self.rank]}


@cache
def _rows() -> Mapping[str, _Row]:
    return table("advice", dict[str, _Row])


def advice(
    name: str, /, *values: object, changes: Iterable[Change | None] = (), has_command: bool = True, **more: Any
) -> Remedy:
    """The remedy of that name; `values` are what the table says that it is about, in that order.

    Where the table has no commands, they are those of the `changes`; `more` is what the remedy has else, or otherwise.
    """
    row, facts = _row(name, values)
    made = tuple(each for each in changes if each is not None)
    lines = tuple(_line(program, parts, facts) for program, *parts in row.commands) or commands(made, {})
    return Remedy(**{**row.filled(facts), "changes": made, "commands": lines if has_command else (), **more})


def proposed(name: str, /, *values: object, **more: Any) -> Proposal:
    """The same for what can be tried, by its `edit` or `steps`, or is named with nodes that it is enough for."""
    row, facts = _row(name, values)
    return Proposal(**{**row.filled(facts), **more})


def _row(name: str, values: Sequence[object]) -> tuple[_Row, Mapping[str, Any]]:
    row = _rows()[name]
    return row, dict(zip(row.about.split(), values, strict=True))


def _line(program: str, parts: Sequence[str], facts: Mapping[str, Any]) -> str:
    flags = next((place for place, each in enumerate(parts) if each.startswith("-")), len(parts))
    words = [*_words(parts[:flags], facts)]
    return command(program, *words, namespace=facts.get("namespace", ""), flags=[*_words(parts[flags:], facts)])


def _words(parts: Iterable[str], facts: Mapping[str, Any]) -> Iterator[str]:
    for part in parts:
        fact = facts.get(part.strip("{}"))
        yield from fact if isinstance(fact, list | tuple) else (filled(part, facts),)
