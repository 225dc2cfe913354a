"""The CEL engine: environments to check expressions in and to run them in, and what it says in upstream's words.

The only module that knows it; it is imported when the first expression is compiled. An expression is checked in an
environment with upstream's types, opaque quantities and versions among them, and run in one where these are bytes,
since the engine hands no opaque values to functions written in Python.
"""

import re
from functools import cache
from typing import Any

from msgspec import Struct

from kexplain.cel.functions import OF_LISTS, OF_LISTS_AS_RUN, OVERLOADS, QUANTITY, SEMVER
from kexplain.cel.references import ATTRIBUTES, CAPACITY, DRIVER, INDEXED, MULTIPLE
from kexplain.errors import MissingLibraryError
from kexplain.patterns import regex

_NO_KEY = regex(r'NOT_FOUND: Key not found in map : "?(.*?)"?', re.DOTALL)
_ENGINE_CODE = regex(r"[A-Z_]+: ")
_PLACE = regex(r"(?:compilation failed: )?ERROR: <input>:")
_TAIL = regex(r" \[[A-Z_]+\]\Z")
#: What upstream adds to a name that is not known; it says nothing to readers.
_CONTAINER = " (in container '')"
_WORDING = {"divide by zero": "division by zero"}
#: The engine has no name of its own for google.protobuf.Any.
ANY_NAME = "ERROR"


class SelectorError(Exception):
    """An expression that cannot be compiled, or not be evaluated for a device; upstream's text."""

    def __init__(self, text: str, *, at_compile_time: bool = False) -> None:
        super().__init__(text)
        self.kind = "compile" if at_compile_time else "runtime"


def first_line(text: str) -> str:
    """What is wrong by the first line of the engine's complaint, without the text that it is about."""
    lines = [line for line in _compile_text(text).splitlines() if "ERROR: " in line or not line.startswith(" | ")]
    return _PLACE.sub("", lines[0]).replace(_CONTAINER, "") if lines else text


class Dialect(Struct, frozen=True):
    """Whether attributes may be lists, and whether there is a function that asks what they include."""

    has_lists: bool = False
    has_includes: bool = False


def compiled(text: str, renamed: str, *, is_bare: bool, dialect: Dialect, derives: bool = False) -> Any:
    """The program of a selector; `renamed` is the text that runs, `is_bare` whether it reads the device as a whole.

    One that `derives` an attribute may be of any type, as its values are looked at.

    Raises SelectorError, MissingLibraryError.
    """
    # The function has many overloads, and hardly anybody uses it.
    has_includes = dialect.has_includes and "includes" in text
    checking, running = environments(is_bare=is_bare, dialect=Dialect(dialect.has_lists, has_includes))
    try:
        checked = checking.compile(text if is_bare else renamed)
    except RuntimeError as fault:
        shown = _compile_text(str(fault))
        if renamed != text and not is_bare:
            try:
                checking.compile(text)
            except RuntimeError as original:
                # The same, but with the columns of what was written.
                shown = _compile_text(str(original))
        raise SelectorError(f"compilation failed: {shown}", at_compile_time=True) from None
    type_name = checked.return_type().name()
    suits = ("BOOL", ANY_NAME, "DYN") if is_bare or dialect.has_lists else ("BOOL", ANY_NAME)
    if not derives and type_name not in suits:
        raise SelectorError(f"must evaluate to bool or the unknown type, not {type_name.lower()}", at_compile_time=True)
    return running.deserialize(checked.serialize())


@cache
def environments(*, is_bare: bool, dialect: Dialect) -> tuple[Any, Any]:
    """The environment that expressions are checked in, and the one that they are run in."""
    checking, running = (_environment(is_bare=is_bare, dialect=dialect, checks=checks) for checks in (True, False))
    return checking, running


@cache
def plain_environment(variables: tuple[str, ...]) -> Any:
    """An environment with these variables, of any type. Raises MissingLibraryError."""
    cel, extensions = _engine()
    return cel.NewEnv(variables=dict.fromkeys(variables, cel.Type.DYN), extensions=extensions)


def _engine() -> tuple[Any, list[Any]]:
    """The library, and its extensions that selectors may use. Raises MissingLibraryError."""
    try:
        from cel_expr_python import cel  # noqa: PLC0415 - costs time, and most pods claim no devices
        from cel_expr_python.ext import ext_bindings, ext_optional, ext_strings  # noqa: PLC0415
    except ImportError:
        raise MissingLibraryError("cel-expr-python") from None
    return cel, [ext_optional.ExtOptional(), ext_strings.ExtStrings(), ext_bindings.ExtBindings()]


def _environment(*, is_bare: bool, dialect: Dialect, checks: bool) -> Any:
    cel, extensions = _engine()
    kinds = cel.Type
    opaque = {name: kinds.AbstractType(name) if checks else kinds.BYTES for name in (QUANTITY, SEMVER)}
    plain = {"string": kinds.STRING, "bool": kinds.BOOL, "int": kinds.INT, "double": kinds.DOUBLE, "dyn": kinds.DYN}
    lists = {"list": kinds.List(kinds.DYN), "strings": kinds.List(kinds.STRING)}
    types: dict[str, Any] = {**opaque, **plain, **lists}
    overloads: dict[str, dict[Any, Any]] = {}
    of_lists = (OF_LISTS if checks else OF_LISTS_AS_RUN) if dialect.has_includes else ()
    for each in (*OVERLOADS, *of_lists):
        # Where two opaque types have become bytes, one overload is enough: it tells them apart itself.
        key = each.id if checks else tuple("bytes" if name in opaque else name for name in each.parameters)
        takes, returns = [types[name] for name in each.parameters], types[each.returns]
        made = cel.Overload(each.id, return_type=returns, parameters=takes, is_member=each.member, impl=each.call)
        overloads.setdefault(each.function, {}).setdefault(key, made)
    attribute = kinds("google.protobuf.Any") if checks and not dialect.has_lists else kinds.DYN
    attributes = kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, attribute))
    capacity = kinds.Map(kinds.STRING, kinds.Map(kinds.STRING, opaque[QUANTITY]))
    variables = {
        f"device.{DRIVER}": kinds.STRING,
        f"device.{MULTIPLE}": kinds.BOOL,
        f"device.{ATTRIBUTES}": attributes,
        f"device.{INDEXED[ATTRIBUTES]}": attributes,
        f"device.{CAPACITY}": capacity,
        f"device.{INDEXED[CAPACITY]}": capacity,
    }
    return cel.NewEnv(
        variables={"device": kinds.Map(kinds.STRING, kinds.DYN)} if is_bare else variables,
        extensions=extensions,
        functions=[cel.FunctionDecl(name, list(by_key.values())) for name, by_key in overloads.items()],
    )


def _compile_text(text: str) -> str:
    return _TAIL.sub("", text.removeprefix("INVALID_ARGUMENT: "))


def runtime_text(text: str) -> str:
    """What the engine says as it evaluates, in upstream's words, where these are known."""
    missing = _NO_KEY.fullmatch(text)
    if missing:
        return f"no such key: {missing[1]}"
    if "No matching overloads found" in text:
        return "no such overload"
    plain = _ENGINE_CODE.sub("", _TAIL.sub("", text), count=1)
    return _WORDING.get(plain, plain)
