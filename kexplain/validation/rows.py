"""Plain judgements as rows of a table: the path of a field, and what must hold of the value there.

A path begins at the field that the table is about: `rules[].host` is the host of each rule, `options{}` the value of
each key, and an empty path the field itself. A judgement that answers False ends its row: of what is missing there is
no more to say. Tables stand within tables where something is judged as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from kexplain.validation.field import Field, Rule, choice, reject_repeated
from kexplain.validation.names import among

Judgement = Callable[[Field], object]
Row: TypeAlias = "Judgement | Table | tuple[Judgement | Table, ...]"
Table: TypeAlias = Mapping[str, Row]

required: Judgement = Field.require
required_set: Judgement = Field.require_set
not_negative: Judgement = Field.not_negative
positive: Judgement = Field.positive


def judge(field: Field, row: Row) -> bool:
    """Judge a field by a row: one judgement, several of them in order, or a table of rows for what is inside.

    False where a judgement has ended the row.
    """
    if isinstance(row, tuple):
        return all(judge(field, each) for each in row)
    if not isinstance(row, Mapping):
        return row(field) is not False
    for path, inner in row.items():
        for at in _reached(field, _steps(path)):
            judge(at, inner)
    return True


@cache
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split(".")) if path else ()


def _reached(field: Field, steps: tuple[str, ...]) -> Sequence[Field]:
    """The fields at the end of a path."""
    found = [field]
    for step in steps:
        if step.endswith("[]"):
            found = [item for each in found for item in each.child(step[:-2]).items()]
        elif step.endswith("{}"):
            found = [value for each in found for _, value in each.child(step[:-2]).entries()]
        else:
            found = [each.child(step) for each in found]
    return found


# ------------------------------------------------------------------------------------- what ends a row


def if_set(field: Field) -> bool:
    """Of what is not set there is nothing to say."""
    return field.is_set


def if_filled(field: Field) -> bool:
    """Of an empty text there is nothing to say."""
    return bool(field.string)


def regardless(row: Row) -> Judgement:
    """Judged, and the row goes on."""
    return lambda field: judge(field, row) or True


def most(limit: int) -> Judgement:
    """A list or a map has no more entries; of more, none is looked at."""
    return lambda field: field.no_more_than(limit)


# ----------------------------------------------------------------------------------------------- texts


def obeys(*rules: Rule) -> Judgement:
    """The text keeps to the rules, even if it is missing."""
    return lambda field: field.obey(*rules)


def given(*rules: Rule) -> Judgement:
    """The text, if it is set, keeps to the rules."""
    return lambda field: field.obey(*rules) if field.is_set else None


def may(*rules: Rule) -> Judgement:
    """The text, if it is not empty, keeps to the rules."""
    return lambda field: field.obey(*rules) if field.string else None


def needs(*rules: Rule, message: str = "is required") -> Judgement:
    """The text is there, and keeps to the rules."""
    return lambda field: field.obey(*rules) if field.require(message) else False


def chosen(*values: str) -> Judgement:
    """The text is there, and one of some, which are named where it is not."""
    return needs(among(*values), message=f"is required: {choice(values)}")


def longest(limit: int) -> Judgement:
    """The text has no more bytes."""
    return lambda field: field.no_longer_than(limit)


# ---------------------------------------------------------------------------------------------- others


def required_as(message: str) -> Judgement:
    """Something is there."""
    return lambda field: field.require(message)


def set_as(message: str) -> Judgement:
    """Something is set, be it empty."""
    return lambda field: field.require_set(message)


def within(low: int, high: int) -> Judgement:
    """The number, if it is set, is between two others, both of which are fine."""
    return lambda field: field.within(low, high)


def left_out(message: str) -> Judgement:
    """Nothing is set."""
    return lambda field: field.forbid(message)


def empty(message: str) -> Judgement:
    """Nothing is set other than an empty value, zero or false."""
    return lambda field: field.forbid_value(message)


def at_least(limit: int) -> Judgement:
    """The number, if it is set, is no smaller."""
    return lambda field: field.reject(f"{field.number()} is less than {limit}") if field.number(limit) < limit else None


def at_most(limit: int) -> Judgement:
    """The number, if it is set, is no larger."""
    return lambda field: field.reject(f"{field.number()} is more than {limit}") if field.number() > limit else None


def unique(name: str, *, at: str = "") -> Judgement:
    """No two items have the same text in a field; of two the later one is wrong, or its field `at`."""

    def judge_items(field: Field) -> None:
        reject_repeated((each.child(name).string, each.child(at) if at else each) for each in field.items())

    return judge_items


def all_different(field: Field) -> None:
    """No two texts of a list are the same."""
    reject_repeated((each.string, each) for each in field.items())


def each(row: Row, *, as_list: bool = False) -> Judgement:
    """All items of a list are judged by the row, where an API server leaves out which it was under the list's name."""

    def judge_items(field: Field) -> None:
        for item in field.items():
            judge(item.written(field) if as_list else item, row)

    return judge_items
