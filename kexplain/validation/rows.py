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
of it, `{'name'}` for the same in quotes, and `{name|0}` for a number. A name is that of another table of the module, of
a method of fields, or of a function of this module, of `names` or of the module, which is given the field first;
`labels.labels` is another module's. What begins with # is a remark. Modules of other rooms go by where they stand,
`config.policy.rules`, and have their tables in `scheduler-judgements.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from operator import methodcaller
from typing import Any

from kexplain.tables import table
from kexplain.validation import names
from kexplain.validation.field import Field, Rule, choice, reject_repeated
from kexplain.validation.names import among
from kexplain.validation.row_paths import as_text, fields_at, function, is_there, way, worded

Judgement = Callable[[Field], object]


def judge(field: Field, name: str) -> bool:
    """Judge a field by the row of a name, behind that of its module; False where a judgement has ended the row."""
    return named(name)(field) is not False


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
    return _judgement(written, module)


def _rows(written: Mapping[str, Any], module: str) -> Iterator[tuple[str, Judgement]]:
    return ((path, _row(each, module)) for path, each in written.items() if not path.startswith("#"))


def _judgement(written: str, module: str) -> Judgement:
    call, _, message = written.partition(": ")
    name, *words = call.split()
    if name == "regardless":
        inner = _row(written.removeprefix("regardless "), module)
        return lambda field: inner(field) or True
    takes: list[Any] = [int(word) if word.isdigit() else word for word in words]
    if name == "obey" and message:
        takes, message = [among(*words[1:], said=f"{message} ")], ""
    elif name in _OF_RULES and words:
        takes = [among(*words[1:])] if words[0] == "among" else [_found(word, module) for word in words]
    made = _maker(name, module)
    if "{" in message:
        return lambda field: made(*takes, message=worded(message, field))(field)
    return made(*takes, **({"message": message} if message else {}))


def _maker(name: str, module: str) -> Callable[..., Judgement]:
    """The judgement of a name, given what else it takes; methods of fields are looked up when they judge."""
    if name not in tables_of(module) and hasattr(Field, name):
        return partial(methodcaller, name)
    found = _found(name, module)
    return lambda *takes, **more: (lambda field: found(field, *takes, **more)) if takes or more else found


def _found(name: str, module: str) -> Any:
    if "." in name or name in tables_of(module):
        return _later(name if "." in name else f"{module}.{name}")
    return globals().get(name) or getattr(names, name, None) or _later(f"{module}.{name}")


# ------------------------------------------------------------------------------------- what ends a row


def if_set(field: Field) -> bool:
    """Of what is not set there is nothing to say."""
    return field.is_set


# ----------------------------------------------------------------------------------------------- texts


def given(field: Field, *rules: Rule) -> None:
    """The text, if it is set, keeps to the rules."""
    if field.is_set:
        field.obey(*rules)


def may(field: Field, *rules: Rule) -> None:
    """The text, if it is not empty, keeps to the rules."""
    if field.string:
        field.obey(*rules)


def needs(field: Field, *rules: Rule, message: str = "is required") -> bool:
    """The text is there, and keeps to the rules."""
    if is_there := field.require(message):
        field.obey(*rules)
    return is_there


def chosen(field: Field, *values: str) -> bool:
    """The text is there, and one of some, which are named where it is not."""
    return needs(field, among(*values), message=f"is required: {choice(values)}")


def sound(field: Field, *rules: Rule) -> bool:
    """The text keeps to the rules, or there is no more to say of it."""
    return all(field.judge(field.string, rule) for rule in rules)


def starts_with(field: Field, *prefixes: str) -> None:
    """The text, if it is not empty, begins with one of some."""
    may(field, lambda text: None if text.startswith(prefixes) else f"does not begin with {choice(prefixes)}")


def key_obeys(field: Field, *rules: Rule) -> None:
    """The key of a value in a map keeps to the rules."""
    for rule in rules:
        field.judge(str(field.path[-1]), rule)


# ---------------------------------------------------------------------------------------------- others


def between(field: Field, low: int, high: int) -> None:
    """The number, 0 if there is none, is between two others, both of which are fine."""
    field.reject_if(not low <= field.number() <= high, f"{field.number()} is not between {low} and {high}")


def at_least(field: Field, limit: int) -> None:
    """The number, if it is set, is no smaller."""
    field.reject_if(field.number(limit) < limit, f"{field.number()} is less than {limit}")


def at_most(field: Field, limit: int) -> None:
    """The number, if it is set, is no larger."""
    field.reject_if(field.number() > limit, f"{field.number()} is more than {limit}")


def unique(field: Field, name: str, at: str = "", message: str = "is listed twice") -> None:
    """No two items have the same text in a field; of two the later one is wrong, or its field `at`."""
    keyed = ((each.child(name).string, where) for each in field.items() for where in fields_at(each, at))
    reject_repeated(keyed, message)


def names_differ(field: Field, name: str, message: str = "is listed twice") -> None:
    """No two items have the same text in a field, unless it is empty; of two the later field is wrong."""
    own = [each.child(name) for each in field.items()]
    reject_repeated(((each.string, each) for each in own if each.string), message)


def takes_one(field: Field, *names: str, message: str = "") -> bool:
    """Exactly one of these fields is set, or has anything where [] is behind it."""
    is_one = sum(is_there(field, name) for name in names) == 1
    field.reject_if(not is_one, message or f"must set {choice(names)}, and only one")
    return is_one


def needs_any(field: Field, *names: str, message: str) -> None:
    """One of these fields is set at least, or has anything where [] is behind it."""
    field.reject_if(not any(is_there(field, name) for name in names), message)


def once(item: Field, blamed: str, *names: str, message: str) -> bool:
    """No item before this one says the same in some fields, or in the one that is wrong then, which `.` is itself."""
    paths = names or (blamed.strip("."),)
    is_first = item.is_first_with(lambda each: tuple(as_text(fields_at(each, path)[0]) for path in paths))
    fields_at(item, blamed.strip("."))[0].reject_if(not is_first, message)
    return is_first


def all_different(field: Field) -> None:
    """No two texts or numbers of a list are the same."""
    reject_repeated((each.string if isinstance(each.value, str) else each.number(), each) for each in field.items())


#: Judgements that are made of rules for texts.
_OF_METADATA = ("metadata.check_metadata", "metadata.check_cluster_metadata")
_OF_RULES = ("obey", "given", "may", "needs", "sound", "key_obeys", *_OF_METADATA)
