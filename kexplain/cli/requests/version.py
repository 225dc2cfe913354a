"""`kexplain version`: what this is."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Print the version, and the release of Kubernetes that it follows."""

    examples: ClassVar = ()
