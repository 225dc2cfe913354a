"""Plain judgements as rows of a table: the path of a field, and what must hold of the value there.

A path begins at the field that the table is about: `rules[].host` is the host of each rule, `options{}` the value of
each key, `[]` each item of the field itself, `labels[a.b/c]` the value of one key, `ports[1]` the second item, and an
empty path the field; with `outer ` before it, at the nearest field around that one which has such a field. Where an API
server calls a field by another name, `^` stands behind it for the name of what holds it, ` as name` for one beside it,
and ` as /name` for one from the root. A judgement that answers False ends its row: of what is missing there is no more
to say. Tables stand within tables where something is judged as a whole.

A condition in place of a path holds for what the field is then judged by. Of several between ` and ` all must hold, and
what stands behind `else` is asked only where what stands before it did not hold.

- `?name`, `!name`: something is set, or not; `?name[]`: it has anything
- `type=A|B`, `path^=/`, `path$=/`, `path*=//|/./`: a text, or one of several, is one of these, begins with, ends with
  or has one of them in it; `path~=[.]$`: it has what that pattern describes in it; `host~ip`: it keeps to that rule;
  `one==other`: two fields say the same. `!` before the sign turns each of these around
- `least<1`, `least>most`: a number or a quantity, 0 if there is none, is below or above another, or that of another
  field, or else what stands behind `|`

The tables of each module are data: `tables/judgements.json`. There a judgement is its name, what it takes behind it
(`within 0 100`, `needs among Allow Deny`) and, behind a colon, what it says. In that, `{}` stands for the value, `{#}`
for the number, `{name}` for what the field of that name says that is beside it or further out, `{.name}` for one inside
of it, `{'name'}` for the same in quotes, and `{name|0}` for a number. A name is that of another table of the module, or
of a function of this module, of `names` or of the module, which is given the field first; `labels.labels` is
another module's. What begins with # is a remark. Modules of other rooms go by where they stand, `config.policy.rules`,
and have their tables in `scheduler-judgements.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from kexplain.tables import table
from kexplain.validation import names
from kexplain.validation.field import Field, Rule, choice, reject_repeated
from kexplain.validation.names import among
from kexplain.validation.row_paths import as_text, fields_at, function, is_there, way, worded

Judgement = Callable[[Field], object]
Row: TypeAlias = "str | Judgement | Table | tuple[Row, ...]"
Table: TypeAlias = Mapping[str, Row]
required: Judgement = Field.require
required_set: Judgement = Field.require_set
not_negative: Judgement = Field.not_negative
positive: Judgement = Field.positive


def judge(field: Field, row: Row) -> bool:
    """Judge a field by a row: one judgement, several of them in order, or a table of rows for what is inside.

    A text is the name of a row, behind that of its module. False where a judgement has ended the row.
    """
    return compiled(row)(field) is not False


def compiled(row: Row) -> Judgement:
    """The one judgement that a row is."""
    if isinstance(row, str):
        return _later(row)
    if isinstance(row, tuple):
        return _in_order(lambda: map(compiled, row))
    if isinstance(row, Mapping):
        return _inside(lambda: ((path, compiled(inner)) for path, inner in row.items()))
    return row


def _later(name: str) -> Judgement:
    """The row of a name, which is looked up as soon as it is needed."""

    def judge_by_name(*judged: Any) -> object:
        return named(name)(*judged)

    return judge_by_name


def _in_order(rows: Callable[[], Iterable[Judgement]]) -> Judgement:
    judgements = cache(lambda: [*rows()])
    return lambda field: all(judgement(field) is not False for judgement in judgements())


def _inside(rows: Callable[[], Iterable[tuple[str, Judgement]]]) -> Judgement:
    ways = cache(lambda: [(*way(path), judgement) for path, judgement in rows()])

    def judge_inside(field: Field) -> None:
        is_decided = False
        for is_other, reach, judgement in ways():
            if not (is_other and is_decided):
                found = reach(field)
                is_decided = bool(found)
                for at in found:
                    judgement(at)

    return judge_inside


# ------------------------------------------------------------------------------------- tables that are data


@cache
def tables(*, of_rooms: bool = False) -> Mapping[str, Mapping[str, Any]]:
    """The tables as they are written, by module and name; if `of_rooms` those of modules of other rooms."""
    return table("scheduler-judgements" if of_rooms else "judgements", dict[str, dict[str, Any]])


def tables_of(module: str) -> Mapping[str, Any]:
    """The tables of a module by their names."""
    return tables(of_rooms="." in module).get(module, {})


@cache
def named(name: str) -> Judgement:
    """The table, or else the function, of a name such as `labels.labels`, as one judgement."""
    module, _, own = name.rpartition(".")
    if own in tables_of(module):
        return _row(tables_of(module)[own], module)
    judgement: Judgement = function(name)
    return judgement


@cache
def sub_tables(name: str) -> Mapping[str, Judgement]:
    """The rows of a table by their paths, each as one judgement."""
    module, _, own = name.rpartition(".")
    return dict(_rows(tables_of(module)[own], module))


def _row(written: Any, module: str) -> Judgement:
    """A row of a module as it is written."""
    if isinstance(written, dict):
        return _inside(lambda: _rows(written, module))
    if isinstance(written, list):
        return _in_order(lambda: (_row(each, module) for each in written))
    judgement: Judgement = _judgement(written, module)
    return judgement


def _rows(written: Mapping[str, Any], module: str) -> Iterator[tuple[str, Judgement]]:
    return ((path, _row(each, module)) for path, each in written.items() if not path.startswith("#"))


def _judgement(written: str, module: str) -> Any:
    call, _, message = written.partition(": ")
    name, *words = call.split()
    found = _found(name, module)
    if name in _OF_ROWS:
        return found(_row(written.removeprefix(name).strip(), module))
    if not words and not message:
        return found
    takes: list[Any] = [int(word) if word.isdigit() else word for word in words]
    if name == "obeys" and message:
        return found(among(*words[1:], said=f"{message} "))
    if name in _OF_RULES:
        takes = [among(*words[1:])] if words[0] == "among" else [_found(word, module) for word in words]
    if "{" in message:
        return lambda field: found(*takes, message=worded(message, field))(field)
    if message:
        return found(*takes, message=message)
    return found(*takes) if name in globals() else lambda field: found(field, *takes)


def _found(name: str, module: str) -> Any:
    if "." in name or name in tables_of(module):
        return _later(name if "." in name else f"{module}.{name}")
    return globals().get(name) or getattr(names, name, None) or _later(f"{module}.{name}")


# ------------------------------------------------------------------------------------- what ends a row


def if_set(field: Field) -> bool:
    """Of what is not set there is nothing to say."""
    return field.is_set


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


def sound(*rules: Rule) -> Judgement:
    """The text keeps to the rules, or there is no more to say of it."""
    return lambda field: all(field.judge(field.string, rule) for rule in rules)


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


def starts_with(*prefixes: str) -> Judgement:
    """The text, if it is not empty, begins with one of some."""
    return may(lambda text: None if text.startswith(prefixes) else f"does not begin with {choice(prefixes)}")


def between(low: int, high: int) -> Judgement:
    """The number, 0 if there is none, is between two others, both of which are fine."""
    return lambda field: (
        None if low <= field.number() <= high else field.reject(f"{field.number()} is not between {low} and {high}")
    )


def port(default: int) -> Judgement:
    """The number, or else the default, is a port."""
    return lambda field: field.port(default)


def wrong(message: str) -> Judgement:
    """Whatever it is, it is wrong where the condition around it holds."""
    return lambda field: field.reject(message)


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


def unique(name: str, at: str = "", message: str = "is listed twice") -> Judgement:
    """No two items have the same text in a field; of two the later one is wrong, or its field `at`."""

    def judge_items(field: Field) -> None:
        keyed = ((each.child(name).string, where) for each in field.items() for where in fields_at(each, at))
        reject_repeated(keyed, message)

    return judge_items


def takes_one(*names: str, message: str = "") -> Judgement:
    """Exactly one of these fields is set, or has anything where [] is behind it."""

    def judge_choice(field: Field) -> bool:
        if sum(is_there(field, name) for name in names) == 1:
            return True
        field.reject(message or f"must set {choice(names)}, and only one")
        return False

    return judge_choice


def needs_any(*names: str, message: str) -> Judgement:
    """One of these fields is set at least, or has anything where [] is behind it."""
    return lambda field: None if any(is_there(field, name) for name in names) else field.reject(message)


def once(blamed: str, *names: str, message: str) -> Judgement:
    """No item before this one says the same in some fields, or in the one that is wrong then, which `.` is itself."""
    paths = names or (blamed.strip("."),)

    def judge_item(item: Field) -> bool:
        is_first = item.is_first(lambda each: tuple(as_text(fields_at(each, path)[0]) for path in paths))
        fields_at(item, blamed.strip("."))[0].reject_if(not is_first, message)
        return is_first

    return judge_item


def all_different(field: Field) -> None:
    """No two texts or numbers of a list are the same."""
    reject_repeated((each.string if isinstance(each.value, str) else each.number(), each) for each in field.items())


def key_obeys(*rules: Rule) -> Judgement:
    """The key of a value in a map keeps to the rules."""
    return lambda field: [field.judge(str(field.path[-1]), rule) for rule in rules]


def names_differ(name: str, message: str = "is listed twice") -> Judgement:
    """No two items have the same text in a field, unless it is empty; of two the later field is wrong."""

    def judge_items(field: Field) -> None:
        own = [each.child(name) for each in field.items()]
        reject_repeated(((each.string, each) for each in own if each.string), message)

    return judge_items


#: Judgements that are made of rows, and of rules for texts.
_OF_ROWS = ("regardless",)
_OF_RULES = (
    "obeys",
    "given",
    "may",
    "needs",
    "sound",
    "key_obeys",
    "metadata.check_metadata",
    "metadata.check_cluster_metadata",
)
