"""`kexplain schema`: what programs can rely on."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument, option


class Document(StrEnum):
    """Kinds of documents that have a schema."""

    REPORT = "report"
    DIFF = "diff"
    CAPACITY = "capacity"
    DRAIN = "drain"
    WHAT_IF = "what-if"
    EVENT = "event"
    TRACE = "trace"
    FLEET = "fleet"
    REPLAY = "replay"
    PACK = "pack"
    STATUS = "status"
    PLUGINS = "plugins"
    PLUGIN = "plugin"
    LINT = "lint"
    RULES = "rules"
    SETTINGS = "settings"


class Request(Struct, frozen=True, kw_only=True):
    """Print the JSON Schema of -o json, or of .kexplain.yaml.

    For example:
        kexplain schema lint  # of what kexplain lint -o json prints
        kexplain schema --reasons  # what upstream's reasons are called here
    """

    panel: ClassVar = "What to show"

    document: Annotated[
        Document,
        argument(
            metavar="DOCUMENT",
            help=f"{', '.join(Document)}: report is what explaining prints, and status where you may not read the "
            "whole cluster; settings is .kexplain.yaml, the others are commands.",
        ),
    ] = Document.REPORT
    reasons: Annotated[bool, option()] = False
