"""`kexplain version`: what this is."""

import sys

from kexplain import __version__
from kexplain.cli.requests.version import Request
from kexplain.framework.features import DEFAULT_RELEASE


def run(request: Request) -> int:  # noqa: ARG001 (there is nothing to ask for)
    """Always 0."""
    sys.stdout.write(f"kexplain {__version__} (kubernetes {DEFAULT_RELEASE})\n")
    return 0
