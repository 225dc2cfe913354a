"""What all records of the output have in common."""

import msgspec

from kexplain.framework.evidence import Evidence


class Output(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A record of the output."""


class Fact(Evidence, frozen=True, kw_only=True):
    """What is published of evidence to which something was added that a filter had no need to know."""
