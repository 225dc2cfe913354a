"""Where the paths and conditions of rows lead to, and what messages quote of what is there.

`rows` explains what they look like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from re import Match
from typing import Any

from kexplain.objects.json_values import shown
from kexplain.objects.quantity import NANOS_PER_UNIT
from kexplain.patterns import regex
from kexplain.validation import names
from kexplain.validation.field import Field, Rule, nanos

#: Whether a condition holds for a field at the end of its path, and the field that it is asked of.
_Test = Callable[[Field, Field], bool]

#: What dots part outside of brackets.
_STEP = regex(r"(?:[^.\[]|\[[^\]]*\])+")
_COMPARISON = regex(r"(?P<path>(?:outer )?[^\s=<>!~^$*]*)(?P<not>!?)(?P<sign>~=|\^=|\$=|\*=|==|=|<|>|~)(?P<other>.*)")
_QUOTED = regex(r"\{(?P<quote>'?)(?P<name>[^}|']*)'?(?:\|(?P<default>[^}]*))?\}")


@cache
def way(path: str) -> tuple[bool, Callable[[Field], Sequence[Field]]]:
    """Whether the path is behind `else`, and the way to the fields at its end; at a condition, to the field itself."""
    first, _, rest = path.partition(" ")
    path = rest if first == "else" else path
    conditions = [holds for each in path.split(" and ") if (holds := _condition(each))]
    if conditions:
        return first == "else", lambda field: (field,) if all(holds(field) for holds in conditions) else ()
    return first == "else", _along(path)


def fields_at(field: Field, path: str) -> Sequence[Field]:
    """The fields at the end of a path, under the name behind `as`."""
    return _along(path)(field)


@cache
def _along(path: str) -> Callable[[Field], Sequence[Field]]:
    names = path.split(".") if path else []
    if path.isalnum():
        return lambda field: (field.child(path),)
    if all(name.isalnum() for name in names):
        return lambda field: (field.descend(*names),)
    steps, name = _steps(path)

    def walked(field: Field) -> Sequence[Field]:
        found: Sequence[Field] = [_holder(field, steps[0][0]) if path.startswith("outer ") else field]
        for step in steps:
            found = [inner for each in found for inner in _below(each, *step)]
        return [each.written(name[1:] if name[0] == "/" else field.child(name)) for each in found] if name else found

    return walked


def _holder(field: Field, name: str) -> Field:
    """The nearest field around one that has something of that name; the root if none has."""
    outer = field.holder()
    return outer if name in outer.mapping or outer.outer is None else _holder(outer, name)


def _steps(path: str) -> tuple[Sequence[tuple[str, str | None, bool]], str]:
    """Of each step its name, what stands in brackets behind it, and whether a field is called as its holder is."""
    path, _, name = path.removeprefix("outer ").replace("{}", "[*]").partition(" as ")
    steps = [(*step.removesuffix("^").partition("["), step[-1]) for step in _STEP.findall(path)]
    return [(name, inside[:-1] if bracket else None, last == "^") for name, bracket, inside, last in steps], name


def _below(field: Field, name: str, inside: str | None, is_as_holder: bool) -> Sequence[Field]:
    there = field.child(name) if name else field
    if inside is None:
        return [there.written(field if name else field.holder())] if is_as_holder else [there]
    if inside == "*":
        found = [value for _, value in there.entries()]
    elif inside and not inside.isdigit():
        found = [there.key(inside)]
    else:
        found = there.items()[int(inside) :][:1] if inside else there.items()
    return [each.written(there) for each in found] if is_as_holder else found


def _condition(text: str) -> Callable[[Field], bool] | None:
    """What is asked of a field; None if the text is a path."""
    parts = _COMPARISON.fullmatch(text)
    if parts is None:
        return (lambda field: is_there(field, text[1:]) == (text[0] == "?")) if text[:1] in ("?", "!") else None
    reach, test, is_turned = _along(parts["path"]), _TESTS[parts["sign"]](parts["other"]), bool(parts["not"])
    return lambda field: any(test(each, field) for each in reach(field)) != is_turned


def is_there(field: Field, path: str) -> bool:
    """Whether a field is set; behind `[]`, whether it has anything."""
    found = fields_at(field, path.removesuffix("[]"))
    return any(each.value if path.endswith("[]") else each.is_set for each in found)


def _amount(other: str) -> Callable[[Field], int]:
    """The number that one is compared with: itself, or that of a field beside it, or else what stands behind `|`."""
    path, _, default = other.partition("|")
    if path.lstrip("-").isdigit():
        return lambda _: int(path) * NANOS_PER_UNIT
    return lambda holder: _nanos(fields_at(holder, path)[0], int(default or 0))


def _nanos(field: Field, default: int = 0) -> int:
    """The number; of a text, that of the quantity that it is."""
    return nanos(field.value) or 0 if isinstance(field.value, str) else field.number(default) * NANOS_PER_UNIT


def function(name: str) -> Any:
    """The function of a name such as `labels.labels`; behind the path of its module if that is of another room."""
    module, _, own = name.rpartition(".")
    return getattr(import_module(f"kexplain.{module}" if "." in module else f"{__package__}.{module}"), own)


def _keeps_to(name: str) -> _Test:
    rule: Rule = function(name) if "." in name else getattr(names, name)
    return lambda each, _: rule(each.string) is None


def _is_one_of(words: str) -> _Test:
    known = words.split("|")
    return lambda each, _: as_text(each) in known


def _has_in_it(pattern: str) -> _Test:
    known = regex(pattern)
    return lambda each, _: bool(known.search(each.string))


def _is_below(other: str, sign: int) -> _Test:
    amount = _amount(other)
    return lambda each, holder: _nanos(each) * sign < amount(holder) * sign


#: By its sign, what makes a test of what stands behind the sign.
_TESTS: Mapping[str, Callable[[str], _Test]] = {
    "=": _is_one_of,
    "^=": lambda other: lambda each, _: each.string.startswith(tuple(other.split("|"))),
    "$=": lambda other: lambda each, _: each.string.endswith(tuple(other.split("|"))),
    "*=": lambda other: lambda each, _: any(part in each.string for part in other.split("|")),
    "==": lambda other: lambda each, holder: as_text(each) in map(as_text, fields_at(holder, other)),
    "<": lambda other: _is_below(other, 1),
    ">": lambda other: _is_below(other, -1),
    "~=": _has_in_it,
    "~": _keeps_to,
}


def as_text(field: Field) -> str:
    """What a field says, without quotes; nothing if that is more than a word or a number."""
    text = str(_scalar(field))
    return text.lower() if isinstance(field.value, bool) else text


def _scalar(field: Field) -> object:
    return field.value if isinstance(field.value, str | int | float) else ""


def worded(message: str, field: Field) -> str:
    """The message with what fields say where their names stand in braces."""
    return _QUOTED.sub(lambda name: _quoted(name, field), message)


def _quoted(match: Match[str], field: Field) -> str:
    name, default = match["name"], match["default"]
    path = name.strip("#")
    (at,) = fields_at(field, path.removeprefix(".") if path[:1] in ("", ".") else f"outer {path}")
    if name == "#" or default is not None:
        return str(at.number(int(default or 0)))
    return shown(_scalar(at)) if match["quote"] or not name else as_text(at)
