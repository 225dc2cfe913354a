"""How far a long run is, on a terminal only."""

import sys
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")

#: Runs that are over before nobody need watch.
_PATIENCE = 1.0
_EVERY = 0.1
#: Times that are longer are told in minutes.
_MINUTES_FROM = 100
_BAR_WIDTH = 24


def filled(done: int, total: int) -> int:
    """How far the bar is filled."""
    return _BAR_WIDTH * min(done, total) // max(total, 1)


def bar(width: int) -> str:
    """A bar that is filled so far."""
    return f"[{'#' * width:.<{_BAR_WIDTH}}]"


class _First(NamedTuple):
    """How much was done when that was heard of for the first time."""

    what: str
    at: float
    done: int


class Progress:
    """One line on stderr that is written over; none if stderr is no terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = monotonic() + _PATIENCE
        self._width = 0
        self._first: _First | None = None

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
        """So many replicas, or others, were tried, of so many where that is known and not 0."""
        if not total:
            self._say(f"placing: {done} {what}")
        else:
            self._say(f"placing {bar(filled(done, total))} {done} of {total} {what}{self._left(done, total, what)}")

    def over(self, items: Iterable[Item], total: int, what: str = "pods") -> Iterator[Item]:
        """The same items, watched as they come; the line is wiped before whatever follows the last."""
        try:
            for done, item in enumerate(items, start=1):
                self.placed(done, total, what)
                yield item
        finally:
            self.end()

    def _left(self, done: int, total: int, what: str) -> str:
        """How long it will take, at the pace so far; empty as long as there is none."""
        if self._first is None or self._first.what != what:
            self._first = _First(what, monotonic(), done)
        since = done - self._first.done
        if since <= 0:
            return ""
        seconds = (monotonic() - self._first.at) / since * (total - done)
        return f", {seconds:.0f} s left" if seconds < _MINUTES_FROM else f", {seconds / 60:.0f} min left"

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
