"""`kexplain help`: the manual."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument, option


class Request(Struct, frozen=True, kw_only=True):
    """The manual: what pages there are, or one of them, also where no man is installed.

    For example:
        kexplain help  # all pages
        kexplain help cluster  # the page on dumps and live clusters
    """

    panel: ClassVar = "What to show"

    topic: Annotated[str, argument()] = ""
    width: Annotated[int | None, option(min=20)] = None
