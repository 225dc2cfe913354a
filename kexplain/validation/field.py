"""What is wrong with a manifest, and a cursor that finds it.

Source: apimachinery `util/validation/field.Path` for how fields are written.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import IntEnum
from math import isfinite
from typing import Any

from msgspec import Struct

from kexplain.objects.json_values import shown
from kexplain.objects.problem import Path, Problem, Stage, WordEdit, slip_edit
from kexplain.objects.quantity import QuantityError, parse

#: What is wrong with a text, in words that follow it; None if nothing is.
Rule = Callable[[str], str | None]


class OneOf(Struct, frozen=True):
    """The rule that a text must be one of some, which follow what is `said`."""

    values: tuple[str, ...]
    said: str = "is not supported: use "

    def __call__(self, text: str) -> str | None:
        return None if text in self.values else f"{self.said}{choice(self.values)}"


MAX_PORT = 65535
#: Fields of a pod that hold maps.
_MAPS = ("requests", "limits", "nodeSelector")


class _Joint(IntEnum):
    """How a step is written behind what it leads on from."""

    FIELD = 0
    KEY = 1


class Field(Struct, eq=False):
    """A value somewhere in a manifest; absent and null are both None, as they are alike to Go.

    Problems with it are added to the list that all fields of the manifest share. Where it stands is worked out only
    if there is one: thousands of fields are looked at, and nearly all are sound.
    """

    value: Any
    problems: list[Problem]
    stage: Stage = Stage.VALIDATION
    outer: Field | None = None
    _step: str | int = ""
    _joint: _Joint = _Joint.FIELD
    _text: str | Field | None = None
    #: What `is_first_with` knows of a list.
    first_by_key: dict[Hashable, int] | None = None

    @property
    def path(self) -> Path:
        """The steps to the value from the root of the manifest."""
        return (*self.outer.path, self._step) if self.outer is not None else ()

    @property
    def text(self) -> str:
        """The field as an API server writes it."""
        if self._text is not None:
            return self._text.text if isinstance(self._text, Field) else self._text
        if self.outer is None:
            return ""
        outer = self.outer.text
        if self._joint is _Joint.KEY:
            return f"{outer}[{self._step}]"
        return f"{outer}.{self._step}" if outer else str(self._step)

    def child(self, name: str) -> Field:
        value = self.value
        return Field(value.get(name) if type(value) is dict else None, self.problems, self.stage, self, name)

    def holder(self) -> Field:
        """The field that this one is in; the root itself."""
        return self.outer or self

    def descend(self, *names: str) -> Field:
        """The field at the end of several steps."""
        field = self
        for name in names:
            field = field.child(name)
        return field

    def key(self, name: str) -> Field:
        """The value of a map."""
        value = self.value
        inner = value.get(name) if type(value) is dict else None
        return Field(inner, self.problems, self.stage, self, name, _Joint.KEY)

    def at(self, path: Iterable[str | int]) -> Field:
        """The field at a path below this one; keys of maps are told by the map that they are in."""
        field = self
        for step in path:
            is_key = field._step in _MAPS
            field = field.items()[step] if isinstance(step, int) else field.key(step) if is_key else field.child(step)
        return field

    def items(self) -> list[Field]:
        if type(self.value) is not list:
            return []
        return [Field(one, self.problems, self.stage, self, index, _Joint.KEY) for index, one in enumerate(self.value)]

    def is_first_with(self, key: Callable[[Field], Hashable]) -> bool:
        """Whether no item before this one in its list has the same key; of one list, only one kind is asked for."""
        items = self.holder()
        if items.first_by_key is None:
            items.first_by_key = {key(each): index for index, each in reversed([*enumerate(items.items())])}
        return items.first_by_key[key(self)] == self._step

    def entries(self) -> Iterator[tuple[str, Field]]:
        """The values of a map by key."""
        if type(self.value) is dict:
            for name, inner in self.value.items():
                yield name, Field(inner, self.problems, self.stage, self, name, _Joint.KEY)

    def written(self, text: str | Field) -> Field:
        """The same value under the name that an API server gives it, or that of a field, where that is not its own."""
        return Field(self.value, self.problems, self.stage, self.outer, self._step, self._joint, text)

    def at_stage(self, stage: Stage) -> Field:
        """The same value, with problems that are found at another stage."""
        return Field(self.value, self.problems, stage, self.outer, self._step, self._joint, self._text)

    def with_value(self, value: Any) -> Field:
        """Another value in the same place."""
        return Field(value, self.problems, self.stage, self.outer, self._step, self._joint, self._text)

    @property
    def is_set(self) -> bool:
        return self.value is not None

    @property
    def string(self) -> str:
        """The text; empty if there is none."""
        return self.value if isinstance(self.value, str) else ""

    @property
    def strings(self) -> list[str]:
        return [item.string for item in self.items()]

    @property
    def flag(self) -> bool:
        """Whether this is set to true."""
        return self.value is True

    @property
    def mapping(self) -> dict[str, Any]:
        """The map; empty if there is none."""
        return self.value if type(self.value) is dict else {}

    def number(self, default: int = 0) -> int:
        """The whole number, or the default if there is none."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            return default
        return int(self.value) if isinstance(self.value, int) or isfinite(self.value) else default

    # ------------------------------------------------------------------------------------------- judgements

    def reject(self, message: str, known: Iterable[str] = (), key: str = "", *, edit: WordEdit | None = None) -> None:
        """Note that this field is wrong, and the edit that mends it.

        Without an edit, its value, or its key, may be a slip of the pen for a known one.
        """
        edit = edit or slip_edit(key or self.string, known)
        is_about_key = bool(key) and edit is not None
        found = Problem(self.path, message, self.text, edit=edit, is_about_key=is_about_key, stage=self.stage)
        self.problems.append(found)

    def reject_if(self, is_wrong: object, message: str) -> None:
        """Note that this field is wrong, if something holds."""
        if is_wrong:
            self.reject(message)

    def require(self, message: str = "is required") -> bool:
        """Note that this field is missing, unless it has a value other than an empty one; whether it has."""
        if self.value in (None, "", [], {}):
            self.reject(message)
            return False
        return True

    def require_set(self, message: str = "is required") -> bool:
        """Note that this field is missing, though an empty value would do; whether it has a value."""
        self.reject_if(self.value is None, message)
        return self.value is not None

    def forbid(self, message: str) -> None:
        """Note that this field is set, if it is."""
        self.reject_if(self.value is not None, message)

    def forbid_value(self, message: str) -> None:
        """Note that this field has a value other than an empty one, zero or false, if it has."""
        self.reject_if(self.value, message)

    def obey(self, *rules: Rule) -> None:
        """Note what rules find wrong with this text."""
        for rule in rules:
            self.judge(self.string, rule)

    def judge(self, text: str, rule: Rule) -> bool:
        """Note what a rule finds wrong with a text that this field is to blame for; whether it is sound."""
        problem = rule(text)
        if problem:
            self.reject(f"{shown(text)} {problem}", rule.values if isinstance(rule, OneOf) else ())
        return not problem

    def one_of(self, *values: str) -> None:
        """Note if this is set to anything but one of some values."""
        if self.is_set and self.value not in values:
            self.reject(f"{shown(self.value)} is not supported: use {choice(values)}", values)

    def within(self, low: int, high: int) -> None:
        """Note if this number is set and not between two others, both of which are fine."""
        if self.is_set and not low <= self.number() <= high:
            self.reject(f"{self.number()} is not between {low} and {high}")

    def port(self, default: int = 0) -> None:
        """Note if this number, or the default where there is none, is not a port that can be connected to."""
        if not 1 <= self.number(default) <= MAX_PORT:
            self.reject(f"{self.number(default)} is not a port from 1 to {MAX_PORT}")

    def not_negative(self) -> None:
        """Note if this number is negative."""
        if self.number() < 0:
            self.reject(f"{self.number()} is negative; 0 or more is valid")

    def positive(self) -> None:
        """Note if this number is not greater than 0; none counts as 0."""
        if self.number() <= 0:
            self.reject(f"{self.number()} is not greater than 0")

    def no_longer_than(self, limit: int) -> None:
        """Note if this text has more bytes."""
        if len(self.string.encode()) > limit:
            self.reject(f"must be at most {limit} characters long")

    def no_more_than(self, limit: int) -> bool:
        """Note if this list or map has more entries; whether it has no more."""
        is_longer = isinstance(self.value, list | dict) and len(self.value) > limit
        if is_longer:
            self.reject(f"has {len(self.value)} entries; at most {limit} are valid")
        return not is_longer


def reject_repeated(fields: Iterable[tuple[Hashable, Field]], said: str = "is listed twice") -> None:
    """Note each field whose key an earlier one has already, in words that follow the key."""
    seen: set[Hashable] = set()
    for key, field in fields:
        if key in seen:
            field.reject(f"{' '.join(map(str, key)) if isinstance(key, tuple) else shown(key)} {said}")
        seen.add(key)


def nanos(raw: Any) -> int | None:
    """An amount; None where it is no quantity, which decoding has found already."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        return parse(raw)
    except QuantityError:
        return None


def choice(values: Iterable[str]) -> str:
    """Values to choose from, in words."""
    *others, last = [value or '""' for value in values]
    return f"{', '.join(others)} or {last}" if others else last
