"""Conditions of policies, webhooks and definitions: whether such a CEL expression can be one at all.

Source: apiserver `cel/environment`. The engine lacks many of the functions that Kubernetes adds, the macros of two
variables, and room for expressions that nest deeper than 32 levels: what it says is believed only where none of that
can be the reason.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from kexplain.cel.costs import is_within_reach
from kexplain.cel.engine import ANY_NAME, SelectorError, first_line, plain_environment
from kexplain.cel.references import Token, tokens_of
from kexplain.cel.selectors import compilation
from kexplain.errors import MissingLibraryError
from kexplain.patterns import regex
from kexplain.tables import words

#: What the engine says of expressions that are too large for it.
_LIMITED = regex(r"recursion|limit exceeded")
_UNDECLARED = regex(r"undeclared reference to '\.?(\w+)[\w.]*'")
#: What has no type of its own is of any type to the engine.
_TYPED = regex(r"\b(?:authorizer|namespaceObject|oldSelf|request|self|variables)\b")
#: What expressions of policies make patches of; the engine does not know these types.
_TYPES_OF_PATCHES = {"JSONPatch", "Object"}
#: What functions of Kubernetes, and of extensions that the engine lacks, are called in.
_LIBRARIES = words("cel-libraries")


def selector_problem(expression: str) -> str | None:
    """Why no selector of devices can have this expression; None if it compiles, or that cannot be told."""
    try:
        compilation(expression)
    except SelectorError as fault:
        text = first_line(str(fault))
        return None if _LIMITED.search(text) else text
    except MissingLibraryError:
        return None
    return None


def condition_problem(expression: str, variables: Sequence[str]) -> str | None:
    """Why this cannot be a condition on these variables; None if it can, or that cannot be told."""
    return expression_problem(expression, variables, ("bool",))


def expression_problem(expression: str, variables: Sequence[str], kinds: Sequence[str]) -> str | None:
    """The same of an expression that must come to one of some types, or to anything."""
    kind, problem = _type_of(expression, tuple(variables))
    if problem or not kinds or kind in ("", ANY_NAME, *(each.upper() for each in kinds)):
        return problem
    is_open = kind == "DYN" and _TYPED.search(expression) is not None
    return None if is_open else f"must evaluate to {' or '.join(kinds)}"


@lru_cache(maxsize=10_000)
def _type_of(expression: str, variables: tuple[str, ...]) -> tuple[str, str | None]:
    """The type, empty where it is not known, and what is wrong."""
    tokens = tokens_of(expression)
    if not is_within_reach(tokens):
        return "", None
    try:
        kind: str = plain_environment(variables).compile(expression).return_type().name()
    except MissingLibraryError:
        return "", None
    except RuntimeError as fault:
        told = (line for line in str(fault).splitlines() if "ERROR: " in line and _is_told(line, tokens))
        line = next(told, None)
        return "", f"compilation failed: {first_line(line)}" if line is not None else None
    return kind, None


def _is_told(line: str, tokens: Sequence[Token]) -> bool:
    """Whether what the engine says is nothing that it lacks."""
    unknown = set(_UNDECLARED.findall(line)) - _TYPES_OF_PATCHES
    return "Syntax error" in line or any(_is_variable(name, tokens) for name in unknown)


def _is_variable(name: str, tokens: Sequence[Token]) -> bool:
    """Whether this is a variable that nothing declares: no function, no library, and bound by no macro."""
    places = [place for place, token in enumerate(tokens) if token.kind == "name" and token.text == name]
    return bool(places) and not any(_is_other(place, tokens) for place in places)


def _is_other(place: int, tokens: Sequence[Token]) -> bool:
    before = [token.text for token in tokens[max(place - 4, 0) : place]]
    after = [token.text for token in tokens[place + 1 :]]
    if before[-1:] == ["."] or after[:1] == ["("] or tokens[place].text in _LIBRARIES:
        return True
    # `all(i, v, …)`: the first and the second argument of something called.
    is_first = before[-1:] == ["("] and _is_word(before[-2:-1]) and after[:1] == [","]
    is_second = before[-1:] == [","] and before[-3:-2] == ["("] and _is_word(before[-4:-3]) and after[:1] == [","]
    return is_first or is_second


def _is_word(texts: list[str]) -> bool:
    return bool(texts) and re.fullmatch(r"[A-Za-z_]\w*", texts[0]) is not None
