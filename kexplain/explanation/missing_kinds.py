"""What the input would need for a verdict to be the cluster's.

Only kinds without any object are named: if one object is missing among others, it is likely to be missing in the
cluster, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kexplain.parameters import parameter
from kexplain.shell import word


class MissingKind(Struct, frozen=True):
    """A kind that is missing: in words, as kubectl names it, and what is taken for granted, or cannot be told."""

    kinds: str
    resource: str
    consequence: str


def missing_note(missing: Sequence[MissingKind], file: str) -> tuple[str, ...]:
    """A note that names the kinds and the command that gets them into a file; empty if nothing is missing."""
    if not missing:
        return ()
    kinds = " and ".join(f"no {each.kinds} ({each.consequence})" for each in missing)
    names = ",".join(dict.fromkeys(name for each in missing for name in each.resource.split(",")))
    got = f"kubectl get {word(names)} -A -o json > {word(file)}"
    return (f"the input has {kinds}: get them with {got}, and add {parameter('cluster', file)}",)
