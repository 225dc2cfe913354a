"""The live cluster, and what is shown while it is read."""

from __future__ import annotations

import sys
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from kexplain.cli.progress import bar, filled
from kexplain.load.live.connection import Connection

if TYPE_CHECKING:
    from kexplain.load.live.api_resources import Resource
    from kexplain.load.live.cluster_reader import ClusterSource


@cache
def live_cluster(connection: Connection) -> ClusterSource:
    """The cluster of a connection. Raises ClusterError if that is not said, or wrong."""
    # The client is imported by runs that read a cluster, and by no others.
    from kexplain.load.live.client import LiveCluster  # noqa: PLC0415

    return LiveCluster(connection, Progress() if sys.stderr.isatty() else None)


class Progress:
    """A bar on stderr: how many objects have been read, of how many as far as the server has said."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[Resource, tuple[int, int]] = {}
        self._most = (0, 0)
        self._width = 0
        self._has_ended = False

    def has_read(self, resource: Resource, count: int, to_come: int) -> None:
        """Redraw the bar; called by whichever thread has read something."""
        with self._lock:
            if self._has_ended:
                return
            self._counts[resource] = (count, to_come)
            done = sum(each for each, _ in self._counts.values())
            total = done + sum(each for _, each in self._counts.values())
            # A list that begins late, or once more, takes nothing back.
            width = max(self._most[0], filled(done, total))
            self._most = width, max(self._most[1], done)
            self._draw(f"reading {bar(width)} {self._most[1]} of {max(total, self._most[1])} objects")

    def has_ended(self) -> None:
        """Wipe the bar out, for good: what was under way when another list failed may still come in."""
        with self._lock:
            self._has_ended = True
            self._draw("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _draw(self, text: str) -> None:
        # Blanks instead of escape sequences: they work everywhere, and NO_COLOR wants none.
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)
