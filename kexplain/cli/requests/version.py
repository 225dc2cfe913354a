"""`kexplain version`: what this is."""

from msgspec import Struct


class Request(Struct, frozen=True, kw_only=True):
    """Print the version, and the release of Kubernetes that it follows."""
