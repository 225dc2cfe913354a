"""`kexplain completion`: scripts for shells."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import argument


class Shell(StrEnum):
    """Shells that completion can be printed for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


class Request(Struct, frozen=True, kw_only=True):
    """Print a completion script for a shell.

    For example:
        source <(kexplain completion bash)  # in ~/.bashrc
    """

    panel: ClassVar = "The shell"

    shell: Annotated[Shell, argument(metavar="|".join(Shell), help="The shell that reads the script.")]
