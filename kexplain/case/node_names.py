"""The node that a name is meant for."""

from collections.abc import Collection

from kexplain.errors import UsageError
from kexplain.words import ask, did_you_mean, some

_NAMED = 4


def whole_name(name: str, known: Collection[str]) -> str:
    """The name of that node, or of the only one that has a dot behind it, as reports leave out what all names end in.

    Raises UsageError if there is none, or several.
    """
    if name in known:
        return name
    longer = sorted(each for each in known if name and each.startswith(f"{name}."))
    if len(longer) > 1:
        which = ask(*longer) if len(longer) <= _NAMED else f"there are {some(longer, _NAMED)}"
        raise UsageError(f"{name} may be any of {len(longer)} nodes", which)
    if not longer:
        nearest = did_you_mean(name, known) or f"there are {some(sorted(known), 8)}"
        raise UsageError(f"there is no node {name} in the cluster", nearest)
    return longer[0]
