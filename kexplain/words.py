"""Lists of names, cut short."""

from __future__ import annotations

from collections.abc import Sequence


def some(names: Sequence[str], limit: int = 3) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return f"{', '.join(names[:limit])}{more}"
