"""What the input would have to hold for a verdict to be the cluster's.

Only kinds of which there is no object at all are named: one object that is missing among others is missing in
the cluster, too, as far as anybody can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class MissingKind(NamedTuple):
    """A kind that is missing: in words, as kubectl names it, and what cannot be said without."""

    kinds: str
    resource: str
    consequence: str


def missing_note(missing: Sequence[MissingKind], file: str) -> tuple[str, ...]:
    """A note that names the kinds and the command that gets them into a file; empty if nothing is missing."""
    if not missing:
        return ()
    kinds = " and ".join(f"no {each.kinds} ({each.consequence})" for each in missing)
    command = f"kubectl get {','.join(each.resource for each in missing)} -A -o json > {file}"
    return (f"the input holds {kinds}: get them with {command}, and add --cluster {file}",)
