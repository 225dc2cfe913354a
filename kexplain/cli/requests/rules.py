"""`kexplain rules`: what lint looks for."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument
from kexplain.cli.flags.report import OutputFlags
from kexplain.render import Kind


class Request(Struct, frozen=True, kw_only=True):
    """What lint looks for: all rules, or the page of one, with examples.

    For example:
        kexplain rules  # all rules
        kexplain rules node-selector-no-node  # the page of one
    """

    panel: ClassVar = "What to show"
    reports: ClassVar = Kind.RULES

    rule: Annotated[str, argument()] = ""
    report: OutputFlags
