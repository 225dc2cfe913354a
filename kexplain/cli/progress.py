"""How far a long run is, on a terminal only."""

from __future__ import annotations

import sys
from time import monotonic

#: Runs that are over before nobody need watch.
_PATIENCE = 1.0
_EVERY = 0.1


class Progress:
    """One line on stderr that is written over; none if stderr is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = monotonic() + _PATIENCE
        self._width = 0

    def read(self, files: int) -> None:
        """So many files were read."""
        self._say(f"reading: {files} files")

    def loaded(self, done: int, total: int) -> None:
        """So many bytes of files were read, of so many; then what they hold has to be put together."""
        if done < total:
            self._say(f"reading: {done >> 20} of {total >> 20} MiB")
        else:
            self._say(f"read {total >> 20} MiB; putting pods on their nodes", is_last=True)

    def placed(self, done: int, total: int | None = None, what: str = "replicas") -> None:
        """So many replicas, or others, were tried, of so many where that is known."""
        self._say(f"placing: {done} {what}" if total is None else f"placing: {done} of {total} {what}")

    def end(self) -> None:
        """Wipe the line."""
        if self._width:
            print(f"\r{' ' * self._width}\r", end="", file=sys.stderr, flush=True)  # noqa: T201
            self._width = 0

    def _say(self, text: str, *, is_last: bool = False) -> None:
        if not self._shows or ((now := monotonic()) < self._next and not (is_last and self._width)):
            return
        self._next = now + _EVERY
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)  # noqa: T201
        self._width = max(self._width, len(text))
