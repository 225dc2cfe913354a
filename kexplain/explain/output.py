"""What all records of the output have in common."""

from __future__ import annotations

import msgspec


class Output(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A record of the output."""


class Fact(Output, frozen=True, tag_field="type"):
    """A fact behind a rejection; `type` says which."""
