"""How far reading several files is, for whoever waits."""

from collections.abc import Callable, Iterable

from kexplain.load.text.source import Source

#: Called with how many bytes have been read, of how many in all files.
ReadListener = Callable[[int, int], None]


class ReadingProgress:
    """Adds up what has been read, file by file."""

    def __init__(self, sources: Iterable[Source], listener: ReadListener) -> None:
        self._listener = listener
        self._sizes = {id(source): source.size for source in sources}
        self._total = sum(self._sizes.values())
        self._before = 0

    def within(self, done: int) -> None:
        """So many bytes of the file at hand have been read."""
        self._listener(self._before + done, self._total)

    def has_read(self, source: Source) -> None:
        """All of a file has been read."""
        self._before += self._sizes[id(source)]
        self._listener(self._before, self._total)
