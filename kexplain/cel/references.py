"""Which parts of a device an expression reads, so that devices alike in these are asked once.

A light reading of the tokens, in doubt on the safe side: whatever is not of the plain form
`device.attributes["domain"].name` counts as reading all of the device.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from kexplain.patterns import regex

ATTRIBUTES, CAPACITY, DRIVER, MULTIPLE = "attributes", "capacity", "driver", "allowMultipleAllocations"
FIELDS = (DRIVER, MULTIPLE, ATTRIBUTES, CAPACITY)
#: What maps are called where they are indexed: there, as upstream has it, domains without attributes are empty maps.
INDEXED = {ATTRIBUTES: "indexedAttributes", CAPACITY: "indexedCapacity"}

_TOKEN = regex(
    r"(?P<space>\s+|//[^\n]*)"
    r"|(?P<string>[rRbB]{0,2}(?:\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'))"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<other>.)",
    re.DOTALL,
)


class Token(Struct, frozen=True):
    """A token, and where it stands."""

    kind: str
    text: str
    start: int


class References(Struct, frozen=True):
    """What an expression reads.

    `paths` are (field,) or (field, domain, name); None means everything. `domains` are string literals, any of
    which may name a domain. `renamed` is the expression with indexed maps under their own names. `is_bare` tells
    that the device is used as a whole. `unknown_field` is a field that devices do not have, and where it is named.
    """

    paths: tuple[tuple[str, ...], ...] | None
    domains: tuple[str, ...]
    renamed: str
    is_bare: bool
    unknown_field: tuple[str, int] | None


def references(expression: str) -> References:
    """The identifiers and the paths of fields that the expression reads."""
    tokens = tokens_of(expression)
    paths: list[tuple[str, ...]] = []
    reads_all = is_bare = False
    unknown_field: tuple[str, int] | None = None
    renamed: list[tuple[int, str]] = []
    for index in range(len(tokens)):
        if not _is_device(tokens, index):
            continue
        field = _text(tokens, index + 2)
        if _text(tokens, index + 1) != "." or _is_presence_test(tokens, index):
            is_bare = reads_all = True
        elif field not in FIELDS:
            unknown_field = unknown_field or (field, tokens[index + 1].start)
        elif field not in INDEXED:
            paths.append((field,))
        else:
            if _text(tokens, index + 3) == "[":
                renamed.append((tokens[index + 2].start, field))
            path = _path(tokens, index + 3)
            reads_all = reads_all or path is None
            if path is not None:
                paths.append((field, *path))
    return References(
        paths=None if reads_all else tuple(dict.fromkeys(paths)),
        domains=tuple({_literal(token) for token in tokens if token.kind == "string"} - {None, ""}),  # type: ignore[arg-type]
        renamed=_renamed(expression, renamed),
        is_bare=is_bare,
        unknown_field=unknown_field,
    )


def tokens_of(expression: str) -> list[Token]:
    """The tokens of an expression, without white space and comments."""
    found = _TOKEN.finditer(expression)
    return [Token(each.lastgroup or "", each[0], each.start()) for each in found if each.lastgroup != "space"]


def _is_device(tokens: Sequence[Token], index: int) -> bool:
    """Whether this token is the variable `device`, not a field of that name."""
    token = tokens[index]
    return token.text == "device" and token.kind == "name" and _text(tokens, index - 1) != "."


def _text(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""


def _is_presence_test(tokens: Sequence[Token], index: int) -> bool:
    """Whether this is `has(device.field)`, which asks for the field of a whole."""
    return [_text(tokens, index - 2), _text(tokens, index - 1), _text(tokens, index + 3)] == ["has", "(", ")"]


def _path(tokens: Sequence[Token], index: int) -> tuple[str, str] | None:
    """Domain and name of `["domain"].name` from this token on, optional or not; None if it is anything else."""
    domain, index = _indexed(tokens, index)
    if domain is None:
        return None
    if _text(tokens, index) == "[":
        name, _ = _indexed(tokens, index)
        return None if name is None else (domain, name)
    if _text(tokens, index) != ".":
        return None
    index += 2 if _text(tokens, index + 1) == "?" else 1
    if index >= len(tokens) or tokens[index].kind != "name" or _text(tokens, index + 1) == "(":
        return None
    return domain, tokens[index].text


def _indexed(tokens: Sequence[Token], index: int) -> tuple[str | None, int]:
    """The literal in brackets from this token on, and where it goes on behind them."""
    if _text(tokens, index) != "[":
        return None, index
    index += 2 if _text(tokens, index + 1) == "?" else 1
    if index >= len(tokens) or tokens[index].kind != "string" or _text(tokens, index + 1) != "]":
        return None, index
    return _literal(tokens[index]), index + 2


def _literal(token: Token) -> str | None:
    """The text of a plain string literal; None where escapes or prefixes would have to be read."""
    text = token.text
    return None if text[0] not in "\"'" or "\\" in text or text[:3] in ('"""', "'''") else text[1:-1]


def _renamed(expression: str, places: Sequence[tuple[int, str]]) -> str:
    for start, field in reversed(places):
        expression = expression[:start] + INDEXED[field] + expression[start + len(field) :]
    return expression
