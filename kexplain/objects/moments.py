"""Points in time, as objects have them."""

import math
from datetime import datetime
from functools import lru_cache


@lru_cache(maxsize=65536)
def seconds(text: str) -> float:
    """The time in seconds; infinity for a text that is none, which no API server would hold."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError):
        return math.inf
