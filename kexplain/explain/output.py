"""What all records of the output have in common."""

from typing import Any, TypeVar

import msgspec

from kexplain.framework.evidence import Evidence

Kind = TypeVar("Kind", bound=msgspec.Struct)


class Output(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A record of the output."""


def copied(source: object, kind: type[Kind], /, **others: Any) -> Kind:
    """A record of that kind: these fields, and all others from what has them by the same names."""
    names = (name for name in kind.__struct_fields__ if name not in others)
    return kind(**{name: getattr(source, name) for name in names}, **others)


class Fact(Evidence, frozen=True, kw_only=True):
    """What is published of evidence to which something was added that a filter had no need to know."""
