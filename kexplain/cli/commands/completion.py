"""`kexplain completion`: scripts for shells."""

import sys

from kexplain.cli.completion_scripts import script
from kexplain.cli.requests.completion import Request


def run(request: Request) -> int:
    """Always 0."""
    sys.stdout.write(script(request.shell.value))
    return 0
