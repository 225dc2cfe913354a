"""Regular expressions that cost nothing until they are used: of all that modules have, a run needs few."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Uncompiled:
    """Becomes what it stands for, attribute by attribute, as soon as one is asked for."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        # What is set here is found without coming by again. The compiled pattern itself is in the cache of `re`.
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, which is put off until the pattern is used; so is the error of one that is wrong."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))
