"""`kexplain schema`: what programs can rely on."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument, option
from kexplain.render import Kind


class Request(Struct, frozen=True, kw_only=True):
    """Print the JSON Schema of -o json, or of .kexplain.yaml.

    For example:
        kexplain schema lint  # of what kexplain lint -o json prints
        kexplain schema DrainReport  # the same by the kind that a document names
        kexplain schema --reasons  # what upstream's reasons are called here
    """

    panel: ClassVar = "What to show"

    document: Annotated[
        str,
        argument(
            metavar="DOCUMENT",
            help=f"{', '.join(Kind)}: report is what explaining prints, and status where you may not read the "
            "whole cluster; settings is .kexplain.yaml, the others are commands.",
        ),
    ] = Kind.EXPLANATION
    reasons: Annotated[bool, option()] = False
