"""The message of a scheduler without names: only words that are known to be upstream's own are left."""

from __future__ import annotations

import re

REDACTED = "redacted"

#: What kube-scheduler 1.30 to 1.37 say that names nothing. Source: the `ErrReason` constants of its plugins.
_OWN_WORDS = frozenset(
    (
        "Too many pods",
        "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
        "node(s) did not have enough free storage",
        "node(s) didn't find available persistent volumes to bind",
        "node(s) didn't have free ports for the requested pod ports",
        "node(s) didn't match Pod's node affinity/selector",
        "node(s) didn't match Pod's required features",
        "node(s) didn't match pod affinity rules",
        "node(s) didn't match pod anti-affinity rules",
        "node(s) didn't match pod topology spread constraints",
        "node(s) didn't match pod topology spread constraints (missing required label)",
        "node(s) didn't match scheduler-enforced node affinity",
        "node(s) didn't match the requested node name",
        "node(s) didn't satisfy existing pods anti-affinity rules",
        "node(s) exceed max volume count",
        "node(s) had no available disk",
        "node(s) had no available volume zone",
        "node(s) had untolerated taint(s)",
        "node(s) had volume node affinity conflict",
        "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",  # noqa: E501 (as it is said)
        "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
        "node(s) were unschedulable",
        "pod has unbound immediate PersistentVolumeClaims",
        "No preemption victims found for incoming pod",
        "Preemption is not helpful for scheduling",
        "no new claims to deallocate",
        "not eligible due to preemptionPolicy=Never",
        "not eligible due to a terminating pod on the nominated node",
        "nodes are available",
        "preemption",
    )
)
#: Resources keep their names wherever they stand, but for those that a device class is part of.
_RESOURCE = re.compile(r"Insufficient (?!deviceclass\.)[\w./-]+")
_BETWEEN = re.compile(r"(, |\. |: |\.$)")
_COUNTED = re.compile(r"(?P<count>(?:0/)?\d+ )?(?P<words>.*)", re.DOTALL)


def redacted_message(message: str) -> str:
    """The message with all that may name something of somebody's replaced, piece by piece."""
    return "".join(piece if _BETWEEN.fullmatch(piece) else _piece(piece) for piece in _BETWEEN.split(message))


def _piece(piece: str) -> str:
    match = _COUNTED.fullmatch(piece)
    words = match["words"] if match else piece
    if not words or words in _OWN_WORDS or _RESOURCE.fullmatch(words):
        return piece
    return f"{(match and match['count']) or ''}{REDACTED}"
