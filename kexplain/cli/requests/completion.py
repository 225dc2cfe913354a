"""`kexplain completion`: scripts for shells."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from kexplain.cli.flags.declaring import argument


class Shell(StrEnum):
    """Shells that completion can be printed for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellFlags:
    """The shell."""

    panel: ClassVar = "The shell"

    shell: Annotated[Shell, argument(metavar="|".join(Shell), help="The shell that reads the script.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Print a completion script for a shell."""

    examples: ClassVar = (("source <(kexplain completion bash)", "in ~/.bashrc"),)

    shell: ShellFlags
