"""Which of several snapshots was taken nearest to a time."""

import gzip
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from msgspec import Struct

from kexplain.errors import UsageError
from kexplain.load.snapshot.snapshot_file import Head
from kexplain.load.snapshot.table import DamagedError, decoded

#: The longest head that is looked at, and what a packed one begins with.
_LONGEST = 1 << 24
_PACKED = b"\x1f\x8b"
#: A time of day that the newest snapshot misses by no more is one of its day.
_SOON = timedelta(hours=1)


class Taken(Struct, frozen=True, order=True):
    """A snapshot and when it was taken."""

    at: datetime
    path: str

    def told_at(self, wanted: datetime) -> str:
        """When that was, beside when it was wanted."""
        apart = round(abs((self.at - wanted).total_seconds()) / 60)
        when = "before" if self.at < wanted else "after"
        off = f", {apart} min {when} {wanted:%Y-%m-%d %H:%M}" if apart else ""
        return f"the cluster is the one of {self.at:%Y-%m-%d %H:%M} UTC{off} ({self.path})"


def nearest(paths: Iterable[str], when: str) -> tuple[Taken, datetime]:
    """The snapshot of these files and directories that was taken nearest to a time, and the time that is meant.

    A time without an offset is one of UTC; a time of day is the last one that the newest snapshot has reached, or
    nearly. Raises UsageError on what is no time, and where there is no snapshot.
    """
    named = [*paths]
    found = sorted(_snapshots(named))
    if not found:
        where = " or ".join(named)
        raise UsageError(f"there is no snapshot in {where}", "kexplain snapshot takes one")
    wanted = _time(when, found[-1].at)
    return min(found, key=lambda each: abs(each.at - wanted)), wanted


def _time(when: str, newest: datetime) -> datetime:
    with suppress(ValueError):
        found = datetime.fromisoformat(when)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        of_day = time.fromisoformat(when)
    except ValueError:
        raise UsageError(f"{when} is no time", "for instance: 03:00, or '2026-11-20 03:00'") from None
    soon = newest.astimezone(of_day.tzinfo or UTC) + _SOON
    that_day = datetime.combine(soon.date(), of_day, of_day.tzinfo or UTC)
    return that_day if that_day <= soon else that_day - timedelta(days=1)


def _snapshots(paths: Iterable[str]) -> Iterator[Taken]:
    for path in map(Path, paths):
        for each in path.iterdir() if path.is_dir() else (path,):
            with suppress(OSError, EOFError, ValueError, DamagedError):
                head: Head = decoded(_first_line(each), Head)
                if head.kind == Head().kind:
                    taken = datetime.fromisoformat(head.taken_at)
                    yield Taken(taken if taken.tzinfo else taken.replace(tzinfo=UTC), str(each))


def _first_line(path: Path) -> bytes:
    with path.open("rb") as plain:
        is_packed = plain.read(len(_PACKED)) == _PACKED
    with gzip.open(path) if is_packed else path.open("rb") as file:
        return file.readline(_LONGEST)
